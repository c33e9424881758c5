"""The checks of includes and READMEs, each on a small tree with one thing wrong."""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_layers
import check_readmes
from include_graph import strongly_connected


def tree(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = text if isinstance(text, str) else "".join(f'#include "{i}"\n' for i in text)
        path.write_text(lines)
    return root


def layers(root, files, excused=None):
    return list(check_layers.complaints(tree(root, files), excused or {}))


GOOD = {
    "rill/base/error.h": [],
    "rill/proto/tensorflow/graph.proto": "",
    "rill/graph/node.h": ["rill/base/error.h"],
    "rill/graph/graph_def.h": ["rill/graph/node.h", "tensorflow/graph.pb.h"],
    "rill/kernel/call.h": ["rill/graph/node.h"],
    "rill/ops/math/add.op.cc": ["rill/graph/node.h"],
    "rill/ops/math/add.cpu.cc": ["rill/kernel/call.h"],
    "rill/ops/nn/conv.cpu.cc": ["rill/ops/math/rows.h"],
    "rill/ops/math/rows.h": ["rill/kernel/call.h"],
    "rill/compat/node.cc": ["tensorflow/cc/node.h", "rill/graph/node.h"],
    "include/tensorflow/cc/node.h": ["string"],
    "python/src/face.h": ["rill/graph/graph_def.h"],
    "python/src/face.cc": ["face.h", "rill/ops/math/rows.h"],
}


def test_nothing_wrong(tmp_path):
    assert layers(tmp_path, GOOD) == []


@pytest.mark.parametrize("name, text, complaint", [
    ("rill/graph/runs.cc", ["rill/kernel/call.h"], "is not on the left of graph/"),
    ("rill/graph/node_test.cc", ["rill/kernel/call.h"], "is not on the left of graph/"),
    ("rill/kernel/call.cc", ["tensorflow/graph.pb.h"], "kernels do not see protobuf"),
    ("rill/kernel/call.cc", ["google/protobuf/message.h"], "kernels do not see protobuf"),
    # Through a header that it may include.
    ("rill/kernel/call.cc", ["rill/graph/graph_def.h"],
     '"rill/proto/tensorflow/graph.proto" (through rill/graph/graph_def.h)'),
    ("rill/ops/nn/pool.cpu.cc", ["rill/graph/graph_def.h"], "kernels do not see protobuf"),
    ("rill/ops/math/sub.op.cc", ["rill/kernel/call.h"], "declarations link without kernels"),
    ("rill/ops/math/sub.op.cc", ["rill/ops/math/rows.h"],
     '"rill/kernel/call.h" (through rill/ops/math/rows.h): declarations link without kernels'),
    ("rill/graph/all.cc", ["rill/rill.h"], "the umbrella header is for users"),
    ("rill/graph/face.cc", ["python/src/face.h"], "nothing includes python/"),
    ("rill/graph/public.cc", ["tensorflow/cc/node.h"], "include/ is seen by compat/ alone"),
    ("include/tensorflow/cc/ours.h", ["rill/graph/node.h"], "compile without ours"),
    ("rill/odd/thing.cc", [], "rill/odd has no place in the order of folders"),
])
def test_an_include_that_is_not_allowed(tmp_path, name, text, complaint):
    found = layers(tmp_path, GOOD | {"rill/rill.h": [], name: text})
    assert len(found) == 1 and found[0].startswith(name) and complaint in found[0], found


def test_cases_fuzz_targets_and_benchmarks_may_include_everything(tmp_path):
    files = {f"rill/graph/{name}.cc": ["rill/kernel/call.h"] for name in
             ("node_fuzz", "node_bench", "node.cases")}
    assert layers(tmp_path, GOOD | files) == []


@pytest.mark.parametrize("line", [
    'nb::module_::import_("rill._slices").attr("IndexedSlices");',
    'nb::module_::import_(\n    "rill").attr("Graph");',
    'PyImport_ImportModule("rill.errors");',
    "nb::module_::import_(module).attr(name);",
])
def test_the_package_is_imported_in_one_file(tmp_path, line):
    assert layers(tmp_path, {"python/src/package.cc": line}) == []
    found = layers(tmp_path, {"python/src/face.cc": line})
    assert len(found) == 1 and "imported in package.cc alone" in found[0], found


def test_other_modules_are_imported_anywhere(tmp_path):
    assert layers(tmp_path, {"python/src/face.cc": 'nb::module_::import_("numpy");'}) == []


def test_sub_folders_in_a_circle(tmp_path):
    back = {"rill/ops/math/rows.cc": ["rill/ops/nn/window.h"], "rill/ops/nn/window.h": []}
    found = layers(tmp_path, GOOD | back)
    assert found[0] == "rill/ops: math, nn include each other in a circle"
    assert "    math -> nn, 1 includes: rill/ops/math/rows.cc includes rill/ops/nn/window.h" in found


def test_a_circle_through_the_files_of_the_folder_itself(tmp_path):
    back = {"rill/ops/register.h": ["rill/ops/math/rows.h"],
            "rill/ops/math/all.cc": ["rill/ops/register.h"]}
    assert layers(tmp_path, GOOD | back)[0] == "rill/ops: ., math include each other in a circle"


def test_a_circle_inside_of_a_sub_folder(tmp_path):
    inner = {"rill/ops/nn/conv/a.h": ["rill/ops/nn/pool/b.h"], "rill/ops/nn/pool/b.h": [],
             "rill/ops/nn/pool/c.h": ["rill/ops/nn/conv/a.h"]}
    assert layers(tmp_path, GOOD | inner)[0] == (
        "rill/ops/nn: conv, pool include each other in a circle")


def test_a_circle_that_is_excused(tmp_path):
    back = {"rill/ops/math/rows.cc": ["rill/ops/nn/window.h"], "rill/ops/nn/window.h": []}
    excused = {("rill/ops/math/rows.cc", "rill/ops/nn/window.h"): "windows are rows"}
    assert layers(tmp_path, GOOD | back, excused) == []
    assert "need not excuse" in layers(tmp_path, {"rill/ops/math/rows.cc": []}, excused)[0]


def test_strongly_connected():
    assert strongly_connected({1: {2}, 2: {3}, 3: {1, 4}, 4: {5}, 5: {4}, 6: {1}}) == [
        [4, 5], [1, 2, 3]]
    assert strongly_connected({1: {2}, 2: {3}, 4: {1}}) == []


README = """# rill/{folder}: something

- Holds: something.
- Not here: something else.
- Start at: `{start}`.
- Includes: {includes}.
- Included by: {included_by}.
- Invariants: none.
- Test: `tests/cpp/node_test.cc`
"""
READMES = {
    "tests/cpp/node_test.cc": "",
    "rill/base/error.h": [],
    "rill/base/README.md": README.format(folder="base", start="error.h", includes="nothing",
                                         included_by="graph, ops"),
    "rill/graph/node.h": ["rill/base/error.h"],
    "rill/graph/README.md": README.format(folder="graph", start="node.h", includes="base",
                                          included_by="ops, python"),
    "rill/ops/README.md": README.format(folder="ops", start="rows.h", includes="base, graph",
                                        included_by="nothing"),
    "rill/ops/math/rows.h": ["rill/graph/node.h", "rill/base/error.h"],
    "rill/ops/math/README.md": README.format(folder="ops/math", start="rows.h",
                                             includes="base, graph", included_by="ops/nn"),
    "rill/ops/nn/conv.cc": ["rill/ops/math/rows.h"],
    "rill/ops/nn/conv_test.cc": ["rill/graph/node.h"],
    "rill/ops/nn/README.md": README.format(folder="ops/nn", start="conv.cc", includes="ops/math",
                                           included_by="nothing"),
    "python/src/face.cc": ["rill/graph/node.h"],
}


def readmes(root, files, fix=False):
    return list(check_readmes.complaints(tree(root, files), fix))


def test_true_readmes(tmp_path):
    assert readmes(tmp_path, READMES) == []


@pytest.mark.parametrize("old, new, complaint", [
    ("# rill/ops/nn: something", "rill/ops/nn: something", "does not begin with"),
    ("# rill/ops/nn: something", "# rill/ops/math: something", "does not begin with"),
    ("- Invariants: none.\n", "", "its points are"),
    ("- Holds: something.\n- Not here: something else.\n",
     "- Not here: something else.\n- Holds: something.\n", "does not begin with"),
    ("- Includes: ops/math.", "- Includes: graph, ops/math.", '"Includes" is "ops/math."'),
    ("- Included by: nothing.", "- Included by: runtime.", '"Included by" is "nothing."'),
    ("tests/cpp/node_test.cc", "tests/cpp/other_test.cc", "names tests/cpp/other_test.cc"),
    ("`tests/cpp/node_test.cc`", "`./do test data_api`", "./do test data_api tests nothing"),
    ("`tests/cpp/node_test.cc`", "`./do test graph`", "./do test graph tests nothing"),
    ("`conv.cc`", "`gone.h`", "names gone.h, which does not exist"),
])
def test_a_readme_that_is_not_as_it_should_be(tmp_path, old, new, complaint):
    name = "rill/ops/nn/README.md"
    assert old in READMES[name]
    found = readmes(tmp_path, READMES | {name: READMES[name].replace(old, new)})
    assert len(found) == 1 and found[0].startswith(name) and complaint in found[0], found


def test_a_folder_without_a_readme(tmp_path):
    files = dict(READMES)
    del files["rill/ops/README.md"]
    assert "rill/ops has no README.md" in readmes(tmp_path, files)


def test_the_lists_are_written(tmp_path):
    many = {f"rill/api/f{i}/x.h": ["rill/base/error.h"] for i in range(14)}
    many |= {"rill/base/README.md": READMES["rill/base/README.md"],
             "rill/api/core/all.h": [f"rill/api/f{i}/x.h" for i in range(14)],
             "rill/api/core/README.md": README.format(folder="api/core", start="all.h",
                                                      includes="who\n  knows", included_by="me"),
             "rill/base/error.h": [], "tests/cpp/node_test.cc": ""}
    readmes(tmp_path, many, fix=True)
    text = (tmp_path / "rill/api/core/README.md").read_text()
    assert "- Includes: api/*.\n- Included by: nothing.\n- Invariants: none.\n" in text
    assert "- Included by: api.\n" in (tmp_path / "rill/base/README.md").read_text()


def test_the_repository_itself():
    root = pathlib.Path(__file__).resolve().parents[2]
    assert list(check_layers.complaints(root)) == []
    assert list(check_readmes.complaints(root)) == []
