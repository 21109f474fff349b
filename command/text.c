/* SPDX-License-Identifier: MIT */
#include "command/text.h"

#include "formatters/utf8.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#define WIDTH_DEFAULT 80
#define WIDTH_MIN 40

#define US UINT64_C(1000)
#define MS (1000 * US)
#define SECOND (1000 * MS)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)

/* --- numbers ---------------------------------------------------------------------- */

static uint64_t divide(uint64_t number, uint64_t by)
{
	return number / by + (number % by >= by - by / 2);
}

/* @ns in a unit, with so many decimals that there are three digits. */
static void put_digits(char *out, const char *sign, uint64_t ns, uint64_t unit, const char *suffix)
{
	static const unsigned ten[] = {1, 10, 100};
	unsigned decimals = ns < 10 * unit - unit / 200 ? 2 : ns < 100 * unit - unit / 20 ? 1 : 0;
	uint64_t rounded = divide(ns * ten[decimals], unit);

	if (decimals)
		snprintf(out, T2_TEXT_MAX, "%s%" PRIu64 ".%0*" PRIu64 "%s", sign,
			 rounded / ten[decimals], (int)decimals, rounded % ten[decimals], suffix);
	else
		snprintf(out, T2_TEXT_MAX, "%s%" PRIu64 "%s", sign, rounded, suffix);
}

char *t2_text_duration(char *out, int64_t signed_ns)
{
	const char *sign = signed_ns < 0 ? "-" : "";
	uint64_t ns = signed_ns < 0 ? 0 - (uint64_t)signed_ns : (uint64_t)signed_ns;

	if (!ns) {
		snprintf(out, T2_TEXT_MAX, "0s");
	} else if (ns < US) {
		snprintf(out, T2_TEXT_MAX, "%s%" PRIu64 "ns", sign, ns);
	} else if (divide(ns, US) < 1000) {
		snprintf(out, T2_TEXT_MAX, "%s%" PRIu64 "us", sign, divide(ns, US));
	} else if (divide(ns, MS) < 1000) {
		put_digits(out, sign, ns, MS, "ms");
	} else if (divide(ns, SECOND / 10) < 600) {
		put_digits(out, sign, ns, SECOND, "s");
	} else if (divide(ns, SECOND / 10) < 36000) {
		uint64_t tenths = divide(ns, SECOND / 10);

		snprintf(out, T2_TEXT_MAX, "%s%" PRIu64 "m%02" PRIu64 ".%" PRIu64 "s", sign,
			 tenths / 600, tenths / 10 % 60, tenths % 10);
	} else {
		uint64_t seconds = divide(ns, SECOND);

		snprintf(out, T2_TEXT_MAX, "%s%" PRIu64 "h%02" PRIu64 "m%02" PRIu64 "s", sign,
			 seconds / 3600, seconds / 60 % 60, seconds % 60);
	}
	return out;
}

char *t2_text_bytes(char *out, uint64_t kb)
{
	static const char units[] = "KMGTPE";
	uint64_t unit = 1;
	unsigned i = 0;

	while (kb / unit >= 1000 && units[i + 1]) {
		unit *= 1024;
		i++;
	}
	if (unit == 1 || kb / unit >= 10)
		snprintf(out, T2_TEXT_MAX, "%" PRIu64 "%c", divide(kb, unit), units[i]);
	else
		snprintf(out, T2_TEXT_MAX, "%.1f%c", (double)kb / (double)unit, units[i]);
	return out;
}

char *t2_text_percent(char *out, int64_t ppm)
{
	const char *sign = ppm < 0 ? "-" : "";
	uint64_t parts = ppm < 0 ? 0 - (uint64_t)ppm : (uint64_t)ppm;
	uint64_t tenths = divide(parts, 1000);

	if (!parts)
		snprintf(out, T2_TEXT_MAX, "0%%");
	else if (!tenths)
		snprintf(out, T2_TEXT_MAX, "<0.1%%");
	else if (tenths < 100)
		snprintf(out, T2_TEXT_MAX, "%s%" PRIu64 ".%" PRIu64 "%%", sign, tenths / 10,
			 tenths % 10);
	else
		snprintf(out, T2_TEXT_MAX, "%s%" PRIu64 "%%", sign, divide(parts, 10000));
	return out;
}

char *t2_text_count(char *out, uint64_t count)
{
	char digits[T2_TEXT_MAX];
	size_t nr = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, count), at = 0;

	for (size_t i = 0; i < nr; i++) {
		out[at++] = digits[i];
		if ((nr - i - 1) % 3 == 0 && i + 1 < nr)
			out[at++] = ',';
	}
	out[at] = '\0';
	return out;
}

int64_t t2_text_ppm(int64_t part, int64_t whole)
{
	return whole ? (int64_t)(((__int128)part * 1000000 + whole / 2) / whole) : 0;
}

bool t2_text_parse_duration(const char *text, int64_t *ret_ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {{"ns", 1},	    {"us", US},	 {"ms", MS},  {"s", SECOND},
		     {"m", MINUTE}, {"h", HOUR}, {"", SECOND}};
	double number;
	char *end;

	if (!isdigit((unsigned char)*text) && *text != '.')
		return false;
	number = strtod(text, &end);
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		double ns = number * (double)units[i].ns;

		if (strcmp(end, units[i].name) || ns >= 9e18)
			continue;
		*ret_ns = (int64_t)(ns + 0.5);
		return true;
	}
	return false;
}

/* --- text ------------------------------------------------------------------------ */

static uint32_t decode(const char *at, size_t len)
{
	const unsigned char *bytes = (const unsigned char *)at;
	uint32_t c = len == 1 ? bytes[0] : bytes[0] & (0x7fu >> len);

	for (size_t i = 1; i < len; i++)
		c = c << 6 | (bytes[i] & 0x3f);
	return c;
}

/* Control characters, marks that turn the writing around, lines that are not LF, and
 * what has no look of its own. */
static bool is_harmful(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || (c >= 0x200b && c <= 0x200f) ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
	       (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe0fff);
}

/* The next character of @text, as it may be shown. Returns how many bytes it was. */
static size_t clean_one(char piece[16], const char *text, bool is_unicode)
{
	static const char letters[] = "abtnvfr"; /* from 7 on */
	unsigned char byte = (unsigned char)*text;
	bool is_valid = true;
	size_t len = byte < 0x80 ? 1 : t2_utf8_measure(text, 4, &is_valid);
	uint32_t c = is_valid ? decode(text, len) : 0;

	if (is_valid && !is_harmful(c) && (c < 0x80 || is_unicode)) {
		memcpy(piece, text, len);
		piece[len] = '\0';
		return len;
	}
	if (byte >= 7 && byte <= 13)
		snprintf(piece, 16, "\\%c", letters[byte - 7]);
	else if (is_valid && c >= 0x80)
		snprintf(piece, 16, c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
	else
		snprintf(piece, 16, "\\x%02x", byte);
	return is_valid ? len : 1;
}

size_t t2_text_clean(char *out, size_t size, const char *text, bool is_unicode)
{
	size_t total = 0, kept = 0;
	char piece[16];

	while (*text) {
		size_t len;

		text += clean_one(piece, text, is_unicode);
		len = strlen(piece);
		if (kept == total && total + len < size) {
			memcpy(out + total, piece, len);
			kept += len;
		}
		total += len;
	}
	if (size)
		out[kept] = '\0';
	return total;
}

static unsigned columns_of(uint32_t c)
{
	int columns = c < 0x80 ? 1 : wcwidth((wchar_t)c);

	return columns < 0 ? 1 : (unsigned)columns;
}

static size_t char_length(const char *text)
{
	bool is_valid;

	return (unsigned char)*text < 0x80 ? 1 : t2_utf8_measure(text, 4, &is_valid);
}

unsigned t2_text_columns(const char *text)
{
	unsigned columns = 0;

	while (*text) {
		size_t len = char_length(text);

		columns += columns_of(decode(text, len));
		text += len;
	}
	return columns;
}

/* The longest front of @text that takes at most @columns. */
static size_t front(const char *text, unsigned columns)
{
	const char *at = text;

	while (*at) {
		size_t len = char_length(at);
		unsigned wide = columns_of(decode(at, len));

		if (wide > columns)
			break;
		columns -= wide;
		at += len;
	}
	return (size_t)(at - text);
}

/* Where the longest tail begins that takes at most @columns. */
static size_t tail(const char *text, size_t len, unsigned columns)
{
	size_t at = len;

	while (at > 0) {
		size_t before = at - 1;
		unsigned wide;

		while (before > 0 && ((unsigned char)text[before] & 0xc0) == 0x80)
			before--;
		wide = columns_of(decode(text + before, at - before));
		if (wide > columns)
			break;
		columns -= wide;
		at = before;
	}
	return at;
}

/* The end of a command tells most: the file it is about. */
static size_t cut(char *out, size_t size, const char *clean, unsigned columns, bool is_unicode)
{
	const char *mark = columns <= 2 ? "" : is_unicode ? "\u2026" : "..";
	unsigned rest, first;
	size_t len = strlen(clean), end;

	if (t2_text_columns(clean) <= columns)
		return (size_t)snprintf(out, size, "%s", clean);
	rest = columns - t2_text_columns(mark);
	first = rest / 2;
	end = tail(clean, len, rest - first);
	return (size_t)snprintf(out, size, "%.*s%s%s", (int)front(clean, first), clean, mark,
				clean + end);
}

size_t t2_text_elide(char *out, size_t size, const char *text, unsigned columns, bool is_unicode)
{
	size_t len = t2_text_clean(NULL, 0, text, is_unicode) + 1, total;
	char *clean = malloc(len);

	if (!clean)
		return 0;
	t2_text_clean(clean, len, text, is_unicode);
	total = cut(out, size, clean, columns, is_unicode);
	free(clean);
	return total;
}

size_t t2_text_elide_or(char *out, size_t size, const char *text, const char *brief,
			unsigned columns, bool is_unicode)
{
	size_t len = t2_text_elide(out, size, text, columns, is_unicode);
	const char *blank = brief ? strrchr(brief, ' ') : NULL;

	if (!blank || !size || strstr(out, blank + 1))
		return len;
	return t2_text_elide(out, size, brief, columns, is_unicode);
}

void t2_text_sparkline(char *out, const int64_t *values, uint32_t nr, int64_t max, bool is_unicode)
{
	static const char *const unicode[] = {" ",	"\u2581", "\u2582", "\u2583", "\u2584",
					      "\u2585", "\u2586", "\u2587", "\u2588"};
	static const char *const ascii[] = {"_", ".", ":", "-", "=", "+", "*", "#", "@"};

	*out = '\0';
	for (uint32_t i = 0; i < nr; i++) {
		int64_t value = values[i] < max ? values[i] : max;
		/* Anything at all is more than nothing. */
		int level =
			value <= 0 || max <= 0 ? 0 : (int)(((__int128)value * 8 + max - 1) / max);

		out = stpcpy(out, (is_unicode ? unicode : ascii)[level]);
	}
}

unsigned t2_text_width(int fd)
{
	const char *columns = getenv("COLUMNS");
	unsigned width = columns ? (unsigned)strtoul(columns, NULL, 10) : 0;
	struct winsize size;

	if (!ioctl(fd, TIOCGWINSZ, &size) && size.ws_col)
		width = size.ws_col;
	if (!width || width > 10000)
		width = WIDTH_DEFAULT;
	return width < WIDTH_MIN ? WIDTH_MIN : width;
}
