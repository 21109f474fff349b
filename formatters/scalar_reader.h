/* SPDX-License-Identifier: MIT */
/*
 * Numbers and times as an EVENT line has them. Not linked into the shim.
 */
#ifndef T2_FORMATTERS_SCALAR_READER_H
#define T2_FORMATTERS_SCALAR_READER_H

#include <stddef.h>
#include <stdint.h>

enum t2_scalar {
	T2_SCALAR_OK,
	T2_SCALAR_WRONG_FORM,
	T2_SCALAR_OUT_OF_RANGE,
};

/* A whole number, from the @len bytes of a JSON number. Context: tool. */
enum t2_scalar t2_scalar_to_i64(const char *text, size_t len, int64_t *ret_value);

/*
 * Seconds, from the @len bytes of a JSON number, as nanoseconds; what is finer is
 * cut off. Nothing negative.
 * Context: tool.
 */
enum t2_scalar t2_scalar_to_ns(const char *text, size_t len, uint64_t *ret_ns);

/*
 * "YYYY-MM-DDThh:mm:ss[.f...]" with "Z" or "+hh:mm" or "-hh:mm" behind it, as
 * nanoseconds since the epoch. Nothing before the epoch.
 * Context: tool.
 */
enum t2_scalar t2_scalar_to_wall_ns(const char *text, uint64_t *ret_wall_ns);

#endif
