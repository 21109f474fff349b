#!/bin/sh
# SPDX-License-Identifier: MIT
# Recursive, parallel make with everything a Makefile can start.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need make cc ar

generate() {
	mkdir lib app
	for i in 1 2 3 4 5 6; do
		printf 'int part_%d(int x)\n{\n\treturn x * %d;\n}\n' $i $i >lib/part$i.c
	done
	{
		for i in 1 2 3 4 5 6; do echo "int part_$i(int);"; done
		printf '#include <stdio.h>\nint main(void)\n{\n\treturn !printf("%%d\\n", 0'
		for i in 1 2 3 4 5 6; do printf ' + part_%d(%d)' $i $i; done
		printf ');\n}\n'
	} >app/main.c
	cat >Makefile <<-'EOF'
		SHELL = /bin/sh
		VERSION := $(shell echo 1.2 | sed 's/\./_/')
		NOBODY := $(shell nosuchcommand_t2 2>/dev/null; echo $$?)
		SUBDIRS = lib app
		all: $(SUBDIRS) loops report/$(VERSION) jobs
		app: lib
		$(SUBDIRS):
			+$(MAKE) -C $@ VERSION=$(VERSION)
		loops:
			@for d in a b c; do mkdir -p $@.$$d; for f in 1 2 3; do echo $$d$$f >$@.$$d/$$f; done; done
			@ls -d $@.* | sort | tr '\n' ' ' >$@; cat $@.*/* | sort -r | head -n 2 >>$@
		report/%:
			@mkdir -p $(@D)
			@(echo "$(VERSION) $(NOBODY)"; echo lib | cat | wc -c) >$@
		jobs:
			@set -e; for i in 1 2 3 4; do (sleep 0.0$$i; echo job $$i >$@.$$i) & done; wait; cat $@.* >$@
		broken: broken.1 broken.2 broken.3
		broken.%:
			@echo making $@; test $* != 2; touch $@
		killed:
			@kill -TERM $$$$
		.PHONY: $(SUBDIRS)
	EOF
	cat >lib/Makefile <<-'EOF'
		OBJS = $(patsubst %.c,%.o,$(wildcard part*.c))
		libpart.a: $(OBJS)
			rm -f $@; ar rcD $@ $^
			@test "$$(ar t $@ | wc -l)" -eq 6
		%.o: %.c
			$(CC) -O1 -c -o $@ $<
	EOF
	cat >app/Makefile <<-'EOF'
		all: app sum
		app: main.o ../lib/libpart.a
			$(CC) -o $@ $^
		sum: app
			./app >$@
			echo $(shell cat main.c | wc -l) $(VERSION) >>$@
		main.o: main.c
			$(CC) -O1 -c -o $@ $<
	EOF
	cat >drive <<-'EOF'
		make -j4 all; echo "all $?"
		make -j4 all; echo "again $?"
		make -k -j2 broken; echo "broken $?"
		make killed; echo "killed $?"
		make -n all >/dev/null; echo "dry $?"
		make nosuchtarget; echo "none $?"
		touch lib/part3.c; make -j4 --output-sync all; echo "changed $?"
		make -q app; echo "question $?"
	EOF
}

order=free
compare
