#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The include rule: an include points down the table or stays in its row.
#
#	tool		command/*
#	life		preload/main.c
#	hooks		hooks/*
#	pipeline	preload/emit.*, preload/diag.*
#	self		what else there is in preload/
#	render		formatters/*
#	sink		preload/dst.*, preload/dst_*.*
#	vocabulary	preload/{event,version,trace2,setting}.*, preload/{events,settings}.def
#	floor		preload/{limits,sys,buf,pool,hash,sentinel,...}.*
#
# Direct includes only, so a look at one file is enough to know where it belongs.
# A new file of preload/ is "self" until it is named here.

set -eu
cd "$(dirname "$0")/.."

layer_of() {
	case $1 in
	command/*) echo tool ;;
	hooks/*) echo hooks ;;
	formatters/*) echo render ;;
	preload/main.c) echo life ;;
	preload/emit.* | preload/diag.*) echo pipeline ;;
	preload/dst.* | preload/dst_*) echo sink ;;
	preload/event.* | preload/events.def | preload/version.h | preload/trace2.h | \
		preload/setting.h | preload/settings.def)
		echo vocabulary ;;
	preload/limits.* | preload/sys.* | preload/sys_*.* | preload/buf.* | preload/pool.* | \
		preload/hash.* | preload/sentinel.* | preload/torn.* | preload/str.* | preload/mem.* | \
		preload/sha1.* | preload/civil.* | preload/elf.* | preload/auxv.* | preload/libc.*)
		echo floor ;;
	preload/*) echo self ;;
	*) echo outside ;;
	esac
}

# is_allowed <layer of the file> <included file>
is_allowed() {
	to=$(layer_of "$2")
	case $1-$to in
	life-outside) return 1 ;;
	life-*) return 0 ;;
	tool-tool | tool-render | tool-vocabulary) return 0 ;;
	hooks-hooks | hooks-self | hooks-vocabulary | hooks-floor) return 0 ;;
	pipeline-pipeline | pipeline-self | pipeline-vocabulary | pipeline-floor) return 0 ;;
	self-self | self-vocabulary | self-floor) return 0 ;;
	render-render | render-vocabulary | render-floor) return 0 ;;
	sink-sink | sink-floor) return 0 ;;
	vocabulary-vocabulary | vocabulary-floor) return 0 ;;
	floor-floor) return 0 ;;
	esac
	# Single files across the table.
	case $1-$2 in
	tool-preload/buf.h | tool-preload/hash.h) return 0 ;;
	hooks-preload/emit.h | hooks-preload/diag.h) return 0 ;;
	pipeline-formatters/format.h | pipeline-formatters/errno_text.h) return 0 ;;
	pipeline-preload/dst.h) return 0 ;;
	esac
	return 1
}

list=$(mktemp)
trap 'rm -f "$list"' EXIT
nr_wrong=0
nr_files=0
for file in command/*.[chS] hooks/*.[chS] hooks/*.def preload/*.[chS] preload/*.def formatters/*.[chS]; do
	[ -f "$file" ] || continue
	nr_files=$((nr_files + 1))
	from=$(layer_of "$file")
	sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$file" >"$list"
	while read -r included; do
		if ! is_allowed "$from" "$included"; then
			echo "$file ($from) includes $included ($(layer_of "$included"))" >&2
			nr_wrong=$((nr_wrong + 1))
		fi
	done <"$list"
done

if [ "$nr_wrong" -gt 0 ]; then
	echo "check-layers: $nr_wrong includes point the wrong way" >&2
	exit 1
fi
echo "check-layers: $nr_files files, every include points down or sideways"
