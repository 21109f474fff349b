/* SPDX-License-Identifier: MIT */
#include "command/unpack.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#define CHUNK ((size_t)128 << 10)
#define CUT "the compressed data end too early"

enum packing { PLAIN, GZIP, ZSTD };

struct t2_unpack {
	int fd;
	enum packing packing;
	bool is_at_end;	   /* of the file */
	bool is_in_middle; /* of a gzip member or zstd frame */
	bool has_failed;
	uint64_t used;
	size_t at, len; /* of what was read and not yet unpacked */
	z_stream gzip;
	ZSTD_DStream *zstd;
	unsigned char packed[CHUNK];
};

static ssize_t read_some(struct t2_unpack *unpack, void *out, size_t size)
{
	ssize_t nr;

	do {
		nr = read(unpack->fd, out, size);
	} while (nr < 0 && errno == EINTR);
	if (nr > 0)
		unpack->used += (uint64_t)nr;
	if (nr == 0)
		unpack->is_at_end = true;
	return nr;
}

/* The beginning, however small the pieces are in which it comes. */
static void read_magic(struct t2_unpack *unpack)
{
	static const unsigned char zstd[] = {0x28, 0xb5, 0x2f, 0xfd};
	static const unsigned char gzip[] = {0x1f, 0x8b};

	while (unpack->len < sizeof(zstd)) {
		ssize_t nr = read_some(unpack, unpack->packed + unpack->len, CHUNK - unpack->len);

		if (nr <= 0)
			break; /* an error will be there again */
		unpack->len += (size_t)nr;
	}
	if (unpack->len >= sizeof(gzip) && !memcmp(unpack->packed, gzip, sizeof(gzip)))
		unpack->packing = GZIP;
	else if (unpack->len >= sizeof(zstd) && !memcmp(unpack->packed, zstd, sizeof(zstd)))
		unpack->packing = ZSTD;
}

struct t2_unpack *t2_unpack_open(int fd)
{
	struct t2_unpack *unpack = malloc(sizeof(*unpack));
	bool is_ready = true;

	if (!unpack)
		return NULL;
	memset(unpack, 0, offsetof(struct t2_unpack, packed));
	unpack->fd = fd;
	read_magic(unpack);
	if (unpack->packing == GZIP)
		is_ready = inflateInit2(&unpack->gzip, MAX_WBITS + 16) == Z_OK;
	else if (unpack->packing == ZSTD)
		is_ready = (unpack->zstd = ZSTD_createDStream()) != NULL;
	if (is_ready)
		return unpack;
	free(unpack);
	return NULL;
}

static ssize_t fail(struct t2_unpack *unpack, const char **ret_message, const char *message)
{
	unpack->has_failed = true;
	*ret_message = message;
	return -1;
}

/* What read_magic() took comes first. */
static ssize_t read_plain(struct t2_unpack *unpack, void *out, size_t size)
{
	size_t nr = unpack->len - unpack->at;

	if (!nr)
		return read_some(unpack, out, size);
	if (nr > size)
		nr = size;
	memcpy(out, unpack->packed + unpack->at, nr);
	unpack->at += nr;
	return (ssize_t)nr;
}

/* Returns how many bytes came out, or -1. */
static ssize_t inflate_some(struct t2_unpack *unpack, void *out, size_t size)
{
	z_stream *gzip = &unpack->gzip;
	int result;

	/* Members may follow each other. */
	if (!unpack->is_in_middle)
		inflateReset(gzip);
	gzip->next_in = unpack->packed + unpack->at;
	gzip->avail_in = (uInt)(unpack->len - unpack->at);
	gzip->next_out = out;
	gzip->avail_out = (uInt)size;
	result = inflate(gzip, Z_NO_FLUSH);
	unpack->at = unpack->len - gzip->avail_in;
	unpack->is_in_middle = result != Z_STREAM_END;
	if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
		return -1;
	return (ssize_t)(size - gzip->avail_out);
}

static ssize_t unzstd_some(struct t2_unpack *unpack, void *out, size_t size)
{
	ZSTD_inBuffer in = {unpack->packed, unpack->len, unpack->at};
	ZSTD_outBuffer to = {out, size, 0};
	size_t result = ZSTD_decompressStream(unpack->zstd, &to, &in);

	if (ZSTD_isError(result))
		return -1;
	unpack->at = in.pos;
	unpack->is_in_middle = result != 0;
	return (ssize_t)to.pos;
}

static ssize_t read_packed(struct t2_unpack *unpack, void *out, size_t size,
			   const char **ret_message)
{
	ssize_t nr;

	for (;;) {
		if (unpack->at < unpack->len || unpack->is_in_middle) {
			nr = unpack->packing == GZIP ? inflate_some(unpack, out, size)
						     : unzstd_some(unpack, out, size);
			if (nr > 0)
				return nr;
			if (nr < 0)
				return fail(unpack, ret_message, "the compressed data are broken");
		}
		if (unpack->at < unpack->len)
			continue;
		if (unpack->is_at_end)
			return unpack->is_in_middle ? fail(unpack, ret_message, CUT) : 0;
		nr = read_some(unpack, unpack->packed, CHUNK);
		if (nr < 0)
			return fail(unpack, ret_message, strerror(errno));
		unpack->at = 0;
		unpack->len = (size_t)nr;
	}
}

ssize_t t2_unpack_read(struct t2_unpack *unpack, void *out, size_t size, const char **ret_message)
{
	ssize_t nr;

	if (unpack->has_failed)
		return 0;
	if (size > INT_MAX)
		size = INT_MAX;
	if (unpack->packing != PLAIN)
		return read_packed(unpack, out, size, ret_message);
	nr = read_plain(unpack, out, size);
	return nr < 0 ? fail(unpack, ret_message, strerror(errno)) : nr;
}

bool t2_unpack_skip_to(struct t2_unpack *unpack, uint64_t offset)
{
	if (unpack->packing != PLAIN || offset < unpack->used || offset > INT64_MAX ||
	    lseek(unpack->fd, (off_t)offset, SEEK_SET) < 0)
		return false;
	unpack->at = unpack->len;
	return true;
}

uint64_t t2_unpack_used(const struct t2_unpack *unpack)
{
	return unpack->used;
}

void t2_unpack_close(struct t2_unpack *unpack)
{
	if (!unpack)
		return;
	if (unpack->packing == GZIP)
		inflateEnd(&unpack->gzip);
	ZSTD_freeDStream(unpack->zstd);
	free(unpack);
}
