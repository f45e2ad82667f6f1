// Runs calls on a core in RTL: rtl JOBS. JOBS are little-endian words, job behind job:
//     entry, stop, limit in cycles, x1..x31, number of memory areas,
//     then each area: address, words, data.
// A job begins with `entry` in the decoding stage and ends with `stop` there.
// Prints a line for each: 1 (or 0 where the limit came first), cycles, instructions, digest of the
// areas.
#include "Vtb.h"
#include "Vtb___024root.h"
#include "verilated.h"

#include <cinttypes>
#include <cstdio>
#include <vector>

using std::size_t;
using std::uint32_t;
using std::uint64_t;

static const uint32_t BOOT = 0x40000080, TRAP = 0x40000000, PATTERN = 0xA5A5A5A5;
static const uint64_t BASIS = 1469598103934665603u, PRIME = 1099511628211u; // FNV-1a, by words

static Vtb *tb;

static uint32_t &word(uint32_t address) // as `place` in the test benches
{
    return tb->rootp->tb__DOT__mem[(address >> 29 & 3) << 17 | (address >> 2 & 0x1FFFF)];
}

static void clock_once()
{
    tb->clk = 1;
    tb->eval();
    tb->clk = 0;
    tb->eval();
}

static void reset()
{
    tb->rst_n = 1;
    tb->clk = 0;
    tb->eval();
    tb->rst_n = 0;
    tb->eval();
    for (int i = 0; i < 4; i++) {
        clock_once();
    }
    tb->rst_n = 1;
    tb->eval();
}

struct Writer {
    uint32_t at;
    void emit(uint32_t instruction) { word(at) = instruction, at += 4; }
    void load(uint32_t rd, uint32_t value) // LUI, ADDI
    {
        emit(((value + 0x800) & 0xFFFFF000) | rd << 7 | 0x37);
        emit((value & 0xFFF) << 20 | rd << 15 | rd << 7 | 0x13);
    }
    void csrw(uint32_t number, uint32_t rs) { emit(number << 20 | rs << 15 | 1 << 12 | 0x73); }
};

// Sets all registers, and goes to the entry by MRET, which needs none of them.
static void write_start(uint32_t entry, const uint32_t *x)
{
    Writer w = {BOOT};
    w.load(31, 0x1800); // MPP: machine mode
    w.csrw(0x300, 31);
    w.load(31, entry);
    w.csrw(0x341, 31);
    for (uint32_t r = 1; r < 32; r++) {
        w.load(r, x[r - 1]);
    }
    w.emit(0x30200073);
}

// A core that reports what leaves the decoding stage never reports EBREAK: a NOP takes its place.
static uint32_t patch(uint32_t address, uint16_t with)
{
    uint32_t &w = word(address), shift = (address & 2) * 8, old = w >> shift & 0xFFFF;
    w = (w & ~(0xFFFFu << shift)) | (uint32_t)with << shift;
    return old;
}

int main(int, char **argv)
{
    tb = new Vtb{new VerilatedContext};
    FILE *file = fopen(argv[1], "rb");
    std::vector<uint32_t> job;
    for (uint32_t w; fread(&w, 4, 1, file) == 1;) {
        job.push_back(w);
    }
    for (size_t at = 0; at < job.size();) {
        const uint32_t entry = job[at], stop = job[at + 1], limit = job[at + 2];
        const uint32_t *x = &job[at + 3];
        uint32_t areas = job[at + 34];
        at += 35;
        const size_t first = at;
        for (uint32_t &w : tb->rootp->tb__DOT__mem.m_storage) {
            w = PATTERN;
        }
        for (uint32_t i = 0; i < areas; i++, at += 2 + job[at + 1]) {
            for (uint32_t k = 0; k < job[at + 1]; k++) {
                word(job[at] + 4 * k) = job[at + 2 + k];
            }
        }
        write_start(entry, x);
        uint32_t kept[2] = {}, halves = 0;
#ifdef STOP_NOP
        kept[0] = patch(stop, 1);
        halves = (kept[0] & 3) == 3 ? 2 : 1;
        if (halves == 2) {
            kept[1] = patch(stop + 2, 1);
        }
#endif
        reset();
        uint64_t cycle = 0, start = 0, end = 0, count = 0;
        for (bool on = false; cycle < limit; cycle++) {
            clock_once();
            if (!tb->fresh) {
                continue;
            }
            if (!on && tb->pc == entry) {
                on = true;
                start = cycle;
            }
            if (on && (tb->pc == stop || tb->pc == TRAP)) {
                end = cycle;
                break;
            }
            count += on;
        }
        for (int i = 0; i < 20; i++) { // what is on its way to memory
            clock_once();
        }
        for (uint32_t i = 0; i < halves; i++) {
            patch(stop + 2 * i, (uint16_t)kept[i]);
        }
        uint64_t digest = BASIS;
        size_t area = first;
        for (uint32_t i = 0; i < areas; i++, area += 2 + job[area + 1]) {
            for (uint32_t k = 0; k < job[area + 1]; k++) {
                digest = (digest ^ word(job[area] + 4 * k)) * PRIME;
            }
        }
        printf("%d %" PRIu64 " %" PRIu64 " %016" PRIx64 "\n", end != 0, end - start, count, digest);
    }
    return 0;
}
