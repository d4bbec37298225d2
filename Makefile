# Everything runs in a virtual environment inside the checkout; a fresh machine needs python3, pip and git only.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# What running needs, and what developing needs beyond it.
RUNS := $(VENV)/.runs
READY := $(VENV)/.ready
BROWSER := $(VENV)/.browser
# One more than there are cores, since some tests wait; a process takes a gigabyte, and more than eight have little to do.
PARALLEL := --dist worksteal -n $(shell n=$$(($$(getconf _NPROCESSORS_ONLN) + 1)); echo $$((n < 8 ? n : 8)))

# Tests start Python hundreds of times: it keeps its bytecode, even where a machine says otherwise.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo compiled test thorough fast lint docstrings format types layers coverage versions wheel docs clean

help:  ## Show what there is to do
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Python compiles the modules that are imported when they are; pip would compile all of them, for half of its time. The
# newest pip takes the rest of the packages in half the time of the one that Python brings.
INSTALL := install --quiet --disable-pip-version-check --no-compile

$(RUNS): pyproject.toml
	$(PYTHON) -m venv --without-pip $(VENV)
	$(PYTHON) -m pip --python $(BIN)/python $(INSTALL) pip
	$(BIN)/python -m pip $(INSTALL) --editable .
	@touch $@

$(READY): $(RUNS)
	$(BIN)/python -m pip $(INSTALL) --editable '.[dev]'
	@touch $@

# The browser of the page tests comes with the system; where it cannot be had, these tests are skipped and say so.
$(BROWSER): $(READY)
	@found() { command -v chromium || command -v chromium-browser || command -v google-chrome; }; \
	found > /dev/null \
		|| { apt-get install -y -qq chromium || { apt-get update -qq && apt-get install -y -qq chromium; }; } > /dev/null 2>&1; \
	if found > /dev/null; then touch $@; \
	else echo "There is no Chromium, and apt-get cannot install it: pages will not be tested in a browser."; fi

demo: $(RUNS)  ## Select the features of real data and show the answer
	$(BIN)/fewest select fewest:votes --target party --explain --core

# Tests would compile the same kernels in several processes, or wait for each other.
compiled: $(READY)  ## Compile all kernels for this machine
	$(BIN)/fewest info --compile

test: lint docstrings types layers compiled $(READY) $(BROWSER)  ## Run all checks and all tests
	$(BIN)/python -m pytest $(PARALLEL)

thorough: compiled $(READY) $(BROWSER)  ## Run all tests with ten times the random examples, other ones every time
	FEWEST_TESTS=thorough $(BIN)/python -m pytest $(PARALLEL)

fast: $(READY) $(BROWSER)  ## Run the tests that failed last time, then the others, until one fails
	$(BIN)/python -m pytest --failed-first --exitfirst

lint: $(READY)  ## Look for mistakes and untidy code
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

docstrings: $(READY)  ## Check that every public docstring is complete
	$(BIN)/python tools/docstrings.py

format: $(READY)  ## Tidy the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(READY)  ## Check the types
	$(BIN)/mypy

layers: $(READY)  ## Check that imports point down only
	$(BIN)/lint-imports --no-cache

coverage: compiled $(READY) $(BROWSER)  ## Run the tests and show the lines they miss
	$(BIN)/python -m pytest $(PARALLEL) --cov --cov-report=term-missing

versions: $(READY)  ## Run the tests against the lowest and the newest versions of all dependencies
	$(BIN)/python tools/versions.py

wheel: $(READY)  ## Build the package, install it into a bare environment and try it
	$(BIN)/python tools/wheel.py

docs: $(READY)  ## Build the documentation, every example run, in build/docs
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet -b html docs build/docs
	@echo "The documentation is in build/docs/index.html"

clean:  ## Remove the virtual environment and all caches
	rm -rf $(VENV) build docs/gallery docs/reference docs/papers/_shown docs/methods/_pictures .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage*
	find . -name __pycache__ -prune -exec rm -rf {} +
