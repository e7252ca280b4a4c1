# Everything runs in .venv, which `bootstrap` makes: with the ROS 2 that is sourced, or with the
# ROS 2 wheels where none is. PYTHON chooses the interpreter that it starts from.

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python

# Options of `make demo`: a file or the name of a robot of example-robot-data, what moves it
# (simulator or trajectory), the page's port, others as of `robodyn demo --help`, and when to stop.
ROBOT ?=
SOURCE ?=
PORT ?=
DEMO_ARGS ?=
SECONDS ?=
# Options of `make test`, say PYTEST_ARGS="test/model -x", and in how many processes: by default as
# many as there are cores, to which whole files are dealt out in the order of test/conftest.py.
PYTEST_ARGS ?=
JOBS ?= auto

# Nothing leaves this machine, and a robot on the user's own domain hears nothing of it.
export ROS_AUTOMATIC_DISCOVERY_RANGE := LOCALHOST
unexport ROS_LOCALHOST_ONLY ROS_STATIC_PEERS
bench: export ROS_DOMAIN_ID := 99
test: export ROS_DOMAIN_ID := $(shell echo $$(($$$$ % 100 + 1)))

.DEFAULT_GOAL := help
CHECKS := check-ruff check-format check-mypy check-imports
.PHONY: help venv runtime demo test lint $(CHECKS) format bench clean distclean

help:
	@echo 'make demo [ROBOT=panda] [SECONDS=60]  see a robot in the browser, push it and load it'
	@echo 'make test [PYTEST_ARGS=...] [JOBS=n]  run all checks and tests'
	@echo 'make lint                             run the checks only'
	@echo 'make format                           put the sources into the common form'
	@echo 'make bench                            measure and print the benchmark tables'
	@echo 'make venv                             make .venv with what the tests need'
	@echo 'make clean                            remove build products and caches'
	@echo 'make distclean                        remove .venv too'

venv:
	@$(PYTHON) bootstrap --level test

runtime:
	@$(PYTHON) bootstrap --level runtime

# The robots of example-robot-data come with the test level; a file needs no more than we do.
demo: $(if $(filter-out $(wildcard $(ROBOT)),$(ROBOT)),venv,runtime)
	@$(RUN) -m robodyn_ros.cli.main demo $(if $(ROBOT),--robot $(ROBOT)) \
		$(if $(SOURCE),--source $(SOURCE)) $(if $(PORT),--port $(PORT)) \
		$(if $(SECONDS),--seconds $(SECONDS)) $(DEMO_ARGS)

test: lint
	@$(RUN) -m pytest --numprocesses $(JOBS) --maxprocesses 8 --dist loadfile \
		--no-loadscope-reorder --max-worker-restart 0 $(PYTEST_ARGS)

# All at once, each with its output in one piece, and all of them though one may fail.
lint: venv
	@$(MAKE) --no-print-directory --jobs --keep-going --output-sync=target $(CHECKS)

check-ruff:
	@$(VENV)/bin/ruff check .
check-format:
	@$(VENV)/bin/ruff format --check .
check-mypy:
	@$(VENV)/bin/mypy
check-imports:
	@$(VENV)/bin/lint-imports --no-logo

format: venv
	@$(VENV)/bin/ruff check --fix .
	@$(VENV)/bin/ruff format .

bench: venv
	@$(RUN) -m benchmarks

clean:
	rm -rf build install log dist *.egg-info
	rm -rf .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +

distclean: clean
	rm -rf $(VENV)
