/* bench_op.h - the operation contract: what an adapter offers, what the harness offers to it.
 *
 * An adapter defines, for each operation that its library has, one function bench_<op>.
 * All have one type, so that a table, a simulator and a serial protocol can call any of them alike.
 * Inputs and outputs are concatenated byte strings; F = size of a field element,
 * N = size of a scalar (32 and 32 for secp256r1), P = 1 + 2F (SEC 1 uncompressed: 0x04||x||y).
 * The build defines BENCH_CURVE, the curve's name as a token, BENCH_F and BENCH_N.
 *
 *   op      in                               out
 *   keygen  -                                private key N || public key P
 *   ecdh    private key N || public key P    shared secret F
 *   sign    private key N || hash 32         signature r||s 2N
 *   verify  signature 2N || public key P || hash 32    -
 *   sign_message and verify_message: the same with a message of 32 bytes, which they hash
 *   sign_recoverable    as sign                        signature, recovery id 2N + 1
 *   recover_key    signature, recovery id 2N + 1 || hash 32    public key P
 *   sign_schnorr and verify_schnorr (BIP 340, secp256k1): as sign and verify, with a message of 32
 *                  bytes for the hash, and x alone of the public key, F
 *   spake2p_prover    w0 N || w1 N || shareV P || confirmV 32    shareP P || confirmP 32 || key 32
 *   spake2p_verifier  w0 N || L P || shareP P || confirmP 32     shareV P || confirmV 32 || key 32
 *                  (RFC 9383, secp256r1): a whole run of this side, which draws x or y first
 *
 * X25519 and Ed25519 (RFC 7748, RFC 8032) have P = F = N = 32, X448 56 and Ed448 57;
 * instead of a hash stands a message of 32 bytes, and
 *   sign    private key N || public key N || message 32    signature 2N
 *   verify_parts    as verify, with the message in two parts of 16 bytes
 *   sign_parts      as sign, with a reader that gives the message
 *
 * A KEM (FIPS 203) has N = size of a decapsulation key, P = of an encapsulation key,
 * C = of a ciphertext, F = of a shared secret; BENCH_P and BENCH_C are defined, too
 *   keygen  -                                decapsulation key N || encapsulation key P
 *   encaps  encapsulation key P              ciphertext C || shared secret F
 *   decaps  decapsulation key N || ciphertext C    shared secret F
 * keygen draws the seed d || z of 64 bytes, encaps the message m of 32, each in one call.
 * An adapter has to check what FIPS 203 asks to: encapsulation keys of which a coefficient is not
 * below the modulus (7.2), and decapsulation keys whose hash is not that of the key inside (7.3)
 * are refused. A ciphertext never is: that of another key gives another secret.
 *
 * ML-DSA (FIPS 204) has N = size of a private key, P = of a public key, S = of a signature;
 * BENCH_P and BENCH_S are defined, too
 *   keygen  -                                private key N || public key P
 *   sign    private key N || message 32      signature S
 *   verify  signature S || public key P || message 32    -
 * keygen draws the seed xi of 32 bytes; sign, which is hedged, rnd of 32 bytes; each in one call.
 * The message is signed as it is (not HashML-DSA), and the context is empty. verify refuses
 * hints in another encoding (FIPS 204, algorithm 21), which would be a second signature.
 *
 * Returns 0 for success, anything else for failure (verify: the signature is not accepted).
 *
 * An adapter may define bench_prepare_<op>(in) besides: what the library's users set up once and
 * keep for many operations (a context, a group, a key object). It runs before the operation, with
 * the same input and random bytes; its cycles are counted apart. What it keeps is on the heap
 * (an adapter's data is neither cleared nor counted). What it cannot set up from its input is
 * refused. `ecfit ct` follows it, too.
 *
 * Glue is compiled into sections .bench.*, which the linker script keeps apart from the library's,
 * so that it is not counted as the library's flash. Only the operations that an image needs
 * are linked: the harness takes the addresses of those in BENCH_OPS, the linker drops the rest. */
#ifndef BENCH_OP_H
#define BENCH_OP_H

#include <stddef.h>
#include <stdint.h>

#define BENCH_GLUE(name) __attribute__((section(".bench." #name), noinline))

int bench_keygen(uint8_t *out, const uint8_t *in);
int bench_ecdh(uint8_t *out, const uint8_t *in);
int bench_sign(uint8_t *out, const uint8_t *in);
int bench_verify(uint8_t *out, const uint8_t *in);
int bench_sign_message(uint8_t *out, const uint8_t *in);
int bench_verify_message(uint8_t *out, const uint8_t *in);
int bench_sign_recoverable(uint8_t *out, const uint8_t *in);
int bench_recover_key(uint8_t *out, const uint8_t *in);
int bench_sign_schnorr(uint8_t *out, const uint8_t *in);
int bench_verify_schnorr(uint8_t *out, const uint8_t *in);
int bench_spake2p_prover(uint8_t *out, const uint8_t *in);
int bench_spake2p_verifier(uint8_t *out, const uint8_t *in);
int bench_verify_parts(uint8_t *out, const uint8_t *in);
int bench_sign_parts(uint8_t *out, const uint8_t *in);
int bench_encaps(uint8_t *out, const uint8_t *in);
int bench_decaps(uint8_t *out, const uint8_t *in);

/* Messages: adapter_message.c. */
int bench_plain(uint8_t *out, const uint8_t *in);
int bench_jss(uint8_t *out, const uint8_t *in);
int bench_cose(uint8_t *out, const uint8_t *in);
int bench_recover(uint8_t *out, const uint8_t *in);
int bench_prepare_keygen(const uint8_t *in);
int bench_prepare_ecdh(const uint8_t *in);
int bench_prepare_sign(const uint8_t *in);
int bench_prepare_verify(const uint8_t *in);

/* A whole connection of a TLS client; what stands in `out` says firmware/tls/port.h. */
int bench_tls(uint8_t *out, const uint8_t *in);

/* Offered by the harness: the next `size` bytes of the random pool that the host filled
 * before the call; returns 0, or -1 when the pool is used up. Its flash is the harness's;
 * its cycles count, equally for every library. */
int bench_random(uint8_t *out, size_t size);

/* Offered by the harness to libraries that allocate: zeroed memory aligned to 8 bytes,
 * NULL when it is short of it, and its return. The flash is the harness's; the cycles count.
 * The host reads the high-water mark of what was asked for at one time, each block rounded up
 * to 8 bytes, without the allocator's own 8 bytes per block. */
void *bench_calloc(size_t count, size_t size);
void bench_free(void *block);

/* Offered by the harness in the place of exit(), to libraries that end the program
 * when bench_calloc() gives nothing: does not return. */
void bench_out_of_memory(int code);

/* Offered by the harness: says that these bytes may be known, though they were computed
 * from secrets; for `ecfit ct`, which knows the function by its name. It does nothing,
 * in every build. */
void bench_public(const void *bytes, size_t size);

#endif
