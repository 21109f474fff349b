/* SPDX-License-Identifier: MIT */
#include "call.h"
#include "scan.h"
#include "trace.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define PRELOAD_LIST "/etc/ld.so.preload"

int t2_call_signal(const char *name)
{
	size_t len = strcspn(name, " },)+");
	long rt;

	if (t2_text_number_after(name, "SIGRT_", &rt))
		return (int)rt + __SIGRTMIN;
	if (!strncmp(name, "SIGRTMIN", len))
		return __SIGRTMIN;
	/* strace's name; the C library says SIGPOLL. */
	if (len == 5 && !strncmp(name, "SIGIO", len))
		return SIGIO;
	for (int signo = 1; signo < NSIG; signo++) {
		const char *abbreviation = sigabbrev_np(signo);

		if (abbreviation && len == strlen(abbreviation) + 3 &&
		    !strncmp(name + 3, abbreviation, len - 3))
			return signo;
	}
	return 0;
}

static int errno_number(const char *name)
{
	size_t len = strcspn(name, " )");

	for (int number = 1; number < 134; number++) {
		const char *known = strerrorname_np(number);

		if (known && strlen(known) == len && !strncmp(known, name, len))
			return number;
	}
	return 0;
}

static void see_arg(void *arg, const char *bytes, size_t len)
{
	t2_vec_add(arg, t2_text_valid_utf8(bytes, len));
}

static void see_env(void *arg, const char *bytes, size_t len)
{
	struct t2_record *record = arg;

	(void)len;
	record->u.exec.nr_env++;
	if (!strncmp(bytes, "LD_PRELOAD=", 11))
		record->u.exec.preload = strdup(bytes + 11);
	if (!strncmp(bytes, "GIT_TRACE2_PARENT_SID=", 22))
		record->u.exec.parent_sid = strdup(bytes + 22);
	if (!strncmp(bytes, "LD_TRACE_LOADED_OBJECTS=", 24))
		record->u.exec.is_listing = bytes[24] != '\0';
}

/* The path in "3</some/path>" or "AT_FDCWD</some/path>". */
static const char *path_of_fd(const char *text)
{
	const char *begin = strchr(text, '<');
	const char *end = strrchr(text, '>');

	return begin && end > begin ? strndup(begin + 1, (size_t)(end - begin - 1)) : NULL;
}

static bool parse_exec(struct t2_record *record, struct t2_scan *scan, bool is_at)
{
	size_t len = 0;

	record->kind = T2_RECORD_EXEC;
	if (is_at) {
		char *fd = t2_scan_text(scan);

		record->u.exec.fd = atoi(fd);
		record->u.exec.at = path_of_fd(fd);
		t2_scan_comma(scan);
	}
	record->u.exec.path = t2_scan_string(scan, &len);
	if (!record->u.exec.path)
		t2_scan_skip(scan);
	record->u.exec.is_by_fd = is_at && record->u.exec.path && !len;
	t2_scan_comma(scan);
	record->u.exec.has_argv = t2_scan_list(scan, see_arg, &record->u.exec.argv);
	if (!record->u.exec.has_argv)
		t2_scan_skip(scan);
	t2_scan_comma(scan);
	if (!t2_scan_list(scan, see_env, record))
		t2_scan_skip(scan);
	return true;
}

static bool parse_clone(struct t2_record *record, const char *name, const char *args)
{
	const char *flags = strstr(args, "flags=");
	const char *stack = strstr(args, "stack=");
	size_t len = flags ? strcspn(flags, ",}") : 0;
	char *words = strndup(flags ? flags : "", len);

	record->kind = T2_RECORD_CLONE;
	record->u.clone.is_thread = strstr(words, "CLONE_THREAD");
	record->u.clone.has_vm = strstr(words, "CLONE_VM");
	record->u.clone.is_vfork = !strcmp(name, "vfork") || strstr(words, "CLONE_VFORK");
	record->u.clone.has_parent_flag = strstr(words, "CLONE_PARENT|") ||
					  (len >= 12 && !strcmp(words + len - 12, "CLONE_PARENT"));
	record->u.clone.has_stack = stack && strncmp(stack + 6, "NULL", 4);
	free(words);
	return true;
}

static bool parse_wait4(struct t2_record *record, struct t2_scan *scan)
{
	const char *args = scan->at;
	const char *signal = strstr(args, "WTERMSIG(s) == ");
	char *status;
	long number;

	record->kind = T2_RECORD_WAIT;
	t2_scan_skip(scan);
	t2_scan_comma(scan);
	status = t2_scan_text(scan);
	if (!record->has_result || record->result <= 0)
		return false;
	if (t2_text_number_after(args, "WEXITSTATUS(s) == ", &number))
		record->u.wait.code = (int)number;
	else if (signal)
		record->u.wait.code = 128 + t2_call_signal(signal + 15);
	else if (strcmp(status, "NULL") || strstr(args, "WUNTRACED") || strstr(args, "WCONTINUED"))
		return false;
	else
		record->u.wait.code = -1; /* nobody asked for it */
	record->u.wait.pid = record->result;
	return true;
}

/* Did a waitid() without any result information reap somebody? */
static bool parse_blind_waitid(struct t2_record *record, const char *args)
{
	record->u.wait.code = -1;
	record->u.wait.is_any = !t2_text_number_after(args, "P_PID, ", &record->u.wait.pid);
	return strstr(args, "WEXITED");
}

static bool parse_waitid(struct t2_record *record, const char *args)
{
	const char *signal = strstr(args, "si_status=SIG");
	struct t2_scan scan = {.at = args};
	long pid, status;

	record->kind = T2_RECORD_WAIT;
	if (!record->has_result || record->result || strstr(args, "WNOWAIT"))
		return false;
	t2_scan_skip(&scan);
	t2_scan_comma(&scan);
	t2_scan_skip(&scan);
	t2_scan_comma(&scan);
	if (!strncmp(scan.at, "NULL", 4))
		return parse_blind_waitid(record, args);
	if (!t2_text_number_after(args, "si_pid=", &pid))
		return false;
	if (strstr(args, "si_code=CLD_EXITED") && t2_text_number_after(args, "si_status=", &status))
		record->u.wait.code = (int)status;
	else if (strstr(args, "si_code=CLD_KILLED") || strstr(args, "si_code=CLD_DUMPED"))
		record->u.wait.code = 128 + (signal ? t2_call_signal(signal + 10) : 0);
	else
		return false;
	record->u.wait.pid = pid;
	return pid > 0;
}

static bool parse_chdir(struct t2_record *record, struct t2_scan *scan, bool is_fd)
{
	size_t len;

	record->kind = T2_RECORD_CHDIR;
	if (!record->has_result || record->result)
		return false;
	record->u.chdir.path = is_fd ? path_of_fd(scan->at) : t2_scan_string(scan, &len);
	return record->u.chdir.path;
}

static bool parse_access(struct t2_record *record, const char *args)
{
	bool is_probe = strstr(args, ", X_OK");

	record->kind = is_probe ? T2_RECORD_PROBE : T2_RECORD_LOADED;
	return is_probe || strstr(args, "\"" PRELOAD_LIST "\", R_OK");
}

/* "= 0", "= -1 ENOENT (No such ...)", "= ?". */
static void parse_result(struct t2_record *record, const char *text)
{
	char *end;

	while (*text == ' ' || *text == ')')
		text++;
	if (*text != '=')
		return;
	record->result = strtol(text + 1, &end, 10);
	record->has_result = end != text + 1;
	if (record->has_result && record->result == -1 && *end == ' ')
		record->error = errno_number(end + 1);
}

/* Move @scan past all arguments. */
static void skip_all(struct t2_scan *scan)
{
	t2_scan_skip(scan);
	while (t2_scan_comma(scan))
		t2_scan_skip(scan);
}

bool t2_call_parse(struct t2_record *record, const char *text, bool *ret_is_cut)
{
	size_t name_len = strcspn(text, "(");
	struct t2_scan scan = {.at = text + name_len + (text[name_len] == '(')};
	struct t2_scan end = scan;
	char *name = strndup(text, name_len);
	char *args;
	bool is_known = true;

	skip_all(&end);
	parse_result(record, end.at);
	args = strndup(scan.at, (size_t)(end.at - scan.at));
	scan.at = args;
	if (!strcmp(name, "execve") || !strcmp(name, "execveat"))
		is_known = parse_exec(record, &scan, name[6]);
	else if (!strcmp(name, "fork") || !strcmp(name, "vfork") || !strncmp(name, "clone", 5))
		is_known = parse_clone(record, name, args);
	else if (!strcmp(name, "exit") || !strcmp(name, "exit_group")) {
		record->kind = T2_RECORD_EXIT;
		record->u.exit.is_group = name[4];
		record->u.exit.code = atoi(args) & 0xff;
	} else if (!strcmp(name, "wait4"))
		is_known = parse_wait4(record, &scan);
	else if (!strcmp(name, "waitid"))
		is_known = parse_waitid(record, args);
	else if (!strcmp(name, "chdir") || !strcmp(name, "fchdir"))
		is_known = parse_chdir(record, &scan, name[0] == 'f');
	else if (!strcmp(name, "access") || !strncmp(name, "faccessat", 9))
		is_known = parse_access(record, args);
	else if (!strcmp(name, "kill") || !strcmp(name, "tkill") || !strcmp(name, "tgkill"))
		record->kind = T2_RECORD_ALIVE;
	else
		is_known = false;
	*ret_is_cut = is_known && scan.is_cut;
	free(args);
	free(name);
	return is_known;
}
