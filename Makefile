# Two commands do all on a machine with Python 3.11+, make and git:
#   make demo    set up and run the demo study to its report
#   make test    set up and run the tests
# `make crash-test` kills runs at every step for some minutes, and sees that nothing is lost or paid twice.
# With ENV=DIR a ready environment is used as it is: `make test ENV=DIR` tests what is installed there.

PYTHON ?= python3
ENV ?= .venv
BIN := $(ENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

ifeq ($(origin ENV),command line)
runtime :=
development :=
else
runtime := $(ENV)/.runtime
development := $(ENV)/.development
endif

.PHONY: demo test crash-test ui lint lock

demo: $(runtime)
	$(BIN)/research run demo

test: $(development)
	$(BIN)/pytest --numprocesses auto --dist worksteal

crash-test: $(development)
	$(BIN)/python -m tests.crash --kills 200 --workers 2

ui: $(runtime)
	$(BIN)/research ui

lint: $(development)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports

# Compiles the pins anew; needs uv.
lock:
	uv pip compile pyproject.toml --group build --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate --quiet --upgrade -o requirements.lock
	uv pip compile pyproject.toml --group build --extra postgres -c requirements.lock --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate --quiet --upgrade -o requirements-postgres.lock
	uv pip compile pyproject.toml --group dev -c requirements.lock --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate --quiet --upgrade -o requirements-dev.lock

$(ENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; name one with PYTHON=…")'
	$(PYTHON) -m venv $(ENV)

# --no-deps: the lock is complete, and pip would not take a pin for a dependency that is asked for with an extra.
$(ENV)/.runtime: requirements.lock pyproject.toml | $(ENV)/bin/python
	$(PIP) install --quiet --no-deps --require-hashes -r requirements.lock
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(ENV)/.development: requirements-dev.lock $(ENV)/.runtime
	$(PIP) install --quiet --no-deps --require-hashes -r requirements-dev.lock
	@touch $@
