# SPDX-License-Identifier: MIT
"""The list of differences that must be: the file "allowed", and its use."""

import collections
import re

import strace_log

KINDS = ("own", "more", "less", "as", "alike")
RESTORED = "T2SHIM_RESTORED="
# Beyond this an exact alignment takes too long, and a good one has to do.
ALIGN_MAX = 1500000


class Rule:
    def __init__(self, number, mode, facet, kind, pattern, instead):
        self.number, self.mode, self.facet, self.kind = number, mode, facet, kind
        self.pattern, self.instead = re.compile(pattern), instead


class Rules:
    """Those of one file; `used` collects the line numbers of those that were needed."""

    def __init__(self, path):
        self.rules = []
        self.used = set()
        self.words = {}
        mode = None
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                line = line.strip()
                if line.startswith("["):
                    mode = line.strip("[]")
                elif line.startswith("let "):
                    name, _, text = line[4:].partition(" = ")
                    self.words[name] = self._spell(text)
                elif line and not line.startswith("#"):
                    self._add(number, mode, line)

    def _spell(self, text):
        return re.sub(r"\$\{?([A-Z_]+)\}?", lambda m: self.words[m.group(1)], text)

    def _add(self, number, mode, line):
        rule, separator, reason = line.partition(" ## ")
        facet, kind, pattern = self._spell(rule).split(None, 2)
        if kind not in KINDS or not separator or not reason.strip():
            raise ValueError("allowed:%d: FACET KIND PATTERN ## REASON" % number)
        pattern, _, instead = pattern.strip().partition(" => ")
        self.rules.append(Rule(number, mode, facet, kind, pattern.strip(), instead.strip()))

    def of(self, modes, facet):
        """The part that holds for @facet in a run to which the sections @modes apply."""
        return Book(self, [r for r in self.rules if r.facet == facet and r.mode in modes],
                    [r for r in self.rules if r.facet == "exec" and r.mode in modes])


class Book:
    def __init__(self, rules, mine, of_env):
        self.rules = rules
        self.used = rules.used
        self.mine = mine
        self.of_env = of_env

    def without_more(self):
        """The same, for a place where nothing may be added."""
        return Book(self.rules, [r for r in self.mine if r.kind != "more"], self.of_env)

    def _find(self, kind, line, rules=None):
        for rule in self.mine if rules is None else rules:
            if rule.kind == kind and rule.pattern.fullmatch(line):
                self.used.add(rule.number)
                return True
        return False

    def rewrite(self, line, kinds, rules=None):
        for rule in self.mine if rules is None else rules:
            if rule.kind in kinds:
                line, nr = rule.pattern.subn(rule.instead, line)
                if nr:
                    self.used.add(rule.number)
        return line

    def _without_variables(self, line, kind):
        """An exec whose environment lacks what it may have in addition."""
        parts = strace_log.split_environment(line)
        if not parts:
            return line
        before, variables, after = parts
        if kind == "more":
            variables = [self.rewrite(v, ("as",), self.of_env)
                         for v in self._without_restored(variables)]
        variables = [v for v in variables if not self._find(kind, v, self.of_env)]
        return strace_log.join_environment((before, variables, after))

    @staticmethod
    def _without_restored(variables):
        """What was put back is named by a variable that is put there with it."""
        names = {name for v in variables if v.startswith(RESTORED)
                 for name in v[len(RESTORED):].split(",")}
        return [v for v in variables if v.partition("=")[0] not in names]

    def compare(self, bare, other):
        """Two lists of (line, own); the differences no rule allows, as "-..." and "+..."."""
        if any(line.startswith("execve") for line, _ in bare + other):
            bare = [(self._without_variables(line, "less"), own) for line, own in bare]
            other = [(self._without_variables(line, "more"), own) for line, own in other]
        if [line for line, _ in bare] == [line for line, _ in other]:
            return []
        bare = [(self.rewrite(line, ("alike",)), own) for line, own in bare]
        other = [(self.rewrite(line, ("as", "alike")), own) for line, own in other]
        if [line for line, _ in bare] == [line for line, _ in other]:
            return []
        allowed = [self._find("own" if own else "more", line) for line, own in other]
        dropped = [self._find("less", line) for line, _ in bare]
        rest = [line for free, (line, _) in zip(allowed, other) if not free]
        if rest == [line for line, _ in bare] or \
                self._is_same_but_for_the_allowed(bare, dropped, other, allowed):
            return []
        return align(bare, dropped, other, allowed)

    def _is_same_but_for_the_allowed(self, bare, dropped, other, allowed):
        """A plain case, in one pass: what may be added or missing is only counted."""
        both = [free or self._find("more", line) for free, (line, _) in zip(dropped, bare)]
        here = [free or self._find("less", line) for free, (line, _) in zip(allowed, other)]
        if [line for free, (line, _) in zip(both, bare) if not free] != \
                [line for free, (line, _) in zip(here, other) if not free]:
            return False
        counts = collections.Counter(line for line, _ in other)
        counts.subtract(line for line, _ in bare)
        must = {line for free, (line, _) in zip(dropped, bare) if not free}
        may = {line for free, (line, _) in zip(allowed, other) if free}
        return all(counts[line] >= 0 for line in must) and \
            all(count <= 0 or line in may for line, count in counts.items())


def align(bare, dropped, other, allowed):
    """The fewest differences that are not allowed."""
    start = 0  # what is allowed may be the partner of a later line
    while start < min(len(bare), len(other)) and bare[start][0] == other[start][0] \
            and not allowed[start]:
        start += 1
    bare, dropped, other, allowed = bare[start:], dropped[start:], other[start:], allowed[start:]
    if len(bare) * len(other) > ALIGN_MAX:
        return align_roughly(bare, dropped, other, allowed)
    gone = [0 if free else 1 for free in dropped]
    new = [0 if free else 1 for free in allowed]
    # cost[i][j]: of bare[i:] against other[j:]
    cost = [[0] * (len(other) + 1) for _ in range(len(bare) + 1)]
    for i in range(len(bare), -1, -1):
        row = cost[i]
        for j in range(len(other), -1, -1):
            if i == len(bare):
                row[j] = row[j + 1] + new[j] if j < len(other) else 0
            elif j == len(other):
                row[j] = cost[i + 1][j] + gone[i]
            else:
                best = min(cost[i + 1][j] + gone[i], row[j + 1] + new[j])
                if bare[i][0] == other[j][0]:
                    best = min(best, cost[i + 1][j + 1])
                row[j] = best
    return trace_back(bare, gone, other, new, cost)


def added(item):
    return ("+ (own) " if item[1] else "+") + item[0]


def trace_back(bare, gone, other, new, cost):
    i = j = 0
    found = []
    while i < len(bare) or j < len(other):
        both = i < len(bare) and j < len(other)
        if both and bare[i][0] == other[j][0] and cost[i][j] == cost[i + 1][j + 1]:
            i, j = i + 1, j + 1
        elif i < len(bare) and cost[i][j] == cost[i + 1][j] + gone[i]:
            if gone[i]:
                found.append("-" + bare[i][0])
            i += 1
        else:
            if new[j]:
                found.append(added(other[j]))
            j += 1
    return found


def align_roughly(bare, dropped, other, allowed):
    """In one pass: at a difference, what is allowed is passed over first."""
    i = j = 0
    found = []
    while i < len(bare) or j < len(other):
        if i < len(bare) and j < len(other) and bare[i][0] == other[j][0]:
            i, j = i + 1, j + 1
        elif j < len(other) and (allowed[j] or i == len(bare)):
            found += [] if allowed[j] else [added(other[j])]
            j += 1
        else:
            found += [] if dropped[i] else ["-" + bare[i][0]]
            i += 1
    return found
