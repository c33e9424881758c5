"""C++ programs against TensorFlow's client headers."""
import concurrent.futures
import os
import re
import subprocess

import pytest

import rill as tf
from building import GXX, HERE, WARNINGS

CLIENT = """\
19
-3
v:0 MatMul
Const( )
Const_1( )
part/Add( Const Const_1 )
part/Const/Const( )
part/more( part/Add part/Const/Const )
held( Const ^part/more )
100 100
INVALID_ARGUMENT
INVALID_ARGUMENT
2 1
5
"""


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def test_client(compiler):
    done = run(compiler.result("client.cc"))
    assert done.returncode == 0, done.stderr
    assert done.stdout == CLIENT


def test_headers_of_the_time(compiler):
    done = run(compiler.result("headers.cc"))
    assert done.returncode == 0, done.stderr
    graph, bits, floats, drawn, prints, lines, *rest = done.stdout.splitlines()
    assert graph == "x()c()y(x c ^c )1"
    uniform = tf.raw_ops.RandomUniform(shape=[12], dtype=tf.float32, seed=301, seed2=17)
    normal = tf.raw_ops.RandomStandardNormal(shape=[12], dtype=tf.float32, seed=301, seed2=17)
    bucket = tf.strings.to_hash_bucket_fast(["Hello"], 1000003)
    with tf.Session() as session:  # the same numbers as the ops of a graph draw
        wanted, gauss, hashed = session.run([uniform, normal, bucket])
    assert [(int(word) & 0x7fffff) / 2**23 for word in bits.split()] == wanted[:4].tolist()
    assert [float(word) for word in floats.split()] == pytest.approx([wanted[4], gauss[8]], rel=1e-4)
    assert drawn == "101" and int(prints.split()[0]) % 1000003 == hashed[0]
    assert lines == "one|two|three|two 8 16"
    assert rest == ["1word, rest", "13X is not an allowed activation mode", "1Limit: 0"]
    assert re.fullmatch(r"I rill: headers:\d+\] said\n", done.stderr)
    quiet = subprocess.run([compiler.result("headers.cc")], capture_output=True, text=True,
                           env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "1"})
    assert quiet.stderr == ""


def test_messages(compiler):
    assert run(compiler.result("messages.cc")).stdout == "5.14159\n"


@pytest.fixture
def graph_file(graph, tmp_path):
    x = tf.placeholder(tf.float32, [2], name="x")
    tf.raw_ops.Mul(x=x, y=[3.0, 4.0], name="my_output")
    path = tmp_path / "graph.pb"
    path.write_bytes(graph.as_graph_def().SerializeToString())
    return str(path)


def test_session_on_a_graph_from_a_file(compiler, graph_file):
    program = compiler.result("new_session.cc")
    done = run(program, "--graph=" + graph_file, "--times=2", "--verbose")
    assert done.returncode == 0, done.stderr
    assert done.stdout == ("1.5 4\n1.5 4\nTensor<type: float shape: [2] values: 1.5 4>\n-1.5\n-4\n")


def test_flags(compiler, graph_file):
    program = compiler.result("new_session.cc")
    done = run(program, "--graph=" + graph_file, "--scale=2", "--verbose=false")
    assert done.stdout == "6 16\n-6\n-16\n"
    done = run(program, "--times=many")
    assert done.returncode == 2 and "--times=1" in done.stdout and "int32" in done.stdout
    assert "Couldn't interpret value many for flag times." in done.stderr
    done = run(program, "stray")
    assert done.returncode == 3 and done.stdout == "Unknown argument stray\n"


def test_what_goes_wrong_is_a_status(compiler, graph_file, tmp_path):
    program = compiler.result("new_session.cc")
    done = run(program, "--graph=nowhere.pb")
    assert done.returncode == 4 and done.stdout.startswith("Not found: nowhere.pb")
    (tmp_path / "broken.pb").write_bytes(b"\xff\xff\xff")
    done = run(program, f"--graph={tmp_path}/broken.pb")
    assert done.returncode == 4 and done.stdout.startswith("Data loss: Can't parse")
    done = run(program, "--graph=" + graph_file, "--output=other:0")
    assert done.returncode == 6 and done.stdout.startswith("Not found")


def compile_only(source, standard, folder):
    return run(*GXX, *WARNINGS, f"-std=c++{standard}", *tf.sysconfig.get_compile_flags(), "-c",
               str(source), "-o", str(folder / (source.stem + ".o")))


@pytest.mark.slow
def test_every_header_at_every_standard():
    include = HERE.parents[1] / "include"
    lines = [f'#include "{path.relative_to(include)}"' for path in sorted(include.rglob("*.h"))]
    everything = HERE.parents[1] / "build" / "every_header.cc"  # one place, for ccache
    everything.write_text("\n".join(lines))
    for standard in (11, 14, 17):
        done = compile_only(everything, standard, everything.parent)
        assert done.returncode == 0, done.stderr


@pytest.mark.long
@pytest.mark.parametrize("standard", [11, 14, 17])
def test_every_source_at_every_standard(standard, tmp_path):
    """The other tests compile and run each source at one standard only."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for done in pool.map(lambda source: compile_only(source, standard, tmp_path),
                             sorted(HERE.glob("*.cc"))):
            assert done.returncode == 0, done.stderr


def test_a_saved_model_is_asked(compiler, tmp_path):
    x = tf.placeholder(tf.float32, [], name="x")
    w = tf.Variable(3.0)
    with tf.Session() as session:
        session.run(w.initializer)
        tf.saved_model.simple_save(session, str(tmp_path / "model"), {"x": x}, {"y": w * x + 1})
    program = compiler.result("saved_model.cc")
    asked = run(program, str(tmp_path / "model"), "2.5")
    assert (asked.returncode, asked.stdout) == (0, "8.5\n"), asked.stderr
    missing = run(program, str(tmp_path / "none"), "1")
    assert (missing.returncode, missing.stdout) == (1, "NOT_FOUND\n"), missing.stderr
