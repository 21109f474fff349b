#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cmd_path is what /proc/self/exe says, by whatever name a program is executed:
# links, links to folders, dots, scripts, scripts that interpret scripts, descriptors.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
shim=${T2_SHIM:-$root/build/libt2shim.so}
work=$(mktemp -d "${TMPDIR:-/tmp}/t2exe.XXXXXX") || exit 2
work=$(cd "$work" && pwd -P)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

mkdir -p bin a/b/c 'with "quotes"'
cp /usr/bin/readlink bin/tool
ln -s tool bin/link
ln -s ../bin/link a/link
ln -s "$work/a/link" a/b/absolute
ln -s bin folder
ln -s ../../folder a/b/folder
ln -s . here
cp /usr/bin/readlink 'with "quotes"/tool'
deep=$work/here/here/here/here/here/here/here/here/here/here/here/here/here/bin/tool
long=$(printf '%0200d' 0)
mkdir -p "$long/$long"
cp /usr/bin/readlink "$long/$long/tool"
cat >script <<END
#!/bin/sh
readlink /proc/\$\$/exe
END
cat >interpreter <<END
#!/bin/sh
readlink /proc/\$\$/exe
END
printf '#!%s/interpreter\n' "$work" >nested
printf '#!%s/a/b/../link /proc/self/exe\n' "$work" >direct
chmod +x script interpreter nested direct

failed=0
n=0
# expect NAME COMMAND...: it prints the link; the first cmd_path is the same.
# expect_last: the last one, behind an exec.
expect() {
	which=1
	compare "$@"
}

expect_last() {
	which=\$
	compare "$@"
}

compare() {
	name=$1
	shift
	n=$((n + 1))
	rm -f events
	wanted=$(LD_PRELOAD=$shim GIT_TRACE2_EVENT=$work/events "$@")
	wanted=$(printf '%s\n' "$wanted" | head -1)
	told=$(jq -r 'select(.event == "cmd_path") | .path' events | sed -n "${which}p")
	if [ -z "$wanted" ] || [ "$told" != "$wanted" ]; then
		echo "FAIL exe: $name: /proc says '$wanted', the trace '$told'"
		failed=$((failed + 1))
	fi
}

expect direct "$work/bin/tool" /proc/self/exe
expect 'by PATH' readlink /proc/self/exe
expect 'merged /bin' /bin/readlink /proc/self/exe
expect link "$work/bin/link" /proc/self/exe
expect 'link to a link' "$work/a/link" /proc/self/exe
expect 'absolute link' "$work/a/b/absolute" /proc/self/exe
expect 'link to a folder' "$work/a/b/folder/tool" /proc/self/exe
expect 'dots' "$work/./a/b/../../bin/./tool" /proc/self/exe
expect 'dots behind a link' "$work/a/b/folder/../bin/tool" /proc/self/exe
expect 'slashes' "/$work//bin///tool" /proc/self/exe
expect 'more links than we follow' "$deep" /proc/self/exe
expect 'a long path' "$work/$long/$long/tool" /proc/self/exe
expect 'relative' ./bin/tool /proc/self/exe
expect 'relative link' a/link /proc/self/exe
expect 'quotes' "$work/with \"quotes\"/tool" /proc/self/exe
expect 'a name that is also an argument' "$work/bin/tool" /proc/self/exe "$work/bin/tool"
expect script "$work/script"
expect 'script of a script' "$work/nested"
expect 'interpreter with an argument' "$work/direct"
# shellcheck disable=SC2016 # bash's
expect_last 'another name in argv[0]' bash -c 'exec -a /usr/bin/true "$0" /proc/self/exe' "$work/bin/tool"
expect_last '/proc/self/exe itself' perl -e 'exec {"/proc/self/exe"} "perl", "-e", "print readlink q(/proc/self/exe)"'
expect_last 'a descriptor' perl -e 'open F, "<", "/usr/bin/readlink"; fcntl(F, 2, 0);
	exec {"/proc/self/fd/" . fileno F} "readlink", "/proc/self/exe"'

[ $failed = 0 ] || exit 1
echo "ok exe ($n)"
