#!/bin/sh
# SPDX-License-Identifier: MIT
# Namespaces, the first process of one, other root directories.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need unshare

if with unshare -Ur true 2>/dev/null; then
	try -u nobody user start:unshare start:sh child:id <<-'EOF'
		unshare -Ur id -u; unshare -U sh -c 'id -u; exit 3'; echo $?
		unshare -Urm sh -c 'mount -t tmpfs none /mnt && echo x >/mnt/x && cat /mnt/x; exit 4'; echo $?
		unshare -Urn sh -c 'cat /proc/net/dev | wc -l'; unshare -Uru sh -c 'hostname t2 && hostname'
	EOF
	# PID 1 has no default dispositions: a signal it does not handle is lost.
	try pid start:unshare start:sh child:sh <<-'EOF'
		unshare -Urpf --mount-proc sh -c 'echo $$; ls -d /proc/[0-9]* | head -n 1
			sh -c "echo \$\$; exit 3"; echo $?; exit 4'; echo $?
		unshare -Urpf sh -c 'kill -TERM $$; kill -USR1 $$; echo survives; exit 5'; echo $?
		unshare -Urpf sh -c 'sh -c "kill -TERM \$\$"; echo $?; (sleep 0.1; exit 6) & wait $!; echo $?'
		unshare -Urpf --kill-child sh -c 'trap "echo trapped" TERM; kill -TERM $$
			exec sh -c "exit 7"'; echo $?
		unshare -Urpf sh -c 'sleep 9 & exit 8'; echo $?
		unshare -Urp sh -c 'echo first; true' 2>/dev/null
	EOF
	for init in tini dumb-init; do
		have $init || {
			skip "no $init" $init
			continue
		}
		# A forwarded signal may hit the sleep, too, and the shell tell of it.
		try $init start:$init child:sh <<-EOF
			unshare -Urpf --mount-proc $init -- sh -c 'echo \$\$; exit 3'; echo \$?
			unshare -Urpf --mount-proc $init -- sh -c 'kill -TERM \$\$'; echo \$?
			unshare -Urpf --mount-proc $init -- sh -c '(sleep 0.1 &); exit 4'; echo \$?
			unshare -Urpf --mount-proc $init -- sh -c 'trap "echo forwarded; exit 5" TERM
				kill -TERM 1; while :; do sleep 0.05; done' 2>/dev/null; echo \$?
		EOF
	done
else
	skip "no user namespaces" user
fi

# The programs and what they need, in a root directory of their own.
new_root() {
	mkdir -p "$1/usr/bin" "$1/tmp"
	ln -s usr/bin "$1/bin"
	for name in sh cat echo env ls; do
		file=$(PATH=$case_path command -v $name)
		[ -f "$file" ] || file=/bin/$name
		(with ldd "$file" | grep -o '/[^ ]*' && echo "$file") | while read -r needed; do
			mkdir -p "$1${needed%/*}"
			cp -L "$needed" "$1$needed"
		done
	done
}

if [ "$(id -u)" = 0 ]; then
	new_root "$kit/root"
	try chroot_without start:chroot=3 start:sh=1 child:chroot=3 <<-'EOF'
		cp -r "$KIT/root" "$TMPDIR/root"
		chroot "$TMPDIR/root" /bin/sh -c 'echo *; (exit 3); echo $?; sh -c "cat /nosuch; exit 4"'; echo $?
		chroot "$TMPDIR/root" env -i /bin/sh -c 'echo cleared; exit 5'; echo $?
		chroot "$TMPDIR/root" nosuchfile_t2; echo $?
	EOF
	# It comes along, and tells where the same path leads to inside.
	try chroot_with start:chroot=3 child:chroot=3 start:sh=5 start:env=2 child:sh=1 <<-'EOF'
		root=$TMPDIR/root; cp -r "$KIT/root" "$root"; mkdir -p "$root${KIT%/*}/lib"
		[ -z "$LD_PRELOAD" ] || cp "$LD_PRELOAD" "$root$LD_PRELOAD"
		chroot "$root" /bin/sh -c 'echo *; sh -c "exit 4"; echo $?; exit 5'; echo $?
		chroot "$root" env -i /bin/sh -c 'echo cleared; env; exit 6'; echo $?
		chroot "$root" /bin/sh -c 'kill -TERM $$' 2>/dev/null; echo $?
		[ -z "$GIT_TRACE2_EVENT" ] || cat "$root$GIT_TRACE2_EVENT" >>"$GIT_TRACE2_EVENT"
		rm -f "$root${KIT%/*}/lib/libt2shim.so" "$root${KIT%/*}/events"
		find "$root" | LC_ALL=C sort
	EOF
else
	skip "needs root" chroot
fi
finish
