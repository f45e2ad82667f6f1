/* say.c - bytes as a line of hexadecimal digits, the same on every board. */
#include "board.h"

void board_say_bytes(const char *name, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    board_say(name);
    board_say(": ");
    for (size_t i = 0; i < size; i++) {
        const char text[3] = {digits[bytes[i] >> 4], digits[bytes[i] & 15], 0};
        board_say(text);
    }
    board_say("\n");
}
