#!/usr/bin/env bash
# The one door of the repository. `./do` alone says what it can do.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")"
readonly jobs=2

usage() {
  cat <<'END'
Usage: ./do COMMAND

  demo               set up, build, and train a small model
  test               set up, build, and run every test and the lint
  test fast          the quick tests only, about a minute once built
  test --long        every test, and those that run for hours
  test FOLDER        the C++ tests of rill/FOLDER

  setup              install what is missing: Debian packages, and Python packages into .venv
  build [PRESET]     configure and build (release, debug, asan, tsan, fuzz)
  lint               formatting, include order, generated files, READMEs
  gen                write the generated files anew
  bench [FILTER]     measure, beside TensorFlow and PyTorch
  goldens            run the op cases under TensorFlow and store what it answers
  interop            let TensorFlow and TensorBoard read what Rill wrote
  sanitize           the C++ tests under the address, undefined-behaviour and thread sanitizers
  fuzz [SECONDS]     every fuzz target under libFuzzer, SECONDS each (default 60)
END
}

say() { printf '\n== %s\n' "$*"; }
die() { printf './do: %s\n' "$*" >&2; exit 1; }

# --- setup -----------------------------------------------------------------------------------

readonly apt_packages=(
  g++ cmake ninja-build ccache mold pkg-config clang-format
  protobuf-compiler libprotobuf-dev libdnnl-dev libhwy-dev
  libgtest-dev libbenchmark-dev python3 python3-dev python3-venv ca-certificates)

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
  [[ -f build/$preset/build.ninja ]] || cmake --preset "$preset"
  cmake --build --preset "$preset" -j "$jobs" "$@"
}

cmd_build() {
  local preset=${1:-release}
  cmd_setup
  say "Building ($preset)"
  build_preset "$preset"
  say "Built: build/$preset"
}

# --- the rest --------------------------------------------------------------------------------

main() {
  local command=${1:-help}
  [[ $# -gt 0 ]] && shift
  case $command in
    help | -h | --help) usage ;;
    setup | build) "cmd_$command" "$@" ;;
    *) usage >&2; die "no such command: $command" ;;
  esac
}

main "$@"
