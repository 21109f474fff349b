#!/bin/sh
# SPDX-License-Identifier: MIT
#
# t2 run --ci: what each system is told, in a made-up environment of it.
# shellcheck disable=SC2016 # for inner shells
# shellcheck source=tests/command/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 2
escape=$(printf '\033')
return=$(printf '\r')

# run WANTED [NAME=VALUE]... ARGUMENT...: t2 without a summary; output in out and err.
run() {
	wanted=$1
	shift
	wants "$wanted" env "$@"
	[ ! -s out ] || fail "something on standard output: $(cat out)"
}

bad='sh -c "exit 3"; exit 3 # 100%'

# --- GitHub ---
run 3 GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY="$work/page" \
	"$t2" --summary never --ci auto -- sh -c "$bad"
cat >want <<END
::group::sh -c 'sh -c "exit 3"; exit 3 # 100%'
::endgroup::
::error title=sh%3A exit 3::sh -c 'exit 3'%0Ain $work
END
cmp -s want err || fail "github: $(diff want err)"
says '^### .* `sh -c '\''sh -c "exit 3"; exit 3 # 100%'\''` exit 3 after ' page
[ "$(grep -c '^| [A-Z][^|]* | [^|]* |$' page)" = 6 ] || fail "not six rows: $(cat page)"
says "^\[exit 3\] sh -c 'exit 3'$" page
says "^    after .* in $work$" page
says '^    sh > sh$' page
says '^<details>' page
# Not asked for: the page and the errors, but nothing around the output.
run 3 GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY="$work/page" "$t2" --summary never sh -c "$bad"
! grep -q '^::group' err || fail "groups that nobody asked for: $(cat err)"
says '^::error ' err
[ "$(grep -c '^### ' page)" = 2 ] || fail "the second page is not behind the first"
run 0 GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY="$work/page" "$t2" --ci none -- true
run 0 GITHUB_ACTIONS=false GITHUB_STEP_SUMMARY="$work/page" "$t2" -- true
[ ! -s err ] || fail "none: $(cat err)"
[ "$(grep -c '^### ' page)" = 2 ] || fail "a page that nobody asked for"
# A run within a run leaves it to the outer one.
run 0 GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY="$work/one" T2="$t2" \
	"$t2" -- sh -c '"$T2" --summary never -o inner -- sh -c "exit 1"; :'
[ "$(grep -c '^### ' one)" = 1 ] || fail "pages of runs within a run: $(cat one)"
# A page that would not be shown is not written.
truncate -s 899990 full
run 0 GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY="$work/full" "$t2" -- true
says '^t2: .*full: nearly full; no summary written$' err
[ "$(wc -c <full)" = 899990 ] || fail "a full page was written to"

# --- hostile commands ---
cp /bin/false 'a|b`c@d<e>'
run 1 "$t2" --summary never --ci-summary "$work/hostile" -- sh -c '"./a|b\`c@d<e>"'
says '| ``a\\|b`c@d<e>`` |$' hostile
! grep '^|' hostile | grep -q 'a|b' || fail "a cell ends early: $(cat hostile)"
says '^### .* ``sh -c .*a|b.*`` exit 1 after ' hostile
sed '/^```text$/,/^```$/d' hostile >tables
# Without its code spans nothing of it is left.
sed 's/```*[^`]*`[^`]*``*//; s/`[^`]*`//g' tables >outside
! grep -q '[`@]' outside || fail "not escaped: $(cat outside)"
# What would be a link is code, too, or has no dot.
cp /bin/true www.example.com
run 0 "$t2" --summary never --ci-summary "$work/links" -- \
	sh -c 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do ./www.example.com http://a.example.com || exit; done'
says '| `www.example.com` |$' links
sed '/^```text$/,/^```$/d; s/`[^`]*`//g' links >outside
! grep -q -e 'www\.' -e '://' -e '<code>' outside || fail "a link: $(cat outside)"
run 1 "$t2" --summary never --ci-summary "$work/line" -- sh -c 'sh -c "exit 1 #
\`\`\`
@me"'
[ "$(grep -c '^```' line)" = 2 ] || fail "a command ends the block: $(cat line)"

# --- many failures ---
{
	printf 'all:'
	i=0
	while [ $i -lt 40 ]; do
		printf ' %d' $i
		i=$((i + 1))
	done
	printf '\n.PHONY: %s\n' "$(seq -s ' ' 0 39)"
	i=0
	while [ $i -lt 40 ]; do
		printf '%d:\n\t@sh -c "exit 7 # %0300d"; exit 7\n' $i $i
		i=$((i + 1))
	done
} >Makefile
run 2 "$t2" --summary never --ci github --ci-summary "$work/many" -- make -k
[ "$(wc -c <many)" -le 60000 ] || fail "the page is too large: $(wc -c <many)"
says '^and [0-9]* more$' many
[ "$(grep -c '^::error ' err)" = 10 ] || fail "not ten errors: $(grep -c '^::error ' err)"

# --- findings ---
# Ten times the same, whatever it is called, and each of 20 ms.
run 0 "$t2" --summary never --ci-summary "$work/better" -- sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do
	sleep 0.02 "$0"; done' 0.0
says '^- T2-003 &#96;sleep 0&#46;02 0&#46;0&#96; ran 10 times in one directory&#58; ' better
says '^\*\*What could be better\*\*$' better

# --- the others ---
run 3 GITLAB_CI=true "$t2" --summary never --ci auto -- sh -c "$bad"
says "^$escape\[0Ksection_start:[0-9]\{10\}:t2_[0-9]*$return$escape\[0Ksh -c " err
says "^$escape\[0Ksection_end:[0-9]\{10\}:t2_[0-9]*$return$escape\[0K$" err
run 3 BUILDKITE=true "$t2" --summary never --ci auto -- sh -c "$bad"
printf -- "--- sh -c 'sh -c \"exit 3\"; exit 3 # 100%%'\n^^^ +++\n" | cmp -s - err ||
	fail "buildkite: $(cat err)"
run 0 BUILDKITE=true "$t2" --summary never --ci auto -- true
[ "$(cat err)" = '--- true' ] || fail "buildkite: $(cat err)"
run 3 JENKINS_URL=http://localhost/ "$t2" --summary never --ci auto -- sh -c "$bad"
[ ! -s err ] || fail "jenkins: $(cat err)"
ls >files
[ "$(grep -c -v -x -e page -e one -e full -e hostile -e line -e many -e better -e tables -e Makefile -e files \
	-e links -e outside -e www.example.com -e want -e out -e err -e inner -e 't2.data' -e 't2.data.old' -e 'a|b.*' files)" = 0 ] ||
	fail "files: $(cat files)"
echo "ok ci"
