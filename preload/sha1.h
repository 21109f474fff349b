/* SPDX-License-Identifier: MIT */
/*
 * SHA-1, for the one place of the format that asks for it: the host part of a
 * session id. Not for anything that has to withstand an attacker.
 */
#ifndef T2_PRELOAD_SHA1_H
#define T2_PRELOAD_SHA1_H

#include <stddef.h>
#include <stdint.h>

/*
 * The first 32 bits of the SHA-1 of @len bytes; at most 119, a host name's
 * length and more, so that two blocks are enough.
 * Context: any.
 */
uint32_t t2_sha1_head(const void *bytes, size_t len);

#endif
