/* SPDX-License-Identifier: MIT */
/*
 * Every size limit of the shim, each with the reason for its value. Past a
 * limit we cut with a mark or drop and count; nothing overflows.
 */
#ifndef T2_PRELOAD_LIMITS_H
#define T2_PRELOAD_LIMITS_H

/*
 * Where static memory lies. A page that is touched costs as much as a short file's
 * write, so what every process touches at its start shares one: the end of the
 * settings (their texts are filled from the end), the state, and the beginning of
 * the session. The blocks in use then share another. The linker sorts by the name
 * (Makefile); what has none comes first. scripts/check-symbols.sh looks after it.
 */
#define T2_PLACE_SETTINGS __attribute__((section(".bss.1"), aligned(T2_PAGE_SIZE)))
#define T2_PLACE_STATE __attribute__((section(".bss.2")))
#define T2_PLACE_SESSION __attribute__((section(".bss.3")))
#define T2_PLACE_BLOCKS __attribute__((section(".bss.4"), aligned(T2_PAGE_SIZE)))
#define T2_PLACE_RARE __attribute__((section(".bss.5")))

/*
 * The same for code: hardly any process runs it, so it stays out of what is mapped
 * for every one (preload/early.list), and so does what leads to it.
 */
#define T2_RARE __attribute__((cold, noinline))

/* Session id: a tree deeper than this keeps its first and last components, so
 * that a program that re-executes itself for ever does not grow its
 * environment for ever. */
#define T2_SID_MAX 4096
#define T2_SID_COMPONENTS_MAX 64

/* "20261120T170652.372883Z-H15a8054a-P00000007" */
#define T2_SID_COMPONENT_LEN 43

/* Hierarchy of command names, cut in the middle as the session id is. */
#define T2_HIERARCHY_MAX 1024

/* A program's base name; NAME_MAX. */
#define T2_NAME_MAX 256

/* Thread name as git cuts it, with its NUL. */
#define T2_THREAD_NAME_SIZE 25

/* PATH_MAX; longer paths cannot be opened anyway. */
#define T2_PATH_SIZE 4096

/* A batch of a usual process fits; a longer one gets a mapping of its own. */
#define T2_BLOCK_SIZE (16 * 1024)

/* The lines of a beginning or an end, a few levels deep; their events; a path of
 * the usual length. One, one and two of them to a page: what a beginning needs. */
#define T2_BATCH_BLOCK_SIZE 2048
#define T2_EVENTS_BLOCK_SIZE 1024
#define T2_PATH_BLOCK_SIZE 512
#define T2_BLOCK_PAGES 8

/* The unit in which memory is touched; larger pages do no harm. */
#define T2_PAGE_SIZE 4096

/* Threads that emit in the same instant; more of them use mappings. */
#define T2_BLOCKS 16

/* Private copies of the settings we were started with. Longer ones are used
 * where they are: at the top of the stack, which a host may overwrite. The usual
 * ones fit into what exceeds whole pages. */
#define T2_SETTINGS_SIZE (2 * T2_PAGE_SIZE + 320)

/* git's limit for includes within includes. */
#define T2_CONFIG_DEPTH_MAX 10

/* Configuration files read in all: includes may fan out at every level. */
#define T2_CONFIG_FILES_MAX 64

/* One configuration file; nobody has written a longer one by hand. */
#define T2_CONFIG_FILE_MAX (1024 * 1024)

/* A full key; subsections are URLs and paths. Longer ones are left out. */
#define T2_CONFIG_KEY_SIZE 1024

/* What was wrong with the configuration, in words; cut. */
#define T2_CONFIG_FAULT_SIZE 256

/* def_param events of one process, and the memory for their texts; further
 * ones are counted in a last event. */
#define T2_PARAMS_MAX 256
#define T2_PARAMS_SIZE (64 * 1024)

/* Warnings of one process. One with its path and reason fits the length, which
 * is git's; the rest is cut. */
#define T2_WARNINGS_MAX 8
#define T2_WARNING_SIZE 4096

/* Children alive at a time whose start we remember: a shared mapping of
 * T2_CHILDREN_MAX slots, touched only as far as it is used. */
#define T2_CHILDREN_MAX 4096

/* The same where no mapping can be had, or past that: past these, too, an end has no
 * start. */
#define T2_SPARE_CHILDREN 32

/* popen() streams open at a time; further ones are libc's, and their shells
 * record themselves. A multiple of 32. */
#define T2_STREAMS_MAX 256

/* Threads created but not yet running. A creation past it is not recorded. */
#define T2_THREAD_SLOTS 2048

/* Entries of a module's symbol table we look through for the name of a thread
 * procedure: some 10 us. Larger modules give module and offset instead. */
#define T2_SYMBOLS_MAX 4096

/* Ancestors named by cmd_ancestry; git has no limit, our scratch memory has. */
#define T2_ANCESTRY_MAX 64

/* A command line read back from the kernel, which takes 6 MiB, with a pointer for
 * each argument, of which there may be as many as bytes. */
#define T2_ARGV_SIZE_MAX (64 * 1024 * 1024)

/* Arguments counted in a host's argv or envp before we stop believing it:
 * more than the kernel takes (6 MiB of pointers to empty strings). */
#define T2_VECTOR_MAX (1024 * 1024)

/* Arguments we keep of a failed exec of a child that has not spoken yet; as
 * many attempts as fit into T2_BLOCK_SIZE. */
#define T2_ATTEMPT_ARGS 31

/* Milliseconds a dead or slow socket peer may cost the first process of a tree. */
#define T2_PEER_PATIENCE_MS 40

/* How long it is waited for at a time, and by a process below the first in all. */
#define T2_PEER_WAIT_MS 2

/* How long the end of a process waits for other threads' writes, each of which
 * takes microseconds. */
#define T2_GATE_WAIT_MS 10

/* What a stream socket takes as a whole or not at all: half of its smallest
 * usual buffer, which the kernel does not split. */
#define T2_STREAM_ATOMIC (16 * 1024)

/* What a hook takes of its caller's stack at most, twice over. */
#define T2_HOOK_STACK 4096

/* Our descriptors live above those a host expects to be free. */
#define T2_FD_FLOOR 200

/* The public API: open regions of a thread whose start is kept, and timers and
 * counters of a process. Past that, a region's elapsed time is that of the
 * innermost one kept, and a timer or counter is not told. */
#define T2_REGIONS_MAX 128
#define T2_TIMERS_MAX 64
#define T2_COUNTERS_MAX 64

/* Their names, cut; git's are shorter than that. */
#define T2_TALLY_CATEGORY_SIZE 32
#define T2_TALLY_NAME_SIZE 64

/* PIPE_BUF: the longest write to a pipe that cannot be torn. */
#define T2_PIPE_ATOMIC 4096

#endif
