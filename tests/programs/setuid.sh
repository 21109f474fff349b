#!/bin/sh
# SPDX-License-Identifier: MIT
# Other users and more privileges: the loader does not let us into a program
# that gains any; its parent tells of it.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need_root
need setpriv

cp "$(PATH=$case_path command -v id)" "$kit/setuid_id"
cp "$(PATH=$case_path command -v bash)" "$kit/setuid_bash"
cp "$(PATH=$case_path command -v cat)" "$kit/capable_cat"
chmod 4755 "$kit/setuid_id" "$kit/setuid_bash"

try -u nobody setuid dark:setuid_id dark:setuid_bash child:sh <<'EOF'
"$KIT/setuid_id"; echo $?
env -i "$KIT/setuid_id" -u; echo $?
"$KIT/setuid_bash" -pc 'id -u; env | grep -c -e LD_PRELOAD; sh -c "exit 3"; echo $?; exit 4'
echo $?
"$KIT/setuid_bash" -c 'id -u; sh -c "exit 3"; echo $?; kill -TERM $$' 2>/dev/null; echo $?
sh -c "exec $KIT/setuid_id -ru"
EOF

if have setcap && setcap cap_dac_override+ep "$kit/capable_cat" 2>/dev/null; then
	try -u nobody capabilities dark:capable_cat <<-'EOF'
		"$KIT/capable_cat" /etc/shadow >/dev/null; echo $?
		cat /etc/shadow 2>/dev/null; echo $?
	EOF
else
	skip "cannot set capabilities" capabilities
fi

try setpriv start:setpriv start:id start:sh <<'EOF'
setpriv --reuid nobody --clear-groups id -u; echo $?
setpriv --no-new-privs sh -c 'grep NoNewPrivs /proc/self/status; exit 3'; echo $?
setpriv --no-new-privs --reuid nobody --clear-groups "$KIT/setuid_id" -u
setpriv --bounding-set -all --inh-caps -all sh -c 'exit 4'; echo $?
setpriv --pdeathsig TERM sh -c 'exit 5'; echo $?
setpriv --reset-env --reuid nobody --clear-groups env | grep -v -e '^PATH' -e SHELL | sort
EOF

if have su; then
	try su start:su start:id child:su <<-'EOF'
		su -s /bin/sh -c 'id -u; exit 3' nobody; echo $?
		su -s /bin/sh - nobody -c 'id -un; env | grep -c -e LD_PRELOAD -e TRACE2' 2>/dev/null; echo $?
		su -s /bin/sh nobody -c 'kill -TERM $$' 2>/dev/null; echo $?
		su -s /bin/sh nosuchuser_t2 -c true 2>/dev/null; echo $?
	EOF
	# As an ordinary user it has its privileges from the file.
	try -u nobody su_refused dark:su <<-'EOF'
		su -s /bin/sh -c true root </dev/null 2>/dev/null; echo $?
	EOF
else
	skip "no su" su
fi
if have runuser; then
	try runuser start:runuser start:id <<-'EOF'
		runuser -u nobody -- id -u; runuser -u nobody -- sh -c 'exit 3'; echo $?
	EOF
else
	skip "no runuser" runuser
fi

if have sudo; then
	try -s 's/^(SUDO_COMMAND|PWD|PATH|MAIL|TERM|SHELL|HOME)=.*/\1/' sudo \
		start:sudo start:id start:env <<-'EOF'
		sudo -n -u nobody id -u; echo $?
		sudo -n -u nobody env 2>/dev/null | sort
		sudo -n sh -c 'id -u; exit 4'; echo $?
		sudo -n -E -u nobody sh -c 'kill -TERM $$' 2>/dev/null; echo $?
		sudo -n A=b sh -c 'echo $A; /bin/sh -c "exit 5"'; echo $?
	EOF
	try -u nobody sudo_refused dark:sudo <<-'EOF'
		sudo -n id 2>/dev/null; echo $?
	EOF
else
	skip "no sudo" sudo
fi
finish
