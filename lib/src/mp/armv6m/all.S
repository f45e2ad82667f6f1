/* mp/armv6m/all.S - every function of the backend */
#include "mp/thumb.S"
#include "mp/armv6m/mac_row.S"
#include "mp/armv6m/mul128.S"
#include "mp/armv6m/mul_8.S"
#include "mp/armv6m/sqr128.S"
#include "mp/armv6m/sqr_8.S"
