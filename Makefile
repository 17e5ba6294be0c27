# `make demo` and `make test` are all a newcomer needs; `make help` lists the rest.
# Needs Python >= 3.11 and a C++ compiler; everything else lands in .venv.

PYTHON ?= python3
CXX ?= g++
# Compiler warnings are errors in CI, where the compiler is known.
WERROR ?= OFF
# Seconds of random plans under the sanitizers: 60 in CI, 300 by hand.
SECONDS ?= 300
PYTEST_ARGS ?=
# 1: 5,000 random sets per comparison with a framework instead of 500.
FULL ?=
export FULL
# 1: `make docs` also tries the links to other sites.
LINKS ?=
# Seconds for each time taken by `make bench`, minutes after which it begins no case,
# bytes of memory a case may need (empty: 3/4 of what is free), and where the page goes.
BUDGET ?= 0.2
MINUTES ?= 60
MOST_BYTES ?=
PAGE ?= docs
# Of `make bench-files`: size of the file, and where it stands meanwhile.
GIGABYTES ?= 2
FOLDER ?= out/files
# More of the benchmark's options, as --group small.
BENCH_ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
SANITIZED := build/sanitize
AARCH64 := aarch64-linux-gnu
NATIVE := build/native
# The frameworks live in an environment of their own: they are large, and the suite must
# not lean on them.
FRAMEWORKS_VENV := .venv-frameworks
FRAMEWORKS := torch tensorflow-cpu jax onnx onnxruntime
# Those that `make bench` compares with.
PEERS := torch tensorflow-cpu jax
# What the web pages are tried in.
CHROMIUM ?= $(or $(RESTRIDE_CHROMIUM),$(shell command -v chromium || \
  command -v chromium-browser))
WHEELS := build/wheels
# One job per core, and no more: the core is small.
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(shell nproc 2>/dev/null || echo 2)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

# Folders are listed too, so that a removed file counts as a change.
SOURCES := pyproject.toml CMakeLists.txt $(shell find cpp src \
  -name __pycache__ -prune -o \( -type d -o -type f -not -name '*.pyc' \) -print)
PIP_INSTALL := $(BIN)/python -m pip install --quiet --no-build-isolation \
  --config-settings=cmake.define.RESTRIDE_WERROR=$(WERROR)

FRAMEWORKS_PIP := $(FRAMEWORKS_VENV)/bin/python -m pip install -qq --no-compile \
  --constraint requirements-dev.txt --constraint requirements-frameworks.txt

.PHONY: help setup demo test test-frameworks test-browser bench bench-files nightly lint format sanitize aarch64 docs clean

help:
	@echo "make demo      set up .venv, run the main job on a photograph, pictures in out/"
	@echo "make test      set up .venv, run the whole suite (PYTEST_ARGS='-k pad')"
	@echo "make test-frameworks"
	@echo "               set up .venv-frameworks, compare with torch, TensorFlow, JAX,"
	@echo "               ONNX and ONNX Runtime (FULL=1: 5,000 sets each, not 500)"
	@echo "make test-browser"
	@echo "               try the web pages in a headless Chromium (CHROMIUM=path)"
	@echo "make bench     set up the same, measure beside torch, TensorFlow and JAX, and"
	@echo "               write docs/benchmarks.md (a quick try: BUDGET=0.01 PAGE=out)"
	@echo "make bench-files  a file of GIGABYTES=$(GIGABYTES) in FOLDER=$(FOLDER), block by"
	@echo "               block in 400 MB of memory, beside a plain copy"
	@echo "make nightly   fail where a ratio is worse than benchmarks/guard.toml allows"
	@echo "make lint      ruff check, ruff format --check, mypy --strict"
	@echo "make format    let ruff rewrite the sources"
	@echo "make sanitize  the core under ASan and UBSan: native tests, then random"
	@echo "               plans for SECONDS=$(SECONDS)"
	@echo "make aarch64   the core's own tests, compiled for aarch64, under qemu"
	@echo "make docs      the documentation as a site, in out/site"
	@echo "make clean     remove what make made"

setup: $(VENV)/package

$(VENV)/tools: requirements-dev.txt requirements-models.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
	  "restride needs Python 3.11 or later, this is " + sys.version.split()[0] + \
	  "; name another with make PYTHON=...")'
	@command -v $(CXX) >/dev/null || { echo "restride needs a C++ compiler;" \
	  "$(CXX) was not found, name another with make CXX=..." >&2; exit 1; }
	@echo "setting up $(VENV): tools, and what the tests compare with; a few minutes, once"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -r requirements-dev.txt
	$(BIN)/python -m pip install --quiet --no-deps -r requirements-models.txt
	@touch $@

$(VENV)/package: $(VENV)/tools $(SOURCES)
	@echo "compiling and installing restride; a minute or two"
	CXX=$(CXX) $(PIP_INSTALL) '.[all,test]'
	@touch $@

demo: setup
	$(BIN)/python examples/demo.py out

test: setup
	$(BIN)/python -m pytest $(PYTEST_ARGS)

# A browser of the system, never one that the driver downloads.
test-browser: setup $(VENV)/browser
	@test -n "$(CHROMIUM)" || { echo "no Chromium here: apt install chromium, or name" \
	  "one with make test-browser CHROMIUM=path" >&2; exit 1; }
	RESTRIDE_CHROMIUM="$(CHROMIUM)" $(BIN)/python -m pytest tests/browser $(PYTEST_ARGS)

$(VENV)/browser: requirements-browser.txt $(VENV)/tools
	$(BIN)/python -m pip install --quiet --no-deps -r requirements-browser.txt
	@touch $@

# The wheel is built in .venv, where the build tools and an earlier build are.
test-frameworks: $(FRAMEWORKS_VENV)/package $(FRAMEWORKS:%=$(FRAMEWORKS_VENV)/%.installed)
	$(FRAMEWORKS_VENV)/bin/python -m pytest tests/frameworks $(PYTEST_ARGS)

# The figures stay in out/benchmarks.json: `python -m benchmarks --from` reads them.
bench: $(FRAMEWORKS_VENV)/package $(PEERS:%=$(FRAMEWORKS_VENV)/%.installed)
	@mkdir -p out $(PAGE)
	$(FRAMEWORKS_VENV)/bin/python -m benchmarks --budget $(BUDGET) \
	  --minutes $(MINUTES) $(if $(MOST_BYTES),--most-bytes $(MOST_BYTES)) \
	  --json out/benchmarks.json --page $(PAGE) $(BENCH_ARGS)

# Two files of that size stand in the folder at a time; the caches are dropped.
bench-files: setup
	@mkdir -p $(FOLDER)
	$(BIN)/python -m benchmarks.files --gigabytes $(GIGABYTES) --folder $(FOLDER)

nightly: setup
	$(BIN)/restride bench --guard benchmarks/guard.toml

$(FRAMEWORKS_VENV)/tools: requirements-frameworks.txt requirements-dev.txt
	$(PYTHON) -m venv --clear $(FRAMEWORKS_VENV)
	$(FRAMEWORKS_PIP) hypothesis pytest
	@touch $@

$(FRAMEWORKS_VENV)/package: $(FRAMEWORKS_VENV)/tools $(VENV)/package
	rm -rf $(WHEELS)
	CXX=$(CXX) $(BIN)/python -m pip wheel --quiet --no-build-isolation --no-deps \
	  --config-settings=cmake.define.RESTRIDE_WERROR=$(WERROR) \
	  --wheel-dir $(WHEELS) .
	$(FRAMEWORKS_PIP) --force-reinstall --no-deps $(WHEELS)/restride-*.whl
	$(FRAMEWORKS_PIP) 'restride[tflite]'
	@touch $@

# One that cannot be installed leaves no stamp: the next run tries again, and until then
# its tests are skipped and the last line of the run names it.
$(FRAMEWORKS_VENV)/%.installed: $(FRAMEWORKS_VENV)/tools
	@echo "installing $*"
	@if $(FRAMEWORKS_PIP) $*; then touch $@; else \
	  echo "$* cannot be installed here: its tests are skipped"; fi

lint: $(VENV)/tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/tools
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The sanitized package lies beside the ordinary one and is put before it on the path.
# The runtimes are loaded first, since Python itself is not built with them; libstdc++
# too, so that exceptions thrown by the module are seen.  Python never frees all it
# has, so leaks are looked for in the native tests only.
sanitize: $(VENV)/tools
	$(BIN)/cmake -S . -B $(NATIVE) -G Ninja -DCMAKE_CXX_COMPILER=$(CXX) \
	  -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN)/ninja) -DCMAKE_BUILD_TYPE=Debug \
	  -DRESTRIDE_MODULE=OFF -DRESTRIDE_NATIVE_TESTS=ON -DRESTRIDE_SANITIZE=ON \
	  -DRESTRIDE_WERROR=$(WERROR) >/dev/null
	$(BIN)/cmake --build $(NATIVE)
	UBSAN_OPTIONS=print_stacktrace=1 $(BIN)/ctest --test-dir $(NATIVE) \
	  --output-on-failure
	rm -rf $(SANITIZED)/site
	CXX=$(CXX) $(PIP_INSTALL) --no-deps --target $(SANITIZED)/site \
	  --config-settings=build-dir=$(SANITIZED)/cmake \
	  --config-settings=cmake.define.RESTRIDE_SANITIZE=ON .
	PYTHONPATH=$(SANITIZED)/site:tests PYTHONMALLOC=malloc \
	  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
	  LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) \
	  $$($(CXX) -print-file-name=libubsan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	  $(BIN)/python tests/sanitize_run.py --seconds $(SECONDS)

# The core for another processor, run by an emulator: Debian has both compiler and
# emulator as g++-aarch64-linux-gnu and qemu-user.
aarch64: $(VENV)/tools
	@command -v $(AARCH64)-g++ qemu-aarch64 >/dev/null || { echo "make aarch64 needs" \
	  "$(AARCH64)-g++ and qemu-aarch64 (Debian: g++-aarch64-linux-gnu, qemu-user)" >&2; \
	  exit 1; }
	$(BIN)/cmake -S . -B build/aarch64 -G Ninja -DCMAKE_SYSTEM_NAME=Linux \
	  -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_CXX_COMPILER=$(AARCH64)-g++ \
	  "-DCMAKE_CROSSCOMPILING_EMULATOR=qemu-aarch64;-L;/usr/$(AARCH64)" \
	  -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN)/ninja) -DCMAKE_BUILD_TYPE=Release \
	  -DRESTRIDE_MODULE=OFF -DRESTRIDE_NATIVE_TESTS=ON \
	  -DRESTRIDE_WERROR=$(WERROR) >/dev/null
	$(BIN)/cmake --build build/aarch64
	RESTRIDE_EMULATED=1 $(BIN)/ctest --test-dir build/aarch64 --output-on-failure

# The site lands in out/site; a link that leads nowhere within it is an error.  Links
# to other sites are asked for by LINKS=1, which needs a network.
docs: setup $(VENV)/docs
	$(BIN)/python -m sphinx -q -W --keep-going -b html docs out/site
	$(if $(LINKS),$(BIN)/python -m sphinx -q -b linkcheck docs out/links)
	@echo "open out/site/index.html"

$(VENV)/docs: requirements-docs.txt $(VENV)/tools
	$(BIN)/python -m pip install --quiet -r requirements-docs.txt
	@touch $@

clean:
	rm -rf $(VENV) $(FRAMEWORKS_VENV) build out .pytest_cache .mypy_cache .ruff_cache .hypothesis
