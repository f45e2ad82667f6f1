# The commands of this repository; `make help` lists them.
# Each sets up what it needs (tools/setup.sh) first.
ECFIT := .venv/bin/ecfit
PYTHON := .venv/bin/python
PYTEST := $(PYTHON) -m pytest
# One more than processors: tests wait for disks, servers and packages.
JOBS := $(shell echo $$(($$(nproc 2>/dev/null || echo 1) + 1)))
# NAME COMMAND..: runs it, and keeps its time for the end of `make test`.
STAGE := tools/stage.sh
# What no ring of CI runs: the date and the commit of each one's last pass are kept.
SWEEPS := presets studies tls fit-table fit-ahead fit-check peers compat compat-mcuboot \
	compat-psa asm-random asm-mutants prove prove-mutants wycheproof sim-fuzz rtl \
	taint-random taint-mutants fuzz fuzz-messages try examples boot boot-faults pairwise \
	san amalgams packages machines exhaustive ct gateway-load coverage faults wipe-bounds \
	mutants sim-mutants
PASSED = $(PYTHON) tools/sweeps.py passed $@
# The tests start the command thousands of times; its byte code takes a third of a second each time.
unexport PYTHONDONTWRITEBYTECODE

# C that people write; generated files are checked by `make generate-check` instead.
GENERATED := lib/src/curve/comb/ lib/src/curve/params/ lib/include/ecfit/ ecfit_psa_orders.h \
	psa_curves.h ecfit_config.h ecfit_config_check
C_FILES = $(wildcard $(shell git ls-files '*.c' '*.h' '*.inc' | grep -v $(GENERATED:%=-e %)))
PY_FILES = $(wildcard $(shell git ls-files '*.py'))

.DEFAULT_GOAL := help
# No target is a file.
.PHONY: $(shell grep -oE '^[a-z][a-z-]*:' $(firstword $(MAKEFILE_LIST)) | tr -d :)

$(SWEEPS): %: begin-%
begin-%: setup
	@$(PYTHON) tools/sweeps.py begin $*

help: ## this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 16

setup: ## install what is missing for `make bench`
	@tools/setup.sh bench
	@[ "$(MAKECMDGOALS)" != setup ] || echo "ready: .venv/bin/ecfit --help"

setup-test:
	@$(STAGE) set-up tools/setup.sh test

bench: setup ## P-256 on two Cortex-M0 class chips: this library and micro-ecc
	@$(ECFIT) bench --target lpc1114,rp2040 --lib ecfit,micro-ecc --preset tiny,balanced

check: lint-fast ## 30 s: the fast lints, unit tests, a build and a vector of each back end
	@$(PYTEST) -q -n $(JOBS) --durations=0 --durations-min=3 -m check tests

test: setup-test lint ## 10 minutes: lints, then the tests of what the README promises
	@$(PYTEST) -n $(JOBS) --stages=.cache/stages -m "not ci" tests

test-ci: setup-test ## what .ci/run adds: large samples, all toy multiples, pairs, mutants, faults
	@ECFIT_TEST_SCALE=ci $(PYTEST) -n $(JOBS) --stages=.cache/stages -m "ci or sampled" tests

lint-fast: setup-test ## width, ruff and clang-format: seconds
	@$(STAGE) "lint: width" $(PYTHON) tools/checks/lint_width.py
	@$(STAGE) "lint: ruff" $(PYTHON) -m ruff check --quiet $(PY_FILES)
	@$(STAGE) "lint: ruff format" $(PYTHON) -m ruff format --check --quiet $(PY_FILES) || \
		{ echo "lint: run 'make format'" >&2; exit 1; }
	@$(STAGE) "lint: clang-format" .venv/bin/clang-format --dry-run --Werror $(C_FILES) || \
		{ echo "lint: run 'make format'" >&2; exit 1; }

lint: lint-fast generate-check ## formatting, ruff, mypy; include layers are tests
	@$(STAGE) "lint: house" $(PYTHON) tools/checks/house.py > .cache/house || \
		{ cat .cache/house; exit 1; }
	@$(STAGE) "lint: layers" .venv/bin/lint-imports > .cache/layers || \
		{ cat .cache/layers; exit 1; }
	@$(STAGE) "lint: mypy" $(PYTHON) -m mypy --no-error-summary
	@echo "lint: width, ruff, mypy, clang-format and generated files are in order"

house: setup-test ## how many files and names a reader of lib/src meets, with their limits
	@$(PYTHON) tools/checks/house.py

# What `make editor` shows.
PRESET ?= fast
TARGET ?= nrf52840
CURVE ?= secp256r1

editor: setup-test ## compile_commands.json: clangd finds what PRESET, TARGET and CURVE compile
	@$(PYTHON) tools/checks/editor.py --preset $(PRESET) --target $(TARGET) --curve $(CURVE)

format: setup-test ## write C and Python in the house format
	@$(PYTHON) -m ruff format --quiet $(PY_FILES)
	@.venv/bin/clang-format -i $(C_FILES)

generate: setup-test ## write every generated file: parameters, tables, headers, docs/knobs.md
	@$(PYTHON) lib/gen/generate.py
	@$(PYTHON) tools/docs/studies.py --docs
	@$(PYTHON) -m ecfit.choices.knobdocs
	@$(PYTHON) tools/docs/readme.py
	@$(PYTHON) tools/docs/choosing_table.py
	@$(PYTHON) tools/docs/tls_doc.py
	@$(PYTHON) tools/docs/rtl_doc.py
	@$(PYTHON) tools/ct.py --doc
	@$(PYTHON) tools/faults/faults.py --doc
	@$(BOOT)/boot_faults.py --doc
	@$(PYTHON) tools/packages/gen_packages.py
	@$(PYTHON) tools/sweeps.py doc

generate-check: setup-test
	@$(STAGE) "lint: generated C" $(PYTHON) lib/gen/generate.py --check
	@$(STAGE) "lint: pages of studies" $(PYTHON) tools/docs/studies.py --check
	@$(STAGE) "lint: table of RTL" $(PYTHON) tools/docs/rtl_doc.py --check
	@$(STAGE) "lint: page of knobs" $(PYTHON) -m ecfit.choices.knobdocs --check
	@$(STAGE) "lint: table of checks" $(PYTHON) tools/ct.py --doc --check
	@$(STAGE) "lint: table of faults" $(PYTHON) tools/faults/faults.py --doc --check
	@$(STAGE) "lint: table of boot faults" $(BOOT)/boot_faults.py --doc --check
	@$(STAGE) "lint: tables of proofs" $(PYTHON) -m prove --doc --check
	@$(STAGE) "lint: table of README" $(PYTHON) tools/docs/readme.py --check
	@$(STAGE) "lint: tables of presets" $(PYTHON) tools/docs/choosing_table.py --check
	@$(STAGE) "lint: table of TLS clients" $(PYTHON) tools/docs/tls_doc.py --check
	@$(STAGE) "lint: files of packages" $(PYTHON) tools/packages/gen_packages.py --check
	@$(STAGE) "lint: table of sweeps" $(PYTHON) tools/sweeps.py check

presets: setup-test ## values that leave a preset behind, by the search of `fit`: an hour at most
	@$(PYTHON) tools/presets.py
	@$(PASSED)

golden: setup-test ## measure results/golden again; commit it with the change that moves it
	@$(PYTHON) tools/golden.py

fidelity: setup ## the model against published silicon; writes the table of docs/cycle-model.md
	@$(PYTHON) tools/docs/fidelity_doc.py --tried
	@$(ECFIT) fidelity

studies: setup-test ## measure all studies (minutes): records, tables and plots of docs/results
	@$(PYTHON) tools/docs/ecc_heap.py
	@$(PYTHON) tools/docs/studies.py
	@$(PYTHON) -m ecfit.choices.knobdocs
	@$(PASSED)

tls: setup-test ## TLS clients (minutes): kept connections, all servers and boards, bytes flipped
	@$(PYTHON) tools/rigs/tls.py --check
	@ECFIT_TLS=all $(PYTEST) -q -n $(JOBS) tests/unit/tls tests/unit/wire
	@$(PASSED)

fit-table: setup-test ## every configuration that one fit chooses from (minutes): its test's table
	@$(PYTHON) tools/docs/fit_table.py --jobs $(JOBS)
	@$(PASSED)

fit-ahead: setup-test ## ask `fit` to be ahead of each build of other libraries (hours); it goes on
	@$(PYTHON) tools/docs/fit_ahead.py --jobs $(JOBS)
	@$(PASSED)

fit-check: lint-fast ## 3,000 random budgets against that table (CI takes 120)
	@ECFIT_BUDGETS=1000 $(PYTEST) tests/unit/fit/test_search.py
	@$(PASSED)

peers: setup-test ## every peer, curve of up to 256 bits and variant against the oracle
	@ECFIT_ALL_PEERS=1 $(PYTEST) -n $(JOBS) tests/peers
	@$(PASSED)

compat: setup-test ## compat/: the tests of other libraries on ours, and theirs beside ours
	@ECFIT_TEST_SCALE=full $(PYTEST) -n $(JOBS) -q tests/compat
	@$(PASSED)

compat-mcuboot: setup-test ## PEER_DIR=mcuboot=CHECKOUT: MCUboot's code on compat/mcuboot; minutes
	@$(PYTHON) tools/rigs/mcuboot_peer.py --peer-dir $(PEER_DIR) flips
	@$(PYTHON) tools/rigs/mcuboot_peer.py --peer-dir $(PEER_DIR) sim
	@$(PYTHON) tools/rigs/mcuboot_faults.py --peer-dir $(PEER_DIR)
	@$(PYTHON) tools/docs/mcuboot_table.py --peer-dir $(PEER_DIR) --check
	@$(PYTHON) tools/docs/tinycrypt_table.py --peer-dir $(PEER_DIR) --check
	@$(PASSED)

compat-psa: setup-test ## PEER_DIR=psa-arch-tests=CHECKOUT: Arm's tests on compat/psa; minutes
	@$(PYTHON) tools/rigs/psa_peer.py --peer-dir $(PEER_DIR)
	@$(PYTHON) tools/docs/psa_table.py --check
	@$(PASSED)

asm-random: setup-test ## N=1000000 random operands for each assembly function; CI takes 100
	@ECFIT_ASM_CASES=$(or $(N),1000000) $(PYTEST) -n $(JOBS) tests/lib/test_assembly_random.py
	@$(PASSED)

asm-mutants: setup-test ## who notices a lost carry in assembly? SAMPLE=1000 SEED=1, else all
	@$(PYTHON) workshop/assembly/mutants_run.py --jobs $(JOBS) \
		$(SAMPLE:%=--sample %) $(SEED:%=--seed %)
	@$(PASSED)

prove: setup-test ## proofs on the object code: what changed since the last time (docs/proved.md)
	@$(PYTHON) -m prove --all
	@$(PYTHON) -m prove --c
	@$(PYTHON) -m prove --compose
	@$(PYTHON) -m prove --doc
	@$(PASSED)

prove-mutants: setup-test ## faults planted in the proved code: N=500 in each back end, SEED=1
	@$(PYTHON) -m prove --mutants $(or $(N),500) --seed $(or $(SEED),1)
	@$(PASSED)

wycheproof: setup-test ## Wycheproof on all 32-bit back ends, emulated: all vectors; minutes
	@ECFIT_WYCHEPROOF=all $(PYTEST) -n $(JOBS) -q -rP -k test_vectors \
		tests/lib/test_wycheproof_emulated.py
	@$(PASSED)

sim-speed: setup ## simulated instructions a second, on one core
	@$(MAKE) --no-print-directory -C sim speed PYTHON=$(CURDIR)/$(PYTHON)

sim-fuzz: setup-test ## the simulator against an emulator: N=10000000 random instructions, SEED=
	@$(MAKE) --no-print-directory -C sim fuzz PYTHON=$(CURDIR)/$(PYTHON)
	@$(PASSED)

# The RTL comes from a Python package by its hash; Verilator builds it, once, in .cache.
rtl: setup-test ## modelled cycles of RISC-V cores equal RTL; KEEP=1: all, kept; HAZARD3=FOLDER
	@$(PYTHON) workshop/rigs/rtl_run.py $(if $(KEEP),--all --keep) \
		$(if $(HAZARD3),--peer-dir hazard3=$(HAZARD3))
	@$(if $(KEEP),$(PYTHON) tools/docs/rtl_doc.py)
	@$(PASSED)

# N random programs of each instruction set, each run twice with other secrets. SEED=
taint-random: setup-test ## what the taint of the simulator calls public is public
	@$(PYTHON) workshop/rigs/taint_pairs.py $(or $(N),100000) $(SEED)
	@$(PASSED)

taint-mutants: setup-test ## how many of its programs notice one wrong rule of the taint, for some
	@$(PYTHON) workshop/rigs/taint_mutants.py $(N)
	@$(PASSED)

# What reads bytes that others wrote, each for its share of SECONDS.
# A target fuzzes for EACH seconds.
SECONDS ?= 600
EACH ?= 60
FUZZ_TARGETS += fuzz-json fuzz-cbor fuzz-coap fuzz-elf fuzz-trace fuzz-gateway fuzz-exchanges \
	fuzz-sim-instructions fuzz-sim-machine

FUZZ_TARGETS += fuzz-boot

FUZZ_LIB := keys ecdh ecdsa der steps exchange eddsa hash
FUZZ_TARGETS += $(FUZZ_LIB:%=fuzz-lib-%)

.PHONY: fuzz fuzz-messages $(FUZZ_TARGETS)
fuzz: setup-test ## damaged input under sanitizers: SECONDS=600 for all targets together
	@each=$$(( $(SECONDS) / $(words $(FUZZ_TARGETS)) )); \
	for target in $(FUZZ_TARGETS); do $(MAKE) --no-print-directory $$target EACH=$$each || exit 1; done
	@$(PASSED)

fuzz-elf:
	@$(PYTHON) tools/fuzz/fuzz_elf.py $(EACH)

fuzz-json fuzz-cbor: fuzz-%:
	@$(PYTHON) tools/fuzz/fuzz_messages.py $* $(EACH)

fuzz-coap:
	@mkdir -p .cache/fuzz && clang -std=c11 -g1 -O1 -Wall -Wextra -Werror \
		-fsanitize=address,undefined,fuzzer -fno-sanitize-recover=all -Ifirmware/net \
		tests/board/fuzz_coap.c firmware/net/coap.c -o .cache/fuzz/coap.program
	@tools/fuzz/fuzz.sh coap .cache/fuzz/coap.program $(EACH) -max_len=600

fuzz-messages: setup-test ## messages and CoAP: ten minutes each of JSON, CBOR and the server
	@for target in json cbor coap; do \
		$(MAKE) --no-print-directory fuzz-$$target EACH=600 || exit 1; \
	done
	@$(PASSED)

fuzz-trace fuzz-gateway fuzz-exchanges: fuzz-%:
	@$(PYTHON) tools/fuzz/fuzz_$*.py $(EACH)

fuzz-sim-instructions fuzz-sim-machine: fuzz-sim-%:
	@$(MAKE) --no-print-directory -s -C sim build/fuzz/$*
	@tools/fuzz/fuzz.sh sim-$* sim/build/fuzz/$* $(EACH) -max_len=400

BOOT := $(PYTHON) examples/secure-boot

docs: setup-test ## the site of the documentation, in build/site
	@$(PYTHON) tools/docs/docs_site.py

try: setup ## the commands of the site's first page, in a new clone with an empty cache
	@$(PYTHON) tools/docs/first_page.py
	@$(PASSED)

examples: setup-test ## examples on this machine, simulated chips and emulated boards; their table
	@ECFIT_EXAMPLES=1 $(PYTEST) -n $(JOBS) -q tests/examples/test_examples.py
	@$(PYTHON) tools/docs/example_table.py
	@$(PASSED)

boot: setup-test ## examples/secure-boot: all algorithms, chips, libraries; its table; minutes
	@ECFIT_BOOT=1 $(PYTEST) -n $(JOBS) -q tests/examples/test_secure_boot.py
	@$(BOOT)/table.py
	@$(PASSED)

boot-faults: setup-test ## the boot loader attacked from reset to jump, four models; hours
	@$(BOOT)/boot_faults.py --jobs $(JOBS)
	@$(BOOT)/boot_faults.py --doc
	@$(PASSED)

fuzz-boot:
	@program=$$($(PYTHON) tools/fuzz/fuzz_boot.py) && \
		tools/fuzz/fuzz.sh boot "$$program" $(EACH) -max_len=1200

pairwise: setup-test ## every two values of knobs together; every size of a comb; blinded toys
	@ECFIT_TEST_SCALE=full $(PYTEST) -n $(JOBS) -q \
		-rP tests/lib/test_pairs_link.py \
		tests/lib/test_pairwise.py tests/lib/test_reference.py tests/lib/test_toy_mul.py
	@$(PASSED)

$(FUZZ_LIB:%=fuzz-lib-%): fuzz-lib-%:
	@program=$$($(PYTHON) tools/fuzz/fuzz_lib.py $*) && \
		tools/fuzz/fuzz.sh lib-$* "$$program" $(EACH) -max_len=400

san: setup-test ## every preset of every curve under the sanitizers of two compilers
	@tools/sanitize.sh
	@$(PASSED)

# Each preset of each curve and 20 random configurations: code, image, results of all operations;
# then the library's tests on what is handed over.
AMALGAM_TESTS := api_vectors api_errors api_differential curves published wycheproof der rng steps \
	hashes sha256 rfc_exchange rfc_signatures hedged wipe
amalgams: setup-test ## `ecfit amalgamate`: all presets and random configurations; half an hour
	@ECFIT_AMALGAMS=1 $(PYTEST) -n $(JOBS) -q tests/lib/test_amalgam.py
	@ECFIT_TEST_AMALGAM=1 $(PYTEST) -n $(JOBS) -q $(AMALGAM_TESTS:%=tests/lib/test_%.py)
	@$(PASSED)

packages: setup-test ## each package as its user builds it (docs/packages.md): ten minutes
	@ECFIT_PACKAGES=1 $(PYTEST) -q tests/packages
	@$(PASSED)

RELEASE ?= dist
release: setup-test ## source, wheel, crates, amalgams, Arduino library of the commit, to dist/
	@$(PYTHON) tools/packages/release.py $(RELEASE)

machines: setup-test ## the library on an 8-bit core and on big-endian ones, simulated; minutes
	@ECFIT_TEST_SCALE=full $(PYTEST) -n $(JOBS) -q tests/lib/test_machines.py
	@$(PASSED)

exhaustive: setup-test ## toy curves in every configuration, sums that cancel on every core
	@ECFIT_TEST_SCALE=full $(PYTEST) -n $(JOBS) -q tests/lib/test_toy.py \
		tests/lib/test_cancellations.py
	@$(PASSED)

ct: setup-test ## secrets followed: valgrind, five cores; COMPILERS=all: by each one, SAMPLE=300
	@$(if $(COMPILERS),,ECFIT_TEST_SCALE=full $(PYTEST) -n $(JOBS) -q \
		$(wildcard tests/lib/test_*constant_time.py))
	@$(PYTHON) tools/ct.py $(if $(COMPILERS),--compilers --jobs $(JOBS) \
		$(SAMPLE:%=--sample %) $(SEED:%=--seed %))
	@$(if $(COMPILERS),,$(PASSED))

gateway-load: setup-test ## 10,000 messages, wrong ones among them, ten kills, in each store
	@for store in sqlite lines "postgres --gateways 2"; do \
		$(PYTHON) tools/rigs/gateway_load.py --store $$store $(SEED:%=--seed %) || exit 1; done
	@$(PYTHON) tools/rigs/gateway_load.py --store postgres --gateways 2 --kills 1 --leave-dead \
		--clock-jumps 6
	@$(PASSED)

gateway-speed: setup-test ## signatures verified a second by threads; messages a second by sensors
	@$(PYTHON) tools/rigs/gateway_speed.py

coverage: setup-test ## lines and branches of lib/src that the host tests run; minutes
	@$(PYTHON) tools/checks/coverage.py
	@$(PASSED)

faults: setup-test ## verification and signing attacked on four cores: docs/faults.md; hours
	@$(PYTHON) tools/faults/faults.py --jobs $(JOBS)
	@$(PYTHON) tools/faults/faults.py --doc
	@$(PASSED)

wipe-bounds: setup-test ## what is cleared: every curve, CHECK, BLIND, preset, core, level; hours
	@ECFIT_TEST_BUILDS=all $(PYTEST) -n $(JOBS) -q tests/lib/test_wipe_bound.py
	@$(PASSED)

mutants: setup-test ## one change at a time of lib/src: who notices? SAMPLE=400 SEED=1
	@$(PYTHON) tools/mutants/mutants.py --jobs $(JOBS) $(SAMPLE:%=--sample %) $(SEED:%=--seed %)
	@$(PASSED)

sim-mutants: setup-test ## the same of sim/src, asked its own tests; SAMPLE=200 SEED=1
	@$(PYTHON) tools/mutants/sim_mutants.py $(SAMPLE:%=--sample %) $(SEED:%=--seed %)
	@$(PASSED)

clean: ## remove what was built; .venv and fetched packages stay
	rm -rf .cache/ecfit/images .cache/ecfit/measurements .cache/ecfit/build-*
	$(MAKE) -C sim clean
