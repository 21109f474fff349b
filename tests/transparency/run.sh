#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Run a command bare, with an empty preload, with the shim and with the shim
# without a target, and tell every difference that is not in the list "allowed".
#
#   run.sh [OPTION...] -- COMMAND [ARG...]
#
#   -s COMMAND  prepare each run's empty working directory with this, by sh -c
#   -n TIMES    that many runs of each mode (2, and not fewer), more of those without
#               the shim if there is a difference: what the bare runs
#               do not agree upon among themselves is not compared
#   -x FACETS   leave these out, by commas: out err status files fds env
#               dispositions maps syscalls
#   -S          -x syscalls
#   -e NAME     the variable that names the target (GIT_TRACE2_EVENT)
#   -q          a shim that tells nothing will do
#   -t SECONDS  time limit of one run (60)
#   -u FILE     append the numbers of the lines of "allowed" that were needed
#   -v          say what was not compared, and why
#   -k DIR      keep outputs and traces there
#
# Exit status: 0 the same; 1 not, with a line and an excerpt for each difference;
# 2 it cannot be compared.
#
# Outputs, status and files are those of undisturbed runs. Descriptors, the
# environment, dispositions and mappings are looked at in further runs, in every
# process image at its entry point and at its end (launch.c); the system calls
# in yet others, under strace (strace_log.py).
#
# T2_BUILD  where check-build has put the tools (build)
# T2_SHIM   the shim (libt2shim.so there)
set -eu
PYTHONDONTWRITEBYTECODE=1 exec python3 "$(dirname "$0")/harness.py" "$@"
