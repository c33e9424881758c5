"""What a program in C++ gets wrong is one line of the compiler, at the line of the program, that names the argument."""
import os
import re
import shutil
import subprocess

import pytest

from rill import sysconfig

START = """#include <rill/core.h>
#include <rill/data.h>
namespace tf = rill;
void wrong(tf::Output x, tf::Output p, tf::Session& sess, int number) {
"""
# A line of a program, and what the error at that line says.
WRONG = [
    ("tf::while_loop(x, [](tf::Output i) { return i; }, {0});", "cond and body of while_loop take the loop variables"),
    ("tf::while_loop([](tf::Output i) { return i < 3; }, [](tf::Output i, tf::Output) { return i; }, {0});",
     "cond and body of while_loop take different numbers of loop variables"),
    ("tf::cond(p, x, [&] { return x; });", "the branches of cond take no arguments"),
    ("tf::cond(p, [&](tf::Output y) { return y; }, [&] { return x; });", "the branches of cond take no arguments"),
    ("tf::cond(p, [&] { return x; }, [&] { return std::vector{x, x}; });", "both give a tensor or both a std::vector"),
    ("tf::map_fn([](tf::Output a, tf::Output) { return a; }, x);", "the function of map_fn takes a tf::Output"),
    ("tf::map_fn(x, {x, p});", "the function of map_fn takes a tf::Output"),
    ("tf::scan([](tf::Output a) { return a; }, x);", "the function of scan takes what there is so far and an element"),
    ("tf::foldl([](tf::Output a) { return a; }, x);", "the function of foldl takes what there is so far"),
    ("tf::foldr(x, x);", "the function of foldr takes what there is so far"),
    ("tf::host_function([](int a) { return a; }, {x}, {tf::float32});", "the function of host_function takes and gives"),
    ("tf::recorded_function([](int a) { return a; }, {x}, {tf::float32});", "the function of recorded_function takes"),
    ("tf::custom_gradient([](int a) { return a; }, {x});", "the function of custom_gradient takes"),
    ("tf::matmul(x, 3, {.transpose = true});", "MatmulOptions"),
    ("if (x > 1.0f) return;", "deleted"),
    ("bool positive = x > 1.0f;", "bool"),
    ("auto& node = *x.node; auto copy = node;", "deleted"),
    ("sess.run(number);", "run is asked for tensors, variables and operations"),
    ('sess.run("x:0");', "run is asked for tensors, variables and operations"),
    ("sess.run(std::tie(x, number));", "run is asked for tensors, variables and operations"),
    ("sess.run(std::vector{number});", "run is asked for tensors, variables and operations"),
    ("sess.run(x, p);", "the feeds of run are pairs of a tensor and its value"),
    ("tf::gradients(number, x);", "gradients takes what is differentiated, then by what"),
    ('tf::gradients(x, "w");', "gradients takes what is differentiated, then by what"),
]


@pytest.mark.parametrize("compiler", [pytest.param("g++", marks=pytest.mark.slow),
                                      pytest.param("clang++-19", marks=pytest.mark.long)])
def test_errors_of_one_line(compiler, tmp_path):
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not installed")
    source = tmp_path / "wrong.cc"
    source.write_text(START + "".join(f"  {{ {line} }}\n" for line, _ in WRONG) + "}\n")
    done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-fno-diagnostics-color", *sysconfig.get_compile_flags(),
                           "-ferror-limit=0" if "clang" in compiler else "-fmax-errors=0", source],
                          capture_output=True, text=True, timeout=300, env={**os.environ, "LC_ALL": "C"})
    assert done.returncode != 0
    first = START.count("\n") + 1
    for number, (line, words) in enumerate(WRONG, first):
        errors = re.findall(rf"^{re.escape(str(source))}:{number}:\d+: error: (.*)", done.stderr, re.MULTILINE)
        assert any(words in error for error in errors), (line, errors)
    elsewhere = [line for line in done.stderr.splitlines() if ": error: " in line and not line.startswith(str(source))]
    assert not elsewhere

