#!/bin/sh
# SPDX-License-Identifier: MIT
# tmux: a server that daemonizes, shells on terminals of its own.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need tmux
version tmux -V

# Targets are whole, since a part of a name may also be that of a window, which
# is named after what runs in it. Each step waits for what the last one did.
try session start:tmux child:sh start:seq start:sleep start:cat <<'EOF'
t() { tmux -S "$TMPDIR/tmux" -f /dev/null "$@"; }
keys() { t send-keys -t =main:0.0 "$@"; }
await() { until t capture-pane -p -t =main:0.0 | grep -q "$1"; do sleep 0.05; done; }
command_of() { t display -p -t "$1" '#{pane_current_command}'; }
running() { until [ "$(command_of "$1")" = "$2" ]; do sleep 0.05; done; }
trap 't kill-server 2>/dev/null' EXIT; trap exit TERM
export SHELL=/bin/sh TERM=xterm PS1=
t new-session -d -s main -x 80 -y 24 sh; echo $?
keys 'seq 3; (exit 4); echo code $?; tty >/dev/null && echo "on a t"ty' Enter
await '^on a tty'
t capture-pane -p -t =main:0.0 | grep -e '^[0-9]$' -e '^code' -e '^on'
keys 'sleep 99' Enter; running =main:0.0 sleep; keys C-c; keys 'echo inter$?' Enter
await '^inter130'
t run-shell 'echo run >run; exit 0'; cat run
t new-window -d -t =main:1 -n other 'exit 3'
while t list-windows -t =main | grep -q other; do sleep 0.05; done
t split-window -d -t =main:0.0 'echo split >split; exec sleep 99'; running =main:0.1 sleep
t list-windows -t =main -F '#{window_panes}'
t if-shell 'exit 1' 'set -g @x yes' 'set -g @x no'
until t show -gv @x 2>/dev/null | grep .; do sleep 0.05; done
t pipe-pane -t =main:0.0 'cat >piped'; keys 'echo to the pi""pe' Enter
until grep -q 'to the pipe' piped 2>/dev/null; do sleep 0.05; done; rm piped
t kill-session -t =main; echo $?; while t ls >/dev/null 2>&1; do sleep 0.05; done
EOF
finish
