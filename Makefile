# Two commands do everything: `make build` and `make test`. Both make the environment first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.locked

export DBT_PROFILES_DIR := .
export PATH := $(CURDIR)/$(BIN):$(PATH)

# Side by side where what is printed does not mix: each part is shown as a whole when it has ended.
SIDE_BY_SIDE := --no-print-directory $(if $(filter output-sync,$(.FEATURES)),--jobs=2 --output-sync=target)
# A quarter of its time goes into looking for garbage, of which there is little.
SQLFLUFF := import gc; gc.set_threshold(200000, 20, 100); from sqlfluff.cli.commands import cli; cli()
# Files that call macros of the project: what these render to is linted there.
EMPTY :=
MACROS := $(subst $(EMPTY) $(EMPTY),|,$(notdir $(basename $(wildcard macros/*/*.sql))))
# A process of pytest per processor, a whole file at a time; more than four wait for each other's builds.
UNIT := -n logical --maxprocesses 4 --dist loadfile --no-loadscope-reorder

.PHONY: build early docs test torture lint lint-python lint-sql unit one ingest transform export env clean help

help: ## list these targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

# What was made from all that is there now is not made again.
build: IF_CHANGED := --if-changed
build: ingest transform export ## treebanks -> warehouse -> Hub folder

# A parser is trained on a fresh machine, which takes more than an hour: the second edition has its layer.
early: $(STAMP) ## as build, with an edition without the machine layer first, within minutes
	SPHRAGIS_MACHINE=none $(MAKE) --no-print-directory build
	$(MAKE) --no-print-directory build

ingest: $(STAMP) ## read the treebanks into the raw tables
	$(BIN)/python -m ingest

# Unit tests ask the SQL and nothing of the input: `make test` runs them.
transform: $(STAMP) ## run the models and the tests of what they make; ARGS=--fail-fast stops at the first failure
	$(BIN)/python -m sphragis transform $(IF_CHANGED) build --exclude-resource-type unit_test $(ARGS)

export: $(STAMP) ## write the Hub folder and publish the warehouse
	$(BIN)/python -m exports $(IF_CHANGED)

docs: $(STAMP) ## the documentation site of the build, build/site; ARGS=--serve shows it
	$(BIN)/python -m sphragis docs $(ARGS)

test: lint unit ## everything that has to pass; ARGS=--fail-fast stops at the first failure

lint: $(STAMP) ## linters, formats and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	+$(MAKE) $(SIDE_BY_SIDE) lint-python lint-sql

lint-python: $(STAMP)
	$(BIN)/mypy

lint-sql: $(STAMP)
	scratch=$$(mktemp -d) && mkdir $$scratch/work && trap 'rm -rf '$$scratch EXIT && \
	SPHRAGIS_DB= SPHRAGIS_BUILD=$$scratch DBT_TARGET_PATH=$$scratch/target DBT_LOG_PATH=$$scratch/logs \
		$(BIN)/python -c "$(SQLFLUFF)" lint --processes 2 models tests analyses && \
	SPHRAGIS_DB= SPHRAGIS_BUILD=$$scratch DBT_TARGET_PATH=$$scratch/target DBT_LOG_PATH=$$scratch/logs \
		$(BIN)/python -c "$(SQLFLUFF)" lint --processes 2 --config .sqlfluff-macros \
		$$(grep -rlE '\{[{%]-? *(call )?($(MACROS))\(' models tests analyses --include=*.sql)

unit: $(STAMP) ## pytest: the sample always, the real treebanks where they lie beside the checkout
	$(BIN)/python -m pytest $(UNIT) $(ARGS)

one: $(STAMP) ## one test, TEST=tests/python/test_text.py::test_repairs_are_named, or some: one file, ARGS="-k word"
	$(BIN)/python -m pytest $(TEST) $(ARGS)

torture: $(STAMP) ## damaged input, kills and faults in large numbers, ARGS="--inputs 100000 --kills 300 ..."
	PYTHONPATH=.:tests:tests/python $(BIN)/python -m robust $(ARGS)

env: $(STAMP) ## the Python environment of the lock

$(STAMP): requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $(STAMP)

clean: ## remove what was built, not the environment
	rm -rf build target logs
