"""A model server as a process, for tests that ask it in their own ways."""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "tests/golden/models"
COMMAND = ROOT / "bin/rill"
QUESTION = b'{"inputs": [[0.0, 0.0, 0.0]]}'  # of the model "predict"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def add_version(folder, model="predict", version=1):
    """Puts a version of a model into place, whole."""
    folder.mkdir(parents=True, exist_ok=True)
    hidden = folder / f"{version}.new"
    shutil.copytree(MODELS / "saved_models" / model / "model", hidden)
    os.rename(hidden, folder / str(version))


def await_true(condition, seconds=10):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


class Serving:
    """A server of the model "m", or what the flags say; leaves with the block."""

    def __init__(self, folder, *flags):
        self.port, self.rest_port = free_port(), free_port()
        if not any(flag.startswith("--model_config_file") for flag in flags):
            if not (folder / "m").exists():
                add_version(folder / "m")
            flags = (f"--model_base_path={folder / 'm'}", "--model_name=m", *flags)
        self.log_path = folder / f"log-{self.port}"
        self.log_file = open(self.log_path, "w")
        self.process = subprocess.Popen(
            [str(COMMAND), "serve", f"--port={self.port}", f"--rest_api_port={self.rest_port}", *flags],
            stderr=self.log_file)

    @property
    def log(self):
        return self.log_path.read_text()

    def __enter__(self):
        assert await_true(lambda: "HTTP/REST API at" in self.log or self.process.poll() is not None, 30)
        assert self.process.poll() is None, self.log
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.log_file.close()

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(timeout=30)
