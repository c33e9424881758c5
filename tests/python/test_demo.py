"""What `./do demo` runs once everything is built."""
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.skipif(not (ROOT / "build/release/bin/example_demo").exists(), reason="the examples are not built")
def test_demo(tmp_path):
    body = re.search(r"\ncmd_demo\(\) \{\n(.*?)\n\}\n", (ROOT / "do").read_text(), re.DOTALL)[1]
    body = body.replace("cmd_build release", ":")
    script = f"set -euo pipefail\nsay() {{ echo \"== $*\"; }}\ndemo() {{\n{body}\n}}\ndemo\n"
    done = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=120,
                          env={**os.environ, "TMPDIR": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    accuracy = re.search(r"model-300: (\S+) % of 2000 unseen digits", done.stdout)
    assert float(accuracy[1]) > 90
    assert re.search(r"loss  simple_value, 15 times, steps 20 to 300", done.stdout)
    assert re.search(r"nodes, \d+ bytes: now \d+ nodes, \d+ bytes", done.stdout)
    answers = re.findall(r"the model says: (.*?)\s+drawn were: (.*)", done.stdout)
    assert len(answers) == 4  # C++, Python, REST and gRPC
    for said, drawn in answers:
        assert sum(a == b for a, b in zip(said.split(), drawn.split())) >= len(drawn.split()) - 1
    assert (tmp_path / "rill_demo" / "small.png").read_bytes().startswith(b"\x89PNG")
