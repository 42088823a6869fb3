# Everything a developer types. `make help` lists it. Needs Python 3.11 or later, git and make; all else goes into .venv.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
QT_LIBRARIES := $(BIN)/python tests/tools/qt_libraries.py
SOURCES := app core ui resources tests
FOLDER ?= resources/sample-notes
# A particular interpreter, where .venv is not made yet: make setup PYTHON=/path/to/python3.12
PYTHON ?=
# Further arguments for pytest: make test ARGS="-k fusion -x"
ARGS ?=
# Many tests wait for processes, so files of tests run side by side; make test SIDE_BY_SIDE= runs them in a row.
SIDE_BY_SIDE ?= -n logical --maxprocesses 4 --dist loadfile -p no:benchmark

# Labelled data sets for the gate, and what it judges: a formula's name, or “default” with AGAINST=FILE of an earlier run.
DATASETS ?= ../shared/datasets
CANDIDATE ?=
AGAINST ?=

.PHONY: help setup run test check format bench gate screenshots requirements clean

help:  ## list the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-13s %s\n", $$1, $$2}' Makefile

setup: $(READY)  ## create .venv with everything pinned; again only when the requirements change

$(READY): requirements-dev.txt pyproject.toml
	@bash tests/tools/create_environment.sh $(VENV) $(PYTHON)
	@touch $(READY)

run: $(READY)  ## open the window on the sample notes, or on FOLDER=...
	@$(QT_LIBRARIES) window
	@$(BIN)/triskel "$(FOLDER)"

test: $(READY)  ## run the tests, without a display; ARGS="-k word" picks some
	@$(QT_LIBRARIES) offscreen
	@QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest $(SIDE_BY_SIDE) $(ARGS)

check: $(READY)  ## check format, lint and types
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/mypy

format: $(READY)  ## format, and mend what ruff can mend
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/ruff check --fix $(SOURCES)

bench: $(READY)  ## time indexing and queries next to floors measured in the same run
	@$(QT_LIBRARIES) offscreen
	@QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest tests/benchmarks -s -p no:randomly --timeout=1800 $(ARGS)

gate: $(READY)  ## judge a formula on all data sets: make gate CANDIDATE=evidence/v1
	@test -n "$(CANDIDATE)" || { echo "Name a candidate: make gate CANDIDATE=evidence/v1" >&2; exit 2; }
	@$(BIN)/python tests/tools/make_haystack.py build/haystack
	@$(BIN)/triskel evaluate $(patsubst %/corpus.jsonl,%,$(wildcard $(DATASETS)/*/corpus.jsonl)) build/haystack/* --gate "$(CANDIDATE)" \
		$(if $(AGAINST),--against "$(AGAINST)") $(ARGS)

screenshots: $(READY)  ## draw the real window, light and dark, into build/screenshots
	@$(QT_LIBRARIES) offscreen
	@QT_QPA_PLATFORM=offscreen $(BIN)/python tests/tools/screenshots.py build/screenshots $(ARGS)

# Keeps the pins that still fit; ARGS="--upgrade" moves them.
requirements: $(READY)  ## write requirements-dev.txt anew from pyproject.toml
	@$(BIN)/uv --no-config pip compile pyproject.toml --extra dev --universal --python-version 3.11 \
		--generate-hashes --no-annotate --no-emit-index-url --no-emit-find-links --quiet \
		--custom-compile-command "make requirements" --output-file requirements-dev.txt $(ARGS)

clean:  ## remove what the other commands made, .venv included
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks *.egg-info
	find $(SOURCES) -name __pycache__ -type d -prune -exec rm -rf {} +
