/*
 * Cycles by call stack. A shadow stack follows the calls; each of its frames points to a node
 * of the call tree.
 *
 * A call pushes a frame with its return address. A transfer by register or from the stack
 * is a return when it goes to the return address of a frame, and pops down to that frame's caller:
 * so a tail-called function returns for the frame that it took over, and a longjmp unwinds.
 * A transfer that is neither needs the table of function entries (ecsim_functions):
 * to the entry of another function it is a tail call, which takes over the frame;
 * into the caller's body it is a return of a helper that moves its return address (table jumps
 * of ARMv6-M). Without the table such a transfer stays where it is.
 *
 * The tree is bounded: calls beyond MAX_STACK functions or MAX_NODES nodes count
 * for the nearest caller that has a node.
 */
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "taint.h"

enum { MAX_STACK = 256, MAX_NODES = 1 << 14, MAX_DEPTH = 1 << 16 };

typedef struct {
    ecsim_node node;
    uint32_t child, sibling; /* index, 0 = none */
    uint32_t stack;          /* functions from the outermost one to this, inclusive */
} tree_node;

typedef struct {
    uint32_t node, return_address, sp;
} frame;

struct ecs_profile {
    tree_node *nodes;
    frame *frames;
    uint32_t node_count,
        depth; /* depth: index of the current frame; beyond MAX_DEPTH frames are only counted */
    uint64_t marked; /* cycles that have been attributed */
};

ecs_profile *ecs_profile_new(uint32_t function)
{
    ecs_profile *p = calloc(1, sizeof *p);
    if (p == NULL) {
        return NULL;
    }
    p->nodes = calloc(MAX_NODES, sizeof *p->nodes);
    p->frames = calloc(MAX_DEPTH, sizeof *p->frames);
    if (p->nodes == NULL || p->frames == NULL) {
        ecs_profile_free(p);
        return NULL;
    }
    p->nodes[0] = (tree_node){.node = {.function = function}, .stack = 1};
    p->node_count = 1;
    return p;
}

void ecs_profile_free(ecs_profile *p)
{
    if (p != NULL) {
        free(p->nodes);
        free(p->frames);
        free(p);
    }
}

void ecs_profile_mark(ecs_profile *p, uint64_t now)
{
    p->nodes[p->frames[p->depth].node].node.cycles += now - p->marked;
    p->marked = now;
}

uint32_t ecs_profile_here(const ecsim *m)
{
    return m->profile != NULL ? m->profile->frames[m->profile->depth].node : 0;
}

/* The child of a node for that function, made when it is new; the node itself
 * when there is no room. */
static uint32_t child_of(ecs_profile *p, uint32_t parent, uint32_t function)
{
    for (uint32_t i = p->nodes[parent].child; i != 0; i = p->nodes[i].sibling) {
        if (p->nodes[i].node.function == function) {
            return i;
        }
    }
    if (p->node_count == MAX_NODES || p->nodes[parent].stack == MAX_STACK) {
        return parent;
    }
    uint32_t made = p->node_count++;
    p->nodes[made] = (tree_node){.node = {.function = function, .parent = parent},
                                 .sibling = p->nodes[parent].child,
                                 .stack = p->nodes[parent].stack + 1};
    p->nodes[parent].child = made;
    return made;
}

/* A transfer went there; ECS_NOWHERE: by a call or a return (taint.h). */
static void landed(ecsim *m, uint32_t target)
{
    if (m->taint != NULL) {
        m->taint->landed = target;
    }
}

void ecs_profile_call(ecsim *m, uint64_t now, uint32_t function, uint32_t return_address)
{
    ecs_profile *p = m->profile;
    landed(m, ECS_NOWHERE);
    ecs_profile_mark(p, now);
    if (p->depth + 1 == MAX_DEPTH) {
        return; /* the returns of frames that are not there match none that is */
    }
    uint32_t node = child_of(p, p->frames[p->depth].node, function);
    p->frames[++p->depth] =
        (frame){.node = node, .return_address = return_address, .sp = m->r[m->isa->sp]};
}

/* Index of the last entry of the table that is not above the address, or -1. */
static int64_t function_index(const ecsim *m, uint32_t address)
{
    uint32_t low = 0, high = m->function_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (m->functions[middle] <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return (int64_t)low - 1;
}

static uint32_t current_function(const ecs_profile *p, uint32_t depth)
{
    return p->nodes[p->frames[depth].node].node.function;
}

/* The current frame goes on as another function; the outermost one calls it. */
static void take_over(ecsim *m, uint64_t now, uint32_t function)
{
    ecs_profile *p = m->profile;
    landed(m, ECS_NOWHERE); /* at an entry, as a call does */
    ecs_profile_mark(p, now);
    uint32_t from = p->depth != 0 ? p->frames[p->depth - 1].node : 0;
    p->frames[p->depth].node = child_of(p, from, function);
}

void ecs_profile_branch(ecsim *m, uint64_t now, uint32_t target)
{
    landed(m, target);
    int64_t i = function_index(m, target);
    if (i >= 0 && m->functions[i] == target &&
        current_function(m->profile, m->profile->depth) != target) {
        take_over(m, now, target);
    }
}

void ecs_profile_jump(ecsim *m, uint64_t now, uint32_t target)
{
    ecs_profile *p = m->profile;
    for (uint32_t depth = p->depth; depth != 0; depth--) {
        if (p->frames[depth].return_address == target && m->r[m->isa->sp] >= p->frames[depth].sp) {
            landed(m, ECS_NOWHERE);
            ecs_profile_mark(p, now);
            p->depth = depth - 1;
            return;
        }
    }
    landed(m, target);
    int64_t i = function_index(m, target);
    if (i < 0 || m->functions[i] == current_function(p, p->depth)) {
        return;
    }
    if (p->depth != 0 && m->functions[i] == current_function(p, p->depth - 1) &&
        m->functions[i] != target) {
        ecs_profile_mark(p, now);
        p->depth--;
    } else if (m->functions[i] == target) {
        take_over(m, now, target);
    }
}

uint32_t ecsim_profile_size(const ecsim *m)
{
    return m->profile != NULL ? m->profile->node_count : 0;
}

void ecsim_profile_node(const ecsim *m, uint32_t index, ecsim_node *node)
{
    *node = m->profile != NULL && index < m->profile->node_count ? m->profile->nodes[index].node
                                                                 : (ecsim_node){0};
}
