#!/usr/bin/env python3
"""Libraries written for TensorFlow 1.x, under Rill: each in an environment of its own without TensorFlow, imported, and
its quick start run. Prints a table, as docs/libraries.md has it.

  interop_libraries.py [LIBRARY...]            all when none is named
  interop_libraries.py --install [LIBRARY...]  makes the environments, runs nothing

Environments are in build/libraries; the programs in tests/interop/libraries, written from each library's documentation.
What these libraries want of an older Python, NumPy or other package is in shims/sitecustomize.py there.
"""
import os
import pathlib
import re
import subprocess
import sys
import time
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "tests/interop/libraries"
ENVIRONMENTS = ROOT / "build/libraries"
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
SECONDS = 600

# What Rill itself runs with. Old files of messages, which these libraries bring, are read by the Python classes of this
# protobuf, and no longer by those of later versions.
RILL_NEEDS = ["numpy==1.26.4", "protobuf==4.23.4", "six==1.17.0"]

# Per library: what is installed without what it asks for (which would be TensorFlow), and packages with all they need.
LIBRARIES = {
    "keras": (["Keras==2.3.1", "Keras-Applications==1.0.8", "Keras-Preprocessing==1.1.2"],
              ["scipy==1.11.4", "h5py==3.10.0", "PyYAML==6.0.1", "Pillow==10.4.0"]),
    "tensorflow_hub": (["tensorflow_hub==0.7.0"], ["absl-py==1.4.0"]),
    "tf_slim": (["tf_slim==1.1.0"], ["absl-py==1.4.0"]),
    "tensorflow_probability": (
        ["tensorflow_probability==0.8.0", "cloudpickle==2.2.1", "gast==0.2.2"], ["decorator==5.1.1", "absl-py==1.4.0"]),
    "sonnet": (
        ["dm-sonnet==1.36", "tensorflow_probability==0.8.0", "cloudpickle==2.2.1", "gast==0.2.2"],
        ["decorator==5.1.1", "absl-py==1.4.0", "semantic-version==2.10.0", "contextlib2==21.6.0", "wrapt==1.14.1"]),
    "tflearn": (["tflearn==0.5.0"], ["Pillow==9.5.0", "h5py==3.10.0", "scipy==1.11.4"]),
    "tensor2tensor": (
        ["tensor2tensor==1.15.7", "tensorflow_probability==0.7.0", "cloudpickle==2.2.1", "gast==0.2.2",
         "mesh-tensorflow==0.1.13", "tensorflow-gan==2.0.0", "tensorflow_hub==0.7.0", "tf_slim==1.1.0",
         "tensorflow-datasets==2.0.0", "tensorflow-metadata==0.21.2", "kfac==0.2.0", "dopamine-rl==2.0.5",
         "gym==0.15.7", "tensorboard==2.12.3"],
        ["decorator==5.1.1", "absl-py==1.4.0", "gin-config==0.5.0", "future==1.0.0", "scipy==1.11.4", "sympy==1.12",
         "tqdm==4.66.4", "requests==2.31.0", "h5py==3.10.0", "Pillow==9.5.0", "opencv-python-headless==4.8.1.78",
         "dill==0.3.8", "promise==2.3", "termcolor==2.4.0", "attrs==23.2.0", "pypng==0.20220715.0", "bz2file==0.98",
         "flask==2.3.3", "oauth2client==4.1.3", "google-api-python-client==2.90.0", "googleapis-common-protos==1.62.0",
         "wrapt==1.14.1",
         "grpcio==1.60.0", "werkzeug==2.3.8", "markdown==3.5.2"]),
    "stable_baselines": (
        ["stable_baselines==2.10.2", "gym==0.15.7", "pyglet==1.5.0"],
        ["scipy==1.11.4", "joblib==1.3.2", "cloudpickle==2.2.1", "opencv-python-headless==4.8.1.78", "pandas==2.0.3",
         "matplotlib==3.7.5", "future==1.0.0"]),
    "edward": (["edward==1.3.5"], ["scipy==1.11.4"]),
    "tensorlayer": (
        ["tensorlayer==1.11.1", "progressbar2==3.38.0"],
        ["imageio==2.31.6", "lxml==4.9.4", "matplotlib==3.7.5", "requests==2.31.0", "scikit-learn==1.3.2",
         "scikit-image==0.21.0", "scipy==1.11.4", "tqdm==4.66.4", "wrapt==1.14.1", "h5py==3.10.0",
         "python-utils==3.8.2"]),
    "ludwig": (
        ["ludwig==0.2.2.8"],
        ["h5py==3.10.0", "pandas==2.0.3", "scipy==1.11.4", "tabulate==0.9.0", "scikit-learn==1.3.2", "tqdm==4.66.4",
         "PyYAML==6.0.1", "absl-py==1.4.0", "scikit-image==0.21.0", "matplotlib==3.7.5"]),
    "magenta": (
        ["magenta==1.3.1", "dm-sonnet==1.35", "tensorflow_probability==0.7.0", "cloudpickle==2.2.1", "gast==0.2.2",
         "tensor2tensor==1.15.7", "mesh-tensorflow==0.1.13", "tensorflow-gan==2.0.0", "tf_slim==1.1.0",
         "tensorflow-datasets==2.0.0", "tensorflow-metadata==0.21.2", "pretty-midi==0.2.10", "mido==1.2.6",
         "gym==0.15.7", "kfac==0.2.0", "tensorflow_hub==0.7.0", "tensorboard==2.12.3"],
        ["decorator==5.1.1", "absl-py==1.4.0", "semantic-version==2.10.0", "contextlib2==21.6.0", "wrapt==1.14.1",
         "intervaltree==3.1.0", "Pillow==9.5.0", "scipy==1.11.4", "pandas==2.0.3", "joblib==1.3.2", "pygtrie==2.5.0",
         "matplotlib==3.7.5", "mir-eval==0.7", "librosa==0.10.1", "bokeh==2.4.3", "imageio==2.31.6", "sox==1.4.1",
         "attrs==23.2.0", "sympy==1.12", "gin-config==0.5.0", "tqdm==4.66.4", "requests==2.31.0", "dill==0.3.8",
         "promise==2.3", "termcolor==2.4.0", "googleapis-common-protos==1.62.0", "scikit-image==0.21.0",
         "IPython==8.12.3", "grpcio==1.60.0", "werkzeug==2.3.8", "markdown==3.5.2"]),
}


def install(library):
    """The Python of a library's environment, which is made when it is not there as the table says."""
    bare, whole = LIBRARIES[library]
    folder = ENVIRONMENTS / library
    stamp, wanted = folder / ".installed", "\n".join([*RILL_NEEDS, *bare, *whole])
    if not stamp.exists() or stamp.read_text() != wanted:
        venv.create(folder, clear=True)
        pip = [*PIP, "--python", str(folder / "bin/python"), "install", "--quiet"]
        subprocess.run([*pip, "setuptools==66.1.1", "wheel==0.42.0", *RILL_NEEDS, *whole], check=True)
        subprocess.run([*pip, "--no-deps", "--no-build-isolation", *bare], check=True)
        stamp.write_text(wanted)
    return folder / "bin/python"


def run(library):
    """What became of a library's program: its last line, or the error's; whether it went well; seconds."""
    python = install(library)
    folders = (PROGRAMS / "shims", ROOT / "python", ROOT / "python/compat")
    surroundings = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, folders)), "KERAS_BACKEND": "tensorflow",
                                 "MPLBACKEND": "Agg", "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": "python"}
    begin = time.monotonic()
    try:
        done = subprocess.run([python, "-P", PROGRAMS / f"{library}.py"], env=surroundings, capture_output=True,
                              text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return f"no end after {SECONDS} s", False, SECONDS
    text = done.stdout if done.returncode == 0 else done.stderr
    (ENVIRONMENTS / f"{library}.log").write_text(done.stdout + done.stderr)
    last = (text.strip().splitlines() or [""])[-1]
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", last), done.returncode == 0, time.monotonic() - begin


def main(arguments):
    only_install = arguments[:1] == ["--install"]
    libraries = arguments[only_install:] or list(LIBRARIES)
    ENVIRONMENTS.mkdir(parents=True, exist_ok=True)
    if only_install:
        for library in libraries:
            install(library)
        return 0
    failed = 0
    print("| library | | seconds | what its quick start says |\n|---|---|---|---|", flush=True)
    for library in libraries:
        said, good, seconds = run(library)
        failed += not good
        package = LIBRARIES[library][0][0].replace("==", " ")
        print(f"| {package} | {'runs' if good else 'FAILS'} | {seconds:.0f} | {said} |", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
