"""examples/serving: a servable of one's own, compiled as its README says, in a program and in the model server."""
import json
import os
import re
import socket
import subprocess
import time
import urllib.error
import urllib.request

import pytest

from building import ROOT, run_shell

EXAMPLE = ROOT / "examples/serving"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder where the commands of the README were run."""
    folder = tmp_path_factory.mktemp("serving")
    for path in (path for path in EXAMPLE.iterdir() if path.is_file()):
        (folder / path.name).write_bytes(path.read_bytes())
    commands = re.search(r"```\n(protoc.*?)```", (EXAMPLE / "README.md").read_text(), re.DOTALL)[1]
    done = run_shell(commands.replace("-O2", "-O0"), folder)
    assert done.returncode == 0, done.stderr
    return folder


def publish(folder, version, text):
    folder.mkdir(exist_ok=True)
    (folder / f"{version}.new").write_text(text)
    os.rename(folder / f"{version}.new", folder / str(version))


def ask(program, word):
    program.stdin.write(word + "\n")
    program.stdin.flush()
    return program.stdout.readline().strip()


def test_program_follows_versions(built, tmp_path):
    words = tmp_path / "words"
    publish(words, 1, "Rill: a small stream\n")
    with subprocess.Popen(["./look_up", str(words)], cwd=built, text=True, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as program:
        assert ask(program, "rill") == "version 1: a small stream"
        assert ask(program, "brook") == "version 1: nobody knows"
        publish(words, 2, "brook: a larger one\n")
        end = time.monotonic() + 20
        while ask(program, "brook") != "version 2: a larger one":
            assert time.monotonic() < end
            time.sleep(0.02)
        publish(words, 3, "broken\n")  # is not loaded; the old version serves on
        time.sleep(0.3)
        assert ask(program, "brook") == "version 2: a larger one"
        program.stdin.close()
        assert program.wait(timeout=20) == 0


def test_program_says_what_is_wrong(built, tmp_path):
    publish(tmp_path / "words", 1, "broken\n")
    done = subprocess.run(["./look_up", str(tmp_path / "words")], cwd=built, capture_output=True, text=True)
    assert done.returncode == 1
    assert 'No separator in the line "broken"' in done.stderr


def test_model_server_loads_it(built, tmp_path):
    publish(tmp_path / "words", 7, "rill: a small stream\n")
    publish(tmp_path / "table", 1, "a,1\nb,2\n")
    (tmp_path / "platforms.txt").write_text("""
        platform_configs {
          key: "word_table"
          value { source_adapter_config {
            [type.googleapis.com/examples.WordTableConfig] { separator: ": " } } }
        }
        platform_configs {
          key: "hashmap"
          value { source_adapter_config {
            [type.googleapis.com/tensorflow.serving.HashmapSourceAdapterConfig] { format: SIMPLE_CSV } } }
        }""")
    (tmp_path / "models.txt").write_text(f"""
        model_config_list {{
          config {{ name: "words" base_path: "{tmp_path}/words" model_platform: "word_table" }}
          config {{ name: "table" base_path: "{tmp_path}/table" model_platform: "hashmap" }}
        }}""")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(
        [ROOT / "bin/rill", "serve", f"--grpc_socket_path={tmp_path}/socket", "--port=0",
         f"--rest_api_port={port}", f"--custom_ops_library={built}/libword_table.so",
         f"--platform_config_file={tmp_path}/platforms.txt", f"--model_config_file={tmp_path}/models.txt"],
        stderr=subprocess.PIPE, text=True)
    try:
        log = ""
        for line in server.stderr:
            log += line
            if "HTTP/REST API at" in line:
                break
        else:
            raise AssertionError(log)
        for name, version in (("words", "7"), ("table", "1")):
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/models/{name}") as answer:
                state = json.load(answer)["model_version_status"][0]
            assert (state["version"], state["state"]) == (version, "AVAILABLE")
        request = urllib.request.Request(f"http://127.0.0.1:{port}/v1/models/words:predict",
                                         b'{"instances": [1]}')
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request)
        assert refused.value.code == 400
        assert b"another kind" in refused.value.read()
    finally:
        server.terminate()
        assert server.wait(timeout=20) == 0


def test_library_that_is_not_there(tmp_path):
    done = subprocess.run([ROOT / "bin/rill", "serve", "--custom_ops_library=/nowhere/none.so",
                           f"--model_base_path={tmp_path}"], capture_output=True, text=True)
    assert done.returncode != 0
    assert "/nowhere/none.so" in done.stderr
