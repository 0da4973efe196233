# make demo    installs everything into .venv and shows what unlike does
# make test    installs, then lint, types and all tests
# make bench   the speed and memory promises, as ratios to a named baseline
# make lint    ruff and mypy alone

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.PHONY: demo test bench lint clean

demo: $(STAMP)
	$(BIN)/unlike generate examples.calendar_events:calendar -n 100 --format table

test: $(STAMP) lint
	$(BIN)/python -m pytest -n 2 -q

bench: $(STAMP)
	$(BIN)/python -m bench

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Installed again whenever the build files or the compiled module's sources change.
$(STAMP): pyproject.toml setup.py $(wildcard native/*.[ch])
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,lint]'
	touch $@

clean:
	rm -rf $(VENV) build dist src/*.egg-info
