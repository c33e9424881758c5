"""A module has many names and is one object under all of them."""
import importlib
import pathlib
import subprocess
import sys

import pytest

import rill
import tensorflow as tf
from rill import _module_paths, _surface

PATHS = sorted({*_surface._MODULES, *_module_paths._table(), *_module_paths._packages()})
TOPS = ("tensorflow_core", "tensorflow.compat.v1", "tensorflow._api.v1", "tensorflow_core._api.v1", "rill",
        "rill.compat.v1")


def run(program):
    """What a program prints in a process of its own."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_name_of_a_module_leads_to_one_object():
    for path in PATHS:
        module = importlib.import_module(f"tensorflow.{path}")
        for top in TOPS:
            assert importlib.import_module(f"{top}.{path}") is module, f"{top}.{path}"
        attribute = tf
        for name in path.split("."):
            attribute = getattr(attribute, name)
        is_function = path.endswith("contrib.framework.python.ops.arg_scope")  # of the name of the module it is in
        assert attribute is module or is_function and callable(attribute), path


def test_no_file_is_loaded_twice():
    for path in PATHS:
        importlib.import_module(f"tensorflow.{path}")
    loaded = {}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in ("rill", "tensorflow", "tensorflow_core") and getattr(module, "__file__", None):
            loaded.setdefault(module.__file__, set()).add(id(module))
    assert not [file for file, modules in loaded.items() if len(modules) > 1]


def test_private_files_are_not_loaded_a_second_time():
    import tensorflow.keras._engine as by_tensorflow
    import rill.keras._engine as by_rill
    assert by_tensorflow is by_rill


@pytest.mark.parametrize("path", PATHS)
def test_a_reloaded_module_is_what_it_was(path):
    module = importlib.import_module(f"tensorflow.{path}")
    if module.__name__.partition(".")[0] not in ("rill", "tensorflow"):
        pytest.skip(f"{module.__name__} is Python's own")
    before = {name: value for name, value in vars(module).items() if not name.startswith("__")}
    assert importlib.reload(module) is module
    assert importlib.import_module(f"tensorflow.{path}") is module
    assert {name for name, value in before.items() if vars(module).get(name) is not value} == set()


def test_a_reloaded_package_has_the_same_classes():
    layer = tf.keras.layers.Dense
    assert importlib.reload(tf) is tf and importlib.reload(rill) is rill
    assert tf.keras.layers.Dense is layer and tf.Session is rill.Session and tf.get_logger is rill.get_logger


@pytest.mark.parametrize("program", [
    "from tensorflow.keras.models import Sequential; from tensorflow.keras.layers import Dense\n"
    "from tensorflow.keras.optimizers import Adam; Sequential([Dense(1, input_shape=(2,))]).compile(Adam(), 'mse')",
    "import tensorflow.keras.losses, tensorflow.keras.metrics, tensorflow as tf\n"
    "tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))]).compile('sgd', 'mse', metrics=['mae'])",
    "import tensorflow_core as core; import tensorflow as tf; assert core is tf",
    "import tensorflow_core.python.framework.ops as ops; import tensorflow as tf; assert ops.Graph is tf.Graph",
    "import rill.bitwise; import rill; assert rill.bitwise.invert is rill.bitwise.invert",
    "import rill.compat.v1 as tf; import rill; assert tf is rill",
    "import tensorflow as tf; assert tf.contrib.util.constant_value(tf.constant(3)) == 3",
    "import tensorflow as tf; assert tf.contrib.keras.layers.Dense is tf.keras.layers.Dense",
    "from tensorflow.contrib import rnn; import tensorflow as tf; assert tf.contrib.rnn is rnn",
    "import sys, tensorflow as tf; dense = tf.keras.layers.Dense\n"
    "[sys.modules.pop(name) for name in list(sys.modules) if name.startswith('tensorflow')]\n"
    "import tensorflow; assert tensorflow.keras.layers.Dense is dense",
])
def test_in_a_fresh_process(program):
    run(program)


def test_importing_is_quick():
    """Lazy modules stay unread until they are asked for."""
    loaded = run("import sys, tensorflow; print(sum(name.startswith('rill.keras') for name in sys.modules))")
    assert loaded.strip() == "0"


def test_the_core_package_has_a_file():
    assert (pathlib.Path(tf.__file__).parents[1] / "tensorflow_core" / "__init__.py").exists()
