/* uECC_vli.h - what programs find that include micro-ecc's integers */
#error "uECC_vli.h of ecfit: there are no uECC_vli_ functions; stay with micro-ecc if you need them"
