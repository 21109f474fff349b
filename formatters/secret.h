/* SPDX-License-Identifier: MIT */
/*
 * Which names promise that what they name is a secret. A name runs from @name to
 * @end; letters may be of either case, words be joined by - _ . or by nothing.
 * Context of all: any.
 */
#ifndef T2_FORMATTERS_SECRET_H
#define T2_FORMATTERS_SECRET_H

#include <stdbool.h>

/*
 * Options, without their dashes: the last words tell, so --password-file is not
 * one. With @is_word they have to be whole words: -password, but not -ltoken.
 */
bool t2_secret_is_option(const char *name, const char *end, bool is_word);

/*
 * Variables and settings: any word tells, unless the last one says that this is
 * about the secret, as in TOKEN_FILE. Before a dot stands only where a setting
 * belongs: credential.helper is none.
 */
bool t2_secret_is_setting(const char *name, const char *end);

/* Header fields: those with such a name, and those for credentials. */
bool t2_secret_is_header(const char *name, const char *end);

/* Header fields that are for nothing but credentials. */
bool t2_secret_is_authorization(const char *name, const char *end);

/* Settings that hold a whole header. */
bool t2_secret_holds_header(const char *name, const char *end);

#endif
