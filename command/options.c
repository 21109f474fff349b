/* SPDX-License-Identifier: MIT */
#include "command/options.h"

#include "command/machine.h"
#include "command/pager.h"
#include "command/text.h"

#include <errno.h>
#include <fnmatch.h>
#include <langinfo.h>
#include <locale.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	ONLY_FAILED = 128,
	CWD,
	PID,
	UNDER,
	BY,
	FORMAT,
	COLOR,
	CPUS,
	MEMORY,
	NO_PAGER,
};

static const struct option common[] = {
	{"filter", required_argument, NULL, 'F'},
	{"notrace", required_argument, NULL, 'N'},
	{"depth", required_argument, NULL, 'D'},
	{"min", required_argument, NULL, 't'},
	{"range", required_argument, NULL, 'r'},
	{"sort", required_argument, NULL, 's'},
	{"fields", required_argument, NULL, 'f'},
	{"limit", required_argument, NULL, 'n'},
	{"only-failed", no_argument, NULL, ONLY_FAILED},
	{"cwd", required_argument, NULL, CWD},
	{"pid", required_argument, NULL, PID},
	{"under", required_argument, NULL, UNDER},
	{"by", required_argument, NULL, BY},
	{"format", required_argument, NULL, FORMAT},
	{"color", required_argument, NULL, COLOR},
	{"cpus", required_argument, NULL, CPUS},
	{"memory", required_argument, NULL, MEMORY},
	{"no-pager", no_argument, NULL, NO_PAGER},
};

#define NR_COMMON (sizeof(common) / sizeof(*common))
#define EXTRA_MAX 24

/* Added to a common option of which the letter means something else in a view. */
#define LONG_ONLY 0x1000

/* --- values ---------------------------------------------------------------------- */

static bool complain(const struct t2_options_spec *spec, const char *what, const char *value)
{
	fprintf(stderr, "t2 %s: %s: %s\n", spec->name, what, value);
	return false;
}

static bool parse_number(const struct t2_options_spec *spec, const char *value, uint32_t *ret)
{
	unsigned long number;
	char *end;

	errno = 0;
	number = strtoul(value, &end, 10);
	if (errno || *end || end == value || *value == '-' || number >= UINT32_MAX)
		return complain(spec, "not a number", value);
	*ret = (uint32_t)number;
	return true;
}

int t2_option_name(const char *name, const char *const *names, const char *value, size_t len)
{
	for (int i = 0; names[i]; i++) {
		if (strlen(names[i]) == len && !strncmp(names[i], value, len))
			return i;
	}
	fprintf(stderr, "t2 %s: not known: %.*s; there are", name, (int)len, value);
	for (int i = 0; names[i]; i++)
		fprintf(stderr, "%s %s", i ? "," : "", names[i]);
	fputc('\n', stderr);
	return -1;
}

/* The column that is called so, or NULL after having said which there are. */
static const struct t2_column *parse_column(const struct t2_options_spec *spec, const char *value,
					    size_t len, bool is_number)
{
	const struct t2_column *found = t2_column_find(spec->columns, value, len);

	if (found && (found->number || !is_number))
		return found;
	fprintf(stderr, "t2 %s: no such %s: %.*s; there are", spec->name,
		is_number ? "sort key" : "field", (int)len, value);
	for (const struct t2_column *column = spec->columns; column->name; column++) {
		if (column->number || !is_number)
			fprintf(stderr, " %s", column->name);
	}
	fputc('\n', stderr);
	return NULL;
}

static bool parse_sort(struct t2_options *options, const struct t2_options_spec *spec)
{
	const char *value = options->keys ? options->keys : "";
	const unsigned max = sizeof(options->sort) / sizeof(*options->sort);

	if (*value && (!spec->is_sorted || !spec->columns))
		return complain(spec, "this has no sort keys", value);
	while (*value) {
		size_t len = strcspn(value, ",");
		const struct t2_column *column = parse_column(spec, value, len, true);

		if (!column)
			return false;
		if (options->nr_sort < max)
			options->sort[options->nr_sort++] = (unsigned)(column - spec->columns);
		value += len + (value[len] == ',');
	}
	return true;
}

static bool check_fields(const struct t2_options *options, const struct t2_options_spec *spec)
{
	const char *value = options->fields ? options->fields : "";

	if (*value && !spec->columns)
		return complain(spec, "this has no fields", value);
	while (*value) {
		size_t len = strcspn(value, ",");

		if (!parse_column(spec, value, len, false))
			return false;
		value += len + (value[len] == ',');
	}
	return true;
}

static bool add_match(struct t2_match **matches, size_t *nr, const struct t2_options_spec *spec,
		      const char *text)
{
	struct t2_match match = {.text = text, .is_glob = strpbrk(text, "*?[")};
	struct t2_match *larger;

	if (*text == '~') {
		match.is_glob = false;
		match.regex = calloc(1, sizeof(regex_t));
		if (!match.regex || regcomp(match.regex, text + 1, REG_EXTENDED | REG_NOSUB)) {
			free(match.regex);
			return complain(spec, "not a regular expression", text + 1);
		}
	}
	larger = realloc(*matches, (*nr + 1) * sizeof(**matches));
	if (!larger) {
		free(match.regex);
		return false;
	}
	*matches = larger;
	larger[(*nr)++] = match;
	return true;
}

bool t2_match(const struct t2_match *match, const char *text)
{
	if (match->regex)
		return !regexec(match->regex, text, 0, NULL, 0);
	if (match->is_glob)
		return !fnmatch(match->text, text, 0);
	return strstr(text, match->text);
}

/* "10s~20s", "10s~", "~20s" */
static bool parse_range(struct t2_options *options, const char *value)
{
	const char *tilde = strchr(value, '~');
	char from[T2_TEXT_MAX] = "0";

	if (!tilde || tilde - value >= (ptrdiff_t)sizeof(from))
		return false;
	if (tilde > value)
		*stpncpy(from, value, (size_t)(tilde - value)) = '\0';
	return t2_text_parse_duration(from, &options->from_ns) &&
	       (!tilde[1] || t2_text_parse_duration(tilde + 1, &options->to_ns)) &&
	       options->from_ns <= options->to_ns;
}

/* "512M", "16G"; kilobytes without a unit. */
static bool parse_memory(struct t2_options *options, const char *value)
{
	static const char units[] = "KMGT";
	char *end;
	double number = strtod(value, &end);
	const char *unit = *end ? strchr(units, *end) : units;

	if (end == value || !unit || (*end && end[1]) || !(number >= 0 && number < 1e9))
		return false;
	for (; unit > units; unit--)
		number *= 1024;
	options->memory_kb = (uint64_t)number;
	options->has_memory = true;
	return true;
}

static bool parse_color(struct t2_options *options, const struct t2_options_spec *spec,
			const char *value)
{
	static const char *const names[] = {"auto", "always", "never", NULL};
	int when = t2_option_name(spec->name, names, value, strlen(value));

	if (when > 0)
		options->is_coloured = when == 1;
	return when >= 0;
}

/* --- options ---------------------------------------------------------------------- */

static bool take_how(struct t2_options *options, const struct t2_options_spec *spec, int val,
		     const char *value)
{
	static const char *const bys[] = {"exe", "cmd", "output", "source", "dir", NULL};
	static const char *const formats[] = {"text", "json", "csv", "md", NULL};
	int index;

	switch (val) {
	case BY:
		index = t2_option_name(spec->name, bys, value, strlen(value));
		options->by = index < 0 ? T2_BY_EXE : (enum t2_by)index;
		return index >= 0;
	case FORMAT:
		index = t2_option_name(spec->name, formats, value, strlen(value));
		options->format = index < 0 ? T2_OUTPUT_TEXT : (enum t2_output_format)index;
		return index >= 0;
	case COLOR:
		return parse_color(options, spec, value);
	case CPUS:
		options->has_cpus = true;
		return parse_number(spec, value, &options->nr_cpus);
	case MEMORY:
		return parse_memory(options, value) ||
		       complain(spec, "not a size such as 16G", value);
	case NO_PAGER:
		options->has_pager = false;
		return true;
	case 's':
		options->keys = value;
		return true;
	case 'f':
		options->fields = value;
		return true;
	case 'n':
		return parse_number(spec, value, &options->limit);
	default:
		return false;
	}
}

static bool take(struct t2_options *options, const struct t2_options_spec *spec, int val,
		 const char *value)
{
	uint32_t number;

	switch (val) {
	case 'F':
		return add_match(&options->only, &options->nr_only, spec, value);
	case 'N':
		return add_match(&options->without, &options->nr_without, spec, value);
	case UNDER:
		return add_match(&options->under, &options->nr_under, spec, value);
	case 'D':
		return parse_number(spec, value, &options->max_depth);
	case 't':
		return t2_text_parse_duration(value, &options->min_ns) ||
		       complain(spec, "not a time such as 10ms", value);
	case 'r':
		return parse_range(options, value) ||
		       complain(spec, "not a range such as 10s~20s", value);
	case ONLY_FAILED:
		options->only_failed = true;
		return true;
	case CWD:
		options->cwd = value;
		return true;
	case PID:
		if (!parse_number(spec, value, &number))
			return false;
		options->pid = (int32_t)number;
		return true;
	default:
		return take_how(options, spec, val, value);
	}
}

static void set_defaults(struct t2_options *options, int fd)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	setlocale(LC_CTYPE, "");
	*options = (struct t2_options){
		.max_depth = UINT32_MAX,
		.min_ns = -1,
		.pid = -1,
		.limit = UINT32_MAX,
		.is_unicode = !strcmp(nl_langinfo(CODESET), "UTF-8"),
		.to_ns = INT64_MAX,
		.width = t2_text_width(fd),
		.nr_cpus = t2_machine_cpus(),
		.memory_kb = t2_machine_memory_kb(),
		.has_pager = fd == STDOUT_FILENO,
		.is_coloured =
			isatty(fd) && (!no_color || !*no_color) && (!term || strcmp(term, "dumb")),
	};
}

static bool take_files(struct t2_options *options, const struct t2_options_spec *spec, int nr,
		       char **files)
{
	static const char *defaults = T2_DEFAULT_FILE;

	if (nr <= 0 && spec->needs_files)
		return complain(spec, "which files?", "none given");
	if (spec->max_files && (size_t)nr > spec->max_files)
		return complain(spec, "one file too many", files[spec->max_files]);
	options->files = calloc((size_t)nr + 1, sizeof(*options->files));
	if (!options->files)
		return false;
	for (int i = 0; i < nr; i++)
		options->files[options->nr_files++] = files[i];
	if (!nr)
		options->files[options->nr_files++] = defaults;
	return true;
}

static bool is_extra(const struct t2_options_spec *spec, int val)
{
	const struct option *extra = spec->extra;

	while (extra && extra->name && extra->val != val)
		extra++;
	return extra && extra->name;
}

/* Of two with the same name getopt_long() takes the first. */
static void list_options(const struct t2_options_spec *spec, struct option *longs, char *letters)
{
	size_t nr = 0, nr_letters = 0;

	for (const struct option *extra = spec->extra; extra && extra->name; extra++) {
		if (nr < EXTRA_MAX)
			longs[nr++] = *extra;
	}
	for (size_t i = 0; i < NR_COMMON; i++) {
		longs[nr + i] = common[i];
		if (is_extra(spec, common[i].val))
			longs[nr + i].val += LONG_ONLY;
	}
	for (const struct option *option = longs; option->name; option++) {
		if (option->val >= ONLY_FAILED)
			continue;
		letters[nr_letters++] = (char)option->val;
		if (option->has_arg)
			letters[nr_letters++] = ':';
	}
	letters[nr_letters] = '\0';
}

int t2_options_parse(struct t2_options *options, const struct t2_options_spec *spec, int argc,
		     char **argv)
{
	struct option longs[NR_COMMON + EXTRA_MAX + 1] = {0};
	char letters[2 * (NR_COMMON + EXTRA_MAX) + 1] = "";
	bool is_right = true;
	int val;

	set_defaults(options, spec->is_stderr ? STDERR_FILENO : STDOUT_FILENO);
	list_options(spec, longs, letters);
	optind = 0;
	while (is_right && (val = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		if (is_extra(spec, val))
			is_right = spec->on_extra(spec->arg, val, optarg);
		else
			is_right = val != '?' && take(options, spec, val & ~LONG_ONLY, optarg);
	}
	if (is_right && check_fields(options, spec) && parse_sort(options, spec) &&
	    take_files(options, spec, argc - optind, argv + optind)) {
		if (options->has_pager && options->format == T2_OUTPUT_TEXT)
			t2_pager_start();
		return T2_VIEW_OK;
	}
	fprintf(stderr, "t2 %s: t2 %s --help tells the options\n", spec->name, spec->name);
	return T2_VIEW_USAGE;
}

static void free_matches(struct t2_match *matches, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (matches[i].regex)
			regfree(matches[i].regex);
		free(matches[i].regex);
	}
	free(matches);
}

void t2_options_free(struct t2_options *options)
{
	free_matches(options->only, options->nr_only);
	free_matches(options->without, options->nr_without);
	free_matches(options->under, options->nr_under);
	free(options->files);
}
