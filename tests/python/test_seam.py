"""The package and the extension meet at names that both sides have."""
import importlib
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MEMBER = re.compile(r'\bMember \w+\{"([\w.]+)",\s*"(\w+)"\};')


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
