#!/usr/bin/env bash
# The one entry point of the repository. `./do` alone says what it can do.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")"

# A job for each core, as far as there are 2 GB for it: no unit takes more. RILL_JOBS decides otherwise.
default_jobs() {
  local cores memory_kib limit
  cores=$(nproc)
  memory_kib=$(awk '/^MemTotal:/ {print $2}' /proc/meminfo)
  limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || echo max)  # of a container
  if [[ $limit =~ ^[0-9]+$ ]] && ((limit / 1024 < memory_kib)); then memory_kib=$((limit / 1024)); fi
  local fitting=$((memory_kib / (2 * 1000 * 1000)))
  ((fitting < 1)) && fitting=1
  echo $((cores < fitting ? cores : fitting))
}
jobs=${RILL_JOBS:-$(default_jobs)}
readonly jobs

usage() {
  cat <<'END'
Usage: ./do COMMAND

  demo               set up, build, train a small model, save, shrink, load, serve and ask it
  test               set up, build, and run every test and the lint
  test fast          the quick tests only, about a minute once built
  test --long        every test, and those that run for hours
  test FOLDER        the C++ tests of rill/FOLDER; of ops also the op cases
  cases STEM [COMMAND]
                     the op cases of rill/ops/**/STEM.cases.cc, built alone: compared with TensorFlow's
                     answers, gradients, senseless arguments; or COMMAND: test, grad, hostile, perf

  setup              install what is missing: Debian packages, and Python packages into .venv
  build [PRESET [TARGET...]]
                     configure and build; presets: release, debug, asan, tsan, fuzz
  lint [--fix]       formatting, layers, generated files, READMEs, ruff, clang-tidy on what changed
                     since the last commit; --fix formats first, and writes which folders include
                     which into the READMEs
  lint --tidy [FILE...]
                     clang-tidy on these files, or on every source: two hours on two cores
  gen                write the generated files anew
  bench [GROUP] [FILTER] [--quick] [--list]
                     measure Rill beside TensorFlow and PyTorch: a table of ratios, JSON and a chart
  bench serve        measure the model server, beside gRPC and TensorFlow in Python
  goldens [NAME...]  run the op cases under TensorFlow and store what it answers; NAME is the stem of
                     one STEM.cases.cc, or a file of tests/programs, or one function of it: data_core.take
  interop            let TensorFlow and TensorBoard read what Rill wrote
  interop libraries [NAME...]
                     install libraries of the TensorFlow 1 world, each in an environment of its own without
                     TensorFlow, and run their first steps under Rill
  stores             install moto and gcp-storage-emulator into .stores, and test files in object stores
                     with them; without them `test` uses a server of its own
  sanitize           the C++ tests under the address, undefined-behaviour and thread sanitizers
  fuzz [SECONDS]     every fuzz target under libFuzzer, SECONDS each (default 60)
END
}

say() { printf '\n== %s\n' "$*"; }
die() { printf './do: %s\n' "$*" >&2; exit 1; }

# --- setup -----------------------------------------------------------------------------------

readonly apt_packages=(
  g++ cmake ninja-build ccache mold pkg-config clang-format
  protobuf-compiler libprotobuf-dev libdnnl-dev libhwy-dev libeigen3-dev libpng-dev
  libjpeg62-turbo-dev libgif-dev libcurl4-openssl-dev libsnappy-dev zlib1g-dev
  libdeflate-dev libhdf5-dev
  libre2-dev libicu-dev libgrpc++-dev libnghttp2-dev libsqlite3-dev libssl-dev libsimdjson-dev
  libgtest-dev libbenchmark-dev python3 python3-dev python3-venv ca-certificates)

# libFuzzer, readable stacks, and omp.h for clang
readonly clang_packages=(clang-19 libclang-rt-19-dev llvm-19 libomp-19-dev)
readonly tidy_packages=(clang-tidy-19 libomp-19-dev)

# For programs of users, with the compiler that builds the library: tests/python/test_compilers.py.
readonly compiler_packages=(clang-15 clang-16 clang-19)

# Asks dpkg rather than remembering, which is quick and notices a package that went away.
install_apt() {
  local missing=() package
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
      missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  say "Installing Debian packages: ${missing[*]}"
  local root=()
  if ((EUID)); then
    command -v sudo >/dev/null || die "packages are missing and neither root nor sudo is at hand"
    root=(sudo)
  fi
  "${root[@]}" apt-get update -qq
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

# make_venv DIRECTORY NAME=VERSION... : Debian's Python, never another one that is first on PATH.
make_venv() {
  local directory=$1 stamp="$1/.installed" wanted
  shift
  wanted=$(printf '%s\n' "$@")
  [[ -f $stamp && $(<"$stamp") == "$wanted" ]] && return 0
  say "Installing Python packages into $directory: $*"
  [[ -x $directory/bin/python ]] || /usr/bin/python3 -m venv "$directory"
  "$directory/bin/python" -m pip install --quiet --disable-pip-version-check "$@"
  printf '%s\n' "$wanted" >"$stamp"
}

cmd_setup() {
  install_apt "${apt_packages[@]}"
  local wheels
  mapfile -t wheels <tools/requirements.txt
  make_venv .venv "${wheels[@]}"
}

# --- build -----------------------------------------------------------------------------------

# The configuration is made once; Ninja makes it anew when a file appears or a CMake file changes.
build_preset() {
  local preset=$1
  shift
  [[ -f build/$preset/build.ninja ]] || cmake --preset "$preset" >/dev/null || return 1
  if [[ -t 1 ]]; then
    ninja -C "build/$preset" -j "$jobs" "$@"  # keeps to one line of a terminal
  else
    ninja -C "build/$preset" -j "$jobs" "$@" | tell_tenths
  fi
}

# Of Ninja's lines those that tell of another tenth of the work, and all that something else printed.
tell_tenths() {
  local awk=(awk)
  if awk -W version 2>&1 | grep -q mawk; then awk=(mawk -W interactive); fi  # which else reads in blocks
  "${awk[@]}" 'match($0, /^\[[0-9]+\/[0-9]+\] /) {
         split(substr($0, 2, RLENGTH - 3), step, "/")
         tenth = int(10 * step[1] / step[2])
         if (tenth > told) { told = tenth; print; fflush() }
         next
       }
       { print; fflush() }'
}

# Without a target, release and debug build the library, the command and the Python extension.
cmd_build() {
  local preset=${1:-release}
  local targets=("${@:2}")
  if ((${#targets[@]} == 0)) && [[ $preset == release || $preset == debug ]]; then
    targets=(rill_products)
  fi
  cmd_setup
  if [[ $preset == fuzz ]]; then install_apt "${clang_packages[@]}"; fi
  say "Building ($preset)"
  build_preset "$preset" ${targets[@]:+"${targets[@]}"}
  say "Built: build/$preset"
}

# --- test ------------------------------------------------------------------------------------

passed=0
failed=()

# step NAME COMMAND... : runs it, remembers the outcome, goes on. `set -e` does not hold inside.
step() {
  local name=$1
  shift
  say "$name"
  if "$@"; then
    passed=$((passed + 1))
  else
    printf '!! %s failed\n' "$name"
    failed+=("$name")
  fi
}

finish() {
  if ((${#failed[@]})); then
    local names
    names=$(printf '%s, ' "${failed[@]}")
    printf '\n== %s: %d steps passed, %d failed: %s\n' "$1" "$passed" "${#failed[@]}" "${names%, }"
    exit 1
  fi
  printf '\n== %s: %d steps passed, 0 failed\n' "$1" "$passed"
}

python() { PYTHONPATH=python:python/compat .venv/bin/python "$@"; }

run_pytest() {
  if [[ -z $(find tests -name 'test_*.py' -print -quit) ]]; then
    echo "no Python tests"
    return 0
  fi
  python -m pytest -q "$@"
}

# run_fuzz PRESET ARGUMENT... : every target with the bounded driver.
run_fuzz() {
  local preset=$1 target status=0
  shift
  for target in "build/$preset"/bin/fuzz_*; do
    [[ -x $target ]] || continue
    "$target" "$@" || status=1
  done
  return "$status"
}

# Tests whose name ends in _slow are left out of the fast set, those in _long of all but --long.
# Those of what is forced to the disk switch that on; all others need not wait for it.
cmd_test() {
  export RILL_FSYNC=${RILL_FSYNC:-0}
  local which=${1:-all} pytest_marks gtest_skip fuzz_bound=(--runs=2000 --seconds=5)
  case $which in
    fast) gtest_skip='-*_slow:*_long' pytest_marks='not slow and not long' ;;
    all) gtest_skip='-*_long' pytest_marks='not long' ;;
    --long) gtest_skip='' pytest_marks='' fuzz_bound=(--runs=100000000 --seconds=1800) ;;
    *) test_folder "$which"; return ;;
  esac
  cmd_setup
  step "Build" build_preset release
  ((${#failed[@]})) && finish "Test ($which)"
  step "C++ tests and op cases" env GTEST_FILTER="$gtest_skip" ctest --preset release -j "$jobs"
  if [[ $which == --long ]]; then
    install_apt "${compiler_packages[@]}"
    step "Op cases on a stand-in device" build/release/bin/rill_optest test --device STANDIN
    step "Gradients on a stand-in device" build/release/bin/rill_optest grad --device STANDIN
  fi
  step "Python tests" run_pytest -m "$pytest_marks"
  if [[ $which != fast ]]; then
    step "Fuzzing, bounded" run_fuzz release "${fuzz_bound[@]}"
    step "Lint" lint_all
  fi
  finish "Test ($which)"
}

test_folder() {
  local folder=$1
  [[ -d rill/$folder || -d tests/$folder ]] || die "no folder rill/$folder or tests/$folder"
  [[ -d tests/$folder || -n $(find "rill/$folder" -name '*_test.cc' -print -quit) ]] ||
    die "rill/$folder has no *_test.cc; rill/$folder/README.md says what tests it"
  cmd_setup
  if [[ $folder == python ]]; then
    build_preset release rill_products
    step "Python tests" run_pytest tests/python
  else
    local targets=("test_$folder")
    [[ $folder == ops ]] && targets+=(rill_optest)
    build_preset release "${targets[@]}"
    step "C++ tests of $folder" "build/release/bin/test_$folder"
    if [[ $folder == ops ]]; then
      step "Op cases" build/release/bin/rill_optest test
      step "Gradients of op cases" build/release/bin/rill_optest grad
    fi
  fi
  finish "Test ($folder)"
}

# A new stem has no target until CMake has seen its file.
build_cases() {
  local stem
  for stem in "$@"; do
    [[ -n $(find rill/ops -name "$stem.cases.cc" -print -quit) ]] ||
      die "no $stem.cases.cc below rill/ops; a new one begins with extern const OpCases k...Cases"
  done
  build_preset release "${@/#/cases_}"
}

cmd_cases() {
  (($#)) || die "which stem? ./do cases softmax is rill/ops/nn/activation/softmax.cases.cc"
  local stem=$1 command
  shift
  cmd_setup
  build_cases "$stem"
  for command in "${@:-test grad hostile}"; do
    for command in $command; do
      step "$stem: $command" "build/release/bin/cases/$stem" "$command" "$stem"
    done
  done
  finish "Cases ($stem)"
}

# --- lint and generated files ----------------------------------------------------------------

# The repository's files of these names; without git, as in an unpacked archive, all that are there.
list_files() {
  if git rev-parse --git-dir >/dev/null 2>&1; then
    git ls-files -co --exclude-standard -- "$@"
  else
    local names=() name
    for name in "$@"; do names+=(-o -name "$name"); done
    find . \( -name build -o -name '.*' ! -name . \) -prune -o -type f \( "${names[@]:1}" \) -printf '%P\n'
  fi
}

sources() { list_files "$@" | while read -r f; do
  if [[ -f $f ]]; then printf '%s\n' "$f"; fi
done; }

# format ARGUMENT... : clang-format over all hand-written C++.
format() {
  sources '*.cc' '*.h' '*.cu' '*.cuh' | { grep -v '\.gen\.\|/gen/\|/cc/ops/.*_ops*\.h' || true; } |
    xargs -r -P "$jobs" -n 40 clang-format "$@"
}

lint_python() {
  .venv/bin/ruff check --quiet .
}

# opgen DIRECTORY writes its files below DIRECTORY, at the paths they have in the repository.
lint_generated() {
  .venv/bin/python tools/gen_register.py --check || return 1
  .venv/bin/python tools/gen_host_arguments.py --check || return 1
  .venv/bin/python tools/gen_surface.py --check || return 1
  [[ ! -f tools/protogen.py ]] || .venv/bin/python tools/protogen.py --check || return 1
  [[ -f tools/opgen/main.cc ]] || return 0
  build_preset release opgen >/dev/null || return 1
  local fresh file status=0
  fresh=$(mktemp -d)
  build/release/bin/opgen "$fresh" || status=1
  while read -r file; do
    cmp -s "$fresh/$file" "$file" || { echo "out of date: $file (run ./do gen)"; status=1; }
  done < <(cd "$fresh" && find . -type f -printf '%P\n')
  rm -r "$fresh"
  return "$status"
}

# clang-tidy reads the flags of a source from its neighbours: the build compiles batches of sources.
tidy_files() {
  (($#)) || return 0
  install_apt "${tidy_packages[@]}"
  [[ -f build/release/build.ninja ]] || cmake --preset release >/dev/null || return 1
  build_preset release rill_proto >/dev/null || return 1
  printf '%s\n' "$@" | xargs -P "$jobs" -n 1 clang-tidy-19 -p build/release --quiet --warnings-as-errors='*' \
    2> >(grep -v 'warnings\? generated' >&2)
}

# Of the files named on standard input, the hand-written sources of the library, bindings and tools.
tidy_sources() {
  sort -u | { grep -E '^(rill|python/src|tools)/.*\.cc$' || true; } | { grep -v '\.gen\.\|/gen/' || true; }
}

# lint_tidy [FILE...] : these files, or those that differ from the last commit.
lint_tidy() {
  local files=("$@")
  if ((${#files[@]} == 0)); then
    mapfile -t files < <({ git diff --name-only --diff-filter=d HEAD; git ls-files -o --exclude-standard; } \
      2>/dev/null | tidy_sources)
  fi
  tidy_files ${files[@]:+"${files[@]}"}
}

lint_all() {
  local check status=0
  for check in "format --dry-run -Werror" ".venv/bin/python tools/check_layers.py" \
    ".venv/bin/python tools/check_readmes.py" "lint_generated" "lint_python"; do
    $check || { printf '!! %s\n' "$check"; status=1; }
  done
  return "$status"
}

cmd_lint() {
  cmd_setup
  if [[ ${1:-} == --tidy ]]; then
    local files=("${@:2}")
    ((${#files[@]})) || mapfile -t files < <(list_files "*.cc" | tidy_sources)
    step "clang-tidy" lint_tidy "${files[@]}"
    finish "Lint"
    return
  fi
  if [[ ${1:-} == --fix ]]; then
    format -i
    .venv/bin/python tools/check_readmes.py --fix >/dev/null || true  # the lint tells what is left
  fi
  step "Lint" lint_all
  step "clang-tidy on what changed" lint_tidy
  finish "Lint"
}

cmd_gen() {
  cmd_setup
  .venv/bin/python tools/gen_register.py
  .venv/bin/python tools/gen_host_arguments.py
  .venv/bin/python tools/gen_surface.py
  if [[ -f tools/protogen.py ]]; then .venv/bin/python tools/protogen.py; fi
  if [[ -f tools/opgen/main.cc ]]; then
    build_preset release opgen
    build/release/bin/opgen .
  fi
  say "Generated files are up to date"
}

# --- demo, measurements, the oracle ----------------------------------------------------------

# Every line that starts with "rill" can be tried as it stands.
cmd_demo() {
  cmd_build release
  local folder=${TMPDIR:-/tmp}/rill_demo
  say "A small network learns to read digits that the demo draws itself"
  build/release/bin/example_demo "$folder"
  say "What it noted: rill show log"
  bin/rill show "$folder"/log/events.*
  say "Its graph, folded and in eight bits: rill optimize model -o small --quantize"
  bin/rill optimize "$folder/model" -o "$folder/small" --quantize
  bin/rill show "$folder/small" --png "$folder/small.png"
  echo "a picture of it: $folder/small.png"
  say "A fresh process asks the model (C++)"
  build/release/bin/example_predict "$folder/model"
  say "And another asks the small one (Python): rill run predict.py small"
  bin/rill run examples/predict.py "$folder/small"
  say "A server of the model is asked over REST and gRPC: rill serve"
  bin/rill run examples/ask_server.py "$folder/model"
  say "All of it is in $folder; the programs are examples/demo.cc, predict.cc, predict.py and ask_server.py"
}

# Real TensorFlow, in an environment of its own. RILL_ORACLE names one that is already there.
need_oracle() {
  if [[ -n ${RILL_ORACLE:-} ]]; then
    [[ -e .oracle ]] || ln -s "$RILL_ORACLE" .oracle
  else
    make_venv .oracle 'tensorflow-cpu==2.15.*' 'numpy==1.26.4'
  fi
}

# with_oracle SCRIPT ARGUMENT... : builds everything, then runs the script under TensorFlow's Python.
with_oracle() {
  cmd_setup
  build_preset release
  need_oracle
  .oracle/bin/python "$@"
}

# PyTorch on PyPI brings gigabytes of CUDA along; Debian's does not, and multiplies through OpenBLAS.
readonly torch_packages=(python3-torch python3-numpy libopenblas0-openmp)

cmd_bench() {
  cmd_setup
  build_preset release
  need_oracle
  if [[ ${1:-} == serve ]]; then
    need_serving_client
    .venv/bin/python bench/serve.py "${@:2}"
    return
  fi
  (install_apt "${torch_packages[@]}") || say "PyTorch could not be installed"
  (make_venv .chart 'matplotlib==3.8.4' 'numpy==1.26.4') || say "matplotlib could not be installed: no chart"
  .venv/bin/python bench/run.py "$@"
}

cmd_goldens() {
  if (($#)); then
    cmd_setup
    need_oracle
    local name stems=() programs=() eager=()
    for name in "$@"; do
      if [[ -f tests/programs/${name%%.*}.py ]]; then programs+=("$name") eager+=("${name%%.*}")
      elif [[ -f tests/programs/eager/$name.py ]]; then eager+=("$name")
      else stems+=("$name"); fi
    done
    ((${#programs[@]} == 0)) || .oracle/bin/python tools/program_goldens.py "${programs[@]}"
    ((${#eager[@]} == 0)) || .oracle/bin/python tools/eager_goldens.py "${eager[@]}"
    ((${#stems[@]})) || return 0
    build_cases "${stems[@]}"
    for name in "${stems[@]}"; do
      RILL_OPTEST=build/release/bin/cases/$name .oracle/bin/python tools/goldens.py "$name"
    done
    return
  fi
  with_oracle tools/goldens.py
  with_oracle tools/program_goldens.py
  with_oracle tools/eager_goldens.py
  with_oracle tools/control_graphs.py
  with_oracle tools/function_graphs.py
  with_oracle tools/gradient_goldens.py
  with_oracle tools/shape_goldens.py
  [[ -z ${RILL_ORACLE_1:-} ]] || "$RILL_ORACLE_1/bin/python" tools/shape_messages.py
  with_oracle tools/placement_goldens.py
  with_oracle tools/flow_goldens.py
  with_oracle tools/object_goldens.py
  with_oracle tools/random_goldens.py
  with_oracle tools/profiler_goldens.py
  with_oracle tools/io_goldens.py
  with_oracle tools/model_goldens.py
  with_oracle tests/tutorials/tutorial_goldens.py
  with_oracle tools/interop_estimators.py golden
  say "Goldens are in tests/golden"
}

# TensorFlow Serving's client, without what it asks for: another build of TensorFlow.
need_serving_client() {
  need_oracle
  .oracle/bin/python -c 'import importlib.util as u, sys; sys.exit(u.find_spec("tensorflow_serving") is None)' ||
    .oracle/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
      'tensorflow-serving-api==2.15.*'
}

# Clients that others wrote, which want other versions of packages than TensorFlow does.
need_clients() {
  make_venv .clients 'tritonclient[grpc,http]==2.*' 'grpcio-reflection==1.*' 'ml_dtypes==0.*'
}

# Packages of PyPI, into build/libraries.
interop_libraries() {
  cmd_setup
  build_preset release rill_products
  .venv/bin/python tools/interop_libraries.py "$@"
  say "Names of TensorFlow that they use"
  PYTHONPATH=python:python/compat .venv/bin/python tools/library_names.py --missing "$@"
}

cmd_interop() {
  if [[ ${1:-} == libraries ]]; then
    interop_libraries "${@:2}"
    return
  fi
  with_oracle tools/interop.py "$@"
  (($#)) || with_oracle tools/interop_keras.py
  (($#)) || with_oracle tools/interop_estimators.py
  (($#)) || need_serving_client
  (($#)) || with_oracle tools/interop_serving.py
  (($#)) || with_oracle tools/interop_tutorials.py
  (($#)) || need_clients
  (($#)) || .clients/bin/python tools/interop_kserve.py
  (($#)) || (install_apt chromium) || say "Chromium could not be installed"
  (($#)) || run_pytest tests/python/test_serve_page.py
  say "Rill and TensorFlow read each other's files"
}

cmd_stores() {
  cmd_build release rill_python rill_command
  make_venv .stores 'moto[server]==5.*' 'gcp-storage-emulator==2026.*'
  need_oracle
  [[ -d .stores/tensorflow_io ]] ||
    .stores/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
      --target .stores/tensorflow_io 'tensorflow-io==0.36.*' 'tensorflow-io-gcs-filesystem==0.36.*'
  run_pytest tests/python/test_stores.py
}

# --- sanitizers and fuzzing ------------------------------------------------------------------

cmd_sanitize() {
  export RILL_FSYNC=0  # as in cmd_test
  cmd_setup
  export UBSAN_OPTIONS=print_stacktrace=1
  # Ops are asked for more memory than there is; they must get an answer.
  export ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=1500
  export LSAN_OPTIONS="suppressions=$PWD/tests/lsan.supp"
  export TSAN_OPTIONS="suppressions=$PWD/tests/tsan.supp halt_on_error=1"
  export GTEST_FILTER='-*_long'
  step "Build (asan)" build_preset asan
  step "C++ tests (asan, ubsan)" ctest --preset asan -j "$jobs"
  step "Fuzzing, bounded (asan, ubsan)" run_fuzz asan --runs=2000 --seconds=20
  step "Build (tsan)" build_preset tsan
  step "C++ tests (tsan)" ctest --preset tsan -j 1
  finish "Sanitize"
}

# What libFuzzer finds of interest gathers below build/fuzz/corpus; tests/fuzz/corpus are the seeds.
fuzz_target() {
  local target=$1 seconds=$2 name=${1##*/fuzz_} found seeds
  found=build/fuzz/corpus/$name
  seeds=tests/fuzz/corpus/$name
  mkdir -p "$found"
  [[ -d $seeds ]] || seeds=
  "$target" -max_total_time="$seconds" -timeout=30 -print_final_stats=1 \
    -artifact_prefix="$found/../$name-" "$found" ${seeds:+"$seeds"}
}

cmd_fuzz() {
  local seconds=${1:-60} target
  cmd_build fuzz rill_fuzz
  export ASAN_SYMBOLIZER_PATH=/usr/bin/llvm-symbolizer-19
  for target in build/fuzz/bin/fuzz_*; do
    [[ -x $target ]] && step "${target##*/}, $seconds s" fuzz_target "$target" "$seconds"
  done
  finish "Fuzz"
}

# ---------------------------------------------------------------------------------------------

main() {
  local command=${1:-help}
  [[ $# -gt 0 ]] && shift
  case $command in
    help | -h | --help) usage ;;
    setup | build | demo | test | cases | lint | gen | bench | goldens | interop | stores | sanitize | fuzz)
      "cmd_$command" "$@" ;;
    *) usage >&2; die "no such command: $command" ;;
  esac
}

main "$@"
