#!/bin/sh
# SPDX-License-Identifier: MIT
# Random process trees: each ends as it does without the shim, and the oracle
# agrees with what was told. $T2_SEED is the first of the seeds.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
n=$((60 / scale))
first=${T2_SEED:-1}

[ -f "$shim" ] || fail "no shim: $shim"
strace -f -o /dev/null true 2>/dev/null || {
	echo "SKIP $name: strace is not permitted"
	exit 0
}
oracle=${T2_ORACLE:-$work/oracle}
[ -x "$oracle" ] || "$here/../oracle/build.sh" "$oracle" || fail "no oracle"
build chaos
seed=$first
while [ "$seed" -lt $((first + n)) ]; do
	bare=0
	timeout 60 "$work/chaos" "$seed" 4 >/dev/null 2>&1 || bare=$?
	T2_SHIM=$shim T2_ORACLE=$oracle timeout 120 "$here/../oracle/run.sh" -k "$work/kept" -- \
		"$work/chaos" "$seed" 4 >"$work/said" 2>/dev/null || {
		head -n 20 "$work/said" >&2
		fail "seed $seed: the oracle disagrees"
	}
	[ "$(cat "$work/kept/status")" -eq $bare ] ||
		fail "seed $seed: status $(cat "$work/kept/status"), without the shim $bare"
	seed=$((seed + 1))
done
echo "ok $name"
