"""The examples run as they are and reach what they promise."""
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROMISES = {
    "autoencoder": (r"come out with (\S+) dB", 16),
    "evaluation": (r"epoch 2: accuracy (\S+),", 0.65),
    "gan": (r"step 3000 of 3000: judge (\S+),", 0.5),  # it cannot tell them apart
    "linear_regression": (r"y = (\S+) x", 2.9),
    "multi_task": (r"digits (\S+),", 0.8),
    "nearest_neighbor": (r"right: (\d+) of 100", 40),
    "recurrent": (r"unseen digits: (\S+)", 0.8),
    "saving": (r"as before: True\naccuracy on unseen digits: (\S+)", 0.8),
    "word2vec": (r"word, (\d+)% are", 90),
}
PICTURES = {"autoencoder", "gan"}


@pytest.mark.parametrize("name", sorted(PROMISES))
def test_example(name, tmp_path):
    pattern, least = PROMISES[name]
    done = subprocess.run([ROOT / "bin" / "rill", "run", f"{name}.py"], cwd=ROOT / "examples",
                          capture_output=True, text=True, timeout=60,
                          env={**os.environ, "TMPDIR": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    assert float(re.search(pattern, done.stdout)[1]) >= least
    if name in PICTURES:
        assert (tmp_path / f"rill_{name}.png").read_bytes().startswith(b"\x89PNG")


# Those in C++ alone, and the twins that are quick.
IN_CPP = {
    "census": (r"accuracy (\S+),", 0.7),
    "keras": (r"unseen digits: (\S+)\nthe second model answers as the first: yes", 0.7),
    "linear_regression": (r"y = (\S+) x", 2.9),
    "monitored": (r"100 steps, loss \S+\n(50) steps, loss \S+\nmodel.ckpt-150", 50),
    "pipeline": (r"(160) batches", 160),
    "saving": (r"as before: True\naccuracy on unseen digits: (\S+)", 0.8),
    "seq2seq": (r"(\d+) of 200 sequences", 150),
    "vae": (r"step 600: loss (9\d|10\d)\.", 90),
}


@pytest.mark.parametrize("name", sorted(IN_CPP))
def test_example_in_cpp(name, tmp_path):
    program = ROOT / "build" / "release" / "bin" / f"example_{name}"
    if not program.exists():
        pytest.skip("the examples in C++ are not built")
    pattern, least = IN_CPP[name]
    done = subprocess.run([program], cwd=ROOT, capture_output=True, text=True, timeout=60,
                          env={**os.environ, "TMPDIR": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    found = re.search(pattern, done.stdout)
    assert found, done.stdout
    assert float(found[1]) >= least


# What retrain and label_image say, of either language, given their arguments.
def told(command, *arguments):
    done = subprocess.run([*command, *arguments], cwd=ROOT / "examples", capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def programs(language):
    if language == "python":
        return {name: [ROOT / "bin" / "rill", "run", f"{name}.py"] for name in ("retrain", "label_image")}
    built = {name: [ROOT / "build" / "release" / "bin" / f"example_{name}"] for name in ("retrain", "label_image")}
    if not all(path.exists() for [path] in built.values()):
        pytest.skip("the examples in C++ are not built")
    return built


@pytest.fixture(scope="module")
def trunk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trunk")
    told([ROOT / "bin" / "rill", "run", "trunk.py"], f"--folder={folder}", "--pictures=30")
    return folder


@pytest.mark.parametrize("language, form", [("python", "trunk"), ("python", "trunk.pb"), ("c++", "trunk"),
                                            ("c++", "trunk.pb")])
def test_a_new_last_layer_learns_other_classes(trunk, tmp_path, language, form):
    program = programs(language)
    arguments = [f"--image_dir={trunk}/pictures", f"--trunk={trunk}/{form}", f"--bottleneck_dir={tmp_path}/kept",
                 f"--output_graph={tmp_path}/graph.pb", f"--output_labels={tmp_path}/labels.txt",
                 f"--summaries_dir={tmp_path}/logs", f"--saved_model_dir={tmp_path}/model",
                 "--how_many_training_steps=400"]
    first = told(program["retrain"], *arguments)
    assert float(re.search(r"final test accuracy = (\S+)%", first)[1]) >= 80
    kept = sorted((tmp_path / "kept").glob("*/*.txt"))
    assert len(kept) == 150
    kept[0].write_text("1,2,x")
    before = {path: path.stat().st_mtime_ns for path in kept}
    again = told(program["retrain"], *arguments[:-2], "--how_many_training_steps=1")
    assert f"{kept[0]} is damaged and made anew" in again
    assert [path for path in kept if path.stat().st_mtime_ns != before[path]] == kept[:1]  # all others are used
    told(program["retrain"], *arguments[:-2], "--how_many_training_steps=400")
    names = (tmp_path / "labels.txt").read_text().split()
    assert names == ["eight", "five", "nine", "seven", "six"]
    right = 0
    for name in names:
        said = told(program["label_image"], f"--graph={tmp_path}/graph.pb", f"--labels={tmp_path}/labels.txt",
                    f"--image={trunk}/pictures/{name}/001.jpg").splitlines()
        assert len(said) == 5
        right += said[0].split()[0] == name
    assert right >= 3
    assert (tmp_path / "model" / "saved_model.pb").exists()


@pytest.mark.parametrize("arguments, told", [
    ((), "--image_dir must name a folder"),
    (("--image_dir=.",), "--trunk= is not there"),
    (("--image_dir=.", "--architecture=inception_v3", "--model_dir=/nowhere"),
     "needs classify_image_graph_def.pb in --model_dir=/nowhere"),
    (("--image_dir=.", "--architecture=mobilenet_0.50_224", "--model_dir=/nowhere"), "needs frozen_graph.pb in"),
    (("--image_dir=.", "--architecture=vgg"), "--architecture=vgg is not known; --trunk takes any")])
def test_retrain_says_what_it_lacks(arguments, told):
    done = subprocess.run([*programs("python")["retrain"], *arguments], cwd=ROOT / "examples", capture_output=True,
                          text=True)
    assert done.returncode == 1 and told in done.stderr and "Traceback" not in done.stderr
