#!/bin/sh
# SPDX-License-Identifier: MIT
# Build the oracle: build.sh OUTPUT
set -eu

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck disable=SC2086 # CFLAGS is a list
exec "${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -Wall -Wextra ${CFLAGS:--O2 -g} "$here"/*.c -ljansson \
	-o "${1:?usage: build.sh OUTPUT}"
