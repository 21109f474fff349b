#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What bash, and zsh where it is installed, offer behind t2.
# shellcheck source=tests/command/lib.sh
. "$(dirname "$0")/lib.sh"
set -e
cd "$work"
touch some.data other.data

# offers EXPECTED WORD...: completing the last word gives these words among others.
offers() {
	wanted=$1
	shift
	PATH=$built:$PATH bash -c '
		. "$0"
		COMP_WORDS=(t2 "$@")
		COMP_CWORD=$#
		_t2
		printf "%s\n" "${COMPREPLY[@]}"' "$root/scripts/completion/t2.bash" "$@" >got
	for word in $wanted; do
		grep -qxe "$word" got || {
			echo "FAIL: t2 $*: no $word among: $(tr '\n' ' ' <got)"
			exit 1
		}
	done
}

offers "run report top tree critical failures diff check export region --" ""
offers "report region record" re
! grep -qx run got || {
	echo "FAIL: run does not begin with re"
	exit 1
}
offers "--live --summary --output" run --
offers "--threshold --fail-on-regression" diff --
offers "some.data" report so
offers "true" run -- tru

if command -v zsh >/dev/null; then
	zsh -n "$root/scripts/completion/_t2"
	echo "ok completion (bash; zsh: its syntax)"
else
	echo "ok completion (bash; SKIP zsh: not installed)"
fi
