# SPDX-License-Identifier: MIT
"""export_read.py T2 TRACE [ARGV]: the exports of TRACE, as programs of others read them.

JSON and CSV by Python, Markdown by cmark-gfm, which is GitHub's; all three have to agree.
Stacks have to sum up to what JSON says. ARGV is a file with the arguments, each with its
NUL, that a process of the trace must have.
"""
import csv
import html.parser
import io
import json
import shutil
import subprocess
import sys


def export(*args):
    return subprocess.run([T2, "export", *args, TRACE], check=True, stdout=subprocess.PIPE).stdout


def check_csv(processes):
    rows = list(csv.DictReader(io.StringIO(export("-F", "csv").decode(), newline="")))
    assert len(rows) == len(processes), (len(rows), len(processes))
    for row, process in zip(rows, processes):
        assert row.keys() == process.keys(), (row.keys(), process.keys())
        for key, value in process.items():
            if value is None:
                assert row[key] == "", (key, row[key])
            elif isinstance(value, str):
                assert row[key] == value, (key, row[key], value)
            else:
                assert json.loads(row[key]) == value, (key, row[key], value)


class Table(html.parser.HTMLParser):
    """The cells of a page that is one table and nothing else."""

    ALLOWED = {"table", "thead", "tbody", "tr", "th", "td", "code"}

    def __init__(self, page):
        super().__init__()
        self.rows = []
        self.is_in_cell = False
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        assert tag in self.ALLOWED, (tag, attrs)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            self.is_in_cell = True

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.is_in_cell = False

    def handle_data(self, data):
        if self.is_in_cell:
            self.rows[-1][-1] += data
        else:
            assert data.isspace(), data


HIDDEN = [0xAD, *range(0x200B, 0x2010), *range(0x2028, 0x202F), *range(0x2060, 0x2070), 0xFEFF,
          *range(0xFFF9, 0xFFFC)]


def clean(text):
    """As people are shown it: what they could not see or should not get is escaped."""
    out = ""
    for char in text:
        code = ord(char)
        if char in "\a\b\t\n\v\f\r":
            out += repr(char)[1:-1] if char in "\t\n\r" else {7: "\\a", 8: "\\b", 11: "\\v", 12: "\\f"}[code]
        elif code < 0x20 or code == 0x7F:
            out += "\\x%02x" % code
        elif 0x80 <= code < 0xA0 or code in HIDDEN:
            out += "\\u%04x" % code
        else:
            out += char
    return out


def words(text):
    """Pages fold blanks."""
    return " ".join(text.split(" ")).split()


def check_markdown(by):
    processes = json.loads(export("-F", "json", "--by", by, "-f", "name,end").decode())["processes"]
    page = export("-F", "markdown", "-n", "0", "--by", by, "-f", "command,count")
    shown = subprocess.run(["cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink", "-e",
                            "strikethrough", "-e", "tasklist"],
                           input=page, check=True, stdout=subprocess.PIPE).stdout.decode()
    rows = Table(shown).rows
    counts = {}
    for process in processes:
        if process["end"] != "unstarted":
            name = clean(process["name"])
            counts[name] = counts.get(name, 0) + 1
    assert rows[0] == ["command", "count"], rows[0]
    assert all(len(row) == 2 for row in rows), rows
    seen = sorted((words(name), int(count.replace(",", ""))) for name, count in rows[1:])
    wanted = sorted((words(name), count) for name, count in counts.items() if len(name) < 4000)
    missing = [one for one in wanted if one not in seen]
    assert not missing, missing[:3]


def count_stacks(processes):
    """How often which stack is there, as the tree has it."""
    stacks, counts = {None: []}, {}
    for process in processes:
        stacks[process["id"]] = stacks[process["parent"]] + [clean(process["name"]).replace(";", ":")]
        stack = ";".join(stacks[process["id"]])
        counts[stack] = counts.get(stack, 0) + 1
    return counts


def check_folded(processes):
    lines = export("-F", "folded", "--weight", "count").decode().splitlines()
    counts = {stack: int(nr) for stack, nr in (line.rsplit(" ", 1) for line in lines)}
    assert counts == count_stacks(processes), (counts, count_stacks(processes))
    for weight, key in (("self", "self_ns"), ("cpu", "cpu_ns"), ("count", None)):
        text = export("-F", "folded", "--weight", weight).decode()
        stacks = [line.rsplit(" ", 1) for line in text.splitlines()]
        total = sum(process[key] or 0 for process in processes) // 1000 if key else len(processes)
        assert sum(int(nr) for _, nr in stacks) == total, (weight, total)


T2, TRACE = sys.argv[1:3]
DOC = json.loads(export("-F", "json").decode())
PROCESSES = DOC["processes"]
assert DOC["trace"]["processes"] == len(PROCESSES)
assert sum(p["weighted_ns"] for p in PROCESSES) + DOC["trace"]["nobody_ns"] == DOC["trace"]["wall_ns"]
check_csv(PROCESSES)
check_folded(PROCESSES)
if shutil.which("cmark-gfm"):
    check_markdown("cmd")
    check_markdown("exe")
else:
    print("SKIP Markdown: cmark-gfm is not installed (scripts/setup test)")
if len(sys.argv) > 3:
    with open(sys.argv[3], "rb") as file:
        ARGV = [arg.decode(errors="replace") for arg in file.read().split(b"\0")[:-1]]
    assert any(p["argv"] == ARGV for p in PROCESSES), "no process has the arguments: %r" % ARGV
