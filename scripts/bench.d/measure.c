/* SPDX-License-Identifier: MIT */
/*
 * Times the same command in several modes, and prints ratios:
 *
 *	measure [OPTION...] MODES COMMAND...
 *
 * MODES is a file with one mode on a line: key, name, words to put before the
 * command, and NAME=VALUE..., separated by tabs. A mode's environment is that
 * and nothing else. The modes "plain" and "empty" are what others are divided by.
 *
 * How it is made to say something on a machine that does other things too:
 *
 *  - A round is one sample of each mode, in an order shuffled anew (always from
 *    the same seed), so that no mode always follows the same other one.
 *  - A ratio is taken within each round, between samples a moment apart; what is
 *    printed is the median of these ratios, and the interval that holds the
 *    true median 95 times in 100, from the order of the ratios alone.
 *  - Beside it the ratio of the lower quartiles, which other people's work
 *    hardly reaches because it only ever adds, and of the CPU time, which does
 *    not count waiting for them.
 */
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_MODES 24
#define MAX_ROUNDS 5000
#define MAX_WORDS 64

enum measure { WALL, CPU, FAULTS, NR_MEASURES };

struct mode {
	const char *key;
	const char *name;
	char *argv[MAX_WORDS]; /* the words before the command, then the command */
	char *envp[MAX_WORDS];
	double sample[NR_MEASURES][MAX_ROUNDS];
};

static struct mode modes[MAX_MODES];
static int nr_modes, nr_rounds;

static const char *title = "command";
static const char *results; /* file to add a line for each mode to, or NULL */
static const char *sink;    /* directory to empty after each sample, or NULL */
static const char *prepare; /* shell command before each sample, or NULL */
static double seconds = 10; /* no further round after these */
static int min_rounds = 5, repeat = 1, divisor = 1, pinned;

/* --- modes --------------------------------------------------------------- */

static void split(char *text, const char *separators, char **words, int nr)
{
	for (char *word; (word = strsep(&text, separators));) {
		if (!*word)
			continue;
		if (nr == MAX_WORDS - 1)
			errx(2, "too many words");
		words[nr++] = word;
	}
}

static void read_mode(char *line, char **command)
{
	struct mode *mode = &modes[nr_modes++];
	int nr = 0;

	line[strcspn(line, "\n")] = '\0';
	mode->key = strsep(&line, "\t");
	mode->name = strsep(&line, "\t");
	if (!line)
		errx(2, "not a mode: %s", mode->key);
	split(strsep(&line, "\t"), " ", mode->argv, 0);
	if (line)
		split(line, "\t", mode->envp, 0);
	while (mode->argv[nr])
		nr++;
	for (; *command; command++) {
		if (nr == MAX_WORDS - 1)
			errx(2, "too many words");
		mode->argv[nr++] = *command;
	}
}

static void read_modes(const char *path, char **command)
{
	FILE *file = fopen(path, "r");
	size_t size = 0;
	char *line = NULL;

	if (!file)
		err(2, "%s", path);
	/* A mode keeps pointers into its line. */
	for (; getline(&line, &size, file) > 0; line = NULL) {
		if (nr_modes == MAX_MODES)
			errx(2, "more than %d modes", MAX_MODES);
		read_mode(line, command);
	}
	free(line);
	fclose(file);
}

static struct mode *find_mode(const char *key)
{
	for (int i = 0; i < nr_modes; i++)
		if (!strcmp(modes[i].key, key))
			return &modes[i];
	return NULL;
}

/* --- samples ---------------------------------------------------------------- */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Adds, with the sign, what this process or its children used so far. */
static void add_usage(int who, double sign, double *sum)
{
	struct rusage used;

	getrusage(who, &used);
	sum[CPU] += sign * ((double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
			    (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6);
	sum[FAULTS] += sign * (double)used.ru_minflt;
}

static void run(const struct mode *mode)
{
	posix_spawn_file_actions_t actions;
	int status, error;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	error = posix_spawnp(&pid, mode->argv[0], &actions, NULL, mode->argv, mode->envp);
	posix_spawn_file_actions_destroy(&actions);
	if (error)
		errx(2, "%s: cannot start %s: %s", mode->name, mode->argv[0], strerror(error));
	if (waitpid(pid, &status, 0) != pid || status)
		errx(2, "%s: %s failed, status %#x", mode->name, mode->argv[0],
		     (unsigned int)status);
}

/*
 * Files keep their names and lose all but a byte of their contents, because ext4
 * sends to the disk what is written behind a truncation to nothing (auto_da_alloc);
 * directories lose their files.
 */
static void empty_directory(const char *path, int depth)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	if (!dir)
		err(2, "%s", path);
	while ((entry = readdir(dir))) {
		char name[4096];
		struct stat st;

		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		if (lstat(name, &st))
			continue;
		if (S_ISDIR(st.st_mode))
			empty_directory(name, depth + 1);
		else if (S_ISREG(st.st_mode) && (depth ? unlink(name) : truncate(name, 1)))
			err(2, "%s", name);
	}
	closedir(dir);
}

static void take_sample(struct mode *mode, int round)
{
	double sum[NR_MEASURES] = {0};

	if (prepare && system(prepare))
		errx(2, "failed: %s", prepare);
	add_usage(RUSAGE_SELF, -1, sum);
	add_usage(RUSAGE_CHILDREN, -1, sum);
	sum[WALL] = -now();
	for (int i = 0; i < repeat; i++)
		run(mode);
	sum[WALL] += now();
	add_usage(RUSAGE_SELF, 1, sum);
	add_usage(RUSAGE_CHILDREN, 1, sum);
	for (int i = 0; i < NR_MEASURES; i++)
		mode->sample[i][round] = sum[i] / repeat / divisor;
	if (sink)
		empty_directory(sink, 0);
}

static void take_round(int round)
{
	int order[MAX_MODES] = {0};

	for (int i = 0; i < nr_modes; i++) {
		int j = (int)(random() % (i + 1));

		order[i] = order[j];
		order[j] = i;
	}
	for (int i = 0; i < nr_modes; i++)
		take_sample(&modes[order[i]], round);
}

/* On the last CPU there is; whoever wants to be elsewhere has the others. */
static void pin(void)
{
	cpu_set_t set, one;
	int last = 0;

	if (sched_getaffinity(0, sizeof(set), &set))
		err(2, "sched_getaffinity");
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set))
			last = i;
	CPU_ZERO(&one);
	CPU_SET(last, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		err(2, "sched_setaffinity");
}

/* --- what is printed ---------------------------------------------------------- */

struct ratio {
	double median, low, high;
};

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* The value below which a PART of the samples is, between two of them if need be. */
static double quantile(const double *samples, double part)
{
	static double sorted[MAX_ROUNDS];
	double place = part * (nr_rounds - 1);
	int below = (int)place, above = below + 1 < nr_rounds ? below + 1 : below;

	memcpy(sorted, samples, sizeof(*samples) * (size_t)nr_rounds);
	qsort(sorted, (size_t)nr_rounds, sizeof(double), compare);
	return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

/*
 * The median of the ratios of each round, and its interval. How many of N
 * samples lie below the true median is a matter of N coins: 1.96 deviations,
 * of sqrt(N)/2 each, to both sides of the middle leave out 5 in 100.
 */
static struct ratio paired(const struct mode *mode, const struct mode *base, enum measure what)
{
	static double ratios[MAX_ROUNDS];
	double spread = 1.96 * sqrt(nr_rounds) / 2, last = nr_rounds - 1;
	int low = (int)floor(nr_rounds / 2.0 - spread);

	for (int i = 0; i < nr_rounds; i++)
		ratios[i] = mode->sample[what][i] / base->sample[what][i];
	low = low < 0 ? 0 : low;
	return (struct ratio){quantile(ratios, 0.5), quantile(ratios, low / last),
			      quantile(ratios, 1 - low / last)};
}

static void print_ratio(const struct mode *mode, const struct mode *base)
{
	struct ratio wall;

	if (!base) {
		printf(" %22s", "-");
		return;
	}
	wall = paired(mode, base, WALL);
	printf("  %6.3f [%5.3f %5.3f]", wall.median, wall.low, wall.high);
}

static void add_result(FILE *file, const struct mode *mode, const struct mode *base)
{
	struct ratio wall = paired(mode, base, WALL);

	fprintf(file, "%s\t%s\t%s\t%.4f\t%.4f\t%.4f\t%.4f\n", title, mode->key, base->key,
		wall.median, wall.low, wall.high, paired(mode, base, CPU).median);
}

static void print(void)
{
	const struct mode *plain = find_mode("plain"), *empty = find_mode("empty");
	const struct mode *base = empty ? empty : plain;
	double unit = quantile(modes[0].sample[WALL], 0.5) < 0.05 ? 1e6 : 1e3;
	FILE *file = results ? fopen(results, "a") : NULL;

	printf("%s: %d rounds%s%s\n", title, nr_rounds, pinned ? ", on one CPU" : "",
	       nr_rounds < 6 ? ", few: the interval is the whole range" : "");
	printf("  %-20s %9s  %-22s  %-22s %7s %7s %8s\n", "", unit > 1e3 ? "us" : "ms",
	       "/ plain [95 %]", "/ empty [95 %]", "low 1/4", "CPU", "faults");
	for (int i = 0; i < nr_modes; i++) {
		const struct mode *mode = &modes[i];

		printf("  %-20s %9.1f", mode->name, quantile(mode->sample[WALL], 0.5) * unit);
		print_ratio(mode, plain);
		print_ratio(mode, empty);
		printf(" %7.3f %7.3f %8.0f\n",
		       quantile(mode->sample[WALL], 0.25) / quantile(base->sample[WALL], 0.25),
		       paired(mode, base, CPU).median, quantile(mode->sample[FAULTS], 0.5));
		if (file && plain)
			add_result(file, mode, plain);
		if (file && empty)
			add_result(file, mode, empty);
	}
	if (file && fclose(file))
		err(2, "%s", results);
}

static void read_options(int argc, char **argv)
{
	for (int c; (c = getopt(argc, argv, "+c:d:k:n:o:pr:s:t:")) >= 0;) {
		switch (c) {
		case 'c':
			prepare = optarg;
			break;
		case 'd':
			divisor = atoi(optarg);
			break;
		case 'k':
			sink = optarg;
			break;
		case 'n':
			min_rounds = atoi(optarg);
			break;
		case 'o':
			results = optarg;
			break;
		case 'p':
			pinned = 1;
			break;
		case 'r':
			repeat = atoi(optarg);
			break;
		case 's':
			seconds = atof(optarg);
			break;
		case 't':
			title = optarg;
			break;
		default:
			exit(2);
		}
	}
	if (min_rounds < 2 || min_rounds > MAX_ROUNDS || repeat < 1 || divisor < 1)
		errx(2, "a number is out of range");
}

int main(int argc, char **argv)
{
	double start;

	read_options(argc, argv);
	if (argc - optind < 2)
		errx(2, "usage: measure [-p] [-c PREPARE] [-d DIVISOR] [-k SINK] [-n ROUNDS]\n"
			"\t[-o RESULTS] [-r REPEAT] [-s SECONDS] [-t TITLE] MODES COMMAND...");
	read_modes(argv[optind], argv + optind + 1);
	if (!find_mode("plain") && !find_mode("empty"))
		errx(2, "nothing to compare with: neither plain nor empty");
	if (pinned)
		pin();
	srandom(1);
	take_round(0); /* everything is in memory after it; it is overwritten */
	for (start = now(); nr_rounds < MAX_ROUNDS; nr_rounds++) {
		if (nr_rounds >= min_rounds && now() - start > seconds)
			break;
		take_round(nr_rounds);
	}
	print();
	return 0;
}
