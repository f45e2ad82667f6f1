/* user_settings.h - wolfSSL as a server on this machine has it: both versions, RSA and the curves
 * of the chains, sessions by ticket and by number. */
#ifndef SERVER_USER_SETTINGS_H
#define SERVER_USER_SETTINGS_H

#define HAVE_TLS_EXTENSIONS
#define HAVE_SUPPORTED_CURVES
#define HAVE_EXTENDED_MASTER
#define HAVE_SESSION_TICKET
#define HAVE_SNI
#define WOLFSSL_TLS13
#define HAVE_HKDF
#define WC_RSA_PSS
#define WC_RSA_BLINDING
#define HAVE_ECC
#define HAVE_ECC384
#define ECC_TIMING_RESISTANT
#define TFM_TIMING_RESISTANT
#define ECC_SHAMIR
#define HAVE_AESGCM
#define WOLFSSL_SHA384
#define WOLFSSL_SHA512
#define HAVE_CHACHA
#define HAVE_POLY1305
#define WOLFSSL_SP_MATH_ALL
#define SINGLE_THREADED
#define NO_DH
#define NO_DSA
#define NO_DES3
#define NO_RC4
#define NO_MD4
#define NO_OLD_TLS
#define NO_PWDBASED

#endif
