"""Memory of models that are unloaded comes back."""
import os
import pathlib
import shutil

import pytest

import rill as tf
from test_serve import MODELS, add_version, await_true, run  # noqa: F401 (a fixture)

MEGABYTES = 200


def resident_bytes(process):
    pages = int(pathlib.Path(f"/proc/{process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def save_large(folder):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None], name="x")
        large = tf.Variable(tf.random_uniform([MEGABYTES, 250_000]), name="large")
        y = x + large[7, 5]
        session.run(large.initializer)
        tf.saved_model.simple_save(session, str(folder), {"x": x}, {"y": y})


@pytest.mark.long
def test_memory_of_unloaded_models_comes_back(run, tmp_path):
    save_large(tmp_path / "large")
    add_version(tmp_path / "m", MODELS / "saved_models/simple_save/model", 1)
    server = run(f"--model_base_path={tmp_path}/m")

    def is_served(version):
        states = {int(one["version"]): one["state"]
                  for one in server.get("/v1/models/default")["model_version_status"]}
        return states.pop(version, None) == "AVAILABLE" and set(states.values()) <= {"END"}

    sizes, version = [], 1
    for _ in range(10):
        for source in (tmp_path / "large", MODELS / "saved_models/simple_save/model"):
            version += 1
            add_version(tmp_path / "m", source, version)
            assert any(await_true(lambda: is_served(version)) for _ in range(12))  # two minutes
            shutil.rmtree(tmp_path / f"m/{version - 1}")
        sizes.append(resident_bytes(server.process))
    assert max(sizes) <= sizes[0] * 1.05 + 4e6, sizes
    assert sizes[-1] < MEGABYTES * 1e6, sizes
