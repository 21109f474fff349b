/* SPDX-License-Identifier: MIT */
/*
 * make_trace EVENTS: an event stream of about so many lines, as the shim would have
 * written it of a large build: make, recursively, with shells and compilers below
 * it, two at a time. The same for the same number, every time.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS_PER_PROCESS 10
#define COMMANDS_PER_MAKE 200

struct process {
	char sid[512];
	unsigned pid;
	uint64_t start_us; /* since the start of the trace */
	unsigned nr_children;
	uint64_t children_us; /* CPU time of those that were waited for */
};

static unsigned last_pid = 1000;
static uint64_t random_state = 88172645463325252U;

static uint64_t draw(uint64_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state % below;
}

/* 2026-11-20T00:00:00Z and later; never more than a day. */
static void put_time(char out[32], const char *format, uint64_t us)
{
	unsigned seconds = (unsigned)(us / 1000000 % 86400);

	snprintf(out, 32, format, seconds / 3600, seconds / 60 % 60, seconds % 60,
		 (unsigned)(us % 1000000));
}

static void put_head(const char *event, const struct process *process, uint64_t us)
{
	char time[32];

	put_time(time, "2026-11-20T%02u:%02u:%02u.%06uZ", us);
	printf("{\"event\":\"%s\",\"sid\":\"%s\",\"thread\":\"main\",\"time\":\"%s\","
	       "\"file\":\"hooks/notice.c\",\"line\":76,",
	       event, process->sid, time);
}

static void begin(struct process *process, const struct process *parent, uint64_t us,
		  const char *exe, const char *name, const char *argv)
{
	char time[32];

	put_time(time, "20261120T%02u%02u%02u.%06uZ", us);
	process->pid = last_pid = last_pid % 4000000 + 1;
	process->start_us = us;
	process->nr_children = 0;
	process->children_us = 0;
	snprintf(process->sid, sizeof(process->sid), "%.400s%s%s-H15a8054a-P%08x",
		 parent ? parent->sid : "", parent ? "/" : "", time, process->pid);
	put_head("version", process, us);
	printf("\"evt\":\"4\",\"exe\":\"0.1.0\"}\n");
	put_head("cmd_path", process, us);
	printf("\"path\":\"%s\"}\n", exe);
	put_head("start", process, us);
	printf("\"t_abs\":0.000000,\"argv\":[%s]}\n", argv);
	put_head("cmd_name", process, us);
	printf("\"name\":\"%s\",\"hierarchy\":\"make/make/%s\"}\n", name, name);
	put_head("def_param", process, us);
	printf("\"scope\":\"unknown\",\"param\":\"cwd\",\"value\":\"/home/user/build\"}\n");
}

/* Whoever starts others does little else. */
static uint64_t own_us(const struct process *process, uint64_t us)
{
	return process->nr_children ? 1000 : (us - process->start_us) * 8 / 10;
}

static void end(const struct process *process, uint64_t us)
{
	uint64_t wall_us = us - process->start_us;

	put_head("exit", process, us);
	printf("\"t_abs\":%" PRIu64 ".%06u,\"code\":0}\n", wall_us / 1000000,
	       (unsigned)(wall_us % 1000000));
	put_head("data_json", process, us);
	printf("\"t_abs\":%" PRIu64 ".%06u,\"t_rel\":0.000000,\"nesting\":1,\"category\":"
	       "\"process\",\"key\":\"rusage\",\"value\":{\"self\":{\"user_us\":%" PRIu64
	       ",\"sys_us\":100,\"max_rss_kb\":%u,\"minor_faults\":159,\"major_faults\":1,"
	       "\"in_blocks\":8,\"out_blocks\":0,\"voluntary_switches\":1,"
	       "\"involuntary_switches\":2},\"children\":{\"user_us\":%" PRIu64 ",\"sys_us\":0,"
	       "\"max_rss_kb\":0,\"minor_faults\":0,\"major_faults\":0,\"in_blocks\":0,"
	       "\"out_blocks\":0,\"voluntary_switches\":0,\"involuntary_switches\":0}}}\n",
	       wall_us / 1000000, (unsigned)(wall_us % 1000000), own_us(process, us),
	       (unsigned)(2000 + draw(100000)), process->children_us);
	put_head("atexit", process, us);
	printf("\"t_abs\":%" PRIu64 ".%06u,\"code\":0}\n", wall_us / 1000000,
	       (unsigned)(wall_us % 1000000));
}

static void start_child(const struct process *process, uint64_t us, const char *argv)
{
	put_head("child_start", process, us);
	printf("\"child_id\":%u,\"child_class\":\"vfork\",\"use_shell\":false,\"argv\":[%s]}\n",
	       process->nr_children, argv);
}

static void end_child(struct process *process, const struct process *child, uint64_t us)
{
	uint64_t wall_us = us - child->start_us;
	uint64_t user_us = own_us(child, us - 100) + child->children_us;

	put_head("child_exit", process, us);
	printf("\"child_id\":%u,\"pid\":%u,\"code\":0,\"t_rel\":%" PRIu64 ".%06u,"
	       "\"t_user\":%" PRIu64 ".%06u,\"t_sys\":0.000100,\"max_rss_kb\":2472}\n",
	       process->nr_children++, child->pid, wall_us / 1000000, (unsigned)(wall_us % 1000000),
	       user_us / 1000000, (unsigned)(user_us % 1000000));
	process->children_us += user_us + 100;
}

/* A shell, a compiler in it, and what that is made of. Returns when it is done. */
static uint64_t command(struct process *make, uint64_t us, unsigned number)
{
	struct process sh, cc, cc1;
	char compile[256], real[256], line[320];

	snprintf(compile, sizeof(compile),
		 "\"gcc\",\"-O2\",\"-Iinclude\",\"-c\",\"src/part%u/file%u.c\",\"-o\","
		 "\"src/part%u/file%u.o\"",
		 number / 100, number, number / 100, number);
	snprintf(real, sizeof(real),
		 "\"/usr/lib/gcc/cc1\",\"-quiet\",\"-O2\",\"src/part%u/file%u.c\",\"-o\","
		 "\"/tmp/cc%06x.s\"",
		 number / 100, number, (unsigned)draw(1 << 24));
	snprintf(line, sizeof(line), "\"/bin/sh\",\"-c\",\"gcc -O2 -c src/part%u/file%u.c\"",
		 number / 100, number);
	start_child(make, us, line);
	begin(&sh, make, us + 500, "/usr/bin/dash", "dash", line);
	start_child(&sh, us + 700, compile);
	begin(&cc, &sh, us + 1000, "/usr/bin/gcc-12", "gcc-12", compile);
	start_child(&cc, us + 1500, real);
	begin(&cc1, &cc, us + 2000, "/usr/lib/gcc/cc1", "cc1", real);
	us += 2000 + 1000 + draw(20000);
	end(&cc1, us);
	end_child(&cc, &cc1, us + 100);
	end(&cc, us + 300);
	end_child(&sh, &cc, us + 400);
	end(&sh, us + 500);
	end_child(make, &sh, us + 600);
	return us + 600;
}

int main(int argc, char **argv)
{
	uint64_t nr_wanted = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
	uint64_t nr_commands = nr_wanted / (3 * EVENTS_PER_PROCESS);
	uint64_t us = 0, end_us, last_us = 0;
	struct process top, make;

	if (!nr_wanted) {
		fputs("usage: make_trace EVENTS\n", stderr);
		return 2;
	}
	begin(&top, NULL, us, "/usr/bin/make", "make", "\"make\",\"all\"");
	for (uint64_t i = 0; i < nr_commands; i++) {
		if (i % COMMANDS_PER_MAKE == 0) {
			start_child(&top, us, "\"make\",\"-C\",\"part\"");
			begin(&make, &top, us + 500, "/usr/bin/make", "make",
			      "\"make\",\"-C\",\"part\"");
			us += 1000;
		}
		/* The next begins when half of this is done. */
		end_us = command(&make, us, (unsigned)i);
		us += (end_us - us) / 2;
		if (end_us > last_us)
			last_us = end_us;
		if (i + 1 == nr_commands || (i + 1) % COMMANDS_PER_MAKE == 0) {
			end(&make, last_us + 100);
			end_child(&top, &make, last_us + 200);
			us = last_us + 300;
		}
	}
	end(&top, us);
	return 0;
}
