/* boot.c - MCUboot boots an image under QEMU (mps2-an385), and refuses it with any byte changed
 *
 * The program is a boot loader: MCUboot's boot_go() with the configuration of a port. It offers
 * each changed image twice, in the primary slot and as an update in the secondary one, and ends
 * with 1 where one is taken. The image itself comes last: it must be taken, and is started. With
 * PAYLOAD, this file is the program that is signed, and its end is the end of all, with 0. QEMU's
 * flash is RAM, so that a slot is memory. */
#include <string.h>

#include "board.h"

#if defined(PAYLOAD)

int main(void)
{
    board_say("the image runs\n");
    return 0;
}

#else

#include "bootutil/bootutil.h"
#include "bootutil/bootutil_public.h"
#include "bootutil/fault_injection_hardening.h"
#include "bootutil/image.h"
#include "bootutil/sign_key.h"
#include "flash_map_backend/flash_map_backend.h"
#include "sysflash/sysflash.h"

#define SECTOR 0x1000u
#define SIZE 0x8000u /* of a slot: the image, and MCUboot's trailer */
#define SCRATCH 3
#if defined(CONFIG_BOOT_SWAP_USING_OFFSET)
#define UPDATE SECTOR /* where an update begins in its slot */
#else
#define UPDATE 0u
#endif
#define VECTORS (*(volatile uint32_t *)0xE000ED08u)

extern const unsigned char ecdsa_pub_key[];
extern const unsigned int ecdsa_pub_key_len;
const struct bootutil_key bootutil_keys[] = {{ecdsa_pub_key, &ecdsa_pub_key_len}};
const int bootutil_key_cnt = 1;

__asm__(".section .rodata\n.balign 4\n.global image\n.global image_end\n"
        ".global older\n.global older_end\n"
        "image: .incbin \"" IMAGES "new.bin\"\nimage_end:\n.balign 4\n"
        "older: .incbin \"" IMAGES "old.bin\"\nolder_end:\n.balign 4\n.text\n");
extern const uint8_t image[], image_end[], older[], older_end[];

static const struct flash_area areas[] = {
    {.fa_id = 1, .fa_off = SLOT, .fa_size = SIZE},
    {.fa_id = 2, .fa_off = SLOT + SIZE, .fa_size = SIZE},
    {.fa_id = SCRATCH, .fa_off = SLOT + 2 * SIZE, .fa_size = SIZE},
};

static uint8_t *at(const struct flash_area *area, uint32_t offset)
{
    return (uint8_t *)area->fa_off + offset;
}

static int is_inside(const struct flash_area *area, uint32_t offset, uint32_t size)
{
    return offset <= area->fa_size && size <= area->fa_size - offset;
}

int flash_area_open(uint8_t id, const struct flash_area **area)
{
    *area = &areas[id - 1];
    return 0;
}

void flash_area_close(const struct flash_area *area)
{
    (void)area;
}

int flash_area_read(const struct flash_area *area, uint32_t offset, void *out, uint32_t size)
{
    if (!is_inside(area, offset, size))
        return -1;
    memcpy(out, at(area, offset), size);
    return 0;
}

/* As of flash: from ones to zeros. */
int flash_area_write(const struct flash_area *area, uint32_t offset, const void *data,
                     uint32_t size)
{
    if (!is_inside(area, offset, size))
        return -1;
    for (uint32_t i = 0; i < size; i++)
        *at(area, offset + i) &= ((const uint8_t *)data)[i];
    return 0;
}

int flash_area_erase(const struct flash_area *area, uint32_t offset, uint32_t size)
{
    if (!is_inside(area, offset, size) || offset % SECTOR != 0 || size % SECTOR != 0)
        return -1;
    memset(at(area, offset), 0xff, size);
    return 0;
}

uint32_t flash_area_align(const struct flash_area *area)
{
    (void)area;
    return 4;
}

uint8_t flash_area_erased_val(const struct flash_area *area)
{
    (void)area;
    return 0xff;
}

int flash_area_get_sectors(int id, uint32_t *count, struct flash_sector *sectors)
{
    (void)id;
    *count = SIZE / SECTOR;
    for (uint32_t i = 0; i < *count; i++)
        sectors[i] = (struct flash_sector){.fs_off = i * SECTOR, .fs_size = SECTOR};
    return 0;
}

int flash_area_get_sector(const struct flash_area *area, uint32_t offset,
                          struct flash_sector *sector)
{
    (void)area;
    *sector = (struct flash_sector){.fs_off = offset / SECTOR * SECTOR, .fs_size = SECTOR};
    return 0;
}

int flash_area_id_from_multi_image_slot(int number, int slot)
{
    (void)number;
    return slot + 1;
}

int flash_area_id_from_image_slot(int slot)
{
    return slot + 1;
}

int flash_area_id_to_multi_image_slot(int number, int id)
{
    (void)number;
    return id - 1;
}

/* Where MCUboot asserts something that does not hold. */
void __assert_func(const char *file, int line, const char *function, const char *text)
{
    (void)file;
    (void)line;
    (void)function;
    board_say(text);
    board_end(3);
}

void mcuboot_watchdog_feed(void) {}

static void say_number(unsigned number)
{
    char digits[12];
    char *first = &digits[sizeof digits - 1];

    *first = 0;
    do {
        *--first = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    board_say(first);
}

/* Whether MCUboot starts an image of which one byte is changed: alone in the primary slot, or an
 * update of an older one. Where MCUboot refuses the update, it must start the older one. */
static int is_taken(int slot, uint32_t byte, uint8_t change, struct boot_rsp *answer)
{
    const size_t old_size = (size_t)(older_end - older);
    uint8_t *place = at(&areas[slot], slot == 1 ? UPDATE : 0);
    fih_ret started = FIH_FAILURE;

    memset(at(areas, 0), 0xff, 3 * SIZE);
    if (slot == 1)
        memcpy(at(areas, 0), older, old_size);
    memcpy(place, image, (size_t)(image_end - image));
    place[byte] ^= change;
    if (slot == 1 && boot_set_pending(1) != 0)
        board_end(4);
    FIH_CALL(boot_go, started, answer);
    if (slot == 0)
        return FIH_EQ(started, FIH_SUCCESS);
    if (FIH_NOT_EQ(started, FIH_SUCCESS))
        board_end(6);
    return memcmp(at(areas, 0), older, old_size) != 0;
}

int main(void)
{
    static const uint8_t changes[] = {0x01, 0x80, 0xff};
    const uint32_t size = (uint32_t)(image_end - image);
    struct boot_rsp answer;
    unsigned tried = 0, taken = 0;

    for (int slot = 0; slot < SLOTS; slot++)
        for (uint32_t byte = 0; byte < size; byte++)
            for (size_t i = 0; i < sizeof changes; i++, tried++)
                taken += (unsigned)is_taken(slot, byte, changes[i], &answer);
    say_number(tried);
    board_say(" changed images, taken: ");
    say_number(taken);
    board_say("\n");
    if (taken != 0)
        return 1;
    for (int slot = 0; slot < SLOTS; slot++)
        if (!is_taken(slot, 0, 0, &answer) || memcmp(at(areas, 0), image, size) != 0)
            return 2;
    const uint32_t *vectors = (const uint32_t *)(answer.br_image_off + answer.br_hdr->ih_hdr_size);
    VECTORS = (uint32_t)vectors;
    __asm__ volatile("msr msp, %0\n\tbx %1" : : "r"(vectors[0]), "r"(vectors[1]));
    return 5;
}

#endif
