/* sysflash.h - the numbers of MCUboot's slots */
#ifndef SYSFLASH_H
#define SYSFLASH_H

#define FLASH_AREA_IMAGE_PRIMARY(x) ((void)(x), 1)
#define FLASH_AREA_IMAGE_SECONDARY(x) ((void)(x), 2)
#define FLASH_AREA_IMAGE_SCRATCH 3

#endif
