# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Completion of t2 for bash(1). What there is to complete is asked of t2 itself, so
# nothing here has to know its subcommands or options.

_t2_words() {
	t2 "$@" --help 2>/dev/null
}

_t2_commands() {
	_t2_words | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p'
}

_t2_options() {
	_t2_words "$1" | grep -oE -- '(^|[ ,])--?[A-Za-z][-a-z]*' | tr -d ' ,' | sort -u
}

# Where the command line of another program begins: behind "--", or behind the options
# of the first form. Prints its index, or nothing.
_t2_program() {
	local i
	for ((i = 1; i < COMP_CWORD; i++)); do
		[[ ${COMP_WORDS[i]} != -- ]] || {
			echo $((i + 1))
			return
		}
	done
}

_t2() {
	local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} program
	program=$(_t2_program)
	COMPREPLY=()
	if [[ -n $program ]]; then
		if declare -F _command_offset >/dev/null; then
			_command_offset "$program"
		else
			mapfile -t COMPREPLY < <(compgen -cf -- "$word")
		fi
	elif ((COMP_CWORD == 1)); then
		mapfile -t COMPREPLY < <(compgen -W "$(_t2_commands) -- --help --version" -- "$word")
	elif [[ $word == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_t2_options "$command")" -- "$word")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
	fi
}

complete -o filenames -F _t2 t2
