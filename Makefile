# goheapx: build, tests and installation. GNU make; `make help` lists the targets.

PREFIX  ?= /usr/local
DESTDIR ?=
CFLAGS  ?= -O2 -g
ifeq ($(origin CC),default)
CC := gcc
endif
PYTHON  ?= python3
INSTALL ?= install

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion
# SANITIZE=1 or SANITIZE=thread: another folder, other flags.
SANITIZER_1      := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
SANITIZER_thread := -fsanitize=thread
BUILD_1          := build/sanitize
BUILD_thread     := build/thread
ifdef WERROR
WARNINGS += -Werror
endif
ifdef SANITIZE
BUILD ?= $(BUILD_$(SANITIZE))
SANITIZER_FLAGS := $(SANITIZER_$(SANITIZE))
endif
BUILD ?= build

# ---- Layers, in order: a file may use its own layer and those before it. `make layers` checks that.

LAYERS := base format heap analysis table ui main

# Libraries, by the first layer that may use them.
LIBS_base := -larchive -pthread
LIBS_ui   := -lreadline -lncursesw -ltinfo

reverse = $(if $1,$(call reverse,$(wordlist 2,$(words $1),$1)) $(firstword $1))
upto    = $(if $(filter $1,$2),$(firstword $2) $(if $(filter $1,$(firstword $2)),,\
          $(call upto,$1,$(wordlist 2,$(words $2),$2))))

# $(call sources,LAYER), $(call objects,LAYERS), $(call libs,LAYERS)
sources = $(sort $(wildcard src/$1/*.c src/$1/*/*.c))
objects = $(foreach layer,$1,$(patsubst %.c,$(BUILD)/%.o,$(call sources,$(layer))))
libs    = $(foreach layer,$(call reverse,$1),$(LIBS_$(layer)))
# The layers from the first to $1.
below   = $(strip $(call upto,$1,$(LAYERS)))

OBJECTS := $(call objects,$(LAYERS))
PROGRAM := $(BUILD)/goheapx

# ---- Compiling

COMPILE = $(CC) -std=c11 -D_GNU_SOURCE -Iinclude -Isrc $(WARNINGS) $(CPPFLAGS) $(CFLAGS) \
          $(SANITIZER_FLAGS) -pthread
LINK    = $(CC) $(CFLAGS) $(SANITIZER_FLAGS) $(LDFLAGS)

# Commands are shown in full with V=1.
quiet = $(if $(V),,@echo '  $1	$2';)

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: all demo check golden layers includes tests bench lint install uninstall clean help
.PHONY: deps build-deps check-deps FORCE

all: $(PROGRAM)

$(PROGRAM): $(OBJECTS)
	$(call quiet,LINK,$@)$(LINK) -o $@ $^ $(call libs,$(LAYERS)) $(LDLIBS)

$(OBJECTS): $(BUILD)/%.o: %.c $(BUILD)/flags | build-deps
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(COMPILE) -MMD -MP -c -o $@ $<

flags = $(subst ','\'',$(COMPILE) $(LINK))

# Rewritten when the compiler or its flags are others than last time, so that everything is rebuilt.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(flags)' | cmp -s - $@ || echo '$(flags)' >$@

# ---- Layers: each is linked with those before it only. Objects, not archives: an archive hides a call
# to the right as long as nobody pulls its member in.

LINKED_LAYERS := $(filter-out main,$(LAYERS))

layers: includes $(LINKED_LAYERS:%=$(BUILD)/layers/%)
	@echo 'layers: each links with those before it only'

define layer_rule
$$(BUILD)/layers/$1: $$(call objects,$$(call below,$1))
	@mkdir -p $$(@D)
	$$(call quiet,LINK,$$@)$$(LINK) -Wl,--defsym=main=0 -o $$@ $$^ $$(call libs,$$(call below,$1))
endef
$(foreach layer,$(LINKED_LAYERS),$(eval $(call layer_rule,$(layer))))

includes:
	@sh tests/layers/includes.sh $(LAYERS)

# ---- Tests. Unit tests are tests/unit/LAYER/test_*.c; each is linked with the layers up to its own.
# Other files in these folders are helpers of that layer's tests and of those to its right.

UNIT_SOURCES := $(sort $(wildcard tests/unit/*/test_*.c))
UNIT_TESTS   := $(UNIT_SOURCES:%.c=$(BUILD)/%)
UNIT_HELPERS := $(filter-out $(UNIT_SOURCES),$(sort $(wildcard tests/unit/*/*.c)))

helpers = $(foreach layer,$1,$(patsubst %.c,$(BUILD)/%.o,$(filter tests/unit/$(layer)/%,$(UNIT_HELPERS))))

$(UNIT_TESTS:=.o) $(UNIT_HELPERS:%.c=$(BUILD)/%.o): $(BUILD)/%.o: %.c $(BUILD)/flags | check-deps
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(COMPILE) -Itests/unit -MMD -MP -c -o $@ $<

define unit_rule
$$(filter $$(BUILD)/tests/unit/$1/%,$$(UNIT_TESTS)): %: %.o $$(call objects,$$(call below,$1)) \
		$$(call helpers,$$(call below,$1))
	$$(call quiet,LINK,$$@)$$(LINK) -o $$@ $$^ $$(call libs,$$(call below,$1)) -lcmocka $$(LDLIBS)
endef
$(foreach layer,$(LINKED_LAYERS),$(eval $(call unit_rule,$(layer))))

# What the test runner needs built: the program and the unit tests.
tests: $(PROGRAM) $(UNIT_TESTS)

check: check-deps
	@$(PYTHON) tests/run.py $(TESTS) </dev/null

golden: check-deps
	@$(PYTHON) tests/run.py --rewrite golden </dev/null

# Time and memory of every stage, beside a plain sequential read: make bench DUMP=file
BENCH := $(BUILD)/tests/bench/bench

$(BENCH).o: tests/bench/bench.c $(BUILD)/flags | build-deps
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(COMPILE) -MMD -MP -c -o $@ $<

$(BENCH): $(BENCH).o $(call objects,$(call below,analysis))
	$(call quiet,LINK,$@)$(LINK) -o $@ $^ $(call libs,$(call below,analysis)) $(LDLIBS)

bench: $(BENCH)
	@test -n '$(DUMP)' || { echo 'bench: name a dump: make bench DUMP=file' >&2; exit 2; }
	$(BENCH) '$(DUMP)'

lint: build-deps
	clang-tidy --quiet $(foreach layer,$(LAYERS),$(call sources,$(layer))) -- \
		-std=c11 -D_GNU_SOURCE -Iinclude -Isrc

# ---- The explorer on a real dump; its report where there is no terminal.

DEMO := testdata/go1.24.4-small.dump.xz

demo: $(PROGRAM)
	@if [ -t 0 ] && [ -t 1 ]; then $(PROGRAM) $(DEMO); else $(PROGRAM) info $(DEMO); fi

# ---- Debian packages

BUILD_PACKAGES := gcc libc6-dev libncurses-dev libreadline-dev libarchive-dev
CHECK_PACKAGES := clang libcmocka-dev python3 tmux
PACKAGES       := $(BUILD_PACKAGES) $(CHECK_PACKAGES)

deps: ; @sh .ci/packages.sh $(PACKAGES)
build-deps: ; @sh .ci/packages.sh $(BUILD_PACKAGES)
check-deps: ; @sh .ci/packages.sh $(PACKAGES)

# ---- Installation

bindir  := $(DESTDIR)$(PREFIX)/bin
mandir  := $(DESTDIR)$(PREFIX)/share/man/man1
bashdir := $(DESTDIR)$(PREFIX)/share/bash-completion/completions
zshdir  := $(DESTDIR)$(PREFIX)/share/zsh/site-functions

install: $(PROGRAM)
	$(INSTALL) -d '$(bindir)' '$(mandir)' '$(bashdir)' '$(zshdir)'
	$(INSTALL) -m 755 $(PROGRAM) '$(bindir)/goheapx'
	$(INSTALL) -m 644 man/goheapx.1 '$(mandir)/goheapx.1'
	$(PROGRAM) completion bash >'$(bashdir)/goheapx'
	$(PROGRAM) completion zsh >'$(zshdir)/_goheapx'
	chmod 644 '$(bashdir)/goheapx' '$(zshdir)/_goheapx'

uninstall:
	rm -f '$(bindir)/goheapx' '$(mandir)/goheapx.1' '$(bashdir)/goheapx' '$(zshdir)/_goheapx'

clean:
	rm -rf build

help:
	@echo 'make              build $(PROGRAM)'
	@echo 'make demo         open the explorer on a dump of testdata/'
	@echo 'make check        build and run all tests (TESTS=golden: only those whose name has that)'
	@echo 'make golden       rewrite the golden screens from what the program draws now'
	@echo 'make layers       check that no layer uses one to its right'
	@echo 'make bench DUMP=file   time and memory of every stage'
	@echo 'make lint         clang-tidy'
	@echo 'make deps         install the Debian packages: $(PACKAGES)'
	@echo 'make install, make uninstall   below PREFIX=$(PREFIX), in DESTDIR'
	@echo 'make clean        remove build/'
	@echo 'SANITIZE=1 builds with ASan and UBSan, SANITIZE=thread with TSan, WERROR=1 with -Werror;'
	@echo 'V=1 shows the commands;'
	@echo 'CC, CFLAGS, CPPFLAGS, LDFLAGS are respected.'

-include $(shell find $(BUILD)/src $(BUILD)/tests -name '*.d' 2>/dev/null)
