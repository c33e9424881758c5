"""What measurements and long tests of the model server share: the server as a process, load for it, models."""
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("RILL_BUILD", ROOT / "build" / "release"))
LOAD = BUILD / "bin" / "rill_load"
COMMAND = ROOT / "bin" / "rill"
sys.path += [str(ROOT / "python"), str(ROOT / "python" / "compat")]  # where models are made with Rill


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """`rill serve` on loopback, with its models ready; what it logs goes to a file."""

    def __init__(self, folder, *flags):
        self.grpc, self.rest = (f"127.0.0.1:{free_port()}" for _ in range(2))
        self.log_path = pathlib.Path(folder) / f"server-{self.grpc.split(':')[1]}.log"
        self.log_file = open(self.log_path, "w")
        self.process = subprocess.Popen(
            [COMMAND, "serve", f"--port={self.grpc.split(':')[1]}",
             f"--rest_api_port={self.rest.split(':')[1]}", *map(str, flags)], stderr=self.log_file)
        self.await_ready()

    def await_ready(self):
        while "HTTP/REST API at" not in self.log():
            try:
                self.process.wait(0.02)
            except subprocess.TimeoutExpired:
                continue
            raise RuntimeError("the server did not start:\n" + self.log())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.log_file.close()

    def log(self):
        return self.log_path.read_text()

    def stop(self):
        """Lets it end in order, and returns its exit status."""
        self.process.terminate()
        return self.process.wait(60)

    def resident_bytes(self):
        return 1024 * int(self.status_field("VmRSS"))

    def status_field(self, name):
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return text.split(name + ":")[1].split()[0]

    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def get(self, path):
        with urllib.request.urlopen(f"http://{self.rest}{path}", timeout=60) as answer:
            return answer.read()

    def post(self, path, body):
        request = urllib.request.Request(f"http://{self.rest}{path}", body)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read()

    def states(self, model):
        """The states of a model's versions."""
        status = json.loads(self.get(f"/v1/models/{model}"))["model_version_status"]
        return {int(one["version"]): one["state"] for one in status}


def start_load(address, model, protocol="grpc", **options):
    """A load generator that runs; `finish_load` gives its report."""
    flags = [f"--{name}" if value is True else f"--{name}={value}" for name, value in options.items()]
    return subprocess.Popen([LOAD, address, model, f"--protocol={protocol}", "--json", *flags],
                            stdout=subprocess.PIPE, text=True)


def finish_load(process):
    out = process.communicate()[0]
    if not out:
        raise RuntimeError(f"the load generator ended with status {process.returncode}")
    return json.loads(out)


def load(address, model, protocol="grpc", **options):
    return finish_load(start_load(address, model, protocol, **options))


def publish(source, folder, version, copy=shutil.copy2):
    """Lets a version appear at once, as servers want it. With os.link as `copy`, large files cost nothing."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    hidden = folder / f"{version}.new"
    shutil.copytree(source, hidden, copy_function=copy)
    os.rename(hidden, folder / str(version))


def publish_now(source, folder, version):
    """As publish(), but the directory itself moves."""
    os.rename(source, pathlib.Path(folder) / str(version))


def save(folder, make):
    """A SavedModel of the inputs and outputs that `make` gives."""
    import tensorflow.compat.v1 as tf
    with tf.Graph().as_default(), tf.Session() as sess:
        inputs, outputs = make(tf)
        sess.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(sess, str(folder), inputs, outputs)


def half_plus(number):
    """x / 2 + number, the number being a variable."""
    def make(tf):
        x = tf.placeholder(tf.float32, [None], name="x")
        addend = tf.Variable(float(number), name="addend")
        return {"x": x}, {"y": tf.add(x * 0.5, addend, name="y")}
    return make


def perceptron(hidden):
    """784 values through two hidden layers to 10 scores."""
    def make(tf):
        x = layer = tf.placeholder(tf.float32, [None, 784], name="x")
        widths = [784, hidden, hidden, 10]
        for i, (rows, columns) in enumerate(zip(widths, widths[1:])):
            weights = tf.Variable(tf.random_uniform([rows, columns], -0.05, 0.05, seed=i))
            layer = tf.matmul(layer, weights) + tf.Variable(tf.zeros([columns]))
            layer = tf.nn.relu(layer) if i < 2 else tf.nn.softmax(layer)
        return {"x": x}, {"y": layer}
    return make


def pictures(tf):
    """Pictures as they are: what is large is the request, and the answer."""
    x = tf.placeholder(tf.float32, [None, 1024, 1024, 3], name="x")
    return {"x": x}, {"y": tf.identity(x, name="y")}


def large(mebibytes, width=1024):
    """x / 2 + 1, beside variables of so many MiB."""
    def make(tf):
        x = tf.placeholder(tf.float32, [None], name="x")
        count = 8
        rows = mebibytes * 2**20 // (4 * width * count)
        weights = [tf.Variable(tf.fill([rows, width], float(i)), name=f"weights_{i}") for i in range(count)]
        return {"x": x}, {"y": x * 0.5 + 1.0 + sum(w[0, 0] for w in weights) * 0.0}
    return make
