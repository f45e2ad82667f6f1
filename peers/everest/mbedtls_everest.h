/* mbedtls_everest.h - the configuration under which Mbed TLS compiles its copy of Everest's X25519,
 * and nothing else. */
#define MBEDTLS_ECDH_VARIANT_EVEREST_ENABLED
