"""docs/environment.md names every environment variable that the sources look at, and no others."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
OF_DEVELOPERS = {"RILL_JOBS", "RILL_ORACLE", "RILL_TORCH"}
BY_LIBCURL = {"http_proxy", "https_proxy", "all_proxy", "no_proxy"}
# A variable is named where it is asked for, or its name alone is enough to know it.
ASKED = re.compile(r'(?:getenv|environment\w*|environ\.get|environ)\s*[(\[]\s*"(\w+)"')
KNOWN = re.compile(r'"((?:RILL|TF|TFDBG|KERAS|GCS)_[A-Z0-9_]+)"')


def sources():
    for folder, endings in (("rill", (".cc", ".h")), ("python", (".cc", ".h", ".py"))):
        for path in (ROOT / folder).rglob("*"):
            is_test = path.stem.endswith(("_test", "_fuzz", "_bench", "_testing"))
            if path.suffix in endings and not is_test and "_proto" not in path.parts:
                yield path


def asked_for():
    found = {}
    for path in sources():
        text = path.read_text()
        for name in {*ASKED.findall(text), *KNOWN.findall(text)}:
            found.setdefault(name, path.relative_to(ROOT))
    return found


def documented():
    text = (ROOT / "docs/environment.md").read_text()
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return {name for row in rows for name in re.findall(r"`(\w+)`", row)}


def test_every_variable_is_on_the_page():
    missing = {name: str(path) for name, path in asked_for().items() if name not in documented()}
    assert missing == {}


def test_the_page_names_no_others():
    assert documented() - set(asked_for()) - BY_LIBCURL == set()


def test_those_of_developers_exist():
    text = "".join(path.read_text() for path in (ROOT / "do", *(ROOT / "bench").glob("*.py")))
    page = (ROOT / "docs/environment.md").read_text()
    for name in OF_DEVELOPERS:
        assert name in text and f"`{name}`" in page
