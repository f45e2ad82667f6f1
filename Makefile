# The commands of this repository; `make help` lists them.
# Each sets up what it needs (tools/setup.sh) first.
ECFIT := .venv/bin/ecfit
PYTHON := .venv/bin/python
PYTEST := $(PYTHON) -m pytest
# One more than processors: tests wait for disks, servers and packages.
JOBS := $(shell echo $$(($$(nproc 2>/dev/null || echo 1) + 1)))
# NAME COMMAND..: runs it, and keeps its time for the end of `make test`.
STAGE := tools/stage.sh
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

test: setup-test lint ## 5 minutes: lints, then a share of each test; .ci/run has the rest
	@$(PYTEST) -n $(JOBS) --stages=.cache/stages -m "not ci" tests

test-ci: setup-test ## what .ci/run adds: large samples, all toy multiples, pairs, mutants, faults
	@ECFIT_TEST_SCALE=ci $(PYTEST) -n $(JOBS) --stages=.cache/stages \
		-m "(ci or sampled) and not beyond" tests

lint-fast: fast-lints ## width, ruff and clang-format: seconds
	@$(STAGE) verdict

fast-lints: setup-test
	@$(STAGE) "lint: width" $(PYTHON) tools/checks/lint_width.py
	@$(STAGE) "lint: ruff" $(PYTHON) -m ruff check --quiet $(PY_FILES)
	@$(STAGE) "lint: ruff format (make format)" $(PYTHON) -m ruff format --check --quiet $(PY_FILES)
	@$(STAGE) "lint: clang-format (make format)" .venv/bin/clang-format --dry-run --Werror $(C_FILES)

lint: fast-lints generated-lints ## all lints: those, mypy, layers, generated files
	@$(STAGE) "lint: house" $(PYTHON) tools/checks/house.py
	@$(STAGE) "lint: layers" .venv/bin/lint-imports
	@$(STAGE) "lint: mypy" $(PYTHON) -m mypy --no-error-summary
	@$(STAGE) verdict
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
	@$(PYTHON) examples/secure-boot/boot_faults.py --doc
	@$(PYTHON) tools/packages/gen_packages.py
	@$(PYTHON) tools/sweeps.py doc

generate-check: generated-lints
	@$(STAGE) verdict

generated-lints: setup-test
	@$(STAGE) "lint: generated C" $(PYTHON) lib/gen/generate.py --check
	@$(STAGE) "lint: tables of knobs" $(PYTHON) tools/docs/studies.py --check
	@$(STAGE) "lint: table of RTL" $(PYTHON) tools/docs/rtl_doc.py --check
	@$(STAGE) "lint: page of knobs" $(PYTHON) -m ecfit.choices.knobdocs --check
	@$(STAGE) "lint: table of checks" $(PYTHON) tools/ct.py --doc --check
	@$(STAGE) "lint: table of faults" $(PYTHON) tools/faults/faults.py --doc --check
	@$(STAGE) "lint: table of boot faults" $(PYTHON) examples/secure-boot/boot_faults.py --doc --check
	@$(STAGE) "lint: tables of proofs" $(PYTHON) -m prove --doc --check
	@$(STAGE) "lint: table of README" $(PYTHON) tools/docs/readme.py --check
	@$(STAGE) "lint: tables of presets" $(PYTHON) tools/docs/choosing_table.py --check
	@$(STAGE) "lint: table of TLS clients" $(PYTHON) tools/docs/tls_doc.py --check
	@$(STAGE) "lint: tables of stacks" $(PYTHON) tools/docs/stacks.py --check
	@$(STAGE) "lint: files of packages" $(PYTHON) tools/packages/gen_packages.py --check
	@$(STAGE) "lint: table of sweeps" $(PYTHON) tools/sweeps.py doc --check

golden: setup-test ## measure results/golden again; commit it with the change that moves it
	@$(PYTHON) tools/golden.py

# EACH, N, SAMPLE, SEED and others behind it reach the commands, which stand in tools/sweeps.toml.
long: setup-test ## WHAT=name[,name]: what no ring of CI runs; without WHAT their list
	@JOBS=$(JOBS) $(PYTHON) tools/sweeps.py run $(WHAT)

evidence: setup-test ## make kept records again where they are old (hours); KIND=name[,name]
	@JOBS=$(JOBS) $(PYTHON) tools/sweeps.py evidence $(KIND)

evidence-status: setup-test ## which kept records are old, and the minutes to make them again
	@$(PYTHON) tools/sweeps.py status

docs: setup-test ## the site of the documentation, in build/site
	@$(PYTHON) tools/docs/docs_site.py

RELEASE ?= dist
release: ## source, wheel, crates, amalgams, Arduino library of the commit, to dist/
	@tools/setup.sh release
	@$(PYTHON) tools/sweeps.py fresh
	@$(PYTHON) tools/packages/release.py $(RELEASE)

clean: ## remove what was built; .venv and fetched packages stay
	rm -rf .cache/ecfit/images .cache/ecfit/measurements .cache/ecfit/build-*
	$(MAKE) -C sim clean
