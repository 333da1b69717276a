# `make play` and `make test` need nothing but make and a Python: everything else is set up here.

GAME ?= pettingzoo
JOBS ?= 2
SECONDS ?= 600
# Any Python >= 3.11; say PYTHON=… for a certain one.
PYTHON ?=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# Modules are compiled once, whatever the environment says: a hundred tests start processes of their own.
unexport PYTHONDONTWRITEBYTECODE
# One job at a time: prerequisites share the virtual environment and, in `play`, the terminal.
.NOTPARALLEL:
.PHONY: help play party terminal web web-check site docs wheel dist test test-fast soak lint format bench constraints audit fuzz clean

BIN := .venv/bin

# Runs each candidate: a version manager's stub may be on the path and still not start.
first_python = $(shell for p in $(1); do \
	"$$p" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && \
	echo "$$p" && break; done)
find_python = $(call first_python,$(or $(PYTHON),python3.13 python3.12 python3.11 python3))
need_python = $(or $(find_python),$(error no Python >= 3.11 with venv$(if $(PYTHON), is called '$(PYTHON)')))

# A stamp belongs to this folder (a venv does not survive a move) and to the PYTHON asked for.
KEY := $(shell printf '%s' '$(CURDIR) $(PYTHON)' | cksum | cut -d' ' -f1)
VENV := .venv/venv-$(KEY)
CORE := .venv/core-$(KEY)
PLAY_SET := .venv/play-$(KEY)
DEV := .venv/dev-$(KEY)
SB3 := .venv/sb3-$(KEY)
CLIENTS := .venv/clients-$(KEY)
FUZZ := .venv/fuzz-$(KEY)
FUZZ_BIN := .venv-fuzz/bin
GYM_OLDEST := .venv/gymnasium-oldest-$(KEY)
PINS := pyproject.toml constraints.txt

# The browser client, built when anything of it changed.
WEB := src/ludus/server/static/index.html
WEB_SOURCES := $(shell find web -name node_modules -prune -o -type f -print)

# The static site has ludus itself in it.
SITE := site/index.html
SITE_SOURCES := $(WEB_SOURCES) $(shell find src -name static -prune -o -type f \( -name '*.py' -o -name '*.toml' -o -name '*.json' -o -name '*.safetensors' \) -print)

# Two makes in one folder: the second waits, then finds the first one's stamp.
LOCK := $(if $(shell command -v flock),flock .venv.lock)

# By variable, because -c does not reach the environment in which pip builds ludus itself (before
# pip 25.3 the first name does, since then the second).
PIP := PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt \
	PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install -qq

# $(call install,what,stamps): the first of the stamps decides.
define install
	@echo 'setting up: $(1)'
	@$(LOCK) sh -ec 'new=1; for f in $(PINS); do [ $(firstword $(2)) -nt $$f ] || new=; done; \
		[ "$$new" ] || { $(PIP) -e "$(1)" && touch $(2); }'
endef

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 14

play: $(PLAY_SET) $(WEB) ## a server on this machine, opened in the browser
	@$(BIN)/ludus serve --open

party: $(PLAY_SET) $(WEB) ## a server for everybody in the home network, with its address as a QR code
	@$(BIN)/ludus serve --lan

terminal: $(CORE) ## a game in the terminal (GAME=pettingzoo)
	@$(BIN)/ludus play $(GAME)

web: $(WEB) ## build the browser client

web-check: $(DEV) ## types and tests of the browser client
	@scripts/web check

site: $(SITE) ## build the static site into site/: the games inside the page, nothing to install

docs: $(DEV) ## build the documentation site into build/docs
	@$(BIN)/python scripts/build-docs

wheel: $(DEV) $(WEB) ## build the wheel, client included, into dist/
	$(BIN)/python -m pip wheel -qq --no-deps -w dist .

dist: $(DEV) $(WEB) ## build wheel and sdist, client and weights included, into dist/
	@$(PIP) hatchling
	rm -rf dist
	$(BIN)/python -m hatchling build -d dist

test: packages-peers packages-browser packages-server lint web-check $(WEB) $(SITE) $(GYM_OLDEST) $(SB3) ## everything that must pass before a change lands
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal
	PYTHONPATH=.venv/gymnasium-1.2.2 $(BIN)/python -m pytest -q tests/envs/test_gymnasium.py

test-fast: packages-peers packages-browser packages-server $(DEV) $(WEB) $(SITE) ## the tests for working, without the slow ones
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m 'not slow and not soak'

soak: packages-peers packages-browser packages-server $(DEV) $(WEB) $(SITE) $(SB3) $(CLIENTS) ## long campaigns: the slow tests with larger numbers, and the soak tests
	LUDUS_SOAK=1 $(BIN)/python -m pytest -n $(JOBS) --dist worksteal --timeout 0 -m 'slow or soak'

fuzz: $(FUZZ) ## guided fuzzing of everything that strangers send, for SECONDS each (600); what it finds is kept in tests/fuzz/corpus
	$(FUZZ_BIN)/python tests/fuzz/campaign.py --seconds $(SECONDS)

lint: $(DEV) ## ruff, mypy, import-linter
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(DEV) ## let ruff rewrite what it can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: packages-peers $(DEV) ## moves per second, beside other engines
	$(BIN)/ludus bench

constraints: ## resolve every dependency anew and write constraints.txt
	tmp=$$(mktemp -d) && trap 'rm -rf "$$tmp"' EXIT && $(need_python) -m venv "$$tmp" && \
	"$$tmp/bin/python" -m pip install -qq -e '.[dev,peers]' hatchling editables && \
	"$$tmp/bin/python" -m pip freeze --exclude-editable | tr 'A-Z_' 'a-z-' | LC_ALL=C sort > constraints.txt

audit: $(VENV) ## known vulnerabilities of what is pinned, offline (ADVISORIES=files, folders or archives of osv.dev)
	@$(BIN)/python scripts/audit $(ADVISORIES)

clean: ## remove what the other targets made
	rm -rf .venv .venv-clients .venv-fuzz .venv-sb3 .venv.lock build dist web/node_modules src/ludus/server/static site .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# Groups of scripts/system-packages.
packages-%:
	@PYTHON='$(find_python)' scripts/system-packages $*

# Only a new KEY makes a new environment; changed pins update the one there is.
$(VENV): | packages-venv
	@$(LOCK) sh -ec '[ -e $@ ] || { $(need_python) -m venv --clear .venv && touch $@; }'

$(CORE): $(VENV) $(PINS)
	$(call install,.,$(CORE))

$(PLAY_SET): $(VENV) $(PINS)
	$(call install,.,$(PLAY_SET) $(CORE))

# Learning needs torch, so it has an environment of its own. The version is named: a CPU build of it, for Python 3.11, is
# small. All versions are fixed, here or in constraints.txt: pip has nothing to search.
$(SB3): $(VENV) $(PINS)
	@echo 'setting up: torch and sb3-contrib in .venv-sb3'
	@$(or $(call first_python,python3.11),$(need_python)) -m venv --clear .venv-sb3
	@PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt PIP_DISABLE_PIP_VERSION_CHECK=1 \
		.venv-sb3/bin/python -m pip install -qq -e '.[pettingzoo$(comma)sb3]' \
		torch==2.13.0 stable-baselines3==2.9.2 sb3-contrib==2.9.2
	@touch $@

# What other tools of learning do with batches and environments: TorchRL and JAX, in an environment of their own.
$(CLIENTS): $(VENV) $(PINS)
	@echo 'setting up: torch, TorchRL and JAX in .venv-clients'
	@$(or $(call first_python,python3.11),$(need_python)) -m venv --clear .venv-clients
	@PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt PIP_DISABLE_PIP_VERSION_CHECK=1 \
		.venv-clients/bin/python -m pip install -qq -e '.[gymnasium]' \
		torch==2.13.0 torchrl==0.14.1 tensordict==0.14.3 jax==0.10.2 jaxlib==0.10.2
	@touch $@

# atheris guides the fuzzer by what it covers; it is built for some Pythons only.
$(FUZZ): $(VENV) $(PINS)
	@echo 'setting up: atheris in .venv-fuzz'
	@$(or $(call first_python,python3.13 python3.12 python3.11),$(need_python)) -m venv --clear .venv-fuzz
	@PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt PIP_DISABLE_PIP_VERSION_CHECK=1 \
		.venv-fuzz/bin/python -m pip install -qq -e '.[server,fuzz]'
	@touch $@

# The oldest Gymnasium that is supported, beside the newest in .venv.
$(GYM_OLDEST): $(VENV) pyproject.toml
	$(BIN)/python -m pip install -qq --no-deps --target .venv/gymnasium-1.2.2 --upgrade gymnasium==1.2.2
	touch $@

$(DEV): $(VENV) $(PINS)
	$(call install,.[dev$(comma)peers],$(DEV) $(PLAY_SET) $(CORE))

$(WEB): $(WEB_SOURCES) scripts/web | $(VENV)
	@echo 'building the browser client'
	@$(LOCK) sh -ec 'for f in $?; do [ $@ -nt $$f ] || { scripts/web build; touch $@; break; }; done'

$(SITE): $(SITE_SOURCES) scripts/site constraints.txt | $(DEV)
	@echo 'building the static site'
	@$(LOCK) $(BIN)/python scripts/site
	@touch $@

comma := ,
