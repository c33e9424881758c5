"""README's program, each header of an area and the tutorials under the compilers that Debian 12 has: no warning."""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess

import pytest

from rill import sysconfig

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPILERS = ["g++-12", "clang++-15", "clang++-16", "clang++-19"]  # clang 14 knows no std::source_location
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]

pytestmark = [pytest.mark.long, pytest.mark.timeout(3600)]


def complaints(compiler, name, source):
    done = subprocess.run([compiler, "-std=c++20", *WARNINGS, "-fsyntax-only", *sysconfig.get_compile_flags(),
                           f"-I{ROOT}", "-x", "c++", "-"], input=source, capture_output=True, text=True)
    return [f"{name}: {line}" for line in done.stderr.splitlines() if ": error: " in line]


def sources():
    yield "README", re.search(r"```cpp\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1]
    for header in sorted((ROOT / "rill").glob("*.h")):
        yield header.name, f"#include <rill/{header.name}>\n"
    for tutorial in sorted((ROOT / "tests/tutorials").glob("*.cc")):
        yield tutorial.name, tutorial.read_text()


@pytest.mark.parametrize("compiler", COMPILERS)
def test_no_compiler_complains(compiler):
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not installed")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda one: complaints(compiler, *one), sources())
        assert [line for lines in found for line in lines] == []


@pytest.mark.parametrize("example", sorted(p.parent.name for p in (ROOT / "examples/cpp").glob("*/CMakeLists.txt")))
def test_an_example_is_a_project_of_its_own(example, tmp_path):
    build = ROOT / "build" / "release"
    for command in (["cmake", "-S", ROOT / "examples/cpp" / example, "-B", tmp_path, f"-Drill_DIR={build}"],
                    ["cmake", "--build", tmp_path]):
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / example).exists()
