#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Record the golden files anew and show what changed. The difference is reviewed
# like code: it must be what the change was for, and nothing else.

set -eu
cd "$(dirname "$0")/.."

runner=${T2_BUILD:-build}/tests/e2e
before=$(mktemp -d)
trap 'rm -rf "$before"' EXIT

cp -R tests/golden/. "$before"
rm -f tests/golden/*.normal tests/golden/*.perf tests/golden/*.event
T2_GOLDEN_RECORD=1 "$runner" --filter 'golden/*'
diff -u -r -N "$before" tests/golden && echo "golden: nothing changed"
exit 0
