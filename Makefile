# make demo    installs everything into .venv and shows what unlike does
# make test    installs, then lint, types and the tests: of each corpus a few subjects
# make corpora the rest of the corpora: rules that are tried on very many subjects
# make bench   the speed and memory promises, as ratios to a named baseline
# make lint    ruff and mypy alone
# make sanitize   the tests of heap and zones on a build that watches every memory access (gcc or clang)

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

# the tests start hundreds of processes: what one compiles, the others load, whatever the user's shell says
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test pytest corpora bench lint sanitize clean

demo: $(STAMP)
	$(BIN)/unlike generate examples.calendar_events:calendar -n 100 --format table

# mypy is one process: while it runs, the tests have the other cores
test: $(STAMP)
	$(MAKE) --no-print-directory --jobs=2 lint pytest

pytest: $(STAMP)
	$(BIN)/python -m pytest -n 4 --dist worksteal -q -m "not corpus"

corpora: $(STAMP)
	$(BIN)/python -m pytest -n 4 --dist worksteal -q -m corpus

bench: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,lint,bench]'
	$(BIN)/python -m bench

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

SANITIZED := build/sanitized
INCLUDE    = $(shell $(BIN)/python -c "import sysconfig; print(sysconfig.get_path('include'))")
SUFFIX     = $(shell $(BIN)/python -c "import sysconfig; print(sysconfig.get_config_var('EXT_SUFFIX'))")

sanitize: $(STAMP)
	rm -rf $(SANITIZED) && mkdir -p $(SANITIZED) && cp -r src/unlike $(SANITIZED)
	$(CC) -shared -fPIC -g -O1 -fno-omit-frame-pointer -Wall -Wextra -Wno-missing-field-initializers \
	  -Wno-cast-function-type -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	  -I$(INCLUDE) native/*.c -o $(SANITIZED)/unlike/_native$(SUFFIX)
	PYTHONPATH=$(SANITIZED) PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0 \
	  LD_PRELOAD="$$($(CC) -print-file-name=libasan.so) $$($(CC) -print-file-name=libubsan.so)" \
	  $(BIN)/python -m pytest -q -p no:cacheprovider -m "not corpus" tests/heap tests/zones

# Installed again whenever the build files or the compiled module's sources change.
$(STAMP): pyproject.toml setup.py $(wildcard native/*.[ch])
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,lint]'
	touch $@

clean:
	rm -rf $(VENV) build dist src/*.egg-info
