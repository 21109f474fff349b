#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The cases that count. Each is taken twice as often and once, and the difference
# divided, so that what a process does once is left out of what it does for each
# child; and the empty preload's is subtracted.
# shellcheck disable=SC2154 # bench sets them

counts=$work/counts

# run_as MODES KEY TOOL... -- COMMAND...: COMMAND in this mode, below TOOL.
run_as() (
	modes=$1 key=$2
	shift 2
	IFS='
'
	set -f
	before=
	while [ "$1" != -- ]; do
		before=$before${before:+$IFS}$1
		shift
	done
	shift
	# shellcheck disable=SC2016,SC2046,SC2086 # the inner shell's; lists by lines
	exec env -i PATH="$PATH" $before /bin/sh -c 'echo $$ >"$0"; exec "$@"' "$work/pid" \
		env -i $(environment "$modes" "$key") "$@" >/dev/null
)

# Prints the calls of all processes, and those of the first one. What waiting for
# another thread or process takes depends on who is faster: not counted.
count_calls() {
	modes=$1 key=$2
	shift 2
	rm -f "$work"/strace.*
	run_as "$modes" "$key" strace -ff -qq -o "$work/strace" -- "$@"
	awk -v own="$work/strace.$(cat "$work/pid")" '
		/^[-+]/ || /^(futex|rt_sigreturn|restart_syscall)\(/ { next }
		{ all++ }
		FILENAME == own { first++ }
		END { print all + 0, first + 0 }' "$work"/strace.*
}

# The same, but only what follows the call that "work end" makes in main.
count_calls_after() {
	count_calls "$@" >/dev/null
	awk '/^getpgid\(0\)/ { inside = 1; next }
		inside && !/^[-+]/ { n++ }
		END { print n + 0, n + 0 }' "$work"/strace.*
}

# callgrind MODES KEY OPTION... -- COMMAND...: as run_as; leaves callgrind.PID.
callgrind() {
	modes=$1 key=$2
	shift 2
	rm -f "$work"/callgrind.*
	run_as "$modes" "$key" valgrind -q --tool=callgrind --trace-children=yes \
		--callgrind-out-file="$work/callgrind.%p" "$@"
}

# sum_callgrind FILE...: all instructions, and those within the shim.
sum_callgrind() {
	awk -f "$here/callgrind.awk" "$@" | awk -F'\t' -v shim="$shim" '
		$3 == "total" { all += $1 }
		$3 == "total" && $2 == shim { inside = $1 }
		END { print all + 0, inside + 0 }'
}

# Prints the instructions of the first process, and those of them within the shim.
count_instructions() {
	modes=$1 key=$2
	shift 2
	callgrind "$modes" "$key" --trace-children-skip="$skip" -- "$@"
	sum_callgrind "$work/callgrind.$(cat "$work/pid")"
}

# The same of its child, from the call that makes it (what went before would be in
# both) until it ends or executes (what it did until then would be forgotten).
count_instructions_child() {
	modes=$1 key=$2
	shift 2
	callgrind "$modes" "$key" --trace-children-skip='*/true' --zero-before=fork \
		--zero-before=vfork --dump-before=execve -- "$@"
	rm -f "$work/callgrind.$(cat "$work/pid")" "$work/callgrind.$(cat "$work/pid")".*
	sum_callgrind "$work"/callgrind.*
}

# row COUNTER MODES TIMES ALL SECOND COMMAND...: a line of the table named ALL, and
# one named SECOND for the counter's second number; an empty name has no line.
# TIMES is 1, or N: then COMMAND is run with 2 N and N as a last argument.
row() {
	counter=$1 modes=$2 times=$3 all=$4 second=$5
	shift 5
	: >"$work/row"
	for key in empty $keys; do
		if [ "$times" = 1 ]; then
			twice=$("$counter" "$modes" "$key" "$@")
			once='0 0'
		else
			twice=$("$counter" "$modes" "$key" "$@" $((2 * times)))
			once=$("$counter" "$modes" "$key" "$@" "$times")
		fi
		echo "$key $twice $once" >>"$work/row"
	done
	awk -v times="$times" '{ print $1, ($2 - $4) / times, ($3 - $5) / times }' "$work/row" \
		>"$work/each"
	show_row "$all" 2
	show_row "$second" 3
}

# show_row NAME FIELD: what it adds to the empty preload's, which comes first.
show_row() {
	[ -n "$1" ] || return 0
	awk -v name="$1" -v field="$2" -v kind="$kind" -v counts="$counts" '
		NR == 1 { base = $field; printf "  %-34s", name; next }
		{
			printf " %8g", $field - base
			print kind "\t" name "\t" $1 "\t" $field - base >>counts
		}
		END { print "" }' "$work/each"
}

# header KIND WHAT
header() {
	kind=$1
	keys=$(cut -f1 "$work/root" | grep -vx -e plain -e empty)
	printf '%-36s' "$1: $2"
	# shellcheck disable=SC2086 # a list
	printf ' %8s' $keys
	echo
}

# shellcheck disable=SC2016 # the measured shell's
loop='i=0; while [ $i -lt $0 ]; do /bin/true; i=$((i + 1)); done'

case_calls() {
	need calls strace || return 0
	header calls 'system calls added'
	row count_calls "$work/root" 1 'true, first process of a tree' '' /bin/true
	row count_calls "$work/tree" 1 'true, within a tree' '' /bin/true
	row count_calls_after "$work/tree" 1 'after main has begun' '' "$work/work" end 1
	row count_calls "$work/root" 10 "a shell's child" 'of them in the shell' /bin/sh -c "$loop"
	row count_calls "$work/root" 10 'a fork without exec' 'of them in the parent' "$work/work" fork
	row count_calls "$work/root" 10 'a thread' '' "$work/work" threads
	echo '  (calls that only wait are not counted: futex, rt_sigreturn, restart_syscall)'
}

case_instructions() {
	need instructions valgrind || return 0
	header instructions added
	skip=
	row count_instructions "$work/root" 1 'true, first process of a tree' ' within the shim' /bin/true
	row count_instructions "$work/tree" 1 'true, within a tree' ' within the shim' /bin/true
	skip='*/true'
	row count_instructions "$work/root" 10 "a shell's child, in the shell" ' within the shim' \
		/bin/sh -c "$loop"
	row count_instructions_child "$work/root" 1 ' and in the child before its exec' \
		' within the shim' /bin/sh -c '/bin/true; :'
	row count_instructions "$work/root" 10 'a fork, in the parent' ' within the shim' \
		"$work/work" fork
	row count_instructions_child "$work/root" 1 ' and in the child' ' within the shim' \
		"$work/work" fork 1
	row count_instructions "$work/root" 10 'a thread' ' within the shim' "$work/work" threads
}

# Which functions of the shim take the instructions, by themselves and with what
# they call; and which objects all of them are in.
case_profile() {
	need profile valgrind callgrind_annotate || return 0
	lines GIT_TRACE2_PARENT_SID="$parent" GIT_TRACE2_PARENT_NAME=sh >"$work/tree"
	callgrind "$work/tree" event --dump-instr=yes -- "$work/work" end 1
	awk -f "$here/callgrind.awk" "$work"/callgrind.[0-9]* | sort -rn >"$work/profile"
	echo 'profile: a process within a tree, EVENT file: instructions by object'
	awk -F'\t' '$3 == "total" { printf "  %9d  %s\n", $1, $2 }' "$work/profile"
	echo 'by function of the shim, itself'
	awk -F'\t' -v shim="$shim" '$2 == shim && $3 != "total" { printf "  %9d  %s\n", $1, $3 }' \
		"$work/profile" | head -40
	echo 'by function of the shim, with what it calls'
	callgrind_annotate --inclusive=yes --threshold=100 "$work"/callgrind.[0-9]* |
		sed -n "s|^\( *[0-9,]*\).*:\([^ ]*\) \[$shim\]|  \1  \2|p" | head -40
}
