/* lan9118.h - the Ethernet controller SMSC LAN9118 (data sheet DS00002266) at LAN_BASE */
#ifndef LAN9118_H
#define LAN9118_H

#include <stddef.h>
#include <stdint.h>

#define LAN_FRAME_MAX 1514 /* bytes without the checksum, which the controller makes */

/* Resets it and turns it on, with this address. 0, or -1 where there is no such controller. */
int lan_start(const uint8_t address[6]);

/* Sends a frame of at most LAN_FRAME_MAX bytes, aligned as a word.
 * -1 where there is no room for it: it is lost, as frames are. */
int lan_send(const uint32_t *frame, size_t size);

/* Takes a frame of at most LAN_FRAME_MAX bytes, aligned as a word. Its size, 0 for none;
 * damaged and longer ones are dropped. */
size_t lan_receive(uint32_t *frame);

/* A counter of 25 MHz, from the reset on. */
uint32_t lan_clock(void);

#endif
