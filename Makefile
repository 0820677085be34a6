# Two commands do everything: `make build` and `make test`. Both make the environment first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.locked

export DBT_PROFILES_DIR := .
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: build test torture lint unit ingest transform export env clean help

help: ## list these targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

build: ingest transform export ## treebanks -> warehouse -> Hub folder

ingest: $(STAMP) ## read the treebanks into the raw tables
	$(BIN)/python -m ingest

transform: $(STAMP) ## run the models and their tests
	$(BIN)/python -m sphragis transform build

export: $(STAMP) ## write the Hub folder and publish the warehouse
	$(BIN)/python -m exports

test: lint unit ## everything that has to pass

lint: $(STAMP) ## linters, formats and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	scratch=$$(mktemp -d) && mkdir $$scratch/work && trap 'rm -rf '$$scratch EXIT && \
	SPHRAGIS_DB= SPHRAGIS_BUILD=$$scratch DBT_TARGET_PATH=$$scratch/target DBT_LOG_PATH=$$scratch/logs \
		$(BIN)/sqlfluff lint models tests analyses

unit: $(STAMP) ## pytest: the sample always, the real treebanks where they lie beside the checkout
	$(BIN)/python -m pytest

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
