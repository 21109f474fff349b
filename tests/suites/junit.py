# SPDX-License-Identifier: MIT
"""junit.py MODULE FILE DIRECTORY: the test methods in a JUnit file, one line each.

What a failure said goes to a file in DIRECTORY. Exit status 1 if there is no such file:
the module ended before it could be written.
"""
import os
import re
import sys
from xml.etree import ElementTree

module, path, directory = sys.argv[1:]
if not os.path.exists(path):
    sys.exit(1)
for case in ElementTree.parse(path).iter("testcase"):
    if case.get("name") is None:
        continue  # it failed in a subtest: then it counts as missing
    name = module + ":" + re.sub(r"\s+", "_", case.get("name"))
    said = [child for child in case if child.tag in ("failure", "error", "skipped")]
    print(name, said[0].tag if said else "ok")
    if said:
        with open(os.path.join(directory, name.replace("/", ",")), "a") as detail:
            for child in said:
                detail.write("".join(child.itertext()))
