# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Run something of a program in four modes, which must not be told apart:
#
#   bare     without a preload
#   empty    with an empty one
#   quiet    with the shim, and no target
#   shim     with the shim, and an EVENT file
#
# What is the loader's or the program's own answer to any preload shows between
# bare and empty, and has to be listed in ./allowed; empty, quiet and shim must
# agree to the letter.
#
# A script of a program sources this, makes what it needs in $kit (with `build`),
# and calls `try` for each case. A case is a piece of shell whose output is the
# same each time. It runs in an empty directory, always the same one, and all
# the files it leaves there are compared, too.
#
# T2_SHIM T2_EMPTY   the two preloads; default: those in build/
# T2_CASES           only the cases that match this pattern
# T2_KEEP            keep the working directory, and say where it is

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
shim=${T2_SHIM:-$root/build/libt2shim.so}
empty=${T2_EMPTY:-$root/build/tests/empty.so}
program=$(basename "$0" .sh)
failures=0

skip() {
	echo "SKIP $program${2:+/$2}: $1"
}

# need COMMAND...: or skip the whole script.
need() {
	for tool; do
		PATH=$case_path command -v "$tool" >/dev/null 2>&1 || {
			skip "no $tool"
			exit 0
		}
	done
}

have() {
	PATH=$case_path command -v "$1" >/dev/null 2>&1
}

need_root() {
	[ "$(id -u)" = 0 ] || {
		skip "needs root"
		exit 0
	}
}

# version COMMAND...: say what is tested, by the first line it prints.
version() {
	echo "# $program: $(with "$@" 2>&1 </dev/null | grep . | head -n 1)"
}

# Toolchains lie where their installers put them.
find_toolchains() {
	case_path=/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin
	! command -v go >/dev/null 2>&1 || case_path=$case_path:$(go env GOROOT)/bin
	! command -v rustc >/dev/null 2>&1 || case_path=$case_path:$(rustc --print sysroot)/bin
	for directory in /usr/lib/postgresql/*/bin; do
		[ ! -d "$directory" ] || case_path=$case_path:$directory
	done
}

# with COMMAND...: in the environment of the cases, without a preload.
with() {
	# shellcheck disable=SC2086 # a list
	env -i $environment "$@"
}

# build COMMAND...: make something for the cases, or give up.
build() {
	(cd "$kit" && with "$@") >"$work/build.log" 2>&1 </dev/null || {
		echo "FAIL $program: cannot $*"
		tail -n 20 "$work/build.log"
		exit 1
	}
}

# What a case started and left running: it has our mark in its environment, or
# its working directory is below ours.
left_behind() {
	for process in /proc/[0-9]*; do
		if grep -qsF "T2_CASE=$work" "$process/environ"; then
			echo "${process#/proc/}"
		else
			case $(readlink "$process/cwd" 2>/dev/null) in
			"$work"/*) echo "${process#/proc/}" ;;
			esac
		fi
	done 2>/dev/null
}

clean_up() {
	cd /
	for pid in $(left_behind); do
		kill -KILL "$pid" 2>/dev/null
	done
	[ -n "${T2_KEEP:-}" ] || rm -rf "$work"
}

fresh() {
	for directory in here home tmp; do
		rm -rf "${work:?}/$directory"
		mkdir "$work/$directory"
	done
	chmod 1777 "$work/tmp"
	[ -z "$user" ] || chown "$user:" "$work/here" "$work/home"
	: >"$work/events"
	chmod 666 "$work/events"
}

# Whatever is preloaded has the same name in each mode.
preload_for() {
	case $mode in
	bare) return ;;
	empty) cp "$empty" "$work/lib/libt2shim.so" ;;
	*) cp "$shim" "$work/lib/libt2shim.so" ;;
	esac
	echo "LD_PRELOAD=$work/lib/libt2shim.so"
	[ "$mode" != shim ] || echo "GIT_TRACE2_EVENT=$work/events"
}

# Type, mode and content of all that is left.
list_files() {
	find . -mindepth 1 | LC_ALL=C sort | while IFS= read -r file; do
		if [ -n "$unstable" ] && printf '%s\n' "$file" | grep -qE "$unstable"; then
			continue
		elif [ -L "$file" ]; then
			echo "link $file -> $(readlink "$file")"
		elif [ -f "$file" ]; then
			echo "$(stat -c %A "$file") $file $(sha256sum <"$file")"
		else
			echo "$(stat -c %A "$file") $file"
		fi
	done
}

tidy() {
	[ -z "$scrub" ] || sed -E -i "$scrub" "$@"
	[ "$order" = exact ] || for file; do
		LC_ALL=C sort -o "$file" "$file"
	done
}

# run_as MODE: the case, once. Appending, since a copy_file_range() into a
# file that others write is not atomic otherwise.
run_as() {
	mode=$1
	fresh
	cd "$work/here" || exit 2
	rm -f "$work/$mode".*
	status=0
	preload=$(preload_for)
	# shellcheck disable=SC2046,SC2086 # lists
	(
		# shellcheck disable=SC3045 # every shell has it
		ulimit -c 0
		exec timeout -k 10 "$limit_s" ${user:+setpriv --reuid "$user" --regid "$(id -g "$user")" \
			--clear-groups} env -i $environment $preload sh "$work/case"
	) </dev/null >>"$work/$mode.out" 2>>"$work/$mode.err" || status=$?
	echo "$status" >"$work/$mode.status"
	list_files >"$work/$mode.files"
	cd "$work" || exit 2
	left=$(left_behind)
	for pid in $left; do
		echo "left running: $(tr '\0' ' ' <"/proc/$pid/cmdline")" >>"$work/$mode.files"
		kill -KILL "$pid" 2>/dev/null
	done
	tidy "$work/$mode.out" "$work/$mode.err"
}

# The loader's and the programs' own words about a preload, taken out.
without_allowed() {
	sed '/^#/d; /^$/d' "$here/allowed" | while read -r where pattern; do
		# shellcheck disable=SC2254 # it is a pattern
		case $label in
		$where) printf '%s\n' "$pattern" ;;
		esac
	done >"$work/patterns"
	grep -vEf "$work/patterns" "$1"
}

differs() {
	case $1.$2.$3 in
	bare.*.out | bare.*.err)
		without_allowed "$work/$1.$3" >"$work/left"
		without_allowed "$work/$2.$3" >"$work/right"
		! diff "$work/left" "$work/right" >"$work/diff"
		;;
	*) ! diff "$work/$1.$3" "$work/$2.$3" >"$work/diff" ;;
	esac
}

complain() {
	echo "FAIL $label: $1"
	[ -z "${2:-}" ] || head -n 20 "$2" | cut -c -300 | sed 's/^/  /'
	[ -z "${T2_KEEP:-}" ] || echo "  see $work"
	failures=$((failures + 1))
}

# same MODE MODE
same() {
	for what in status out err files; do
		if differs "$1" "$2" "$what"; then
			complain "$2: $what is not as in $1" "$work/diff"
			return 1
		fi
	done
}

# What was told, as lines "KIND:NAME COUNT": start, child (announced and reaped).
names_told() {
	jq -rn '
		def name: (.argv[0] // "") | sub(".*/"; "");
		def key: "\(.sid) \(.child_id)";
		[inputs] as $all
		| [$all[] | select(.event == "child_exit") | {key: key, value: true}] | from_entries as $reaped
		| [$all[] | if .event == "start" then "start:" + name
			elif .event == "child_start" and $reaped[key] then "child:" + name
			else empty end]
		| group_by(.)[] | "\(.[0]) \(length)"' "$work/events" >"$work/told"
}

# told_one KIND:NAME[=COUNT]
told_one() {
	count=$(awk -v name="${1%=*}" '$1 == name { print $2 }' "$work/told")
	case $1 in
	*=*) [ "${count:-0}" = "${1##*=}" ] ;;
	*) [ "${count:-0}" -gt 0 ] ;;
	esac || {
		complain "told of $1: ${count:-0}" "$work/told"
		return 1
	}
}

# told WORD...: start:NAME child:NAME start:NAME=COUNT child:NAME=COUNT, and
# dark:NAME, a child that could not speak for itself.
told() {
	names_told || {
		complain "not JSON" "$work/events"
		return 1
	}
	for word; do
		case $word in
		dark:*) told_one "child:${word#*:}" && told_one "start:${word#*:}=0" ;;
		*) told_one "$word" ;;
		esac || return 1
	done
}

# try [-f] [-n] [-p] [-l SECONDS] [-s SED] [-u USER] [-x REGEX] NAME TOLD... <CASE
#   -f  output is the same in any order of lines
#   -n  an empty preload makes no sense here
#   -p  any preload changes the outcome, so that bare makes no sense
#   -s  take out of the output what is different each time
#   -u  as that user
#   -x  files whose content or presence differs each time
try() {
	order=exact limit_s=30 scrub='' user='' unstable='' modes='bare empty quiet shim'
	OPTIND=1
	while getopts fnpl:s:u:x: option; do
		case $option in
		f) order=free ;;
		n) modes='bare quiet shim' ;;
		p) modes='empty quiet shim' ;;
		l) limit_s=$OPTARG ;;
		s) scrub=$OPTARG ;;
		u) user=$OPTARG ;;
		x) unstable=$OPTARG ;;
		*) exit 2 ;;
		esac
	done
	shift $((OPTIND - 1))
	label=$program/$1
	cat >"$work/case"
	shift
	# shellcheck disable=SC2254 # it is a pattern
	case ${label#*/} in
	${T2_CASES:-*}) ;;
	*) return ;;
	esac
	if [ -n "$user" ] && { [ "$(id -u)" != 0 ] || ! id "$user" >/dev/null 2>&1; }; then
		skip "cannot become $user" "${label#*/}"
		return
	fi
	previous=
	for run in $modes; do
		run_as "$run"
		if [ "$status" = 124 ]; then
			complain "$run: not done after $limit_s s" "$work/$run.err"
			return 0
		fi
		[ -z "$previous" ] || same "$previous" "$run" || return 0
		previous=$run
	done
	told "$@" || return 0
	awk -F '[: ]' -v label="$label" '{ n[$1] += $3 } END {
		printf "ok %s (%d started, %d reaped)\n", label, n["start"], n["child"]
	}' "$work/told"
}

finish() {
	[ "$failures" = 0 ]
}

work=$(mktemp -d "${TMPDIR:-/tmp}/t2programs.XXXXXX") || exit 2
trap clean_up EXIT
trap 'exit 2' HUP INT TERM
chmod 755 "$work"
kit=$work/kit
mkdir "$kit" "$work/lib" "$work/home" "$work/tmp"
find_toolchains
environment="PATH=$case_path HOME=$work/home TMPDIR=$work/tmp KIT=$kit T2_CASE=$work
	LC_ALL=C.UTF-8 TZ=UTC PERL_HASH_SEED=0 PYTHONHASHSEED=0 PYTHONDONTWRITEBYTECODE=1"
for file in "$shim" "$empty"; do
	[ -f "$file" ] || {
		echo "FAIL $program: no $file"
		exit 1
	}
done
