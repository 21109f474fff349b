# SPDX-License-Identifier: MIT
"""Logs of strace -ff -i, made comparable.

A section is a thread, named after the tree of births: "0" is the command, "0.2"
the second task it made. A line is a call or a signal in which pids are such
names, and addresses are "@" or, inside the preload, "@preload".
"""

import glob
import os
import re

# How the harness calls strace. Environments are shown in full, structs are not.
OPTIONS = ["-ff", "-i", "-qq", "-y", "-s", "8192", "-e", "abbrev=!execve,execveat",
           "-e", "trace=all", "-e", "signal=all"]

LINE = re.compile(r"\[\s*([0-9a-f?]+)\] (.*)")
MADE = re.compile(r"(clone|clone3|fork|vfork)\(.*\)\s+= (\d+)(<.*>)?$")
MAPPED = re.compile(r"mmap\(NULL, (\d+), .*<(.*)>, 0\)\s+= (0x[0-9a-f]+)$")
MADE_ROOM = re.compile(r"mmap\(NULL, (\d+), .*MAP_ANONYMOUS.*\)\s+= (0x[0-9a-f]+)$")
OPENED = re.compile(r"(openat|fcntl)\(.*(?:O_CLOEXEC|F_DUPFD_CLOEXEC).*\)\s+= (\d+)<.*>$")
USED = re.compile(r"(\w+\()(\d+)(?=<)")
BLOCKED = re.compile(r"rt_sigprocmask\(SIG_BLOCK, .*?\], (~?\[.*\]), 8\)")
UNBLOCKED = re.compile(r"rt_sigprocmask\(SIG_SETMASK, (~?\[.*\]), NULL, 8\)")
REPLACED = re.compile(r"execve(at)?\(.*\)\s+= 0$")
ADDRESS = re.compile(r"(?<![\w./-])0x[0-9a-f]{5,16}\b")

# Calls in which a number may be a pid.
OF_PIDS = re.compile(
    r"(clone3?|v?fork|wait4|waitid|kill|tkill|tgkill|getpid|gettid|getppid|[gs]etpgid|getpgrp"
    r"|[gs]etsid|set_tid_address|pidfd_\w+|rt_(tg)?sigqueueinfo|sched_\w+"
    r"|getpriority|setpriority|[gs]et_robust_list|rt_sig\w*wait\w*)\(|--- SIG")
NUMBER = re.compile(r"(?<![\w.<])\d+(?![\w.])")
OTHERS = re.compile(r"(?<=^getppid\(\) = )\d+|(?<=^getpgrp\(\) = )\d+|(?<=/proc/)\d+(?=/)")
STRING = re.compile(r'"(?:[^"\\]|\\.)*"(?:\.\.\.)?')
LAST_VECTOR = re.compile(r'\[((?:"(?:[^"\\]|\\.)*"(?:\.\.\.)?(?:, )?)*)\](?:, [A-Z_|0-9]+)?\) = .*$')

# Whether a call waited, was interrupted, and by which child's end, depends on who was
# first (how a child ended is in its own log); what malloc cuts off to align an
# arena, on where it happens to be.
CHANCE = re.compile(r"futex\(|.* = \? ERESTART\w+ \(.*\)$|munmap\(@, \d{6,8}\)"
                    r"|--- SIGCHLD |rt_sigreturn\(")

# What the kernel measured, what nobody has written yet, and numbers of the day.
MEASURED = [
    (re.compile(r"\{ru_utime=\{[^}]*\}, ru_stime=\{[^}]*\}, \.\.\.\}"), "{usage}"),
    (re.compile(r"si_utime=\d+(?: /\*[^*]*\*/)?, si_stime=\d+(?: /\*[^*]*\*/)?"), "si_times"),
    (re.compile(r"(?<=parent_tid=\[)[^]]*"), "..."),  # cleared when the thread ends
    (re.compile(r"/dev/pts/\d+"), "/dev/pts/N"),
    (re.compile(r"(?<=, TIOCGPTN, \[)\d+"), "N"),
    (re.compile(r'^read\(\d+<(/proc/[^>]*)>, ".*"(?:\.\.\.)?, \d+\) = \d+'), r"read(\1)"),
    (re.compile(r"(^rt_sigreturn\(\{.*\}\) = ).*"), r"\1..."),
    (re.compile(r"(strace\.(?:out|err)>, .*st_size=)\d+"), r"\1..."),
    (re.compile(r'(?<=^getrandom\()"[^"]*"'), '"random"'),
    (re.compile(r"(?<=<)(pipe|socket|pidfd|anon_inode|UNIX|UNIX-STREAM):\[[^]]*\]"), r"\1"),
]


class Task:
    """A log, and where in its image the preload is."""

    def __init__(self, path):
        with open(path, encoding="utf-8", errors="surrogateescape") as log:
            self.lines = [m.groups() for m in map(LINE.match, log.read().split("\n")) if m]
        self.made = [m.group(2) for _, m in self._matches(MADE)]

    def _matches(self, pattern):
        for at, (_, text) in enumerate(self.lines):
            found = pattern.match(text)
            if found:
                yield at, found


def read(prefix, preload, places):
    """{thread: [(line, whether the preload itself made it)]} of the logs prefix.PID.

    @places is a list of (text, stand-in): paths that differ from run to run.
    """
    tasks = {path.rsplit(".", 1)[1]: Task(path) for path in glob.glob(prefix + ".*")}
    names = {}
    made = {pid for task in tasks.values() for pid in task.made}
    for root in sorted(set(tasks) - made, key=int):
        _name(tasks, root, "0" if not names else "stray", names)
    sections = {}
    inherited = {}
    for pid in names:  # parents first: a child has its parent's mappings
        if pid in tasks:
            sections[names[pid]] = _normalise(tasks[pid], pid, preload, names, inherited, places)
    return sections


def _name(tasks, pid, name, names):
    names[pid] = name
    children = tasks[pid].made if pid in tasks else []
    for nr, child in enumerate(children, 1):
        if child not in names:
            _name(tasks, child, "%s.%d" % (name, nr), names)


class Preload:
    """Where it is in an image, and what of the image is its own."""

    def __init__(self, span=(0, 0), rooms=()):
        self.span = span
        self.rooms = list(rooms)  # of memory it mapped
        self.fds = set()
        self.masks = []  # before it blocked signals

    def is_at(self, address):
        return self.span[0] <= address < self.span[1]

    def stand_in(self, found):
        address = int(found.group(), 16)
        if self.is_at(address):
            return "@preload"
        return "@own" if any(a <= address < b for a, b in self.rooms) else "@"

    def mark(self, text):
        """A call of its own: which of its operands are, too."""
        room = MADE_ROOM.match(text)
        if room:
            start = int(room.group(2), 16)
            self.rooms.append((start, start + int(room.group(1))))
        used = USED.match(text)
        if used and int(used.group(2)) in self.fds:
            if used.group(1) == "close(":
                self.fds.discard(int(used.group(2)))
            text = USED.sub(r"\1own \2", text, count=1)
        opened = OPENED.match(text)
        if opened:
            self.fds.add(int(opened.group(2)))
        blocked, unblocked = BLOCKED.match(text), UNBLOCKED.match(text)
        if blocked:
            self.masks.append(blocked.group(1))
        if unblocked and unblocked.group(1) not in self.masks:
            text += " (was never so)"
        elif unblocked:
            while self.masks.pop() != unblocked.group(1):
                pass
        return text


def _normalise(task, pid, path, names, inherited, places):
    preload = Preload(*inherited.get(pid, ()))
    lines = []
    for where, text in task.lines:
        own = where[0] != "?" and text[0] not in "-+" and preload.is_at(int(where, 16))
        mapped = MAPPED.match(text)
        if mapped and mapped.group(2) == path and preload.span[0] == 0:
            start = int(mapped.group(3), 16)
            preload.span = (start, start + int(mapped.group(1)))
        made = MADE.match(text)
        if made:
            inherited[made.group(2)] = (preload.span, preload.rooms)
        marked = preload.mark(text) if own else text
        line = _tidy(ADDRESS.sub(preload.stand_in, marked), names, places)
        if own or not CHANCE.match(line):
            lines.append((line, own))
        if REPLACED.match(text):
            preload = Preload()
    return lines


def _tidy(line, names, places):
    line = re.sub(r"(?<=\))  +(?== )", " ", line)
    if OF_PIDS.match(line):
        line = NUMBER.sub(lambda m: "P" + names[m.group()] if m.group() in names else m.group(),
                          line)
    line = OTHERS.sub(lambda m: "P" + names.get(m.group(), "?"), line)
    for pattern, instead in MEASURED:
        line = pattern.sub(instead, line)
    for text, instead in places:
        line = line.replace(text, instead)
    return line


def split_environment(line):
    """An execve line as (before, [variables], after), or None if it is no such line."""
    if not line.startswith("execve"):
        return None
    nothing = re.match(r"(execve(?:at)?\(.*, )NULL((?:, [A-Z_|0-9]+)?\) = .*)$", line)
    if nothing:  # Linux takes it for an empty one
        return nothing.group(1) + "[", [], "]" + nothing.group(2)
    found = LAST_VECTOR.search(line)
    if not found:
        return None
    variables = [item.group()[1:-1] for item in STRING.finditer(found.group(1))]
    return line[:found.start(1)], variables, line[found.end(1):]


def join_environment(parts):
    before, variables, after = parts
    return before + ", ".join('"%s"' % variable for variable in variables) + after


def can_trace():
    return os.system("strace -f -o /dev/null true 2>/dev/null") == 0
