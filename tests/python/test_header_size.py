"""What a program's #include brings in: lines and headers, which do not depend on how busy the machine is."""
import re
import shutil
import subprocess

import pytest

from rill import sysconfig

pytestmark = pytest.mark.skipif(not shutil.which("g++"), reason="there is no compiler")

# At most so many lines that say something after preprocessing, in thousands, and so many files. rill/rill.h had 171
# and 912 with the headers of TensorFlow's messages in it; the standard library's part of these is some 62 and 290.
MOST = {"rill": (98, 790), "core": (78, 430), "nn": (80, 480), "data": (79, 450), "image": (79, 445),
        "linalg": (79, 445), "train": (81, 490), "estimator": (82, 500), "keras": (87, 520), "saved_model": (79, 445)}


def preprocessed(header):
    done = subprocess.run(["g++", "-std=c++20", *sysconfig.get_compile_flags(), "-E", "-x", "c++", "-"],
                          input=f"#include <rill/{header}.h>\n", capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[:2000]
    return done.stdout


def files_of(text):
    return {name for name in re.findall(r'^# \d+ "([^"<]+)"', text, re.MULTILINE)}


@pytest.mark.parametrize("header", MOST)
def test_headers_stay_small(header):
    text = preprocessed(header)
    lines = sum(bool(line.strip()) and not line.startswith("#") for line in text.splitlines())
    most_lines, most_files = MOST[header]
    assert lines <= 1000 * most_lines and len(files_of(text)) <= most_files, (lines, len(files_of(text)))


@pytest.mark.parametrize("header", MOST)
def test_messages_come_with_their_own_header(header):
    assert not [name for name in files_of(preprocessed(header)) if "google/protobuf" in name or name.endswith(".pb.h")]


def test_the_header_of_messages_has_them():
    program = """#include <rill/messages.h>
#include <rill/rill.h>
namespace tf = rill;
int count(const tf::GraphDef& graph) { return graph.node_size(); }
bool grows(const tf::ConfigProto& config) { return config.gpu_options().allow_growth(); }
std::string path(const std::string& folder) {
  const auto state = tf::train::get_checkpoint_state(folder);
  return state ? state->model_checkpoint_path() : std::string();
}
std::string example() { return tf::train::make_example({{"id", tf::train::int64_feature({7})}}).SerializeAsString(); }
"""
    done = subprocess.run(["g++", "-std=c++20", "-fsyntax-only", *sysconfig.get_compile_flags(), "-x", "c++", "-"],
                          input=program, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[:2000]


def test_what_is_missing_is_named():
    program = "#include <rill/rill.h>\nint count(const rill::GraphDef& graph) { return graph.node_size(); }\n"
    done = subprocess.run(["g++", "-std=c++20", "-fsyntax-only", *sysconfig.get_compile_flags(), "-x", "c++", "-"],
                          input=program, capture_output=True, text=True, timeout=120)
    assert done.returncode != 0
    assert "#include <rill/messages.h>" in done.stderr  # the declaration that the compiler shows says so
