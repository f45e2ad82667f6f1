/* port_board.c - the client on a board with Ethernet (firmware/net): TCP is lwIP's.
 *
 * The loader puts `orders` at BOARD_ORDERS before the reset. Behind the connection one line goes
 * to the UART, "result" and words of 8 hexadecimal digits: a port_result; for each stage from
 * READY on the ticks of the controller's counter until then, those of them that were spent asleep,
 * bytes sent and bytes received; then round trips until the end of the handshake, most bytes of
 * heap at one time, the deepest stack, whether nobody answered, and bytes that were
 * received and not read. */
#include "../net/lan9118.h"
#include "../net/net.h"
#include "../board/board.h"
#include "lwip/priv/tcp_priv.h"
#include "lwip/tcp.h"
#include "port.h"

#define MAGIC 0x31434C54u /* "TLC1" */
#define RANDOM_BYTES 4096
#define PAINT 0x5AA5C33Cu
#define PAINTED_WORDS 4096
#define CLOSING_MS 2000

static const volatile struct orders {
    uint32_t magic, address, port, wait_ms;
    int64_t time;
    struct port_given given;
    uint8_t random[RANDOM_BYTES];
} *const orders = (const volatile struct orders *)BOARD_ORDERS;

/* Of the harness (bench_main.c): the heap stands at image_stack_limit and grows up. */
extern struct {
    uint32_t now, most, extent;
} bench_heap;
extern uint32_t image_stack_limit[];
extern uint32_t image_stack_top[];
void *bench_calloc(size_t count, size_t size);
void bench_free(void *block);
void bench_main(void);

static struct tcp_pcb *connection;
static struct pbuf *arrived;
static int established, closed, failed, has_sent, happened;
static uint32_t asleep, drawn, refused;
static struct {
    struct {
        uint32_t ticks, asleep, sent, received;
    } stages[STAGE_CLOSED];
    uint32_t trips, heap, stack, unanswered, late;
} seen;
static uint32_t sent, received, late, trips;

const struct port_given *port_given(void)
{
    return (const struct port_given *)&orders->given;
}

/* ---- the connection -------------------------------------------------------------------------- */

static err_t connected(void *unused, struct tcp_pcb *pcb, err_t error)
{
    (void)unused;
    (void)pcb;
    established = error == ERR_OK;
    happened = 1;
    return ERR_OK;
}

static err_t incoming(void *unused, struct tcp_pcb *pcb, struct pbuf *packet, err_t error)
{
    (void)unused;
    (void)pcb;
    (void)error;
    happened = 1;
    if (packet == NULL)
        closed = 1;
    else if (arrived == NULL)
        arrived = packet;
    else
        pbuf_cat(arrived, packet);
    return ERR_OK;
}

/* There is room again for what is to be sent. */
static err_t acknowledged(void *unused, struct tcp_pcb *pcb, u16_t size)
{
    (void)unused;
    (void)pcb;
    (void)size;
    happened = 1;
    return ERR_OK;
}

/* lwIP has let the connection go: it was reset, or nobody answered. */
static void lost(void *unused, err_t error)
{
    (void)unused;
    (void)error;
    connection = NULL;
    failed = happened = 1;
}

static void sleep(void)
{
    const uint32_t before = lan_clock();
    net_wait();
    asleep += lan_clock() - before;
}

/* Looks what has happened, and sleeps where nothing has. Whether there is time left. */
static int await(uint32_t since)
{
    happened = 0;
    net_poll();
    if (!happened)
        sleep();
    return net_ms() - since < orders->wait_ms;
}

static void open_connection(void)
{
    ip_addr_t address;
    const uint32_t since = net_ms();
    ip_addr_set_ip4_u32(&address, lwip_htonl(orders->address));
    connection = tcp_new();
    if (connection == NULL) {
        failed = 1;
        return;
    }
    tcp_nagle_disable(connection);
    tcp_recv(connection, incoming);
    tcp_sent(connection, acknowledged);
    tcp_err(connection, lost);
    if (tcp_connect(connection, &address, (u16_t)orders->port, connected) != ERR_OK)
        failed = 1;
    while (!established && !failed && await(since)) {
    }
    failed |= !established;
    seen.unanswered = !established;
}

/* What came and nobody reads: a server may say farewell. */
static void discard(void)
{
    if (arrived == NULL)
        return;
    late += arrived->tot_len;
    if (connection != NULL)
        tcp_recved(connection, arrived->tot_len);
    (void)pbuf_free(arrived);
    arrived = NULL;
}

/* Says that nothing more comes, and waits until the server has said so, too. */
static void close_connection(void)
{
    const uint32_t since = net_ms();
    if (connection != NULL && tcp_shutdown(connection, 0, 1) != ERR_OK)
        tcp_abort(connection);
    while (connection != NULL && !closed && net_ms() - since < CLOSING_MS) {
        (void)await(since);
        discard();
    }
    discard();
    if (connection != NULL) {
        tcp_recv(connection, NULL);
        tcp_sent(connection, NULL);
        tcp_err(connection, NULL);
        if (tcp_close(connection) != ERR_OK)
            tcp_abort(connection);
    }
    connection = NULL;
    while (tcp_active_pcbs != NULL && net_ms() - since < CLOSING_MS)
        (void)await(since);
}

void port_leave(void)
{
    close_connection();
    established = closed = failed = has_sent = 0;
    sent = received = late = 0;
    trips = 1;
}

int port_send(const uint8_t *bytes, size_t size)
{
    if (connection == NULL && !failed)
        open_connection();
    const uint32_t since = net_ms();
    err_t error = ERR_MEM;
    size_t part = 0;
    while (!failed && error == ERR_MEM) {
        part = tcp_sndbuf(connection) < size ? tcp_sndbuf(connection) : size;
        error = part > 0 ? tcp_write(connection, bytes, (u16_t)part, TCP_WRITE_FLAG_COPY) : ERR_MEM;
        if (error == ERR_MEM && !await(since))
            return PORT_GONE;
    }
    if (failed || error != ERR_OK || tcp_output(connection) != ERR_OK)
        return PORT_GONE;
    sent += (uint32_t)part;
    has_sent = 1;
    return (int)part;
}

int port_receive(uint8_t *bytes, size_t size)
{
    const uint32_t since = net_ms();
    trips += (uint32_t)has_sent;
    has_sent = 0;
    while (arrived == NULL && !closed && !failed) {
        if (!await(since) && arrived == NULL && !closed && !failed)
            return PORT_LATE;
    }
    if (arrived == NULL)
        return closed ? 0 : PORT_GONE;
    const u16_t part = pbuf_copy_partial(arrived, bytes, (u16_t)(size < 0xFFFF ? size : 0xFFFF), 0);
    arrived = pbuf_free_header(arrived, part);
    if (connection != NULL)
        tcp_recved(connection, part);
    received += part;
    return part;
}

/* ---- what else a port has -------------------------------------------------------------------- */

/* The host's random bytes, each once: for measurements, not for keys. */
int port_random(uint8_t *out, size_t size)
{
    if (size > RANDOM_BYTES - drawn)
        return -1;
    while (size-- > 0)
        *out++ = orders->random[drawn++];
    return 0;
}

int64_t port_time(void)
{
    return orders->time + net_ms();
}

void port_mark(enum port_stage stage)
{
    seen.stages[stage - 1].ticks = lan_clock();
    seen.stages[stage - 1].asleep = asleep;
    seen.stages[stage - 1].sent = sent;
    seen.stages[stage - 1].received = received;
    if (stage == STAGE_READY && connection == NULL && !failed)
        open_connection();
    if (stage == STAGE_CONNECTED)
        seen.trips = trips;
}

void *port_calloc(size_t count, size_t size)
{
    const uint32_t room = 4 * (uint32_t)(image_stack_top - image_stack_limit);
    void *block = bench_calloc(count, size);
    if (block != NULL && bench_heap.extent + orders->given.stack_size > room) {
        bench_free(block);
        block = NULL;
    }
    if (block == NULL && count != 0 && size != 0 && refused == 0)
        refused = (uint32_t)(count * size);
    return block;
}

void port_free(void *block)
{
    bench_free(block);
}

/* ---- the program ----------------------------------------------------------------------------- */

/* The lowest word that is painted: so far down the stack can be seen. */
static uint32_t *bottom(void)
{
    uint32_t *const top = image_stack_top;
    const uint32_t room = (uint32_t)(top - image_stack_limit);
    return top - (room < PAINTED_WORDS ? room : PAINTED_WORDS);
}

static void paint(void)
{
    uint32_t *const end = (uint32_t *)__builtin_frame_address(0) - 16;
    for (volatile uint32_t *word = bottom(); word < end; word++)
        *word = PAINT;
}

/* Bytes below the top that were written, beside what the heap has taken of the painted ones. */
static uint32_t deepest(void)
{
    const uint32_t *const heap = image_stack_limit + bench_heap.extent / 4 + 2;
    const uint32_t *word = bottom() > heap ? bottom() : heap;
    while (word < image_stack_top && *word == PAINT)
        word++;
    return 4 * (uint32_t)(image_stack_top - word);
}

static void put_words(const void *words, size_t bytes)
{
    const uint32_t *word = words;
    for (size_t i = 0; i < bytes / 4; i++) {
        board_put(' ');
        for (int shift = 28; shift >= 0; shift -= 4)
            board_put((uint8_t) "0123456789abcdef"[word[i] >> shift & 15]);
    }
}

void bench_main(void)
{
    static struct port_result result;
    net_start();
    if (orders->magic != MAGIC)
        net_stop("fault: no orders");
    paint();
    trips = 1; /* TCP's own; the harness has no initialised data */
    client(&result);
    result.refused = refused;
    close_connection();
    seen.heap = bench_heap.most;
    seen.stack = deepest();
    seen.late = late;
    for (const char *text = "result"; *text != 0; text++)
        board_put((uint8_t)*text);
    put_words(&result, sizeof result);
    put_words(&seen, sizeof seen);
    net_stop("");
}
