# SPDX-License-Identifier: MIT
"""What is compared: each facet of a run as {section: [(line, own)]}."""

import hashlib
import os
import re
import signal
import stat

ALL = ("out", "err", "status", "files", "fds", "env", "dispositions", "maps", "syscalls")
OBSERVED = ("fds", "env", "dispositions", "maps")

KERNEL_NAMES = re.compile(r"(pipe|socket):\[(\d+)\]")
TERMINAL = re.compile(r"/dev/pts/\d+")
NOTIFIED = re.compile(r"(timers notify: \S+/(?:pid|tid)\.)\d+")
PROC_PID = re.compile(r"/proc/\d+")
EVERYTHING = (1 << 64) - 1
UNBLOCKABLE = 1 << signal.SIGKILL - 1 | 1 << signal.SIGSTOP - 1
MASK = re.compile(r"status (Sig\w+|ShdPnd):\s*([0-9a-f]+)")


def put_places(text, places):
    for place, instead in places:
        text = text.replace(place, instead)
    return text


def stream(path, places):
    with open(path, encoding="utf-8", errors="surrogateescape") as text:
        return {"": [(line, False) for line in put_places(text.read(), places).split("\n")]}


def files(root):
    """Type, mode, size and content of all that lies below @root."""
    lines = []
    for parent, dirs, names in os.walk(root):
        for name in sorted(dirs + names):
            path = os.path.join(parent, name)
            info = os.lstat(path)
            what = stat.filemode(info.st_mode)
            shown = os.path.relpath(path, root)
            if stat.S_ISLNK(info.st_mode):
                what += " -> " + os.readlink(path)
            elif name == "core":
                what += " a core file"  # memory, with us in it
            elif stat.S_ISREG(info.st_mode):
                with open(path, "rb") as content:
                    what += " %d %s" % (info.st_size,
                                        hashlib.file_digest(content, "sha256").hexdigest())
            lines.append(("%s %s" % (shown, what), False))
    return {"": sorted(lines)}


def observed(path, places):
    """The four facets launch -o tells of, a section for each image's begin and end."""
    found = {facet: {} for facet in OBSERVED}
    with open(path, encoding="utf-8", errors="surrogateescape") as lines:
        for line in put_places(lines.read(), places).split("\n"):
            if not line:
                continue
            name, when, facet, text = line.split(" ", 3)
            if when == "exit" and text.startswith("status Threads:"):
                continue  # the others are on their way out, too
            section = found[facet].setdefault("%s %s" % (name, when), [])
            section += [("%s %s" % (when, part), False) for part in _expand(text)]
    for facet in ("fds", "env", "dispositions"):
        for section in found[facet].values():
            _number_kernel_names(section)
    for name, section in found["maps"].items():
        found["maps"][name] = sorted(set(section))
    return found


def _expand(text):
    """One line for each signal of a set; which process it is does not matter.

    Whether a child ended a moment ago is chance.
    """
    mask = MASK.match(text)
    if not mask:
        text = NOTIFIED.sub(r"\1", text)
        return [TERMINAL.sub("/dev/pts/N", PROC_PID.sub("/proc/PID", text))]
    bits = int(mask.group(2), 16)
    missing = EVERYTHING & ~(bits | UNBLOCKABLE)
    if missing & (missing - 1) == 0:  # one, or none
        but = " but " + _signal_name(missing.bit_length()) if missing else ""
        return ["%s everything%s" % (mask.group(1), but)]
    return ["%s %s" % (mask.group(1), _signal_name(nr)) for nr in range(1, 65)
            if bits >> (nr - 1) & 1 and not (nr == signal.SIGCHLD and mask.group(1) == "ShdPnd")]


def _signal_name(nr):
    try:
        return signal.Signals(nr).name
    except ValueError:
        return "SIG%d" % nr


def _number_kernel_names(section):
    """pipe:[4711] becomes the first pipe, and so on."""
    seen = {}
    for at, (text, own) in enumerate(section):
        section[at] = (KERNEL_NAMES.sub(
            lambda m: "%s:%d" % (m.group(1), seen.setdefault(m.group(), len(seen))), text), own)
