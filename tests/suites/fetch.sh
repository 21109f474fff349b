#!/bin/sh
# SPDX-License-Identifier: MIT
#
# fetch.sh PACKAGE DIRECTORY: DIRECTORY/source is that package's source, as the
# distribution builds it. The machine's own package lists are not touched.
#
# fetch.sh -b PACKAGE DIRECTORY: DIRECTORY/files is what that package would install.
set -eu
binary=
if [ "$1" = -b ]; then
	binary=yes
	shift
fi
package=$1
into=$2
lists=$(mktemp -d "${TMPDIR:-/tmp}/t2source.XXXXXX")
trap 'rm -rf "$lists"' EXIT
mkdir -p "$lists/lists/partial" "$lists/parts" "$lists/fetched"

if [ -n "$binary" ]; then
	cd "$lists/fetched"
	timeout 100 apt-get -q -o APT::Sandbox::User=root -o Acquire::Retries=1 \
		-o Acquire::http::Timeout=20 download "$package"
	mkdir -p "$into"
	rm -rf "$into/files" "$into/unpacking"
	dpkg -x ./*.deb "$into/unpacking"
	mv "$into/unpacking" "$into/files"
	exit
fi

for list in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources \
	/etc/apt/sources.list.d/ubuntu.sources; do
	case $list in
	*.list) [ ! -f "$list" ] || sed -n 's/^deb /deb-src /p' "$list" >>"$lists/sources.list" ;;
	*) [ ! -f "$list" ] || sed 's/^Types:.*/Types: deb-src/' "$list" >"$lists/parts/${list##*/}" ;;
	esac
done

apt() {
	timeout 300 apt-get -q -o Dir::State::lists="$lists/lists" -o Dir::Cache="$lists" \
		-o Dir::Etc::sourcelist="$lists/sources.list" -o Dir::Etc::sourceparts="$lists/parts" \
		-o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o APT::Sandbox::User=root "$@"
}

apt update
cd "$lists/fetched"
# A mirror may lack the newest version's files: then take the one before.
if ! apt source --download-only "$package"; then
	rm -rf ./*
	older=$(apt-cache -o Dir::State::lists="$lists/lists" -o Dir::Cache="$lists" \
		-o Dir::Etc::sourcelist="$lists/sources.list" -o Dir::Etc::sourceparts="$lists/parts" \
		showsrc "$package" | sed -n 's/^Version: //p' | sort -Vr | sed -n 2p)
	apt source --download-only "$package=$older"
fi
mkdir -p "$into"
rm -rf "$into/source"
dpkg-source --no-check -x ./*.dsc "$into/unpacking"
mv "$into/unpacking" "$into/source"
rm -f "$into"/*.orig*.tar.*
