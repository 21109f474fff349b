#!/bin/sh
# SPDX-License-Identifier: MIT
# PostgreSQL: a cluster made, served, reloaded, killed in parts, recovered.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need initdb pg_ctl psql
version postgres --version
user=
[ "$(id -u)" != 0 ] || user=postgres

# The server starts below its own user, which must come up to its directory.
try -l 120 ${user:+-u $user} -s 's/[0-9]{4,}/N/g' -x '^./(data|log)' cluster \
	start:initdb start:postgres child:postgres start:psql <<'EOF'
export PGDATA=$PWD/data PGHOST=$TMPDIR PGDATABASE=postgres PGUSER=me
export PGOPTIONS='-c client_min_messages=error'
trap 'pg_ctl -s stop -m immediate 2>/dev/null; rm -rf data' EXIT; trap exit TERM
initdb -A trust -U me --no-sync --locale=C >/dev/null 2>&1; echo "initdb $?"
cat >>data/postgresql.conf <<END
listen_addresses = ''
unix_socket_directories = '$TMPDIR'
fsync = off
max_parallel_workers_per_gather = 2
min_parallel_table_scan_size = 0
parallel_setup_cost = 0
parallel_tuple_cost = 0
archive_mode = on
archive_command = 'sh -c "exit 0"'
END
sql() { psql -XAtq -c "$1" 2>&1; }
pg_ctl -s -w -l log start; echo "start $?"; pg_ctl status >/dev/null; echo "status $?"
sql 'create table t as select i, i % 7 as k from generate_series(1, 20000) i; analyze t'
sql 'select count(*), sum(k) from t'
sql 'explain (costs off) select sum(k) from t' | grep -c 'Workers Planned: 2'
sql "copy (select 1) to program 'cat >$PWD/copied'"; cat copied; sql "copy t from program 'exit 3'"
for i in 1 2 3 4 5 6; do sql "select sum(i) from t where k = $i" & done | sort; wait
sql 'select pg_switch_wal() is not null'; pg_dump -t t | grep -vc '^--'; sql '\! echo from psql'
sql "alter system set work_mem = '5MB'"; pg_ctl -s reload; echo "reload $?"
until [ "$(sql 'show work_mem')" = 5MB ]; do sleep 0.1; done
sleeper="from pg_stat_activity where query like '%pg_sleep(30)' and pid <> pg_backend_pid()"
psql -XAtqc 'select pg_sleep(30)' 2>/dev/null &
until [ "$(sql "select count(*) $sleeper")" = 1 ]; do sleep 0.1; done
sql "select pg_cancel_backend(pid) $sleeper"; wait $!; echo "cancelled $?"
kill -KILL "$(sql "select pid from pg_stat_activity where backend_type = 'checkpointer'")"
until sql 'select count(*) from t' | grep -x 20000; do sleep 0.2; done
grep -c 'terminated by signal 9' log
pg_ctl -s -w restart -m fast -l log; echo "restart $?"; sql 'select max(i) from t'
pg_ctl -s -w stop -m immediate; echo "immediate $?"
pg_ctl -s -w -l log start; echo "recover $?"; sql 'select count(*) from t'
pg_ctl -s -w stop -m smart; echo "stop $?"; pg_ctl status >/dev/null; echo "status $?"
echo 'select 6 * 7' | postgres --single postgres 2>/dev/null | grep -c '"42"'
EOF
finish
