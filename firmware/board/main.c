/* main.c - the micro-benchmark firmware: runs kernels on request and says how many
 * clocks they took.
 *
 * Requests and replies are lines of ASCII, TEXT*XX, XX the exclusive or of the bytes of TEXT
 * in hexadecimal. A line ends with a newline; carriage returns are ignored. Numbers are decimal.
 *
 *   hello                       board 3 NAME HZ TICK_HZ
 *   kernel INDEX                kernel INDEX NAME PER_PASS WRITES
 *   run INDEX CODE DATA COUNT   cycles CYCLES TICKS
 *
 * CODE is flash or ram: where the kernel runs. DATA is flash, ram or another bank of RAM
 * (BOARD_BANKS): what its loads read.
 * The reply to anything else is "error REASON": checksum, request, index, place,
 * count (it must be 1 to 16777215). The marker's pin is high while a kernel runs (timelib.h).
 * The host repeats a request that gets no reply or a broken one. */
#include "board.h"
#include "timelib.h"

#define LINE 96
#define CODE_SIZE 1024

#define COUNT_MOST 0xFFFFFFu

void bench_main(void);

uint8_t board_data[1024] __attribute__((aligned(16)));
uint8_t board_code[CODE_SIZE] __attribute__((aligned(16)));
const uint8_t board_data_flash[1024] __attribute__((aligned(16))) = {1};

typedef void (*kernel_code)(uint32_t count, const void *data, const void *flash);

/* Banks of RAM that the linker leaves alone, beside the first one. */
static const struct {
    const char *name;
    uint32_t start;
} banks[] = {BOARD_BANKS{"", 0}};

static char line[LINE];
static uint32_t length;

/* --- lines out -------------------------------------------------------------------------------- */

static uint8_t sum;

static void put(char c)
{
    sum ^= (uint8_t)c;
    board_put((uint8_t)c);
}

static void put_text(const char *text)
{
    while (*text != 0)
        put(*text++);
}

static void put_number(uint32_t number)
{
    static const uint32_t tens[] = {1000000000, 100000000, 10000000, 1000000, 100000,
                                    10000,      1000,      100,      10,      1};
    uint32_t begun = 0;
    for (uint32_t i = 0; i < sizeof tens / sizeof *tens; i++) {
        char digit = '0';
        for (; number >= tens[i]; number -= tens[i])
            digit++;
        begun |= digit != '0' || tens[i] == 1;
        if (begun)
            put(digit);
    }
}

static void put_end(void)
{
    static const char hex[] = "0123456789ABCDEF";
    uint8_t s = sum;
    put('*');
    put(hex[s >> 4]);
    put(hex[s & 15]);
    board_put('\n');
    sum = 0;
}

static void put_error(const char *reason)
{
    put_text("error ");
    put_text(reason);
    put_end();
}

/* --- lines in --------------------------------------------------------------------------------- */

static uint32_t hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
           : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                  : 16;
}

/* Reads a line without its checksum into `line`, ended by 0. 0 when the checksum is right. */
static int get_line(void)
{
    length = 0;
    for (;;) {
        char c = (char)board_get();
        if (c == '\n')
            break;
        if (c != '\r' && length < LINE - 1)
            line[length++] = c;
    }
    if (length < 3 || line[length - 3] != '*')
        return -1;
    uint32_t expected = hex_digit(line[length - 2]) << 4 | hex_digit(line[length - 1]);
    length -= 3;
    line[length] = 0;
    for (uint32_t i = 0; i < length; i++)
        expected ^= (uint8_t)line[i];
    return expected == 0 ? 0 : -1;
}

/* The next word of the line from *at on, ended by 0 in place; empty at the end. */
static const char *word(uint32_t *at)
{
    while (*at < length && line[*at] == ' ')
        (*at)++;
    const char *start = line + *at;
    while (*at < length && line[*at] != ' ')
        (*at)++;
    if (*at < length)
        line[(*at)++] = 0;
    return start;
}

static int same(const char *a, const char *b)
{
    while (*a != 0 && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

/* A number of at most 8 digits, or 0xFFFFFFFF. */
static uint32_t number(const char *text)
{
    uint32_t value = 0;
    uint32_t digits = 0;
    for (; *text >= '0' && *text <= '9'; text++, digits++)
        value = value * 10 + (uint32_t)(*text - '0');
    return *text != 0 || digits == 0 || digits > 8 ? 0xFFFFFFFFu : value;
}

/* --- requests --------------------------------------------------------------------------------- */

/* The data of that name, or 0. */
static const uint8_t *place(const char *data, uint32_t writes)
{
    if (same(data, "ram"))
        return board_data;
    if (same(data, "flash"))
        return writes ? 0 : board_data_flash;
    for (uint32_t i = 0; banks[i].start != 0; i++)
        if (same(data, banks[i].name))
            return (const uint8_t *)(uintptr_t)banks[i].start;
    return 0;
}

static void run(const kernel *k, const char *code, const char *data, uint32_t count)
{
    int code_ram = same(code, "ram");
    const uint8_t *data_start = place(data, k->writes);
    if ((!code_ram && !same(code, "flash")) || data_start == 0) {
        put_error("place");
        return;
    }
    if (count == 0 || count > COUNT_MOST) {
        put_error("count");
        return;
    }
    const uint8_t *start =
        (const uint8_t *)((uintptr_t)k->start & ~(uintptr_t)1); /* without the Thumb bit */
    if (code_ram) {
        for (uint32_t i = 0; i < (uint32_t)(k->end - start); i++)
            board_code[i] = start[i];
        __asm__ volatile("dsb\n\tisb" ::: "memory");
        start = board_code;
    }
    kernel_code entry = (kernel_code)((uintptr_t)start | 1);
    timelib_begin();
    entry(count, data_start, board_data_flash);
    const timelib_time took = timelib_end();
    put_text("cycles ");
    put_number(took.cycles);
    put(' ');
    put_number(took.ticks);
    put_end();
}

static void answer(void)
{
    uint32_t at = 0;
    const char *request = word(&at);
    if (same(request, "hello")) {
        put_text("board 3 " BOARD_NAME " ");
        put_number(TIMELIB_HZ);
        put(' ');
        put_number(TIMELIB_TICK_HZ);
        put_end();
        return;
    }
    int is_kernel = same(request, "kernel");
    if (!is_kernel && !same(request, "run")) {
        put_error("request");
        return;
    }
    uint32_t index = number(word(&at));
    if (index >= (uint32_t)(kernels_end - kernels)) {
        put_error("index");
        return;
    }
    const kernel *k = &kernels[index];
    if (is_kernel) {
        put_text("kernel ");
        put_number(index);
        put(' ');
        put_text(k->name);
        put(' ');
        put_number(k->per_pass);
        put(' ');
        put_number(k->writes);
        put_end();
        return;
    }
    const char *code = word(&at);
    const char *data = word(&at);
    run(k, code, data, number(word(&at)));
}

void bench_main(void)
{
    board_clocks();
    board_start();
    timelib_start();
    for (;;) {
        if (get_line() == 0)
            answer();
        else
            put_error("checksum");
    }
}
