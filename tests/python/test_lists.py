"""Lists that people keep by hand say the same as the sources they are about."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


def rewrite_names():
    """The name of each rewrite by its constant, as rill/ops/fusion and rill/passes define them."""
    defined = re.compile(r'^extern const Rewrite (k\w+)\{\s*(?:\.name = )?"(\w+)"', re.MULTILINE)
    return {constant: name for folder in ("ops/fusion", "passes")
            for source in sorted((ROOT / "rill" / folder).glob("*.cc"))
            for constant, name in defined.findall(source.read_text())}


def camel_case(name):
    return "".join(part.capitalize() for part in name.split("_"))


def test_every_rewrite_is_applied_once():
    applied = re.findall(r"&(k\w+Rewrite)\b", (ROOT / "rill/ops/fusion/rewrites.cc").read_text())
    assert sorted(applied) == sorted(rewrite_names())


def test_constants_of_rewrites_are_called_as_their_switches():
    for constant, name in rewrite_names().items():
        assert constant.lower() == f"k{camel_case(name)}Rewrite".lower()


def test_the_design_has_a_row_for_every_rewrite():
    section = (ROOT / "docs/design.md").read_text().split("\n## Rewrites\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    listed = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert sorted(listed) == sorted(rewrite_names().values())


def test_files_that_the_recipes_name_exist():
    text = (ROOT / "docs/recipes.md").read_text()
    named = set(re.findall(r"`([\w./*-]*\w\.(?:h|cc|py|tsv|md|cmake|toml))`", text))
    own = {name for name in named if re.search(r"(?:^|[/_])x[._]", name)}  # the newcomer's
    missing = {name for name in named - own
               if not any(ROOT.glob(name)) and not any(
                   any((ROOT / top).glob(f"**/{name}")) for top in ("rill", "python", "tests"))}
    assert missing == set()


def test_bounds_of_time_say_what_they_wait_for():
    """A test that a busy machine could fail tells, beside its bound, what it is a bound of."""
    bound = re.compile(r"(?:assert (?:time\.\w+\(\) - \w+|took|elapsed\w*) <|"
                       r"EXPECT_L[TE]\(monotonic_nanos\(\) - \w+,)(?P<rest>.*)")
    sources = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "tests").rglob("*.cc"), *(ROOT / "rill").rglob("*_test.cc")]
    lines = [(path, line) for path in sources if path != pathlib.Path(__file__)
             for line in path.read_text().splitlines() if bound.search(line)]
    assert len(lines) > 10
    silent = [f"{path.name}: {line.strip()}" for path, line in lines if "//" not in line and "#" not in line]
    assert silent == []
