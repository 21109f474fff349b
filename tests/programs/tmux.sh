#!/bin/sh
# SPDX-License-Identifier: MIT
# tmux: a server that daemonizes, shells on terminals of its own.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need tmux
version tmux -V

try session start:tmux child:sh start:seq <<'EOF'
t() { tmux -L t2programs -f /dev/null "$@"; }
trap 't kill-server 2>/dev/null' EXIT; trap exit TERM
export TMUX_TMPDIR=$TMPDIR SHELL=/bin/sh TERM=xterm PS1=
await() { until t capture-pane -p -t s | grep -q "$1"; do sleep 0.05; done; }
t new-session -d -s s -x 80 -y 24 sh; echo $?
t send-keys -t s 'seq 3; (exit 4); echo code $?; tty >/dev/null && echo "on a t"ty' Enter
await '^on a tty'; t capture-pane -p -t s | grep -e '^[0-9]$' -e '^code' -e '^on'
t send-keys -t s 'sleep 9' Enter; sleep 0.3; t send-keys -t s C-c; t send-keys -t s 'echo inter$?' Enter; await '^inter130'
t run-shell 'echo run >run; exit 0'; cat run
t new-window -t s -n other 'exit 3'; t split-window -t s 'echo split >split; sleep 9'; until [ -s split ]; do sleep 0.05; done
t if-shell 'exit 1' 'set @x yes' 'set -g @x no'; t show -gv @x
t pipe-pane -t s:0.0 'cat >piped'; t list-windows -F '#{window_panes}' | wc -l
t kill-session -t s; echo $?; sleep 0.2; t ls 2>&1 | grep -c -e 'no server' -e 'error connecting'
rm -f piped
EOF
finish
