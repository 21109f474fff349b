# SPDX-License-Identifier: MIT
#
# t2shim: build, check, install. `make help` lists the targets.

# --- settings: the user's ---------------------------------------------------

O ?= build
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
MANDIR ?= $(PREFIX)/share/man
CFLAGS ?= -O2 -g
WERROR ?= $(if $(CI),1,0)
SANITIZE ?=
V ?= 0

VERSION := $(shell sed -n 's/^.define T2_VERSION "\(.*\)"/\1/p' preload/version.h)

# --- sources ------------------------------------------------------------------

ARCH := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))

# main.c is the constructor; mem.c replaces libc's memory functions. Neither
# belongs in a test program.
SHIM_ONLY := preload/main.c preload/mem.c
CORE_SRC := $(filter-out $(SHIM_ONLY),$(wildcard preload/*.c)) $(wildcard formatters/*.c)
HOOK_SRC := $(wildcard hooks/*.c) hooks/vfork_$(ARCH).S hooks/syscall_$(ARCH).S

# The readers are the command's; inside a host nothing is read.
COMMAND_ONLY := $(wildcard formatters/*_reader.c)
COMMAND_SRC := $(filter-out command/main.c,$(wildcard command/*.c))
COMMAND_LIBS := -lz -lzstd

UNIT_SRC := $(wildcard tests/unit/*.c)
E2E_SRC := $(wildcard tests/e2e/*.c tests/support/*.c)
E2E_OBJECTS := empty forks_first # objects of their own, preloaded
E2E_SRC := $(filter-out $(E2E_OBJECTS:%=tests/support/%.c),$(E2E_SRC))
ORACLE_SRC := $(wildcard tests/oracle/*.c)
VICTIM_SRC := $(wildcard tests/victims/*.c tests/victims/*.cc)

obj = $(patsubst %,$(O)/$(1)/%.o,$(basename $(2)))
CORE_OBJ := $(call obj,pic,$(filter-out $(COMMAND_ONLY),$(CORE_SRC)))
SHIM_OBJ := $(call obj,pic,$(SHIM_ONLY) $(HOOK_SRC))
COMMAND_OBJ := $(call obj,test,$(COMMAND_SRC))
TEST_CORE_OBJ := $(call obj,test,$(CORE_SRC))
UNIT_OBJ := $(call obj,test,$(UNIT_SRC))
E2E_OBJ := $(call obj,test,$(E2E_SRC))
VICTIMS := $(patsubst tests/victims/%,$(O)/tests/victims/%,$(basename $(VICTIM_SRC)))

OBJCOPY ?= $(shell $(CC) -print-prog-name=objcopy)

# --- flags --------------------------------------------------------------------

T2_CPPFLAGS := -D_GNU_SOURCE -I. -MMD -MP
T2_WARNINGS := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes \
	-Wvla -Walloca $(if $(filter 1,$(WERROR)),-Werror)
T2_CFLAGS := -std=gnu11 $(T2_WARNINGS)

# In a stranger's process:
#   initial-exec TLS      the first use in a thread must not allocate
#   hidden by default     what we export is interposed on the host
#   no stack protector    its guard would make libc's abort an import of ours
#   unwind tables         pthread_exit unwinds through the thread trampoline
#   malign-data=abi       what a start touches fits a page (preload/limits.h)
T2_PIC_CFLAGS := $(T2_CFLAGS) -Wconversion -Wswitch-enum -Wframe-larger-than=1024 -fPIC -fvisibility=hidden \
	-ftls-model=initial-exec -fno-stack-protector -fasynchronous-unwind-tables \
	-fno-tree-loop-distribute-patterns -ffunction-sections -U_FORTIFY_SOURCE \
	$(if $(filter x86_64,$(ARCH)),-fcf-protection=full -malign-data=abi,-mbranch-protection=standard)

#   now, relro            no lazy binding in a vfork child or a signal handler
#   no as-needed          libc is there before us, though nothing of it is imported
#   defs                  an undefined name would kill every program
#   nodelete              nobody may unload us
#   noseparate-code       two mappings less for the loader to make: 2 % of a spawn
#   sorted sections       static memory in the order preload/limits.h gives it
#   no start files        four look-ups less; we have nothing for them to do
#   early.ld              what every process reads is next to what it runs
T2_LDFLAGS := -shared -nostartfiles -Wl,-soname,libt2shim.so -Wl,-z,now -Wl,-z,relro -Wl,-z,defs \
	-Wl,-z,nodelete -Wl,-z,noexecstack -Wl,-z,noseparate-code -Wl,--sort-section=name -Wl,--exclude-libs,ALL -Wl,--no-as-needed -Wl,--hash-style=gnu \
	-Wl,-T,preload/early.ld

T2_TEST_CFLAGS := $(T2_CFLAGS) -fPIE $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer)

quiet = $(if $(filter 1,$(V)),,@printf '  %-8s%s\n' $(1) $@;)

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all check check-build $(CHECKS) bench faults programs suites fuzz golden lint install uninstall clean help FORCE

# --- build --------------------------------------------------------------------

all: $(O)/libt2shim.so $(O)/t2 ## build libt2shim.so and t2

# A change of the flags rebuilds everything.
FLAGS := $(CC) $(T2_PIC_CFLAGS) $(T2_LDFLAGS) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(WERROR) $(SANITIZE)
$(O)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(FLAGS)' | cmp -s - $@ || echo '$(FLAGS)' >$@

# What every process runs is mapped together.
$(O)/early.args: preload/early.list
	@mkdir -p $(@D)
	@sed 's/.*/--rename-section .text.&=.text.hot.&/' $< >$@

$(O)/pic/%.o: %.c $(O)/flags $(O)/early.args
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(T2_CPPFLAGS) $(CPPFLAGS) $(T2_PIC_CFLAGS) $(CFLAGS) -c $< -o $@
	@$(OBJCOPY) @$(O)/early.args $@

$(O)/pic/%.o: %.S $(O)/flags
	@mkdir -p $(@D)
	$(call quiet,AS)$(CC) $(T2_CPPFLAGS) $(CPPFLAGS) $(T2_PIC_CFLAGS) $(CFLAGS) -c $< -o $@

$(O)/test/%.o: %.c $(O)/flags
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(T2_CPPFLAGS) $(CPPFLAGS) $(T2_TEST_CFLAGS) $(CFLAGS) -c $< -o $@

# t2 looks for the shim where it is going to be installed.
$(O)/libdir: FORCE
	@mkdir -p $(@D)
	@echo '$(LIBDIR)' | cmp -s - $@ || echo '$(LIBDIR)' >$@
$(O)/test/command/record.o: $(O)/libdir
$(O)/test/command/record.o: T2_CPPFLAGS += -DT2_LIBDIR='"$(LIBDIR)"'

$(O)/exports.map: hooks/hooks.def scripts/gen-exports.sh
	@mkdir -p $(@D)
	$(call quiet,GEN)CC='$(CC)' scripts/gen-exports.sh $< >$@

$(O)/libt2shim.so: $(SHIM_OBJ) $(CORE_OBJ) $(O)/exports.map preload/early.ld
	$(call quiet,LD)$(CC) $(CFLAGS) $(T2_LDFLAGS) $(LDFLAGS) \
		-Wl,--version-script=$(O)/exports.map $(SHIM_OBJ) $(CORE_OBJ) -o $@

$(O)/libt2core.a: $(TEST_CORE_OBJ)
	$(call quiet,AR)rm -f $@; $(AR) rcs $@ $^

$(O)/libt2command.a: $(COMMAND_OBJ)
	$(call quiet,AR)rm -f $@; $(AR) rcs $@ $^

# PIE, so that the weak reference to the public API is the loader's to fill in.
$(O)/t2: $(call obj,test,command/main.c) $(O)/libt2command.a $(O)/libt2core.a
	$(call quiet,LD)$(CC) $(CFLAGS) $(T2_TEST_CFLAGS) -pie $(LDFLAGS) $^ $(COMMAND_LIBS) -o $@

# --- checks -------------------------------------------------------------------

$(O)/tests/unit: $(UNIT_OBJ) $(O)/libt2command.a $(O)/libt2core.a
	@mkdir -p $(@D)
	$(call quiet,LD)$(CC) $(CFLAGS) $(T2_TEST_CFLAGS) $(LDFLAGS) $^ $(COMMAND_LIBS) -lcriterion -o $@

$(O)/tests/e2e: $(E2E_OBJ)
	@mkdir -p $(@D)
	$(call quiet,LD)$(CC) $(CFLAGS) $(T2_TEST_CFLAGS) $(LDFLAGS) $^ -lcriterion -ljansson -o $@

$(O)/tests/make_trace: tests/scale/make_trace.c
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(CPPFLAGS) $(T2_CFLAGS) $(CFLAGS) $< -o $@

$(E2E_OBJECTS:%=$(O)/tests/%.so): $(O)/tests/%.so: tests/support/%.c
	@mkdir -p $(@D)
	$(call quiet,LD)$(CC) $(CFLAGS) -shared -fPIC $< -o $@

$(O)/tests/oracle: $(call obj,test,$(ORACLE_SRC))
	@mkdir -p $(@D)
	$(call quiet,LD)$(CC) $(CFLAGS) $(T2_TEST_CFLAGS) $(LDFLAGS) $^ -ljansson -o $@

TRANSPARENCY := $(addprefix $(O)/tests/transparency/,launch probe ways bad.so)
$(O)/tests/transparency/launch: $(call obj,test,tests/transparency/launch.c tests/transparency/observe.c)
	@mkdir -p $(@D)
	$(call quiet,LD)$(CC) $(CFLAGS) $(T2_TEST_CFLAGS) $(LDFLAGS) $^ -o $@

$(O)/tests/transparency/%.so: tests/transparency/%.c
	@mkdir -p $(@D)
	$(call quiet,LD)$(CC) -D_GNU_SOURCE -std=gnu11 -O1 -Wall -Wextra -shared -fPIC $< -o $@ -pthread

$(O)/tests/transparency/%: tests/transparency/%.c
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) -D_GNU_SOURCE -std=gnu11 -O1 -Wall -Wextra -Wno-deprecated-declarations $< -o $@

# Victims are strangers: built with nothing of ours.
$(O)/tests/victims/%_fixed: VICTIM_FLAGS := -no-pie -fno-pie
# The loader looks functions up at their first call, on whatever stack that is.
$(O)/tests/victims/small_%: VICTIM_FLAGS := -Wl,-z,now
$(O)/tests/victims/%: tests/victims/%.c
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) -D_GNU_SOURCE -std=gnu11 -O1 -g -w $(VICTIM_FLAGS) $< -o $@ \
		-pthread -lutil -ldl

$(O)/tests/victims/%: tests/victims/%.cc
	@mkdir -p $(@D)
	$(call quiet,CXX)$(CXX) -O1 -g -Wall $< -o $@ -pthread

# Everything the tests run, built in parallel before they run one by one.
check-build: all $(O)/tests/make_trace $(O)/tests/unit $(O)/tests/e2e $(E2E_OBJECTS:%=$(O)/tests/%.so) $(O)/tests/oracle \
	$(TRANSPARENCY) $(VICTIMS)

check: check-build ## run every test
	T2_BUILD=$(O) scripts/run-tests

CHECKS := check-structure check-unit check-sanitized check-e2e check-command check-transparency check-oracle \
	check-stress check-faults check-programs check-realworld check-suites
check-structure: ## layers, symbols, sizes, coverage
check-unit: ## the static core
check-sanitized: ## the static core, and all of t2, under AddressSanitizer and UBSan
check-e2e: ## every victim, with and without the shim
check-command: ## t2: each subcommand on traces worked out by hand
check-transparency: ## every victim with and without the shim, down to the system calls
check-oracle: ## whether the comparison with strace can fail
check-stress: ## many processes, many writers
check-faults: ## full disks, dead peers, limits, storms
check-programs: ## the quick ones of make programs
check-realworld: ## real builds and programs, bare, traced, and against strace
check-suites: ## the quick ones of make suites: shells, jobserver, git
$(CHECKS): check-%: check-build
	T2_BUILD=$(O) scripts/run-tests $*

bench: all $(O)/tests/empty.so ## what the shim costs: exact counts, and ratios within one run
	T2_BUILD=$(O) scripts/bench

LONG ?= 20
faults: check-build ## check-faults with LONG times as many rounds
	T2_LONG=$(LONG) T2_BUILD=$(O) scripts/run-tests faults

programs: all $(O)/tests/empty.so ## shells, toolchains, servers, browsers with and without the shim
	T2_SHIM=$(abspath $(O))/libt2shim.so T2_EMPTY=$(abspath $(O))/tests/empty.so tests/programs/run.sh

SUITES ?=
suites: all $(O)/tests/empty.so ## third-party suites (all, or SUITES="shells git"), case by case; an hour
	T2_SHIM=$(abspath $(O))/libt2shim.so T2_EMPTY=$(abspath $(O))/tests/empty.so tests/suites/run.sh $(SUITES)

FUZZ_SECONDS ?= 600
fuzz: ## each fuzzer for FUZZ_SECONDS
	for target in $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c)); do \
		T2_BUILD=$(O) scripts/fuzz $$target $(FUZZ_SECONDS) || exit; \
	done

golden: all $(O)/tests/e2e $(VICTIMS) ## record the golden files anew and show the difference
	T2_BUILD=$(O) scripts/golden.sh

C_FILES = $(shell find preload hooks formatters command scripts tests -name '*.[ch]' 2>/dev/null)
SH_FILES = $(shell grep -lrI --exclude='*.cases' '^\#!/bin/sh' scripts tests .ci 2>/dev/null)

lint: ## format, static analysis, shell scripts
	clang-format --dry-run -Werror $(C_FILES)
	cppcheck --quiet --enable=warning,portability --error-exitcode=1 --inline-suppr \
		--suppress=unknownMacro -D_GNU_SOURCE -D__x86_64__ -I. preload hooks formatters command
	shellcheck $(SH_FILES)

# --- install --------------------------------------------------------------------

install: all ## install below $(DESTDIR)$(PREFIX)
	install -d $(DESTDIR)$(LIBDIR)/t2shim
	install -m 755 $(O)/libt2shim.so $(DESTDIR)$(LIBDIR)/t2shim/
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(LIBDIR)/pkgconfig
	install -m 755 $(O)/t2 $(DESTDIR)$(PREFIX)/bin/
	install -m 644 preload/trace2.h $(DESTDIR)$(PREFIX)/include/
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@VERSION@|$(VERSION)|' \
		preload/trace2.pc.in >$(DESTDIR)$(LIBDIR)/pkgconfig/trace2.pc
	for page in scripts/man/*; do \
		install -D -m 644 $$page $(DESTDIR)$(MANDIR)/man$${page##*.}/$${page##*/} || exit; \
	done
	install -D -m 644 scripts/completion/t2.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/t2
	install -D -m 644 scripts/completion/_t2 $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_t2

uninstall: ## remove what install put there
	rm -f $(DESTDIR)$(LIBDIR)/t2shim/libt2shim.so $(DESTDIR)$(PREFIX)/bin/t2 \
		$(DESTDIR)$(PREFIX)/include/trace2.h $(DESTDIR)$(LIBDIR)/pkgconfig/trace2.pc \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/t2 \
		$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_t2 \
		$(foreach page,$(notdir $(wildcard scripts/man/*)),$(DESTDIR)$(MANDIR)/man$(lastword $(subst ., ,$(page)))/$(page))
	-rmdir $(DESTDIR)$(LIBDIR)/t2shim

clean: ## remove the build directory
	rm -rf $(O)

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 18
	@echo
	@echo 'Settings: O=DIR PREFIX= LIBDIR= DESTDIR= CC= CFLAGS= LDFLAGS= FUZZ_SECONDS= LONG= SUITES= WERROR=0|1 SANITIZE=list V=1'

FORCE:

-include $(shell find $(O) -name '*.d' 2>/dev/null)
