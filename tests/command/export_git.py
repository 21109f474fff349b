# SPDX-License-Identifier: MIT
"""Compare what t2 export makes of git's EVENT files with git's NORMAL and PERF files.

They have to be the same, byte for byte, but for what EVENT does not carry: the
clock, which git reads anew for each target; which source of the target itself ends
a stream; the time since the start of the kinds that have none in EVENT (checked to
a millisecond where it can be worked out); and regions below the second.
"""

import glob
import os
import subprocess
import sys

CLOCK = 15
PREFIX = 47  # of PERF, before the columns of the brief form
ABS, ABS_END, MESSAGE = 53, 62, 92
HAS_ABS = {"start", "exit", "atexit", "signal", "data", "data_json", "printf"}
UNREDACTED = "git-2.39.5/def-param"  # URLs with passwords, from a git that left them in
EXTRACT = "git-2.55/printf"  # one line, whose region began before it


def scrub_normal(line, verbose):
    if verbose and "trace2/tr2_tgt_" in line:
        return line[50:]
    return line[CLOCK:] if verbose else line


def scrub_perf(line, verbose):
    at = PREFIX if verbose else 0
    if line[at + 32 : at + 44].strip() not in HAS_ABS:
        line = line[: at + ABS] + "?" * 9 + line[at + ABS_END :]
    if verbose and "trace2/tr2_tgt_" in line[:at]:
        return line[at:]
    return line[CLOCK:] if verbose else line


def is_in_event(line):
    kind = line[32:44].strip()
    deep = line[MESSAGE:].startswith("....")
    return not (deep and (kind.startswith("region_") or kind.startswith("data")))


def seconds(line):
    text = line[PREFIX + ABS : PREFIX + ABS_END].strip()
    return float(text) if text else None


def read(path):
    """git passes bytes on that are no UTF-8; we do not."""
    with open(path, "rb") as file:
        text = file.read()
    return b"".join(b"\xef\xbf\xbd" if byte >= 0xF8 else bytes([byte]) for byte in text).decode()


def check(t2, event, form):
    sample = os.path.dirname(event)
    want = read(os.path.join(sample, form + ".txt"))
    verbose = want[2] == ":"
    command = [t2, "export", "-F", form]
    command += [] if verbose else ["--brief"]
    command += ["--no-redact"] if sample.endswith(UNREDACTED) else []
    result = subprocess.run(command + [event], capture_output=True, env={"TZ": "UTC"}, check=True)
    got = result.stdout.decode()
    assert not result.stderr, result.stderr
    a, b = want.split("\n")[:-1], got.split("\n")[:-1]
    if form == "perf":
        a = a if verbose else [line for line in a if is_in_event(line)]
        if verbose:
            for x, y in zip(a, b):
                if seconds(x) is not None:
                    assert abs(seconds(x) - seconds(y)) < 0.001, (x, y)
        if sample.endswith(EXTRACT):
            a = [line.replace("....", "") for line in a]
        a = [scrub_perf(line, verbose) for line in a]
        b = [scrub_perf(line, verbose) for line in b]
    else:
        a = [scrub_normal(line, verbose) for line in a]
        b = [scrub_normal(line, verbose) for line in b]
    for x, y in zip(a, b):
        assert x == y, "%s %s:\n%s\nis not\n%s" % (sample, form, y, x)
    assert len(a) == len(b), "%s %s: %d lines, not %d" % (sample, form, len(b), len(a))


def main():
    t2, samples = sys.argv[1:]
    nr = 0
    for event in sorted(glob.glob(samples + "/*/*/event.txt")):
        for form in ("normal", "perf"):
            if os.path.exists(os.path.join(os.path.dirname(event), form + ".txt")):
                check(t2, event, form)
                nr += 1
        if "argv-quoting" in event or UNREDACTED in event:
            continue
        command = [t2, "export", "-F", "event", event]
        again = subprocess.run(command, capture_output=True, check=True)
        assert again.stdout.decode() == read(event), event + " is not itself"
    assert nr >= 50, "only %d files" % nr
    print("%d files of git are made again" % nr)


main()
