# Every target does its own set-up in .venv; the first run takes a minute or two.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CPP := $(shell find cpp -name '*.?pp' 2>/dev/null)
NATIVE := $(CPP) CMakeLists.txt
JOBS ?= 2
# Tests of how soon work stops run alone: other tests beside them would hold them up.
STOPPING := $(shell find tests -name test_stopping.py 2>/dev/null)

.PHONY: run test lint tidy check-full bench sanitize stub format clean

run: $(VENV)/.installed
	$(BIN)/python examples/main_job.py

test: $(VENV)/.tools lint sanitize
	$(BIN)/python -m pytest -n $(JOBS) -q -m "not slow" --ignore-glob '*/test_stopping.py'
	$(BIN)/python -m pytest -q -m "not slow" $(STOPPING)

lint: $(VENV)/.tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@$(BIN)/clang-format --dry-run --Werror $(CPP)

# Reads the C++ for likely mistakes (.clang-tidy says which); some minutes.
tidy: $(VENV)/.tidy
	$(BIN)/cmake -S . -B build/tidy -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja \
		-DCMAKE_BUILD_TYPE=Release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DSKBUILD=ON -DSETROGRADE_TESTS=ON \
		-DPython_EXECUTABLE=$(abspath $(BIN))/python >/dev/null
	$(BIN)/python $(BIN)/run-clang-tidy.py -quiet -hide-progress -j $(JOBS) \
		-clang-tidy-binary $(BIN)/clang-tidy -p build/tidy cpp/

# Some two hours on two cores; boards that want 20 GB are skipped where there is less.
check-full: $(VENV)/.tools lint tidy sanitize
	$(BIN)/ctest --test-dir build/sanitize -C full -R whole_boards --output-on-failure
	HYPOTHESIS_PROFILE=full $(BIN)/python -m pytest -n $(JOBS) -q --ignore tests/verify/test_large_boards.py
	$(BIN)/python -m pytest -n 2 --dist worksteal -q tests/verify/test_large_boards.py

bench: $(VENV)/.tools
	$(BIN)/python -m bench

# Native tests under the address and undefined-behaviour sanitizers.
sanitize: $(VENV)/.build-tools
	$(BIN)/cmake -S . -B build/sanitize -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja \
		-DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O1 -g1" \
		-DSETROGRADE_SANITIZE=ON -DSETROGRADE_TESTS=ON >/dev/null
	$(BIN)/cmake --build build/sanitize
	$(BIN)/ctest --test-dir build/sanitize --parallel $(JOBS) --output-on-failure

# Regenerates the committed stub of the native module.
stub: $(VENV)/.tools
	$(BIN)/python -m nanobind.stubgen -m setrograde._core -o src/setrograde/_core.pyi

format: $(VENV)/.tools
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	@$(BIN)/clang-format -i $(CPP)

$(VENV)/.created:
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.build-tools: $(VENV)/.created
	$(BIN)/pip install --quiet --disable-pip-version-check 'scikit-build-core>=0.10' 'nanobind>=2.2,<3' cmake ninja
	touch $@

$(VENV)/.installed: $(VENV)/.build-tools pyproject.toml $(NATIVE)
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --editable .
	touch $@

$(VENV)/.tools: $(VENV)/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --editable '.[lint,test,peers]'
	touch $@

$(VENV)/.tidy: $(VENV)/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --editable '.[tidy]'
	touch $@

clean:
	rm -rf build $(VENV)
