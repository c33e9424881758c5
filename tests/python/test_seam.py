"""The package and the extension meet at names: each name that one side uses is found in the other."""
import ast
import importlib
import pathlib
import re
import types

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MEMBER = re.compile(r'\bMember \w+\{"([\w.]+)",\s*"(\w+)"\};')
SOURCES = sorted((ROOT / "python").rglob("*.py"))


# --- what the extension uses of the package ------------------------------------------------------


def members():
    """What python/src/package.h lists: pairs of a module and a name."""
    return MEMBER.findall((ROOT / "python/src/package.h").read_text())


def test_the_list_is_read_to_its_end():
    text = (ROOT / "python/src/package.h").read_text()
    assert len(members()) == text.count("inline constinit Member ") > 50
    assert len(set(members())) == len(members())


@pytest.mark.parametrize("module, name", members())
def test_the_package_has_what_the_extension_uses(module, name):
    assert hasattr(importlib.import_module(module), name)


# --- what the package uses of the extension ------------------------------------------------------


def missing_names(text):
    """What a source takes from rill._rill, rill._rill.functions and rill.raw_ops that they lack."""
    tree, bound = ast.parse(text), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in ("rill", "rill._rill", "rill.raw_ops"):
            origin = importlib.import_module(node.module)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rill._rill."):
            origin = importlib.import_module(node.module)
        else:
            continue
        for alias in node.names:
            if node.module == "rill" and alias.name not in ("_rill", "raw_ops"):
                continue
            if not hasattr(origin, alias.name):
                yield f"{node.module}.{alias.name}"
            bound[alias.asname or alias.name] = getattr(origin, alias.name, None)
    for node in ast.walk(tree):
        names, root = [], node
        while isinstance(root, ast.Attribute):
            names.append(root.attr)
            root = root.value
        owner = bound.get(root.id) if isinstance(root, ast.Name) else None
        for name in reversed(names):
            if not isinstance(owner, (types.ModuleType, types.SimpleNamespace)):
                break
            if not hasattr(owner, name):
                yield ast.unparse(node)
            owner = getattr(owner, name, None)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT / "python").as_posix())
def test_the_extension_has_what_the_package_uses(path):
    assert list(missing_names(path.read_text())) == []


@pytest.mark.parametrize("text", [
    "from rill import _rill\n_rill.Grahp()",
    "from rill import _rill as native\nnative.functions.nn.sofmax",
    "from rill import _rill\n_rill.functions.nnn.softmax",
    "from rill._rill import functions\nfunctions.conkat",
    "from rill._rill.functions import nn as _nn\n_nn.sofmax",
    "from rill._rill.functions.nn import sofmax",
    "from rill._rill import Grahp",
    "from rill import _rill\n_rill.graph_keys.SAVER",
    "from rill import raw_ops\nraw_ops.Kast",
])
def test_a_wrong_name_is_found(text):
    assert list(missing_names(text))


def test_functions_are_found_by_path_where_names_of_tensorflow_are_resolved_alone():
    users = [path.name for path in SOURCES if "find_function" in path.read_text()]
    assert users == ["_surface.py"]


def test_functions_are_the_same_by_path_and_by_name():
    from rill import _rill
    assert _rill.find_function("nn.softmax") is _rill.functions.nn.softmax
    assert _rill.find_function("nn.sofmax") is None
    for path in _rill.function_paths():
        owner = _rill.functions
        for name in path.split("."):
            owner = getattr(owner, name)
        assert owner is _rill.find_function(path)
