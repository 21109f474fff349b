/* SPDX-License-Identifier: MIT */
#include "vec.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

void *t2_zalloc(size_t size)
{
	void *memory = calloc(1, size ? size : 1);

	if (!memory)
		err(2, "no memory");
	return memory;
}

void *t2_regrow(void *memory, size_t size)
{
	memory = realloc(memory, size ? size : 1);
	if (!memory)
		err(2, "no memory");
	return memory;
}

void t2_vec_add(struct t2_vec *vec, const void *item)
{
	if (vec->nr == vec->cap) {
		vec->cap = vec->cap ? 2 * vec->cap : 8;
		vec->at = t2_regrow(vec->at, vec->cap * sizeof(*vec->at));
	}
	vec->at[vec->nr++] = (void *)item;
}

bool t2_vec_equals(const struct t2_vec *a, const struct t2_vec *b)
{
	if (a->nr != b->nr)
		return false;
	for (size_t i = 0; i < a->nr; i++)
		if (strcmp(a->at[i], b->at[i]))
			return false;
	return true;
}

const char *t2_vec_join(const struct t2_vec *vec, size_t max)
{
	char *text = t2_zalloc(max + 5);
	size_t used = 0;

	for (size_t i = 0; i < vec->nr; i++) {
		const char *word = vec->at[i];
		size_t len = strlen(word);

		if (i)
			text[used++] = ' ';
		if (used + len + 1 > max) {
			memcpy(text + used, word, max > used ? max - used : 0);
			strcpy(text + (max > used ? max : used), "...");
			return text;
		}
		memcpy(text + used, word, len);
		used += len;
	}
	return text;
}

/* Length of the valid UTF-8 sequence at the start of @bytes, 0 if there is none. */
static size_t utf8_length(const unsigned char *bytes, size_t len)
{
	size_t need = bytes[0] < 0x80 ? 1 : bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : 4;

	if (bytes[0] >= 0x80 && (bytes[0] < 0xc2 || bytes[0] > 0xf4))
		return 0;
	if (need > len)
		return 0;
	for (size_t i = 1; i < need; i++)
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
	if ((bytes[0] == 0xe0 && bytes[1] < 0xa0) || (bytes[0] == 0xed && bytes[1] > 0x9f) ||
	    (bytes[0] == 0xf0 && bytes[1] < 0x90) || (bytes[0] == 0xf4 && bytes[1] > 0x8f))
		return 0;
	return need;
}

char *t2_text_valid_utf8(const char *bytes, size_t len)
{
	char *text = t2_zalloc(3 * len + 1);
	size_t used = 0;

	for (size_t i = 0; i < len;) {
		size_t good = utf8_length((const unsigned char *)bytes + i, len - i);

		if (good) {
			memcpy(text + used, bytes + i, good);
			used += good;
			i += good;
		} else {
			memcpy(text + used, "\xef\xbf\xbd", 3);
			used += 3;
			i++;
		}
	}
	return text;
}

bool t2_text_number_after(const char *text, const char *prefix, long *ret_number)
{
	const char *found = strstr(text, prefix);
	char *end;
	long number;

	if (!found)
		return false;
	found += strlen(prefix);
	number = strtol(found, &end, 10);
	if (end == found)
		return false;
	*ret_number = number;
	return true;
}

const char *t2_text_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}
