/* mp/armv6m/all.S - every function of the backend */
#include "mp/thumb.S"
#include "mp/armv6m/mac_row.S"
