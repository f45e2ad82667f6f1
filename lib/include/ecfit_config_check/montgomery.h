/* ecfit_config_check/montgomery.h - the checks that all curves of a family share.
 * It is included once for each curve of the image:
 * ECFIT_CHECKED_CURVE and ECFIT_CHECKED_NAME are its name, SECP256R1 and secp256r1.
 * Generated from lib/knobs.toml; do not edit. */
#if ECFIT_CHECKED_HAS(REDUCE_IS_MONT) + ECFIT_CHECKED_HAS(REDUCE_IS_PMERS) != 1
ECFIT_REFUSED(REDUCE, define exactly one of _IS_MONT, _IS_PMERS)
#endif
#if ECFIT_CHECKED_HAS(MULG_IS_COMB_RAM)
ECFIT_REFUSED(MULG, comb_ram is gone: use comb_flash, or as_var where flash is short)
#elif ECFIT_CHECKED_HAS(MULG_IS_AS_VAR) + ECFIT_CHECKED_HAS(MULG_IS_COMB_EDWARDS) != 1
ECFIT_REFUSED(MULG, define exactly one of _IS_AS_VAR, _IS_COMB_EDWARDS)
#endif
#if ECFIT_CHECKED(COMB_TEETH) == 2
ECFIT_REFUSED(COMB_TEETH, 2 is gone: use 3)
#elif ECFIT_CHECKED(COMB_TEETH) == 7
ECFIT_REFUSED(COMB_TEETH, 7 is gone: use 6, or 5 with more blocks)
#elif ECFIT_CHECKED(COMB_TEETH) < 3 || ECFIT_CHECKED(COMB_TEETH) > 6
ECFIT_REFUSED(COMB_TEETH, define it, 3 to 6)
#endif
#if ECFIT_CHECKED(COMB_BLOCKS) == 3
ECFIT_REFUSED(COMB_BLOCKS, 3 is gone: use 4)
#elif ECFIT_CHECKED(COMB_BLOCKS) == 5
ECFIT_REFUSED(COMB_BLOCKS, 5 is gone: use 4, or more teeth)
#elif ECFIT_CHECKED(COMB_BLOCKS) == 6
ECFIT_REFUSED(COMB_BLOCKS, 6 is gone: use 4, or more teeth)
#elif ECFIT_CHECKED(COMB_BLOCKS) == 7
ECFIT_REFUSED(COMB_BLOCKS, 7 is gone: use 8)
#elif ECFIT_CHECKED(COMB_BLOCKS) == 9
ECFIT_REFUSED(COMB_BLOCKS, 9 is gone: use 8 or 11)
#elif ECFIT_CHECKED(COMB_BLOCKS) == 10
ECFIT_REFUSED(COMB_BLOCKS, 10 is gone: use 11)
#elif ECFIT_CHECKED(COMB_BLOCKS) < 1 || ECFIT_CHECKED(COMB_BLOCKS) > 11
ECFIT_REFUSED(COMB_BLOCKS, define it, 1, 2, 4, 8, 11)
#endif
#if ECFIT_CHECKED_HAS(KEYGEN_IS_KEYGEN) + ECFIT_CHECKED_HAS(KEYGEN_IS_NONE) != 1
ECFIT_REFUSED(KEYGEN, define exactly one of _IS_KEYGEN, _IS_NONE)
#endif
#if ECFIT_CHECKED_HAS(ECDH_IS_ECDH) + ECFIT_CHECKED_HAS(ECDH_IS_NONE) != 1
ECFIT_REFUSED(ECDH, define exactly one of _IS_ECDH, _IS_NONE)
#endif
#if ECFIT_CHECKED_HAS(WIPE_IS_STACK) + ECFIT_CHECKED_HAS(WIPE_IS_NONE) != 1
ECFIT_REFUSED(WIPE, define exactly one of _IS_STACK, _IS_NONE)
#endif
#undef ECFIT_CHECKED_CURVE
#undef ECFIT_CHECKED_NAME
