/* aes_config.h - AES-128-CCM of Mbed TLS alone, with the tables that the clients of TLS have. */
#define MBEDTLS_AES_C
#define MBEDTLS_CCM_C
#define MBEDTLS_AES_ROM_TABLES
#define MBEDTLS_AES_FEWER_TABLES
#define MBEDTLS_AES_ONLY_128_BIT_KEY_LENGTH
#define MBEDTLS_BLOCK_CIPHER_NO_DECRYPT
#define MBEDTLS_HAVE_ASM
