/* mbedtls_p256m.h - the configuration under which Mbed TLS compiles its copy of p256-m,
 * and nothing else. */
#define MBEDTLS_PSA_P256M_DRIVER_ENABLED
