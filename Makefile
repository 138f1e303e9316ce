# goheapx: build, tests and installation. GNU make; `make help` lists the targets.

PREFIX  ?= /usr/local
DESTDIR ?=
# With WERROR=1, which is for tests, the debugger gets only lines: that compiles in three quarters of the time.
CFLAGS  ?= -O2 $(if $(WERROR),-g1,-g)
ifeq ($(origin CC),default)
CC := gcc
endif
PYTHON  ?= python3
INSTALL ?= install

# As many jobs as there are processors, unless -j says how many.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell getconf _NPROCESSORS_ONLN)
endif

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion
# SANITIZE=1 or SANITIZE=thread: another folder, other flags.
SANITIZER_1      := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
SANITIZER_thread := -fsanitize=thread
BUILD_1          := build/sanitize
BUILD_thread     := build/thread
# At a fixed place a program starts sooner, and of those with ASan the tests start thousands.
PLACE_1          := -no-pie
RUNTIME_1        := $(if $(findstring gcc,$(CC)),-static-libasan -static-libubsan)
ifdef WERROR
WARNINGS += -Werror
endif
ifdef SANITIZE
BUILD ?= $(BUILD_$(SANITIZE))
SANITIZER_FLAGS := $(SANITIZER_$(SANITIZE))
PLACE := $(PLACE_$(SANITIZE))
endif
ifdef FUZZING
BUILD ?= build/fuzz
SANITIZER_FLAGS := $(SANITIZER_1) -fsanitize=fuzzer-no-link
endif
# STATIC=1: no shared libraries; those that the libraries take are named, too.
ifdef STATIC
BUILD          := build/static$(addprefix -,$(CROSS))
LINKED         := -static -Wl,--gc-sections
STATIC_LIBS    := -lbz2 -llz4 -lz -llzma -lzstd -ltinfo -lm
STATIC_DEFINES := -DGOHEAPX_LINKED='"without shared libraries"'
# CROSS=aarch64-linux-gnu: for another architecture, with libraries that packaging/sysroot.sh has fetched.
ifdef CROSS
CC      := $(CROSS)-gcc
SYSROOT := $(dir $(BUILD))sysroot-$(CROSS)/usr
CROSS_INCLUDES := -isystem $(SYSROOT)/include -isystem $(SYSROOT)/include/$(CROSS)
LINKED  += -L$(SYSROOT)/lib/$(CROSS)
endif
# Debian's libxxhash.a lacks what chooses between registers.
$(BUILD)/src/base/index_format.o: CPPFLAGS += -DXXHASH_PLAIN
endif
BUILD ?= build

# ---- Layers, in order: a file may use its own layer and those before it. `make layers` checks that.

LAYERS := base exe format heap runtime types analysis table report ui main

# Libraries, by the first layer that may use them.
LIBS_base   := -lxxhash -lz -llzma -lzstd -lbz2 -llz4 -pthread
LIBS_format := -ljansson -lm
LIBS_exe    := -ldw -lelf
LIBS_table  := -lsqlite3
LIBS_ui     := -lreadline -lncursesw -ltinfo

reverse = $(if $1,$(call reverse,$(wordlist 2,$(words $1),$1)) $(firstword $1))
upto    = $(if $(filter $1,$2),$(firstword $2) $(if $(filter $1,$(firstword $2)),,\
          $(call upto,$1,$(wordlist 2,$(words $2),$2))))

# $(call sources,LAYER), $(call objects,LAYERS), $(call libs,LAYERS). What is there for one language or format is
# in src/NAME/LAYER, and is part of that layer.
sources = $(sort $(wildcard src/$1/*.c src/$1/*/*.c src/*/$1/*.c src/*/$1/*/*.c))
objects = $(foreach layer,$1,$(patsubst %.c,$(BUILD)/%.o,$(call sources,$(layer))))
libs    = $(foreach layer,$(call reverse,$1),$(LIBS_$(layer)))
# The layers from the first to $1.
below   = $(strip $(call upto,$1,$(LAYERS)))

OBJECTS := $(call objects,$(LAYERS))
TEXTS   := $(BUILD)/texts
PROGRAM := $(BUILD)/goheapx
TESTED  := $(BUILD)/tests/goheapx

# ---- Version: that of git, or of the tarball

VERSION := $(shell cat VERSION 2>/dev/null || sh packaging/version.sh)

# ---- Compiling

COMPILE = $(CC) -std=c11 -D_GNU_SOURCE -Iinclude -Isrc $(CROSS_INCLUDES) $(WARNINGS) $(CPPFLAGS) $(CFLAGS) \
          $(SANITIZER_FLAGS) -pthread $(if $(STATIC),-ffunction-sections)
LINK    = $(CC) $(CFLAGS) $(SANITIZER_FLAGS) $(PLACE) $(LINKED) $(LDFLAGS)
# Of programs for tests there are a hundred: lld links them in a third of the time.
LINK_TEST = $(LINK) $(if $(LLD),-fuse-ld=lld -Wl$(comma)--threads=1)
LLD      := $(shell command -v ld.lld)
comma    := ,

# Commands are shown in full with V=1.
quiet = $(if $(V),,@echo '  $1	$2';)

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: all daemons demo bench-pause check check-all golden layers includes names format format-check tested tests bench lint install uninstall clean help
.PHONY: static deb dist release deps release-deps build-deps check-deps deb-deps warnings fuzz fuzzers damage faults storm harm mutate FORCE

all: $(PROGRAM)

$(PROGRAM): $(OBJECTS) $(TEXTS).o $(BUILD)/objects
	$(call quiet,LINK,$@)$(LINK) -o $@ $(filter %.o,$^) $(call libs,$(LAYERS)) $(STATIC_LIBS) $(LDLIBS)

# What tests run, some ten thousand times: half of a start, and with ASan a third, goes into shared libraries.
# libxxhash.a lacks what chooses between registers.
$(TESTED): $(OBJECTS) $(TEXTS).o $(BUILD)/objects
	@mkdir -p $(@D)
	$(call quiet,LINK,$@)$(LINK_TEST) $(RUNTIME_$(SANITIZE)) -o $@ $(filter %.o,$^) -Wl,-Bstatic \
		$(filter-out -lxxhash -lm,$(call libs,$(LAYERS))) -Wl,-Bdynamic -lxxhash -lm $(LDLIBS)

# Rewritten when a source was added or removed, so that the program is linked anew.
$(BUILD)/objects: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' $(OBJECTS) | cmp -s - $@ || printf '%s\n' $(OBJECTS) >$@

# Only this file knows of the version: it alone is compiled anew with each commit.
$(BUILD)/src/main/docs/version.o: CPPFLAGS += -DGOHEAPX_VERSION='"$(VERSION)"' $(STATIC_DEFINES)
$(BUILD)/src/main/docs/version.o: $(BUILD)/version

$(BUILD)/version: FORCE
	@mkdir -p $(@D)
	@echo '$(VERSION)' | cmp -s - $@ || echo '$(VERSION)' >$@

$(OBJECTS): $(BUILD)/%.o: %.c $(BUILD)/flags | build-deps
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(COMPILE) -MMD -MP -c -o $@ $<

# What the program prints as it is, without its comments: the prose of the manual as an array of its lines, and
# each file of src/main/docs/texts as one string, ticket.css as ticket_css.
$(TEXTS).c: src/main/docs/manual.mdoc $(wildcard src/main/docs/texts/*)
	@mkdir -p $(@D)
	@{ echo 'const char *const manual_lines[] = {'; \
		LC_ALL=C sed '/^\.\\"/d; s/[\\"?]/\\&/g; s/.*/"&\\n",/' $<; echo '0};'; \
		for file in $(filter src/main/docs/texts/%,$^); do \
			echo "const char $$(basename $$file | tr . _)[] ="; \
			LC_ALL=C sed '/^\/\/ /d; s/[\\"?]/\\&/g; s/.*/"&\\n"/' $$file; echo ';'; done; } >$@

$(TEXTS).o: $(TEXTS).c $(BUILD)/flags | build-deps
	$(call quiet,CC,$<)$(COMPILE) -Wno-overlength-strings -c -o $@ $<

flags = $(subst ','\'',$(COMPILE) $(LINK_TEST))

# Rewritten when the compiler or its flags are others than last time, so that everything is rebuilt.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(flags)' | cmp -s - $@ || echo '$(flags)' >$@

# ---- Layers: each is linked with those before it only. Objects, not archives: an archive hides a call
# to the right as long as nobody pulls its member in.

LINKED_LAYERS := $(filter-out main,$(LAYERS))
# Formats that are a folder and nothing else: the program links without each of them.
REMOVABLE := $(filter-out go,$(patsubst src/%/format,%,$(wildcard src/*/format)))

layers: includes names format-check $(LINKED_LAYERS:%=$(BUILD)/layers/%) $(REMOVABLE:%=$(BUILD)/layers/without-%)
	@echo 'layers: each links with those before it only, and the program without each of $(REMOVABLE)'

$(BUILD)/layers/without-%: $(OBJECTS) $(TEXTS).o
	@mkdir -p $(@D)
	$(call quiet,LINK,$@)$(LINK_TEST) -o $@ $(filter-out $(BUILD)/src/$*/%,$^) $(call libs,$(LAYERS)) $(LDLIBS)

define layer_rule
$$(BUILD)/layers/$1: $$(call objects,$$(call below,$1))
	@mkdir -p $$(@D)
	$$(call quiet,LINK,$$@)$$(LINK_TEST) -Wl,--defsym=main=0 -o $$@ $$^ $$(call libs,$$(call below,$1))
endef
$(foreach layer,$(LINKED_LAYERS),$(eval $(call layer_rule,$(layer))))

includes:
	@sh tests/layers/includes.sh $(LAYERS)

names: check-deps
	@$(PYTHON) tests/layers/names.py
	@$(PYTHON) tests/layers/headers.py
	@$(PYTHON) tests/layers/circles.py

format-check: check-deps
	@sh tests/layers/format.sh

# Puts the tree in order.
format:
	find src include tests -name '*.[ch]' ! -name unicode_table.h -print0 | xargs -0 clang-format -i

# ---- Tests. Unit tests are tests/unit/LAYER/test_*.c; those of a layer are one program, with the layers up to it.
# Other files in these folders are helpers of that layer's tests and of those to its right; unit_main.c is of all.

UNIT_SOURCES := $(sort $(wildcard tests/unit/*/test_*.c))
UNIT_TESTS   := $(sort $(patsubst %/,$(BUILD)/%/tests,$(dir $(UNIT_SOURCES))))
UNIT_HELPERS := $(filter-out $(UNIT_SOURCES),$(sort $(wildcard tests/unit/*.c tests/unit/*/*.c)))

helpers = $(foreach layer,$1,$(patsubst %.c,$(BUILD)/%.o,$(filter tests/unit/$(layer)/%,$(UNIT_HELPERS))))

$(UNIT_SOURCES:%.c=$(BUILD)/%.o) $(UNIT_HELPERS:%.c=$(BUILD)/%.o): $(BUILD)/%.o: %.c $(BUILD)/flags | check-deps
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(COMPILE) -Wno-missing-field-initializers -Itests/unit -MMD -MP -c -o $@ $<

define unit_rule
$$(BUILD)/tests/unit/$1/tests: $$(patsubst %.c,$$(BUILD)/%.o,$$(filter tests/unit/$1/%,$$(UNIT_SOURCES))) \
		$$(call objects,$$(call below,$1)) $$(call helpers,$$(call below,$1)) $$(BUILD)/tests/unit/unit_main.o
	$$(call quiet,LINK,$$@)$$(LINK_TEST) -o $$@ $$^ $$(call libs,$$(call below,$1)) -lcmocka $$(LDLIBS)
endef
$(foreach layer,$(LINKED_LAYERS),$(eval $(call unit_rule,$(layer))))

# ---- Fuzzing. tests/fuzz/fuzz_*.c are libFuzzer entries; the one for dumps makes a target of each
# reader by a header that it puts in front. In a build without FUZZING they are linked with a main
# that runs files, so that what was found stays a test of every compiler.

FUZZ_HEADER_go13early := "go1.3 heap dump\n\012"
FUZZ_HEADER_go13      := "go1.3 heap dump\n\006"
FUZZ_HEADER_go14      := "go1.4 heap dump\n"
FUZZ_HEADER_go15      := "go1.5 heap dump\n"
FUZZ_HEADER_go16      := "go1.6 heap dump\n"
FUZZ_HEADER_go17      := "go1.7 heap dump\n"
FUZZ_HEADER_netcf     := "a 2 f\n"
FUZZ_HEADER_v8        := "{\"snapshot\":"
FUZZ_HEADER_chromium  := "{\"traceEvents\":["

FUZZ_READERS := netcf v8 chromium go13early go13 go14 go15 go16 go17
FUZZ_DUMPS   := probe $(FUZZ_READERS)
FUZZ_TARGETS := $(FUZZ_DUMPS) archive core debug exe tables filter text explorer
FUZZ_SHARED  := $(patsubst %,$(BUILD)/tests/fuzz/%.o,fuzz heap tiny $(if $(FUZZING),,replay changed))
SEEDS        := $(BUILD)/tests/fuzz/seeds

# The last layer that a target needs.
fuzz_layer = $(if $(filter archive core debug exe $(FUZZ_DUMPS),$1),analysis,$(if $(filter tables filter,$1),table,ui))

fuzz_compile = $(call quiet,CC,$@)$(COMPILE) -Wno-missing-field-initializers -Itests/unit -MMD -MP -c -o $@ $<

$(FUZZ_SHARED) $(SEEDS).o: $(BUILD)/%.o: %.c $(BUILD)/flags | check-deps
	@mkdir -p $(@D)
	$(fuzz_compile)

$(FUZZ_READERS:%=$(BUILD)/tests/fuzz/entry_%.o): $(BUILD)/tests/fuzz/entry_%.o: \
		tests/fuzz/fuzz_dump.c $(BUILD)/flags | check-deps
	@mkdir -p $(@D)
	$(fuzz_compile) -DFUZZ_HEADER='$(FUZZ_HEADER_$*)'

$(BUILD)/tests/fuzz/entry_probe.o: tests/fuzz/fuzz_dump.c $(BUILD)/flags | check-deps
	@mkdir -p $(@D)
	$(fuzz_compile)

$(BUILD)/tests/fuzz/entry_%.o: tests/fuzz/fuzz_%.c $(BUILD)/flags | check-deps
	@mkdir -p $(@D)
	$(fuzz_compile)

define fuzz_rule
$(BUILD)/tests/fuzz/$1: $(BUILD)/tests/fuzz/entry_$1.o $(FUZZ_SHARED) $(call helpers,format) \
		$(call objects,$(call below,$(call fuzz_layer,$1)))
	$$(call quiet,LINK,$$@)$$(LINK_TEST) $(if $(FUZZING),-fsanitize=fuzzer) -o $$@ $$^ \
		$(call libs,$(call below,$(call fuzz_layer,$1))) $$(LDLIBS)
endef
$(foreach target,$(FUZZ_TARGETS),$(eval $(call fuzz_rule,$(target))))

# ---- A library that makes calls of the system fail, one at a time

FAULT := $(BUILD)/tests/faults/fault.so

$(FAULT): tests/faults/fault.c $(BUILD)/flags | build-deps
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(CC) -std=c11 -D_GNU_SOURCE $(WARNINGS) -O1 -g -fPIC -shared -o $@ $<

$(SEEDS): $(SEEDS).o $(BUILD)/tests/fuzz/tiny.o $(BUILD)/tests/unit/exe/elf_writer.o $(call helpers,format) $(call objects,$(call below,ui))
	$(call quiet,LINK,$@)$(LINK_TEST) -o $@ $^ $(call libs,$(call below,ui)) $(LDLIBS)

$(BUILD)/seeds/done: $(SEEDS)
	@rm -rf $(@D)
	$(SEEDS) $(@D)
	@touch $@

fuzzers: $(FUZZ_TARGETS:%=$(BUILD)/tests/fuzz/%) $(BUILD)/seeds/done

# make fuzz [FUZZ='go15 probe'] [TIME=3600]: each of them so many seconds; corpora stay in build/fuzz.
TIME ?= 60

fuzz: check-deps
	@$(MAKE) --no-print-directory CC=clang FUZZING=1 BUILD=build/fuzz fuzzers
	@for target in $(or $(FUZZ),$(FUZZ_TARGETS)); do \
		echo "fuzz: $$target, $(TIME) seconds"; \
		sh tests/fuzz/run.sh build/fuzz $$target build/fuzz/corpus/$$target \
			-max_total_time=$(TIME) -print_final_stats=1 || exit 1; \
	done

# Thousands of cuts and changed bytes of every small dump; some hours.
damage: check-deps
	@DAMAGE=2000 $(PYTHON) tests/run.py damage/ </dev/null

# make storm [TIME=3600]: random keys and resizes under ThreadSanitizer; each failure is told with its
# seed and the shortest beginning that fails. Then every key and command in every view, with ASan.
storm: check-deps
	@$(MAKE) --no-print-directory CC=gcc SANITIZE=thread BUILD=build/thread all
	@$(MAKE) --no-print-directory CC=gcc SANITIZE=1 BUILD=build/sanitize tests
	@$(PYTHON) tests/storm.py --time $(TIME)
	@$(PYTHON) tests/presses.py

# Snapshots of processes that are never the same for long, wait, or are at a limit, 300 of each kind in each way, and 300
# climbs to a memory limit: two hours.
harm: check-deps
	@HARM=300 SNAPSHOTS=100 ALL=1 $(PYTHON) tests/run.py --builds=gcc cli/test_process_ways cli/test_process_harm \
		cli/test_process_held 'cli/test_process:' 'cli/test_process_watch: snapshots' </dev/null

# make mutate [SEED=7] [COUNT=10]: changes of the program that no test sees; minutes for each.
mutate: check-deps
	@$(PYTHON) tests/mutate.py $(if $(SEED),--seed $(SEED)) --count $(or $(COUNT),10)

# Every call of the system that a command makes fails once; many hours. FAULTS=sites: one call of
# each place that calls are made from, half an hour.
faults: check-deps
	@FAULTS=$(or $(FAULTS),all) $(PYTHON) tests/run.py faults/ </dev/null

# What the test runner needs built: the program and what tests use beside it; the unit tests, what fuzzing has found.
tested: $(PROGRAM) $(TESTED) $(BUILD)/tests/fuzz/tables $(BUILD)/seeds/done $(FAULT)
tests: tested $(UNIT_TESTS) fuzzers

# The warnings of clang about every file. Most of its time is its start, so one
# process gets all files of a layer, each still compiled by itself: -Xclang passes on what the driver
# would start another process for.
WARN_LAYERS := $(LAYERS:%=warn-%)
WARN         = $(COMPILE) -fsyntax-only $(firstword $1) $(addprefix -Xclang ,$(wordlist 2,$(words $1),$1))

warnings: $(WARN_LAYERS) warn-tests

$(WARN_LAYERS) warn-tests: CC = clang

$(WARN_LAYERS): warn-%: check-deps
	$(call quiet,WARN,$*)$(call WARN,$(call sources,$*))

warn-tests: check-deps
	$(call quiet,WARN,tests)$(call WARN,$(sort $(wildcard tests/*/*.c tests/*/*/*.c))) \
		-Wno-missing-field-initializers -Itests/unit

check: check-deps
	@$(PYTHON) tests/run.py $(TESTS) </dev/null

# The same with every dump in each test of all dumps: PAIRS in tests/harness.py.
check-all: check-deps
	@ALL=1 $(PYTHON) tests/run.py </dev/null

golden: check-deps
	@$(PYTHON) tests/run.py --rewrite golden </dev/null

# Time and memory of every stage, beside a plain sequential read and a naive walk: of a dump, or of
# heaps of unusual shapes and of real programs, as tables: make bench [DUMP=file [EXE=file]]
# [NODES=1000000] [JSON=1] [TABLE=file]
BENCH  := $(BUILD)/tests/bench/bench
SHAPES := $(BUILD)/tests/bench/shapes
NODES  ?= 1000000

$(BENCH).o: tests/bench/bench.c $(BUILD)/flags | build-deps
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(COMPILE) -MMD -MP -c -o $@ $<

$(BENCH): $(BENCH).o $(call objects,$(call below,table))
	$(call quiet,LINK,$@)$(LINK_TEST) -o $@ $^ $(call libs,$(call below,table)) $(LDLIBS)

$(SHAPES).o: tests/bench/shapes.c $(BUILD)/flags | build-deps
	@mkdir -p $(@D)
	$(call quiet,CC,$<)$(COMPILE) -Itests/unit -MMD -MP -c -o $@ $<

$(SHAPES): $(SHAPES).o $(call helpers,format) $(call objects,$(call below,format))
	$(call quiet,LINK,$@)$(LINK_TEST) -o $@ $^ $(call libs,$(call below,format)) $(LDLIBS)

bench: $(BENCH) $(SHAPES)
	@$(if $(DUMP),$(BENCH) $(if $(JSON),--json) '$(DUMP)' $(EXE), \
		$(PYTHON) tests/bench.py $(if $(JSON),--json) $(if $(TABLE),--table '$(TABLE)') \
			--nodes $(NODES) $(BENCH) $(SHAPES))

# How long a process is stopped: copied while it is, and copied from a fork.
bench-pause: $(PROGRAM)
	@test -n '$(PID)' || { echo 'bench-pause: name a process: make bench-pause PID=1234' >&2; exit 2; }
	$(PROGRAM) snapshot --yes -o $(BUILD)/pause.core $(PID)
	$(PROGRAM) snapshot --yes --fork -o $(BUILD)/pause.core $(PID)
	@rm -f $(BUILD)/pause.core

# Packaged daemons, downloaded, started on 127.0.0.1 and compared with what they say of themselves:
# make daemons [DAEMONS='etcd nats'] [SUITE=sid] [TABLE=file]. They stay in build/daemons.
daemons: $(PROGRAM)
	@$(PYTHON) tests/daemons.py $(if $(SUITE),--suite '$(SUITE)') $(if $(TABLE),--table '$(TABLE)') \
		$(PROGRAM) $(DAEMONS)

lint: build-deps
	clang-tidy --quiet $(foreach layer,$(LAYERS),$(call sources,$(layer))) -- \
		-std=c11 -D_GNU_SOURCE -Iinclude -Isrc

# ---- The explorer on a real dump; its report where there is no terminal.

DEMO := testdata/go1.24.4-small.dump.xz --exe testdata/go1.24.4-small.exe.xz

demo: $(PROGRAM)
	@if [ -t 0 ] && [ -t 1 ]; then $(PROGRAM) $(DEMO); else $(PROGRAM) info $(DEMO); fi

# ---- Debian packages

BUILD_PACKAGES := gcc libc6-dev libncurses-dev libreadline-dev zlib1g-dev liblzma-dev \
                  libzstd-dev libjansson-dev libdw-dev libelf-dev libsqlite3-dev \
                  libxxhash-dev libbz2-dev liblz4-dev
CHECK_PACKAGES := binutils clang clang-format libclang-rt-dev libcmocka-dev lld \
                  python3 tmux
PACKAGES       := $(BUILD_PACKAGES) $(CHECK_PACKAGES)

deps: ; @sh .ci/packages.sh $(PACKAGES)
build-deps: ; @sh .ci/packages.sh $(BUILD_PACKAGES)
check-deps: ; @sh .ci/packages.sh $(PACKAGES)
deb-deps: build-deps ; @sh .ci/packages.sh dpkg-dev binutils
release-deps: deb-deps
	@sh .ci/packages.sh python3 mandoc gcc-aarch64-linux-gnu libc6-dev-arm64-cross

# ---- Installation

bindir  := $(DESTDIR)$(PREFIX)/bin
mandir  := $(DESTDIR)$(PREFIX)/share/man
bashdir := $(DESTDIR)$(PREFIX)/share/bash-completion/completions
fishdir := $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
zshdir  := $(DESTDIR)$(PREFIX)/share/zsh/site-functions
sample  := $(DESTDIR)$(PREFIX)/share/goheapx/drift
SAMPLES := $(wildcard testdata/drift/*.xz)
INSTALLED := $(bindir)/goheapx $(mandir)/man1/goheapx.1 $(mandir)/man7/goheapx-tutorial.7 \
             $(bashdir)/goheapx $(fishdir)/goheapx.fish $(zshdir)/_goheapx \
             $(SAMPLES:testdata/drift/%=$(sample)/%)

install: $(PROGRAM)
	$(INSTALL) -d $(foreach file,$(INSTALLED),'$(dir $(file))')
	$(INSTALL) -m 755 $(PROGRAM) '$(bindir)/goheapx'
	$(INSTALL) -m 644 man/goheapx.1 '$(mandir)/man1/goheapx.1'
	$(INSTALL) -m 644 $(SAMPLES) '$(sample)'
	awk -f packaging/tutorial.awk man/find-a-leak.md >'$(mandir)/man7/goheapx-tutorial.7'
	$(PROGRAM) completion bash >'$(bashdir)/goheapx'
	$(PROGRAM) completion fish >'$(fishdir)/goheapx.fish'
	$(PROGRAM) completion zsh >'$(zshdir)/_goheapx'
	chmod 644 $(foreach file,$(wordlist 3,6,$(INSTALLED)),'$(file)')

uninstall:
	rm -f $(foreach file,$(INSTALLED),'$(file)')
	rmdir '$(sample)' '$(sample:/drift=)' 2>/dev/null || true

# One file that runs in a container without anything else in it.
static: build-deps
	@$(MAKE) --no-print-directory STATIC=1 CFLAGS='-O2' LDFLAGS='-s $(LDFLAGS)' all
	@ls -l build/static/goheapx

# A Debian package, and the source as one file; both in build/, the same bytes each time.
deb: deb-deps $(PROGRAM)
	@sh packaging/deb.sh '$(PROGRAM)' '$(VERSION)' build

# Binaries for two architectures, package, source, manual, list of libraries, checksums: in build/release.
release: release-deps
	@sh packaging/release.sh '$(VERSION)' build/release $(filter %-dev,$(filter-out libc6-dev,$(BUILD_PACKAGES)))

dist:
	@sh packaging/dist.sh '$(VERSION)' build

clean:
	rm -rf build

help:
	@echo 'make              build $(PROGRAM)'
	@echo 'make demo         open the explorer on a dump of testdata/'
	@echo 'make check        build and run all tests (TESTS=golden: only those whose name has that)'
	@echo 'make check-all    the same, and every dump in each test that make check runs on some of them'
	@echo 'make golden       rewrite the golden screens from what the program draws now'
	@echo 'make layers       check that no layer uses one to its right, names, format'
	@echo 'make format       put the source in order with clang-format 14'
	@echo 'make warnings     what clang warns of; the builds tell what gcc does'
	@echo 'make fuzz         run the fuzzers (FUZZ="go15 probe": only those; TIME=60: seconds for each)'
	@echo 'make damage       thousands of cut and changed dumps; some hours'
	@echo 'make storm        random keys under ThreadSanitizer (TIME=3600: for an hour), then all keys in all views'
	@echo 'make harm         300 snapshots each of processes that are never the same, wait, or are at a limit'
	@echo 'make mutate       small changes of the program that no test sees (SEED=7 COUNT=10)'
	@echo 'make faults       every call of the system fails once; many hours (FAULTS=sites: half an hour)'
	@echo 'make bench DUMP=file [EXE=file]   time and memory of every stage (JSON=1: as JSON)'
	@echo 'make bench [NODES=N]              the same of lists, rings, hubs ... of so many objects (TABLE=file)'
	@echo 'make bench-pause PID=N            how long a process is stopped, with and without --fork'
	@echo 'make daemons      packaged Go programs, compared with what they say of themselves (SUITE=sid TABLE=file)'
	@echo 'make lint         clang-tidy'
	@echo 'make deps         install the Debian packages: $(PACKAGES)'
	@echo 'make install, make uninstall   below PREFIX=$(PREFIX), in DESTDIR'
	@echo 'make static       build/static/goheapx: one file without shared libraries'
	@echo 'make deb          a Debian package in build/'
	@echo 'make dist         the source of the last commit as one file in build/'
	@echo 'make release      build/release: static binaries for amd64 and arm64, package, source ..., built twice'
	@echo 'make clean        remove build/'
	@echo 'SANITIZE=1 builds with ASan and UBSan, SANITIZE=thread with TSan, WERROR=1 with -Werror;'
	@echo 'V=1 shows the commands;'
	@echo 'CC, CFLAGS, CPPFLAGS, LDFLAGS are respected.'

-include $(shell find $(BUILD)/src $(BUILD)/tests -name '*.d' 2>/dev/null)
