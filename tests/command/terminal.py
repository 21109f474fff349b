#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""t2 on a terminal, below a shell with job control: Ctrl-C, Ctrl-Z, fg, bg, a shell
within, the status line, how far reading is, and the pager.

usage: terminal.py T2 CASE; in an empty directory
"""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

PROMPT = rb"READY> "
TICKER = "while :; do sleep 0.02; test -e go && exit 4; done"


# Commands are bash's: dash forks as vfork() does, and a child that Ctrl-Z stops between
# that and its exec keeps dash from stopping, with t2 or without.


class Terminal:
    """An interactive bash, and what it printed."""

    def __init__(self):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(PS1="READY> ", TERM="xterm")
            os.execvp("bash", ["bash", "--norc", "--noprofile", "--noediting", "-i"])
        self.resize(24, 80)
        self.text, self.at = b"", 0
        self.expect(PROMPT)

    def resize(self, rows, columns):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def expect(self, pattern):
        """Wait until it is printed, behind what was waited for before."""
        end = time.monotonic() + 20
        while True:
            match = re.search(pattern, self.text[self.at:])
            if match:
                self.at += match.end()
                return
            if time.monotonic() > end or not select.select([self.fd], [], [], 20)[0]:
                sys.exit(f"never came: {pattern!r}; there was: {self.text!r}")
            self.text += os.read(self.fd, 65536)

    def type(self, text, pattern):
        os.write(self.fd, text)
        self.expect(pattern)

    def run(self, command, pattern):
        """Type a command, pass over its echo, and wait."""
        os.write(self.fd, command.encode() + b"\n")
        self.expect(rb"\n")
        self.expect(pattern)

    def status(self, wanted):
        self.run("echo status=$?.", rb"status=%d\." % wanted)
        self.expect(PROMPT)

    def close(self):
        os.close(self.fd)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def interrupt(t2, terminal):
    """The command decides what Ctrl-C means, and gets it once."""
    loop = "while :; do sleep 0.02; done"
    terminal.run(f"{t2} -- bash -c 'trap \"echo got; exit 9\" INT; echo up; {loop}'", rb"up\r\n")
    terminal.type(b"\x03", PROMPT)
    terminal.status(9)
    terminal.run(f"{t2} -- bash -c 'echo up; exec sleep 100'", rb"up\r\n")
    terminal.type(b"\x03", PROMPT)
    terminal.status(130)
    # A script ends with the command that Ctrl-C ended.
    terminal.run(f"bash -c \"{t2} -- bash -c 'echo up; exec sleep 100'; echo went on\"", rb"up\r\n")
    terminal.type(b"\x03", PROMPT)
    if b"went on" in terminal.text.split(b"up\r\n")[-1]:
        sys.exit(f"the script went on after Ctrl-C: {terminal.text!r}")
    if terminal.text.count(b"got\r\n") != 1:
        sys.exit(f"not one Ctrl-C: {terminal.text!r}")


def suspend(t2, terminal):
    """Stopped by Ctrl-Z and continued, in front and behind."""
    terminal.run(f"{t2} -- bash -c 'echo up; {TICKER}'", rb"up\r\n")
    terminal.type(b"\x1a", rb"Stopped")
    terminal.expect(PROMPT)
    terminal.run("bg", PROMPT)
    terminal.run("touch go; fg", PROMPT)
    terminal.status(4)
    # Where the command alone stops.
    terminal.run(f"{t2} -- bash -c 'kill -STOP $$; echo on; exit 5'", rb"Stopped")
    terminal.expect(PROMPT)
    terminal.run("fg", rb"on\r\n")
    terminal.expect(PROMPT)
    terminal.status(5)
    # Where the command is told when it goes on, it is told once.
    terminal.run("rm go", PROMPT)
    terminal.run(f"{t2} -- bash -c 'trap \"echo cont\" CONT; echo up; {TICKER}'", rb"up\r\n")
    terminal.type(b"\x1a", rb"Stopped")
    terminal.expect(PROMPT)
    terminal.run("fg", rb"cont\r\n")
    terminal.type(b"\x1a", rb"Stopped")
    terminal.expect(PROMPT)
    terminal.run("touch go; fg", PROMPT)
    terminal.status(4)


def inner(t2, terminal):
    """A shell with job control of its own."""
    terminal.run(f"PS1='INNER> ' {t2} -- bash --norc --noprofile --noediting -i", rb"INNER> ")
    terminal.run("sh -c 'echo up; exec sleep 100'", rb"up\r\n")
    terminal.type(b"\x1a", rb"Stopped")
    terminal.expect(rb"INNER> ")
    # Not `wait`: bash may still think it is stopped, and waits for ever.
    terminal.run("kill -KILL %1; fg %1 2>/dev/null; echo gone", rb"gone\r\n")
    terminal.expect(rb"INNER> ")
    terminal.type(b"exit 6\n", PROMPT)
    terminal.status(6)


def live(t2, terminal):
    """The status line: there, of the right size, and gone."""
    terminal.run(f"{t2} --live bash -c 'echo up; {TICKER}'", rb"up\r\n")
    terminal.expect(rb"\x1b\[1;23r")
    terminal.expect(rb"\x1b7\x1b\[24;1H\x1b\[7mt2 \S+  \d+ running  \d+ done")
    terminal.resize(10, 50)
    terminal.expect(rb"\x1b\[1;9r")
    terminal.expect(rb"\x1b\[10;1H\x1b\[7m([^\x1b]{1,49})\x1b\[0m")
    terminal.type(b"\x1a", rb"\x1b\[r\x1b\[10;1H\x1b\[K")
    terminal.expect(rb"Stopped")
    terminal.expect(PROMPT)
    terminal.run("fg", rb"\x1b\[1;9r")
    open("go", "w", encoding="ascii").close()
    terminal.expect(rb"\x1b7\x1b\[r\x1b\[10;1H\x1b\[K\x1b8")
    terminal.expect(PROMPT)
    terminal.status(4)


def progress(t2, terminal):
    """How far reading is: of a pipe, of a file; gone at the end, and only on a terminal."""
    t2 = t2.split()[0]
    event = '{"event":"version","sid":"s","time":"2026-01-01T00:00:00Z"}\n'
    with open("trace", "w", encoding="ascii") as trace:
        trace.write(event * (1 << 15))
    slow = "head -n 500 trace; sleep 1.1; head -n 500 trace; sleep 0.2; head -n 500 trace"
    shown = rb"\r\x1b\[Kt2: reading "
    gone = rb"\r\x1b\[K(?=[^t])"
    terminal.run(f"({slow}) | {t2} tree -", shown + rb"\d+K")
    terminal.expect(gone)
    terminal.expect(rb"total")
    terminal.expect(PROMPT)
    # Each read takes longer: strace can do that.
    strace = "strace -o /dev/null -e trace=read -e inject=read:delay_enter=300000"
    terminal.run(f"{strace} {t2} tree trace", shown + rb"\[#* *\] \d+%")
    terminal.expect(gone)
    terminal.expect(rb"total")
    terminal.expect(PROMPT)
    at = terminal.at
    terminal.run(f"({slow}) | {t2} tree --no-pager - 2>err; cat err; echo over", rb"over\r\n")
    if b"reading" in terminal.text[at:] or b"\x1b" in terminal.text[at:]:
        sys.exit(f"no terminal, but progress: {terminal.text[at:]!r}")
    # Who shows the first lines of a large file has the terminal.
    with open("trace", "w", encoding="ascii") as trace:
        trace.write(event * (36 << 20 >> 5))
    at = terminal.at
    terminal.run(f"{strace.replace('300000', '9000')} {t2} tree trace | cat; echo over", rb"over\r\n")
    if b"reading" in terminal.text[at:]:
        sys.exit(f"progress where a pager may be: {terminal.text[at:]!r}")


def pager(t2, terminal):
    """Answers go through it, it has the terminal to itself, and nobody else does."""
    t2 = t2.split()[0]
    terminal.run(f"export NO_COLOR=1; {t2} run -o x --summary never true", PROMPT)
    terminal.run(f"T2_PAGER='sed s/^/P:/' PAGER=false {t2} report x", rb"P:true .*\r\n")
    terminal.expect(PROMPT)
    terminal.run(f"PAGER='sed s/^/P:/' {t2} report --no-pager x", rb"^true ")
    terminal.expect(PROMPT)
    terminal.run(f"T2_PAGER='sed s/^/P:/' {t2} report x | cat", rb"^true ")
    terminal.expect(PROMPT)
    terminal.run(f"PAGER=nosuchpager_t2 {t2} report x", rb"^true ")
    terminal.expect(PROMPT)
    pages = ("exec bash -c \"trap : INT; cat; echo paging; until read </dev/tty; do :; done;"
             " kill -0 \\$PPID && echo quit\"")
    terminal.run(f"T2_PAGER='{pages}' {t2} tree x", rb"\npaging\r\n")
    terminal.type(b"\x03", rb"\^C")
    time.sleep(0.1)  # for who should not end at that to do so
    terminal.type(b"\n", rb"\nquit\r\n")
    terminal.expect(PROMPT)
    terminal.status(130)


def colour(t2, terminal):
    """What goes to standard error is made for what that is."""
    t2 = t2.split()[0]
    terminal.run(f"unset NO_COLOR; {t2} run --summary full true >/dev/null", rb"\x1b\[1mtrue")
    terminal.expect(PROMPT)
    terminal.run(f"{t2} run --summary full true 2>err; cat err", rb"^true ")
    terminal.expect(PROMPT)


def main():
    t2, case = sys.argv[1:]
    terminal = Terminal()
    try:
        globals()[case](t2 + " --summary never", terminal)
    finally:
        terminal.close()


main()
