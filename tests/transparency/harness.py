#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether a command is the same with a preload as without; see run.sh."""

import argparse
import collections
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import traceback

import facets
import rules
import strace_log

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.join(ROOT, os.environ.get("T2_BUILD", "build"))
LAUNCH = os.path.join(BUILD, "tests/transparency/launch")
EMPTY = os.path.join(BUILD, "tests/empty.so")
SHIM = os.environ.get("T2_SHIM", os.path.join(BUILD, "libt2shim.so"))

SAME, DIFFERS, CANNOT = 0, 1, 2
SHOWN_MAX = 20
DOUBTS = 4

# Mode: its preload, whether the target is set, the sections of "allowed" for it.
Mode = collections.namedtuple("Mode", "name preload has_target sections")
MODES = (
    Mode("bare", None, True, ()),
    Mode("empty", EMPTY, True, ("any preload",)),
    Mode("shim", SHIM, True, ("any preload", "shim", "target")),
    Mode("no-target", SHIM, False, ("any preload", "shim", "no target")),
)


class CannotCompare(Exception):
    pass


class Harness:
    def __init__(self, options, work):
        self.options = options
        self.work = work
        self.target = os.path.join(work, "target")
        self.cwd = os.path.join(work, "cwd")
        self.told = 0

    def environment(self):
        """The caller's, without what is ours to set."""
        ours = ("GIT_TRACE2", "T2SHIM_", "T2_", "LD_PRELOAD")
        return {name: value for name, value in os.environ.items() if not name.startswith(ours)}

    def variables(self, mode):
        return ([self.options.variable + "=" + self.target] if mode.has_target else []) + \
            (["LD_PRELOAD=" + mode.preload] if mode.preload else [])

    def places(self, mode):
        return [(self.target, "<TARGET>"), (self.work, "<WORK>")] + \
            ([(mode.preload, "<PRELOAD>")] if mode.preload else [])

    def prepare(self):
        """The same empty directory again, and whatever the command wants in it."""
        shutil.rmtree(self.cwd, ignore_errors=True)
        os.mkdir(self.cwd)
        with open(self.target, "w", encoding="utf-8"):
            os.chmod(self.target, 0o666)
        if self.options.setup and subprocess.call(
                ["sh", "-c", self.options.setup], cwd=self.cwd, env=self.environment(),
                stdin=subprocess.DEVNULL):
            raise CannotCompare("the set-up command failed")

    def launch(self, kind, mode, options, command):
        self.prepare()
        paths = [os.path.join(self.work, "%s.%s" % (kind, what))
                 for what in ("status", "out", "err")]
        code = subprocess.call([LAUNCH, "-t", str(self.options.limit)] + options + paths
                               + [self.cwd] + command, env=self.environment())
        if code:
            raise CannotCompare("%s, %s: %s" % (mode.name, kind, "timed out after %d s"
                                                % self.options.limit if code == 3 else
                                                "launch failed (%d)" % code))
        if mode.preload == SHIM and mode.has_target:
            self.told += os.path.getsize(self.target)
        return paths

    def run(self, mode):
        """One run for each way of looking; {facet: {section: [(line, own)]}}."""
        variables = [word for variable in self.variables(mode) for word in ("-E", variable)]
        places = self.places(mode)
        found = {}
        status, out, err = self.launch("plain", mode, variables, self.options.command)
        found["status"] = facets.stream(status, [])
        found["out"] = facets.stream(out, places)
        found["err"] = facets.stream(err, places)
        found["files"] = facets.files(self.cwd)
        if set(facets.OBSERVED) - self.options.left_out:
            log = os.path.join(self.work, "observed")
            self.launch("observed", mode, variables + ["-o", log], self.options.command)
            found.update(facets.observed(log, places))
        if "syscalls" not in self.options.left_out:
            logs = tempfile.mkdtemp(prefix=mode.name + ".", dir=self.work)
            self.launch("strace", mode, [], ["strace", *strace_log.OPTIONS, "-o",
                                             os.path.join(logs, "log"), *variables,
                                             *self.options.command])
            found["syscalls"] = strace_log.read(os.path.join(logs, "log"), mode.preload, places)
            if not self.options.keep:
                shutil.rmtree(logs)
        return found


class Judge:
    """Compares; drops what the bare runs do not agree upon among themselves."""

    def __init__(self, book, verbose):
        self.book = book
        self.verbose = verbose
        self.differences = 0
        self.report = []

    def say(self, text, lines):
        self.differences += 1
        self.tell("differs %s" % text, lines)

    def tell(self, text, lines):
        self.report.append(text)
        self.report += ["  " + line[:400].encode(errors="replace").decode(errors="replace")
                        for line in lines[:SHOWN_MAX]]
        if len(lines) > SHOWN_MAX:
            self.report.append("  ... and %d more" % (len(lines) - SHOWN_MAX))

    def facet(self, facet, bare, mode, runs):
        sections, unstable, unordered = self.settle(facet, bare)
        book = self.book.of(mode.sections, facet)
        for nr, run in enumerate(runs, 1):
            where = "%s, %s, run %d" % (facet, mode.name, nr)
            extra = sorted(set(run) - set(bare[0]))
            if extra:
                self.say(where, ["+[%s]" % name for name in extra])
            for name, lines in sections.items():
                other = [item for item in run.get(name, []) if item[0] not in unstable[name]]
                if name in unordered:
                    lines, other = sorted(lines), sorted(other)
                found = self.section(facet, book, mode, lines, other)
                if name not in run:
                    found = ["-[%s]" % name]
                if found:
                    self.say(where + (", " + name if name else ""), found)

    @staticmethod
    def section(facet, book, mode, lines, other):
        """A program whose parent cleared the environment sees nothing of us in it.

        It did if the empty preload, which puts nothing back, is not in there; so
        these runs are compared with that one.
        """
        if facet == "env" and "shim" in mode.sections and not any(
                "LD_PRELOAD=" in line for line, _ in lines):
            book = book.without_more()
        return book.compare(lines, other)

    def settle(self, facet, bare):
        """What is the same in all bare runs, what is not, and where only the order is not."""
        sections, unstable, unordered = {}, {}, set()
        for name, lines in bare[0].items():
            counts = [collections.Counter(line for line, _ in run.get(name, [])) for run in bare]
            drop = {line for count in counts for line in count
                    if any(count[line] != other[line] for other in counts)}
            kept = [[item for item in run.get(name, []) if item[0] not in drop] for run in bare]
            if any(rest != kept[0] for rest in kept):
                unordered.add(name)
            if drop and not kept[0]:
                self.say("%s: runs without us have nothing in common in [%s]" % (facet, name),
                         sorted(drop))
            if self.verbose and (drop or name in unordered):
                self.tell("unstable %s [%s]: %d lines%s" % (
                    facet, name, len(drop), ", order" if name in unordered else ""), sorted(drop))
            sections[name], unstable[name] = kept[0], drop
        strays = {name for run in bare for name in run} - set(bare[0])
        if strays:
            self.say("%s: runs without us have different processes" % facet, sorted(strays))
        return sections, unstable, unordered


def parse(arguments):
    parser = argparse.ArgumentParser(prog="run.sh", add_help=False)
    parser.add_argument("-k", dest="keep")
    parser.add_argument("-n", dest="times", type=int, default=2)
    parser.add_argument("-x", dest="left_out", default="")
    parser.add_argument("-e", dest="variable", default="GIT_TRACE2_EVENT")
    parser.add_argument("-S", dest="no_syscalls", action="store_true")
    parser.add_argument("-s", dest="setup")
    parser.add_argument("-t", dest="limit", type=int, default=60)
    parser.add_argument("-q", dest="quiet", action="store_true")
    parser.add_argument("-u", dest="used")
    parser.add_argument("-v", dest="verbose", action="store_true")
    if "--" not in arguments or arguments[-1] == "--":
        raise CannotCompare("usage: see the top of run.sh")
    at = arguments.index("--")
    options = parser.parse_args(arguments[:at])
    options.command = arguments[at + 1:]
    options.left_out = set(filter(None, options.left_out.split(",")))
    if options.no_syscalls:
        options.left_out.add("syscalls")
    if options.left_out - set(facets.ALL) or options.times < 2:
        raise CannotCompare("facets are %s; at least two times" % " ".join(facets.ALL))
    return options


def check_tools(options):
    for tool in (LAUNCH, EMPTY, SHIM):
        if not os.path.exists(tool):
            raise CannotCompare("not built: " + tool)
    if os.path.sep not in options.command[0]:
        options.command[0] = shutil.which(options.command[0]) or options.command[0]
    options.command[0] = os.path.abspath(options.command[0])
    if "syscalls" not in options.left_out and not strace_log.can_trace():
        raise CannotCompare("strace is not permitted; -S leaves it out")


def judge_all(options, runs):
    judge = Judge(rules.Rules(os.path.join(HERE, "allowed")), options.verbose)
    for facet in facets.ALL:
        if facet in options.left_out:
            continue
        found = {name: [run[facet] for run in runs[name]] for name in runs}
        base = "bare"
        for mode in MODES[1:]:
            judge.facet(facet, found[base], mode, found[mode.name])
            # Who passes a preload on is told by the empty one.
            base = "empty" if facet in ("out", "err", "env") else base
    return judge


def compare(options, work):
    harness = Harness(options, work)
    runs = {mode.name: [] for mode in MODES}
    for _ in range(options.times):
        for mode in MODES:
            runs[mode.name].append(harness.run(mode))
    if not harness.told and not options.quiet:
        raise CannotCompare("the shim told nothing")
    judge = judge_all(options, runs)
    if judge.differences:
        # Ours, or chance? More runs without us tell what of it is not the same there.
        for _ in range(DOUBTS):
            for mode in MODES[:2]:
                runs[mode.name].append(harness.run(mode))
        judge = judge_all(options, runs)
    for line in judge.report:
        print(line)
    if options.used:
        with open(options.used, "a", encoding="utf-8") as used:
            used.writelines("%d\n" % number for number in sorted(judge.book.used))
    return DIFFERS if judge.differences else SAME


def main(arguments):
    work = None
    try:
        options = parse(arguments)
        check_tools(options)
        if options.keep:
            os.makedirs(options.keep, exist_ok=True)
        work = os.path.realpath(options.keep or tempfile.mkdtemp(prefix="t2same."))
        os.chmod(work, 0o755)
        return compare(options, work)
    except CannotCompare as reason:
        print("cannot compare %s: %s" % (shlex.join(arguments[-3:]), reason), file=sys.stderr)
        return CANNOT
    except Exception:  # a fault of ours is no difference
        traceback.print_exc()
        return CANNOT
    finally:
        if work and not options.keep:
            shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
