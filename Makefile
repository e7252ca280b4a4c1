# Everything runs in .venv, which `bootstrap` makes: with the ROS 2 that is sourced, or with the
# ROS 2 wheels where none is. PYTHON chooses the interpreter that it starts from.

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python

# Options of `make demo`: a file or the name of a robot of example-robot-data, and when to stop.
ROBOT ?=
SECONDS ?=
# Options of `make test`, say PYTEST_ARGS="test/model -x".
PYTEST_ARGS ?=

# Nothing leaves this machine, and a robot on the user's own domain hears nothing of it.
export ROS_AUTOMATIC_DISCOVERY_RANGE := LOCALHOST
unexport ROS_LOCALHOST_ONLY ROS_STATIC_PEERS
bench: export ROS_DOMAIN_ID := 99
test: export ROS_DOMAIN_ID := $(shell echo $$(($$$$ % 100 + 1)))

.DEFAULT_GOAL := help
.PHONY: help venv runtime demo test lint format bench clean distclean

help:
	@echo 'make demo [ROBOT=panda] [SECONDS=10]  see frames, velocities and accelerations flow'
	@echo 'make test [PYTEST_ARGS=...]           run all checks and tests'
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
		$(if $(SECONDS),--seconds $(SECONDS))

test: lint
	@$(RUN) -m pytest $(PYTEST_ARGS)

lint: venv
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports

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
