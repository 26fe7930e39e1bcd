# Everything runs in .venv, which the first target that needs it makes from requirements-dev.lock.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input

UV := uv==0.13.9
COMPILE := pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-emit-find-links --no-annotate --no-header
LOCK_NOTE := Pinned with hashes for every platform. Made by `make lock` (uv from PyPI) out of pyproject.toml; do not edit.

.DEFAULT_GOAL := help
.PHONY: help demo install test again slow check bench crash lock

help: ## Say what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-7s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

demo: $(INSTALLED) ## Try a demo clinic in a browser: no WhatsApp number, no key, no network
	@$(BIN)/gendei demo

install: $(INSTALLED) ## Install into .venv, with the command .venv/bin/gendei

test: $(INSTALLED) ## Run the tests, but for the slow ones
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow"

again: $(INSTALLED) ## Run once more, one after the other, the tests that failed last
	$(BIN)/python -m pytest --last-failed --last-failed-no-failures none --maxfail 1 -m "not slow"

slow: $(INSTALLED) ## Run the slow tests: the crash rig, floods, most pages in a browser, the benchmark
	$(BIN)/python -m pytest -n auto --dist worksteal -m slow

check: $(INSTALLED) ## Check style, types, the map of imports, and all data files
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --num-workers auto
	$(BIN)/lint-imports
	META_TOKEN=none $(BIN)/gendei check clinics/*.yaml

bench: $(INSTALLED) ## Measure speed, as ratios
	$(BIN)/python -m bench

crash: $(INSTALLED) ## Kill the service again and again, on both engines: nothing lost, nothing twice
	$(BIN)/python -m tests.crash --processes 1 --seconds 30
	$(BIN)/python -m tests.crash --processes 3 --seconds 40
	$(BIN)/python -m tests.crash --processes 2 --seconds 40 --engine firestore --skip
	$(BIN)/python -m tests.crash --processes 2 --seconds 40 --events
	$(BIN)/python -m tests.crash --paused
	$(BIN)/python -m tests.crash --paused --engine firestore --skip
	$(BIN)/python -m tests.crash --cut --engine firestore --skip

lock: ## Resolve the dependencies of pyproject.toml anew
	@set -eu; tool=$$(mktemp -d); trap 'rm -rf "$$tool"' EXIT; \
	$(PYTHON) -m venv "$$tool"; \
	"$$tool/bin/python" -m pip --disable-pip-version-check install --quiet '$(UV)'; \
	resolve() { name=$$1; shift; { echo '# $(value LOCK_NOTE)'; "$$tool/bin/uv" $(COMPILE) "$$@"; } > "$$tool/$$name"; }; \
	resolve requirements.lock pyproject.toml; \
	resolve requirements-dev.lock --constraint "$$tool/requirements.lock" --group dev pyproject.toml; \
	resolve requirements-training.lock --constraint "$$tool/requirements-dev.lock" --group training; \
	resolve requirements-build.lock --constraint "$$tool/requirements-dev.lock" --group build; \
	cp "$$tool"/requirements*.lock .

$(INSTALLED): requirements-dev.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo 'Gendei needs Python 3.11 or later, and "$(PYTHON)" is not that. Try: make PYTHON=python3.12' >&2; \
		exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || { \
		echo '"$(PYTHON)" has no venv and pip. On Debian and Ubuntu: apt-get install python3-venv' >&2; \
		exit 1; }
	@echo 'Installing into $(VENV) (once) ...'
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install --quiet --require-hashes --requirement requirements-dev.lock
	@$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@
