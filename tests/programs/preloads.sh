#!/bin/sh
# SPDX-License-Identifier: MIT
# Other libraries preloaded before us and behind us.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

libraries=$(with sh -c 'ls -d /usr/lib/*-linux-gnu /usr/lib64 /usr/lib 2>/dev/null')

# library PATTERN: the path of a library, if it is there.
library() {
	for directory in $libraries; do
		# shellcheck disable=SC2086 # a pattern
		ls "$directory"/$1 2>/dev/null
	done | head -n 1
}

cat >"$kit/work" <<'EOF'
sh -c 'sh -c "exit 3"; echo $?; kill -TERM $$'; echo $?
seq 3 | xargs -n 1 -P 2 echo | sort; env -i /bin/sh -c '/bin/echo cleared'
command -v perl >/dev/null && perl -e 'my @a = map { "x" x $_ } 1 .. 999; system "true"
	if (!fork) { exit 4 } wait; print $? >> 8, "\n"'
command -v python3 >/dev/null && python3 -c 'import subprocess as s, threading as t
[x.start() for x in [t.Thread(target=s.call, args=(["true"],)) for _ in range(4)]]
print(s.call("exit 5", shell=True))'
EOF

both_orders() {
	label=$1 found=$(library "$2")
	[ -n "$found" ] || {
		skip "no $2" "$label"
		return
	}
	for order in before behind; do
		list="$found:\$LD_PRELOAD"
		[ $order = before ] || list="\$LD_PRELOAD:$found"
		try "$1_$order" start:sh child:sh start:xargs start:echo <<-EOF
			export LD_PRELOAD="$list"
			LD_PRELOAD=\${LD_PRELOAD#:} LD_PRELOAD=\${LD_PRELOAD%:}
			sh "\$KIT/work"; echo \$?
			grep -c -m 1 ${found##*/} /proc/self/maps
		EOF
	done
}

both_orders jemalloc 'libjemalloc.so.*'
both_orders tcmalloc 'libtcmalloc_minimal.so.*'
both_orders eatmydata 'libeatmydata.so'
both_orders faketime 'faketime/libfaketime.so.1'

if have fakeroot; then
	try fakeroot child:fakeroot start:chown child:sh <<-'EOF'
		fakeroot sh -c 'echo x >f; chown 12:34 f; stat -c %u:%g f; id -u; sh -c "exit 3"; echo $?'
		fakeroot -- sh -c 'exit 4'; echo $?
		fakeroot sh -c 'kill -TERM $$' 2>/dev/null; echo $?
		rm f
	EOF
	try -s 's/[0-9]+ bytes/N bytes/' fakeroot_deb child:fakeroot start:dpkg-deb child:tar <<-'EOF'
		mkdir -p p/DEBIAN p/usr; echo text >p/usr/file
		printf '%s: p\n' Package Maintainer Description >p/DEBIAN/control
		printf 'Version: 1\nArchitecture: all\n' >>p/DEBIAN/control
		export SOURCE_DATE_EPOCH=1700000000; find p -exec touch -d @1700000000 {} +
		fakeroot sh -c 'chown -R 0:0 p; dpkg-deb -b p p.deb'; echo $?
		dpkg-deb -c p.deb; dpkg-deb -f p.deb Version
	EOF
else
	skip "no fakeroot" fakeroot
fi

if have faketime; then
	try faketime start:date child:sh <<-'EOF'
		faketime '2001-02-03 04:05:06' date +%F
		faketime -f '@2001-02-03 04:05:06' sh -c 'date; sh -c "exit 3"; echo $?; exit 4'; echo $?
		faketime '2001-02-03' env -i /bin/sh -c 'echo cleared'
	EOF
else
	skip "no faketime" faketime
fi

if have eatmydata; then
	try eatmydata_command start:sh <<-'EOF'
		eatmydata sh -c 'sync; exit 3'; echo $?
	EOF
else
	skip "no eatmydata" eatmydata_command
fi
try stdbuf start:cat start:sh <<'EOF'
(echo line; sleep 0.1) | stdbuf -oL -i0 cat
stdbuf -o0 sh -c 'env | grep -c LD_PRELOAD; exit 3'; echo $?
EOF
finish
