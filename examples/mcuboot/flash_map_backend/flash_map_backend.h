/* flash_map_backend.h - the flash as MCUboot sees it: one slot, which main.c reads */
#ifndef FLASH_MAP_BACKEND_H
#define FLASH_MAP_BACKEND_H

#include <stddef.h>
#include <stdint.h>

struct flash_area {
    uint8_t fa_id, fa_device_id;
    uint32_t fa_off, fa_size;
};

struct flash_sector {
    uint32_t fs_off, fs_size;
};

int flash_area_read(const struct flash_area *area, uint32_t offset, void *out, uint32_t size);

/* What a validation does not call. */
int flash_area_open(uint8_t id, const struct flash_area **area);
void flash_area_close(const struct flash_area *area);
int flash_area_write(const struct flash_area *area, uint32_t offset, const void *data,
                     uint32_t size);
int flash_area_erase(const struct flash_area *area, uint32_t offset, uint32_t size);
uint32_t flash_area_align(const struct flash_area *area);
uint8_t flash_area_erased_val(const struct flash_area *area);
int flash_area_get_sectors(int id, uint32_t *count, struct flash_sector *sectors);

static inline uint8_t flash_area_get_id(const struct flash_area *area)
{
    return area->fa_id;
}

static inline uint8_t flash_area_get_device_id(const struct flash_area *area)
{
    return area->fa_device_id;
}

static inline uint32_t flash_area_get_off(const struct flash_area *area)
{
    return area->fa_off;
}

static inline uint32_t flash_area_get_size(const struct flash_area *area)
{
    return area->fa_size;
}

static inline uint32_t flash_sector_get_off(const struct flash_sector *sector)
{
    return sector->fs_off;
}

static inline uint32_t flash_sector_get_size(const struct flash_sector *sector)
{
    return sector->fs_size;
}

#endif
