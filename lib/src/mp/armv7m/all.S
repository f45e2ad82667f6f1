/* mp/armv7m/all.S - every function of the backend: those of armv6m, and those for public data */
#include "mp/armv6m/all.S"
#include "field/armv7m/p25519_mul_var.S"
#include "field/armv7m/p25519_run_var.S"
#include "field/armv7m/p25519_sqr_var.S"
#include "field/armv7m/secp256r1_mul_var.S"
#include "field/armv7m/secp256r1_sqr_var.S"
#include "group/armv7m/secp256r1_pt_add_var.S"
#include "group/armv7m/secp256r1_pt_double_var.S"
