#!/bin/sh
# SPDX-License-Identifier: MIT
# The real build of a source package of the distribution, which is fetched with
# apt; the machine's own package lists are not touched.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need apt-get dpkg-source make cc
package=${T2_PACKAGE:-hello}

cache=$(mktemp -d "${TMPDIR:-/tmp}/t2source.XXXXXX") || fail "no directory"
trap 'rm -rf "$cache"' EXIT
mkdir -p "$cache/lists/partial" "$cache/sources" "$cache/fetched"

for list in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
	case $list in
	*/sources.list) sed -n 's/^deb /deb-src /p' "$list" ;;
	*/debian.sources | */ubuntu.sources)
		sed 's/^Types:.*/Types: deb-src/' "$list" >"$cache/sources/$(basename "$list")"
		;;
	esac
done >"$cache/sources.list" 2>/dev/null

apt() {
	timeout 120 apt-get -o Dir::State::lists="$cache/lists" -o Dir::Cache="$cache" \
		-o Dir::Etc::sourcelist="$cache/sources.list" \
		-o Dir::Etc::sourceparts="$cache/sources" -o Acquire::Retries=0 \
		-o Acquire::http::Timeout=20 -o APT::Sandbox::User=root "$@"
}

apt update >"$cache/log" 2>&1 || skip "apt-get update: $(grep '^[EW]:' "$cache/log" | head -n 1)"
(cd "$cache/fetched" && apt source --download-only "$package") >"$cache/log" 2>&1 ||
	skip "apt-get source $package: $(grep '^E:' "$cache/log" | head -n 1)"

generate() {
	dpkg-source -x "$cache"/fetched/*.dsc source
	cat >drive <<-'EOF'
		cd source || exit
		./configure --prefix=/usr; echo "configure $?"
		make -j2; echo "make $?"
		make check; echo "check $?"
		make DESTDIR="$PWD/installed" install; echo "install $?"
	EOF
}

scrubbed='*/config.log'
scrub='s,/tmp/cc[[:alnum:]]+,/tmp/cc,g'
order=free
compare
