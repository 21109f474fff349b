#!/bin/sh
# SPDX-License-Identifier: MIT
# nginx: master and workers, reload, a worker killed, a new binary, an end.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need nginx curl
version nginx -v

cat >"$kit/nginx.conf" <<'EOF'
worker_processes 2;
pid nginx.pid;
error_log error.log notice;
events { worker_connections 64; }
http {
	access_log off;
	client_body_temp_path b; proxy_temp_path p; fastcgi_temp_path f;
	uwsgi_temp_path u; scgi_temp_path s;
	server {
		listen unix:sock;
		location / { root .; }
		location /version { return 200 "VERSION\n"; }
		location /worker { return 200 "$pid\n"; }
	}
}
EOF

# A new binary is started by the name of the old one, and not looked up. Nobody
# may reap the master: that its socket is gone says that it has ended.
try -l 60 -s 's/[0-9]{3,}/N/g' -x 'log|pid|/[bpfus]$' serve start:nginx child:nginx <<'EOF'
cp "$KIT/nginx.conf" .; chmod 755 . ..; echo page >page.html
nginx=$(command -v nginx)
[ "$(id -u)" != 0 ] || user='user root;'
n() { "$nginx" -p "$PWD/" -c "$PWD/nginx.conf" -e error.log -g "$user" "$@" 2>>notes.log; }
get() { curl -s --max-time 5 --unix-socket sock "http://x/$1"; }
workers() { ps -o pid= --ppid "$master" | sort | xargs; }
trap '[ ! -e sock ] || n -s stop' EXIT; trap exit TERM
n -t; echo "test $?"
n; echo "start $?"
get page.html; get version; get nosuch | grep -c 404
master=$(cat nginx.pid)
for i in 1 2 3 4 5 6 7 8; do get page.html & done | grep -c page; wait
old=$(workers); kill -KILL "${old%% *}"
until [ "$(workers | wc -w)" = 2 ] && [ "$(workers)" != "$old" ]; do sleep 0.05; done
get page.html
sed -i s/VERSION/reloaded/ nginx.conf
n -s reload; echo "reload $?"; until get version | grep reloaded; do sleep 0.05; done
n -s reopen; echo "reopen $?"
kill -USR2 "$master"
until [ -s nginx.pid.oldbin ] && [ -s nginx.pid ]; do sleep 0.05; done
get page.html
kill -QUIT "$master"; while [ -e nginx.pid.oldbin ]; do sleep 0.05; done
get version
n -s quit; echo "quit $?"; while [ -e sock ]; do sleep 0.05; done
get page.html; echo "after $?"
"$nginx" -p "$PWD/" -c "$PWD/nginx.conf" -e error.log \
	-g "$user daemon off; master_process off;" 2>>notes.log &
until get page.html; do sleep 0.05; done
kill -TERM $!; wait $!; echo "single $?"
grep -c emerg error.log; ls notes.log
EOF
finish
