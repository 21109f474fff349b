/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a file as they were before gzip or zstd, or as they are. Which of
 * them it is shows in the first bytes; names are not looked at.
 */
#ifndef T2_COMMAND_UNPACK_H
#define T2_COMMAND_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct t2_unpack;

/* Start on the open file @fd, which stays the caller's. Returns NULL without memory. */
struct t2_unpack *t2_unpack_open(int fd);

/*
 * Read up to @size bytes, which is not 0. Returns how many; 0 is the end; -1 is an
 * error, after which there is nothing more, and sets *@ret_message to what it is.
 */
ssize_t t2_unpack_read(struct t2_unpack *unpack, void *out, size_t size, const char **ret_message);

/*
 * Go on with byte @offset of the file. Returns false, and changes nothing, if it is
 * packed, cannot be positioned, or has been read further than that.
 */
bool t2_unpack_skip_to(struct t2_unpack *unpack, uint64_t offset);

/* Bytes of the file that have been used so far. */
uint64_t t2_unpack_used(const struct t2_unpack *unpack);

/* NULL is fine. */
void t2_unpack_close(struct t2_unpack *unpack);

#endif
