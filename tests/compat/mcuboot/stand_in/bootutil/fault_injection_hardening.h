/* fault_injection_hardening.h - stands for that of MCUboot: what bootutil_verify_sig uses of it */
#ifndef BOOTUTIL_FAULT_INJECTION_HARDENING_H
#define BOOTUTIL_FAULT_INJECTION_HARDENING_H

typedef int fih_ret;
extern fih_ret FIH_SUCCESS, FIH_FAILURE;
extern int fih_returned; /* how often FIH_RET was used, which MCUboot's counter asks for */

#define FIH_DECLARE(name, value) fih_ret name = value
#define FIH_RET(value) \
    do { \
        fih_returned++; \
        return value; \
    } while (0)

#endif
