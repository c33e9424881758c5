"""Files in object stores and in HDFS, with servers that the tests start: one of our own for S3 and for WebHDFS, and,
where `./do stores` has installed them, moto for S3 and gcp-storage-emulator for Google's Cloud Storage."""
import base64
import http.server
import json
import os
import pathlib
import random
import ssl
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

import azure_server
import pytest
import s3_server
import webhdfs_server
from serve_process import MODELS, QUESTION, Serving, await_true, free_port

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "tests/python/store_program.py"
SERVERS = ROOT / ".stores/bin"


def environment(tmp_path, **settings):
    """Nothing of the user's own accounts is in it."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("AWS_", "S3_", "GCS_", "GOOGLE_", "HADOOP_", "AZURE_", "TF_AZURE_"))}
    return {**kept, "PYTHONPATH": f"{ROOT}/python:{ROOT}/python/compat:{ROOT}/tests/python", "HOME": str(tmp_path),
            "AWS_EC2_METADATA_DISABLED": "true", "NO_GCE_CHECK": "true", "RILL_STORE_RETRY_SECONDS": "5",
            "STORE_PROGRAM_LOCAL": str(tmp_path), **settings}


def run(tmp_path, *arguments, **settings):
    return subprocess.run([sys.executable, *map(str, arguments)], env=environment(tmp_path, **settings),
                          capture_output=True, text=True, timeout=120)


def run_code(tmp_path, code, **settings):
    return run(tmp_path, "-c", "import rill as tf\n" + code, **settings)


def run_program(tmp_path, top, **settings):
    done = run(tmp_path, PROGRAM, top, **settings)
    assert done.stdout.endswith("whole\n"), done.stdout + done.stderr[-3000:]
    return done


@pytest.fixture
def store():
    made = s3_server.Store("bucket")
    yield made
    made.close()


def process_of(tmp_path, *command, ready):
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(300):
        try:
            urllib.request.urlopen(ready, timeout=5)
            return server
        except OSError:
            time.sleep(0.1)
    server.kill()
    raise AssertionError(f"{command[0]} did not start")


def installed(name):
    if not (SERVERS / name).exists():
        pytest.skip(f"{name} is not installed: ./do stores")
    return str(SERVERS / name)


def test_everything_on_s3(tmp_path, store):
    done = run_program(tmp_path, "s3://bucket/some/where", **store.environment)
    assert s3_server.SECRET not in done.stdout + done.stderr
    assert not [key for key in store.buckets["bucket"] if "tmp" in key or "temp" in key]
    assert set(store.uploads.values()) <= {None}


def test_everything_on_moto(tmp_path):
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    server = process_of(tmp_path, installed("moto_server"), f"-p{port}", ready=url)
    try:
        make = urllib.request.Request(f"{url}/bucket", method="PUT")
        urllib.request.urlopen(make)
        run_program(tmp_path, "s3://bucket/x", S3_ENDPOINT=url, AWS_ACCESS_KEY_ID="a", AWS_SECRET_ACCESS_KEY="b")
    finally:
        server.kill()
        server.wait()


def test_everything_on_google_storage(tmp_path):
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    server = process_of(tmp_path, installed("gcp-storage-emulator"), "start", f"--port={port}", "--in-memory",
                        "--default-bucket=bucket", ready=url)
    try:
        run_program(tmp_path, "gs://bucket/x", STORAGE_EMULATOR_HOST=url)
    finally:
        server.kill()
        server.wait()


@pytest.fixture
def azure():
    made = azure_server.Store()
    yield made
    made.close()


def test_everything_on_azure(tmp_path, azure):
    done = run_program(tmp_path, "az://tester/box/some/where", **azure.environment)
    assert azure_server.KEY not in done.stdout + done.stderr
    assert not [name for name in azure.blobs if "tmp" in name or "temp" in name]


def test_azure_without_the_accounts_key(tmp_path, azure):
    azure.put("file", b"bytes")
    read = "print(tf.gfile.GFile('az://tester/box/file', 'rb').read())"
    settings = {k: v for k, v in azure.environment.items() if k != "TF_AZURE_STORAGE_KEY"}
    signed = {**settings, "AZURE_STORAGE_SAS_TOKEN": "?" + azure_server.SIGNATURE}
    assert run_code(tmp_path, read, **signed).stdout == "b'bytes'\n"
    assert run_code(tmp_path, "tf.gfile.Copy('az://tester/box/file', 'az://tester/box/other')\n"
                    + read.replace("file'", "other'"), **signed).stdout == "b'bytes'\n"
    connection = (f"DefaultEndpointsProtocol=http;AccountName=tester;AccountKey={azure_server.KEY};"
                  f"BlobEndpoint=http://{settings['TF_AZURE_STORAGE_BLOB_ENDPOINT']}/tester;")
    assert run_code(tmp_path, read, AZURE_STORAGE_CONNECTION_STRING=connection).stdout == "b'bytes'\n"
    done = run_code(tmp_path, read, **{**azure.environment, "TF_AZURE_STORAGE_KEY": "d3Jvbmc="})
    for text in ("PermissionDeniedError", "az://tester/box/file", "REQ42", "check TF_AZURE_STORAGE_KEY"):
        assert text in done.stderr, done.stderr
    assert "d3Jvbmc" not in done.stderr
    done = run_code(tmp_path, read, **{**azure.environment, "TF_AZURE_STORAGE_KEY": "no base64!"})
    assert "InvalidArgumentError" in done.stderr and "no base64!" not in done.stderr
    azure.is_public = True
    assert run_code(tmp_path, read, **settings).stdout == "b'bytes'\n"


def test_azure_tries_again_and_tells_what_lasts(tmp_path, azure):
    azure.put("file", b"bytes")
    azure.faults.extend([azure_server.Refused(503, "ServerBusy"), azure_server.Refused(500, "InternalError")])
    read = "print(tf.gfile.GFile('az://tester/box/file', 'rb').read())"
    assert run_code(tmp_path, read, **azure.environment).stdout == "b'bytes'\n"
    azure.faults.extend([azure_server.Refused(503, "ServerBusy")] * 100)
    done = run_code(tmp_path, read, RILL_STORE_RETRY_SECONDS="1", **azure.environment)
    assert "UnavailableError" in done.stderr and "tries" in done.stderr and azure_server.KEY not in done.stderr


def test_everything_on_webhdfs(tmp_path):
    (tmp_path / "served").mkdir()
    cluster = webhdfs_server.Cluster(tmp_path / "served")
    try:
        run_program(tmp_path, f"webhdfs://127.0.0.1:{cluster.port}/some", HADOOP_USER_NAME="tester")
    finally:
        cluster.close()


def test_hdfs_without_its_library_goes_by_webhdfs(tmp_path):
    (tmp_path / "served").mkdir()
    cluster = webhdfs_server.Cluster(tmp_path / "served")
    (tmp_path / "hdfs-site.xml").write_text(f"""<configuration>
      <property><name>dfs.ha.namenodes.ns</name><value>a, b</value></property>
      <property><name>dfs.namenode.http-address.ns.a</name><value>127.0.0.1:1</value></property>
      <property><name>dfs.namenode.http-address.ns.b</name><value>127.0.0.1:{cluster.port}</value></property>
      </configuration>""")
    cluster.faults = [webhdfs_server.standby, webhdfs_server.busy, webhdfs_server.broken]
    try:
        run_program(tmp_path, "hdfs://ns/some", HADOOP_CONF_DIR=str(tmp_path), HADOOP_USER_NAME="tester",
                    STORE_PROGRAM_PARTS="files lists")
        done = run_code(tmp_path, "print(tf.gfile.Stat('hdfs://ns/some'))", HADOOP_CONF_DIR=str(tmp_path),
                        HADOOP_USER_NAME="other")
        assert "PermissionDeniedError" in done.stderr and "user=other" in done.stderr
    finally:
        cluster.close()


def test_hdfs_by_its_library(tmp_path):
    """With a library of the same interface, over a folder."""
    library = tmp_path / "lib/native/libhdfs.so"
    library.parent.mkdir(parents=True)
    subprocess.run(["c++", "-shared", "-fPIC", "-std=c++17", "-o", library, ROOT / "tests/python/local_hdfs.cc"],
                   check=True)
    (tmp_path / "served").mkdir()
    run_program(tmp_path, "hdfs://cluster/some", HADOOP_HDFS_HOME=str(tmp_path), LOCAL_HDFS=str(tmp_path / "served"))
    assert (tmp_path / "served/some/words.txt").read_text() == "a\nb\nc\n"


READ = "print(tf.gfile.GFile('s3://bucket/file', 'rb').read()[:5])"


@pytest.mark.parametrize("fault", [s3_server.status(500), s3_server.status(503, "SlowDown", {"Retry-After": "1"}),
                                   s3_server.status(429, "TooManyRequests"), s3_server.reset, s3_server.cut_body,
                                   s3_server.status(400, "RequestTimeout")])
def test_what_passes_is_tried_again(tmp_path, store, fault):
    store.put("bucket", "file", b"bytes" * 1000)
    store.fail(fault, times=2, method="GET")
    store.fail(s3_server.reset, method="HEAD")
    done = run_code(tmp_path, READ, **store.environment)
    assert done.stdout == "b'bytes'\n", done.stderr


def test_writes_are_tried_again(tmp_path, store):
    store.fail(s3_server.status(500), times=2, method="PUT", skip=1)
    store.fail(s3_server.reset, times=2, method="PUT", skip=2)
    store.fail(s3_server.status(503), times=2, method="POST")
    code = "with tf.gfile.GFile('s3://bucket/file', 'wb') as file: file.write(bytes(range(256)) * 100_000)"
    done = run_code(tmp_path, code, **store.environment)
    assert done.returncode == 0, done.stderr
    assert store.buckets["bucket"]["file"][0] == bytes(range(256)) * 100_000


def test_what_lasts_is_an_error_with_all_that_helps(tmp_path, store):
    store.fail(s3_server.status(500), times=10**6)
    begin = time.monotonic()
    done = run_code(tmp_path, READ, RILL_STORE_RETRY_SECONDS="1", **store.environment)
    assert time.monotonic() - begin < 20  # of the minute that it would try without the setting
    for text in ("UnavailableError", "s3://bucket/file", "status 500", "request REQ42", "tries"):
        assert text in done.stderr, done.stderr
    assert s3_server.SECRET not in done.stderr


def test_nobody_there(tmp_path):
    done = run_code(tmp_path, READ, S3_ENDPOINT="127.0.0.1:1", S3_USE_HTTPS="0", RILL_STORE_RETRY_SECONDS="1")
    assert "UnavailableError" in done.stderr and "s3://bucket/file" in done.stderr and "S3_ENDPOINT" in done.stderr
    done = run_code(tmp_path, READ, S3_ENDPOINT="no.such.host.invalid", RILL_STORE_RETRY_SECONDS="1")
    assert "UnavailableError" in done.stderr and "resolve" in done.stderr


def test_tls_that_does_not_verify(tmp_path, store):
    """The server speaks no TLS at all; a wrong certificate ends the same way."""
    settings = {**store.environment, "S3_USE_HTTPS": "1", "RILL_STORE_RETRY_SECONDS": "0"}
    done = run_code(tmp_path, READ, **settings)
    assert "UnavailableError" in done.stderr and "S3_VERIFY_SSL" in done.stderr, done.stderr


@pytest.fixture
def tls_store(tmp_path):
    """A store behind a certificate that nobody vouches for, and the certificate."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=DNS:localhost", "-keyout", tmp_path / "key.pem",
                    "-out", tmp_path / "certificate.pem"], check=True, capture_output=True)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(tmp_path / "certificate.pem", tmp_path / "key.pem")
    made = s3_server.Store("bucket", tls=tls)
    made.put("bucket", "file", b"bytes")
    yield made, str(tmp_path / "certificate.pem")
    made.close()


def test_certificates(tmp_path, tls_store):
    store, certificate = tls_store
    port = store.server.server_port
    settings = {**store.environment, "S3_USE_HTTPS": "1", "S3_ENDPOINT": f"localhost:{port}",
                "RILL_STORE_RETRY_SECONDS": "0"}
    done = run_code(tmp_path, READ, **settings)
    assert "UnavailableError" in done.stderr and "certificate" in done.stderr and "S3_CA_FILE" in done.stderr, done.stderr
    assert run_code(tmp_path, READ, S3_CA_FILE=certificate, **settings).stdout == "b'bytes'\n"
    assert run_code(tmp_path, READ, AWS_CA_BUNDLE=certificate, **settings).stdout == "b'bytes'\n"
    assert run_code(tmp_path, READ, S3_VERIFY_SSL="0", **settings).stdout == "b'bytes'\n"
    other_name = {**settings, "S3_ENDPOINT": f"127.0.0.1:{port}", "S3_CA_FILE": certificate}
    assert "UnavailableError" in run_code(tmp_path, READ, **other_name).stderr


def test_other_bytes_than_were_sent(tmp_path, store):
    write = "tf.gfile.GFile('s3://bucket/file', 'wb').write(b'bytes' * 1000)"
    store.fail(s3_server.spoil_request, times=2, method="PUT")
    assert run_code(tmp_path, write, **store.environment).returncode == 0
    assert store.buckets["bucket"]["file"][0] == b"bytes" * 1000
    store.fail(s3_server.spoil_request, times=10**6, method="PUT")
    done = run_code(tmp_path, "with tf.gfile.GFile('s3://bucket/file', 'wb') as file: file.write(b'other')",
                    RILL_STORE_RETRY_SECONDS="0", **store.environment)
    assert "DataLossError" in done.stderr and "REQ42" in done.stderr, done.stderr


def test_no_secret_is_told(tmp_path, store):
    """Not in what is printed, with every log on, nor in errors, traces, summaries, checkpoints or what the store keeps."""
    token = "a/session+token/of+tests"
    store.tokens[s3_server.ID] = token
    code = f"""
tf.logging.set_verbosity(tf.logging.DEBUG)
tf.get_logger().setLevel('DEBUG')
v = tf.get_variable('v', [1000], initializer=tf.zeros_initializer())
content = tf.read_file('s3://bucket/file')
with tf.Session() as session:
    session.run(v.initializer)
    options, metadata = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), tf.RunMetadata()
    session.run(content, options=options, run_metadata=metadata)
    writer = tf.summary.FileWriter('s3://bucket/logs', session.graph)
    writer.add_run_metadata(metadata, 'step')
    writer.close()
    open({str(tmp_path / "trace")!r}, 'wb').write(metadata.SerializeToString())
    tf.train.Saver().save(session, 's3://bucket/ckpt/model')
    for path in ('s3://bucket/none', 's3://nowhere/file', 's3://bucket/refused'):
        try:
            session.run(tf.read_file(path))
        except tf.errors.OpError as error:
            print(error)
"""
    store.put("bucket", "file", b"bytes")
    store.fail(s3_server.status(403, "AccessDenied"), times=10**6, key="refused")
    store.fail(s3_server.status(500), times=3)
    done = run_code(tmp_path, code, RILL_LOG="kernel", TF_CPP_MIN_LOG_LEVEL="0", TF_CPP_MIN_VLOG_LEVEL="9",
                    AWS_SESSION_TOKEN=token, **store.environment)
    assert done.returncode == 0, done.stderr
    assert "AccessDenied" in done.stdout and "s3://nowhere/file" in done.stdout
    kept = [data for data, _, _ in store.buckets["bucket"].values()]
    files = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(kept) > 4 and files
    for secret in (s3_server.SECRET, token):
        for form in (secret, urllib.parse.quote(secret, safe="")):
            assert form not in done.stdout + done.stderr
            assert not [data for data in kept + files if form.encode() in data]
    assert all(s3_server.SECRET not in str(headers) for _, _, _, _, headers in store.requests)


@pytest.mark.parametrize("settings, status, texts", [
    ({"AWS_SECRET_ACCESS_KEY": "wrong+secret"}, "PermissionDeniedError", ["SignatureDoesNotMatch", "check AWS_ACCESS"]),
    ({"AWS_ACCESS_KEY_ID": "AKIDOTHER"}, "PermissionDeniedError", ["InvalidAccessKeyId"]),
    ({"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}, "PermissionDeniedError", ["no credentials were found"])])
def test_wrong_credentials(tmp_path, store, settings, status, texts):
    done = run_code(tmp_path, READ, **{**store.environment, **settings})
    for text in [status, "s3://bucket/file", *texts]:
        assert text in done.stderr, done.stderr
    assert "wrong+secret" not in done.stderr and s3_server.SECRET not in done.stderr


def test_anonymous_access(tmp_path, store):
    store.is_public = True
    store.put("bucket", "file", b"bytes")
    settings = {**store.environment, "AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}
    assert run_code(tmp_path, READ, **settings).stdout == "b'bytes'\n"
    assert "Authorization" not in store.requests[-1][4]


def test_credentials_of_a_profile(tmp_path, store):
    store.put("bucket", "file", b"bytes")
    (tmp_path / ".aws").mkdir()
    (tmp_path / ".aws/credentials").write_text(f"""[default]
aws_access_key_id = wrong
[work]
aws_access_key_id = {s3_server.ID}
aws_secret_access_key={s3_server.SECRET}
""")
    (tmp_path / ".aws/config").write_text("[profile work]\nregion = eu-north-1\n")
    store.region = "eu-north-1"
    settings = {k: v for k, v in store.environment.items() if not k.startswith("AWS_")}
    assert run_code(tmp_path, READ, AWS_PROFILE="work", **settings).stdout == "b'bytes'\n"


def test_expired_tokens_are_renewed(tmp_path, store):
    store.put("bucket", "file", b"bytes")
    store.tokens[s3_server.ID] = "new token"
    settings = {k: v for k, v in store.environment.items() if k not in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")}
    code = f"""
import pathlib
import random
file = pathlib.Path({str(tmp_path)!r}, 'keys')
def keys(token):
    file.write_text(f'[default]\\naws_access_key_id={s3_server.ID}\\naws_secret_access_key={s3_server.SECRET}\\n'
                    f'aws_session_token={{token}}\\n')
keys('old token')
try:
    print(tf.gfile.GFile('s3://bucket/file').read())
except tf.errors.PermissionDeniedError as error:
    assert 'ExpiredToken' in str(error) and 'old token' not in str(error), error
keys('new token')
print(tf.gfile.GFile('s3://bucket/file').read())
"""
    done = run_code(tmp_path, code, AWS_SHARED_CREDENTIALS_FILE=str(tmp_path / "keys"), **settings)
    assert done.stdout == "bytes\n", done.stderr


def test_clocks_and_regions_that_differ(tmp_path, store):
    store.put("bucket", "file", b"bytes")
    store.clock_ahead, store.region = 7200, "ap-south-1"
    assert run_code(tmp_path, READ, **store.environment).stdout == "b'bytes'\n"


def test_a_redirection_to_another_server(tmp_path, store):
    other = s3_server.Store("bucket")
    other.put("bucket", "file", b"bytes")
    location = f"http://127.0.0.1:{other.server.server_port}/bucket/file"
    store.fail(s3_server.status(307, "TemporaryRedirect", {"Location": location}), times=10**6)
    try:
        assert run_code(tmp_path, READ, **store.environment).stdout == "b'bytes'\n"
    finally:
        other.close()


def test_a_file_that_is_replaced_while_it_is_read(tmp_path, store):
    store.put("bucket", "file", b"a" * 3_000_000)
    code = """
import sys
file = tf.gfile.GFile('s3://bucket/file', 'rb')
print(file.read(10), flush=True)
sys.stdin.readline()
try:
    print(len(file.read()))
except tf.errors.FailedPreconditionError as error:
    print('refused', 's3://bucket/file' in str(error))
"""
    child = subprocess.Popen([sys.executable, "-c", "import rill as tf\n" + code], text=True, stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, env=environment(tmp_path, **store.environment))
    assert child.stdout.readline() == "b'aaaaaaaaaa'\n"
    store.put("bucket", "file", b"b" * 3_000_000)
    out, _ = child.communicate("\n", timeout=60)
    assert out == "refused True\n"


def test_a_writer_that_fails_leaves_what_was_there(tmp_path, store):
    store.put("bucket", "file", b"old")
    code = """
try:
    with tf.gfile.GFile('s3://bucket/file', 'wb') as file:
        file.write(b'x' * 30_000_000)
        tf.gfile.Exists('s3://bucket/other')
        file.write(b'y' * 30_000_000)
except tf.errors.OpError as error:
    print('failed')
"""
    store.fail(s3_server.status(403, "AccessDenied"), times=10**6, method="PUT", skip=2)
    done = run_code(tmp_path, code, **store.environment)
    assert done.stdout == "failed\n", done.stderr
    assert store.buckets["bucket"]["file"][0] == b"old"
    assert set(store.uploads.values()) == {None}


def test_a_program_that_names_no_such_path_asks_nobody(tmp_path, store):
    done = run_code(tmp_path, "tf.gfile.GFile('x', 'w').write('y'); print(tf.gfile.Exists('x'), "
                    "'s3' in tf.python.lib.io.file_io.get_registered_schemes() if hasattr(tf, 'python') else True)",
                    **store.environment)
    assert done.returncode == 0, done.stderr
    assert store.requests == []


def test_ls_cp_and_cat(tmp_path, store):
    store.put("bucket", "folder/a", b"one\n")
    store.put("bucket", "folder/deep/b", b"two\n")

    def rill(*arguments, status=0):
        done = subprocess.run([ROOT / "bin/rill", *arguments], env=environment(tmp_path, **store.environment),
                              capture_output=True, text=True, timeout=60)
        assert done.returncode == status, done.stderr
        return done.stdout if status == 0 else done.stderr
    assert rill("ls", "s3://bucket/folder") == "a\ndeep/\n"
    assert rill("ls", "-l", "s3://bucket/folder/a").split()[0] == "4"
    assert rill("ls", "s3://bucket/folder/*") == "s3://bucket/folder/a\ns3://bucket/folder/deep/\n"
    assert rill("cat", "s3://bucket/folder/a", "s3://bucket/folder/deep/b") == "one\ntwo\n"
    assert rill("cp", "-r", "s3://bucket/folder", str(tmp_path / "copy")) == ""
    assert (tmp_path / "copy/deep/b").read_text() == "two\n"
    assert rill("cp", str(tmp_path / "copy/a"), "s3://bucket/back") == ""
    assert store.buckets["bucket"]["back"][0] == b"one\n"
    assert "No such file" in rill("ls", "s3://bucket/none", status=1)
    assert "is a directory" in rill("cp", "s3://bucket/folder", str(tmp_path / "x"), status=2)


TRAINING = ROOT / "tests/python/store_training.py"
RIGHT_ERRORS = ("UnavailableError", "DeadlineExceededError", "PermissionDeniedError", "FailedPreconditionError",
                "DataLossError")


def train(tmp_path, store, steps=3, kill_after=None, during=None, **settings):
    """What a training said before it ended, or was killed: (where it began, what it saved last, its errors)."""
    child = subprocess.Popen([sys.executable, TRAINING, "s3://bucket/run", str(steps)], text=True,
                             env={**environment(tmp_path, **store.environment), **settings}, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
    begun = ""
    if kill_after is not None or during is not None:
        begun = child.stdout.readline()
    if during is not None:
        during()
    if kill_after is not None:
        time.sleep(kill_after)
        child.kill()
    out, errors = child.communicate(timeout=60)
    said = dict(line.split() for line in (begun + out).splitlines() if len(line.split()) == 2)
    has_failed = child.returncode != 0 and kill_after is None  # else it only says what it does without
    return int(said.get("from", -1)), int(said.get("saved", -1)), errors if has_failed else ""


def keys_in_a_file(tmp_path, store):
    """Settings of a training whose token ends while it runs: the file has another one then."""
    file = tmp_path / "keys"

    def give(token):
        file.write_text(f"[default]\naws_access_key_id={s3_server.ID}\naws_secret_access_key={s3_server.SECRET}\n"
                        f"aws_session_token={token}\n")
        store.tokens[s3_server.ID] = token
    give("first")
    return {"during": lambda: give("second"), "AWS_SHARED_CREDENTIALS_FILE": str(file), "AWS_ACCESS_KEY_ID": "",
            "AWS_SECRET_ACCESS_KEY": ""}


def inject(chance, tmp_path, store):
    """Breaks something, and gives the settings of the training that is to meet it."""
    store.faults.clear()
    store.tokens.clear()
    store.clock_ahead, store.region = 0, s3_server.REGION
    port = store.server.server_port
    kind = chance.choice(["answer"] * 10 + ["skew", "region", "token", "name", "tls"])
    if kind == "skew":
        store.clock_ahead = chance.choice([7200, -7200])
    elif kind == "region":
        store.region = "ap-south-1"
    elif kind == "token":
        return keys_in_a_file(tmp_path, store)
    elif kind == "name":
        return {"S3_ENDPOINT": "no.such.host.invalid"}
    elif kind == "tls":
        return {"S3_USE_HTTPS": "1"}
    else:
        elsewhere = {"Location": f"http://localhost:{port}/bucket/elsewhere"}
        act = chance.choice([s3_server.status(500), s3_server.status(503, "SlowDown", {"Retry-After": "0"}),
                             s3_server.status(429, "TooManyRequests"), s3_server.reset, s3_server.cut_body,
                             s3_server.spoil_request, s3_server.garble_answer, s3_server.slow(0.2),
                             s3_server.status(307, "TemporaryRedirect", elsewhere),
                             s3_server.status(403, "AccessDenied")])
        garbles = act is s3_server.garble_answer  # of files, which have sums of their own; lists have none
        store.fail(act, times=chance.choice([1, 2, 3, 10**6]), skip=chance.randrange(60), key="model" if garbles else None,
                   method="GET" if garbles else chance.choice([None, "GET", "PUT", "HEAD", "POST", "DELETE"]))
    return {}


def faulty_trainings(tmp_path, store, runs, seed):
    """How many failed. A training goes on where the last one saved, whatever became of that one."""
    chance, saved, failed = random.Random(seed), 0, 0
    for _ in range(runs):
        begun, last, errors = train(tmp_path, store, RILL_STORE_RETRY_SECONDS="1.5", **inject(chance, tmp_path, store))
        if errors:
            failed += 1
            assert any(kind in errors for kind in RIGHT_ERRORS), errors[-2000:]
            assert "s3://bucket/" in errors and s3_server.SECRET not in errors, errors[-2000:]
        assert begun == -1 or begun >= saved, (begun, saved)
        saved = max(saved, begun, last)
    store.faults.clear()
    store.clock_ahead, store.region = 0, s3_server.REGION
    store.tokens.clear()
    begun, last, errors = train(tmp_path, store, steps=1)
    assert not errors and begun >= saved and last == begun + 1, (begun, saved, last, errors)
    return failed


def killed_trainings(tmp_path, store, runs, seed):
    chance, saved = random.Random(seed), 0
    for _ in range(runs):
        begun, last, _ = train(tmp_path, store, steps=1000, kill_after=chance.random() / 5)
        assert begun >= saved, (begun, saved)
        saved = max(saved, begun, last)
    begun, last, errors = train(tmp_path, store, steps=1)
    assert not errors and begun >= saved and last == begun + 1
    return saved


def test_trainings_with_faults(tmp_path, store):
    faulty_trainings(tmp_path, store, 2, 0)


def test_trainings_that_are_killed(tmp_path, store):
    killed_trainings(tmp_path, store, 2, 0)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 11))
def test_fifty_trainings_with_faults(tmp_path, store, seed):
    assert 3 < faulty_trainings(tmp_path, store, 50, seed) < 45


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 5))
def test_fifty_trainings_that_are_killed(tmp_path, store, seed):
    assert killed_trainings(tmp_path, store, 50, seed) > 10


def put_version(store, version, pause=0):
    model = MODELS / "saved_models/predict/model"
    for file in sorted(path for path in model.rglob("*") if path.is_file()):
        store.put("bucket", f"m/{version}/{file.relative_to(model)}", file.read_bytes())
        time.sleep(pause)


def remove_version(store, version):
    for key in [key for key in store.buckets["bucket"] if key.startswith(f"m/{version}/")]:
        del store.buckets["bucket"][key]


def served_version(server):
    with urllib.request.urlopen(f"http://127.0.0.1:{server.rest_port}/v1/models/m", timeout=10) as answer:
        states = json.load(answer)["model_version_status"]
    return {int(state["version"]) for state in states if state["state"] == "AVAILABLE"}


def asking(server, over, asked):
    """Asks until it is over, and notes what came: statuses, or what went wrong."""
    address = f"http://127.0.0.1:{server.rest_port}/v1/models/m:predict"
    while not over.is_set():
        try:
            with urllib.request.urlopen(urllib.request.Request(address, QUESTION), timeout=30) as answer:
                asked.append(answer.status)
        except urllib.error.HTTPError as error:
            asked.append((error.code, error.read()))
        except OSError as error:
            asked.append(repr(error))


def versions_under_load(tmp_path, store, clients, rounds):
    """Versions come, file by file, and go, while clients ask. Returns how often they did."""
    put_version(store, 1)
    with Serving(tmp_path, "--model_base_path=s3://bucket/m", "--model_name=m", "--load_retry_interval_micros=200000",
                 "--model_config_file=") as server:
        over, asked = threading.Event(), []
        threads = [threading.Thread(target=asking, args=(server, over, asked)) for _ in range(clients)]
        for thread in threads:
            thread.start()
        try:
            assert served_version(server) == {1}
            for i in range(rounds):
                put_version(store, 2 + i, pause=0.5)  # found before it is whole
                assert await_true(lambda i=i: served_version(server) == {2 + i}, 30), server.log
                if i % 2 == 0:
                    remove_version(store, 2 + i)
                    assert await_true(lambda: served_version(server) == {1}, 30), server.log
        finally:
            over.set()
            for thread in threads:
                thread.join()
        assert set(asked) == {200}, set(asked) - {200}
        assert s3_server.SECRET not in server.log
    return len(asked)


def test_versions_come_and_go_in_a_bucket(tmp_path, store, monkeypatch):
    for name, value in environment(tmp_path, **store.environment).items():
        monkeypatch.setenv(name, value)
    assert versions_under_load(tmp_path, store, clients=1, rounds=1) > 20


@pytest.mark.long
def test_many_versions_come_and_go_in_a_bucket(tmp_path, store, monkeypatch):
    for name, value in environment(tmp_path, **store.environment).items():
        monkeypatch.setenv(name, value)
    assert versions_under_load(tmp_path, store, clients=4, rounds=20) > 1000


def test_a_version_whose_variables_come_late(tmp_path, store, monkeypatch):
    """Looked for when it is restored, they are not there, and are there a moment later: it is not served without them."""
    for name, value in environment(tmp_path, **store.environment).items():
        monkeypatch.setenv(name, value)
    put_version(store, 1)
    index = store.buckets["bucket"].pop("m/1/variables/variables.index")

    def comes(handler):
        store.buckets["bucket"]["m/1/variables/variables.index"] = index
        raise s3_server.Refused(404, "NoSuchKey")
    store.fail(comes, method="HEAD", key="variables.index")
    with Serving(tmp_path, "--model_base_path=s3://bucket/m", "--model_name=m", "--load_retry_interval_micros=100000",
                 "--model_config_file=") as server:
        assert await_true(lambda: served_version(server) == {1}, 30), server.log
        over, asked = threading.Event(), []
        threading.Timer(0.5, over.set).start()
        asking(server, over, asked)
        assert set(asked) == {200}, asked[:3]
        assert "variables are missing" in server.log


def test_vocabularies_and_warm_up_in_a_bucket(tmp_path, store, monkeypatch):
    code = """
from tensorflow_serving.apis import predict_pb2, prediction_log_pb2
words = tf.placeholder(tf.string, [None], "words")
tf.gfile.GFile("s3://bucket/words.txt", "w").write("a\\nb\\nc\\n")
table = tf.lookup.StaticHashTable(tf.lookup.TextFileInitializer("s3://bucket/words.txt", tf.string,
    tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER), -1)
with tf.Session() as session:
    session.run(tf.tables_initializer())
    tf.saved_model.simple_save(session, "s3://bucket/m/1", {"words": words}, {"ids": table.lookup(words)},
                               legacy_init_op=tf.tables_initializer())
request = predict_pb2.PredictRequest()
request.model_spec.name = "m"
request.inputs["words"].CopyFrom(tf.make_tensor_proto(["b"]))
log = prediction_log_pb2.PredictionLog(predict_log=prediction_log_pb2.PredictLog(request=request))
with tf.python_io.TFRecordWriter("s3://bucket/m/1/assets.extra/tf_serving_warmup_requests") as writer:
    writer.write(log.SerializeToString())
"""
    settings = environment(tmp_path, **store.environment)
    done = run_code(tmp_path, code, **store.environment)
    assert done.returncode == 0, done.stderr
    del store.buckets["bucket"]["words.txt"]
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    with Serving(tmp_path, "--model_base_path=s3://bucket/m", "--model_name=m", "--model_config_file=") as server:
        assert await_true(lambda: served_version(server) == {1}, 30), server.log
        request = urllib.request.Request(f"http://127.0.0.1:{server.rest_port}/v1/models/m:predict",
                                         b'{"inputs": ["c", "a", "x"]}')
        with urllib.request.urlopen(request, timeout=30) as answer:
            assert json.load(answer) == {"outputs": [2, 0, -1]}
    assert any("warmup" in key for _, _, key, _, _ in store.requests)


OF_TENSORFLOW = """
import sys
sys.path.insert(0, sys.argv[1])
import tensorflow as tf
import tensorflow_io
files = tf.io.gfile
if sys.argv[2] == "write":
    with tf.io.TFRecordWriter("s3://bucket/tf/records") as writer:
        for i in range(1000):
            writer.write(b"%d" % i * 50)
    with files.GFile("s3://bucket/tf/text", "w") as file:
        file.write("from tensorflow")
    v = tf.Variable([1.0, 2.0])
    tf.compat.v1.train.Saver({"v": v}).save(None, "s3://bucket/tf/model")
else:
    assert [int(r.numpy()[:3]) for r in tf.data.TFRecordDataset("s3://bucket/rill/records").take(200)][100:] == [
        int((b"%d" % i * 50)[:3]) for i in range(100, 200)]
    assert files.GFile("s3://bucket/rill/text").read() == "from rill"
    assert sorted(name.strip("/") for name in files.listdir("s3://bucket/rill")) == [
        "checkpoint", "model.data-00000-of-00001", "model.index", "records", "text"], files.listdir("s3://bucket/rill")
    reader = tf.train.load_checkpoint(tf.train.latest_checkpoint("s3://bucket/rill"))
    assert reader.get_tensor("v").tolist() == [3.0, 4.0]
print("done", flush=True)
import os
os._exit(0)  # the package aborts when it is torn down
"""
OF_RILL = """
if sys.argv[1] == 'write':
    with tf.python_io.TFRecordWriter('s3://bucket/rill/records') as writer:
        for i in range(1000):
            writer.write(b'%d' % i * 50)
    tf.gfile.GFile('s3://bucket/rill/text', 'w').write('from rill')
    v = tf.get_variable('v', initializer=[3.0, 4.0])
    with tf.Session() as session:
        session.run(v.initializer)
        tf.train.Saver().save(session, 's3://bucket/rill/model', write_meta_graph=False)
else:
    assert list(tf.python_io.tf_record_iterator('s3://bucket/tf/records')) == [b'%d' % i * 50 for i in range(1000)]
    assert tf.gfile.GFile('s3://bucket/tf/text').read() == 'from tensorflow'
    assert tf.train.load_checkpoint(tf.train.latest_checkpoint('s3://bucket/tf')).get_tensor('v').tolist() == [1, 2]
"""


def test_tensorflow_reads_what_rill_wrote_and_the_other_way_round(tmp_path, store):
    package, python = ROOT / ".stores/tensorflow_io", ROOT / ".oracle/bin/python"
    if not package.exists() or not python.exists():
        pytest.skip("tensorflow-io is not installed: ./do stores")
    settings = {**environment(tmp_path, **store.environment), "S3_ENDPOINT": "http://" + store.environment["S3_ENDPOINT"]}
    settings.pop("PYTHONPATH")

    def tensorflow(what):
        done = subprocess.run([python, "-c", OF_TENSORFLOW, package, what], capture_output=True, text=True, timeout=120,
                              env=settings)
        assert done.stdout == "done\n", done.stderr[-3000:]

    def rill(what):
        done = run(tmp_path, "-c", "import sys, rill as tf\n" + OF_RILL, what, **store.environment)
        assert done.returncode == 0, done.stderr
    rill("write")
    tensorflow("write")
    rill("read")
    tensorflow("read")


@pytest.fixture
def answering():
    """A web server of functions: answering(f) is its address; f(method, path, headers, body) is (status, text)."""
    servers = []

    def make(function):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_request(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                status, answer = function(self.command, self.path, self.headers, body)
                answer = answer if isinstance(answer, bytes) else answer.encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            do_GET = do_PUT = do_POST = handle_request

            def log_message(self, *_):
                pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}"
    yield make
    for server in servers:
        server.shutdown()
        server.server_close()


def test_keys_of_a_machine_of_amazons(tmp_path, store, answering):
    store.put("bucket", "file", b"bytes")
    store.tokens[s3_server.ID] = "machine token"
    keys = {"AccessKeyId": s3_server.ID, "SecretAccessKey": s3_server.SECRET, "Token": "machine token",
            "Expiration": "2099-01-01T00:00:00Z"}

    def machine(method, path, headers, body):
        if path == "/latest/api/token" and method == "PUT":
            return 200, "session"
        if headers["X-aws-ec2-metadata-token"] != "session":
            return 401, ""
        folder = "/latest/meta-data/iam/security-credentials/"
        return {folder: (200, "role"), folder + "role": (200, json.dumps(keys))}.get(path, (404, ""))

    def container(method, path, headers, body):
        return (200, json.dumps(keys)) if headers["Authorization"] == "letter" and path == "/keys" else (401, "")
    settings = {k: v for k, v in store.environment.items() if "ACCESS_KEY" not in k}
    done = run_code(tmp_path, READ, AWS_EC2_METADATA_SERVICE_ENDPOINT=answering(machine),
                    **{**settings, "AWS_EC2_METADATA_DISABLED": "false"})
    assert done.stdout == "b'bytes'\n", done.stderr
    done = run_code(tmp_path, READ, AWS_CONTAINER_CREDENTIALS_FULL_URI=answering(container) + "/keys",
                    AWS_CONTAINER_AUTHORIZATION_TOKEN="letter", **settings)
    assert done.stdout == "b'bytes'\n", done.stderr


def test_a_web_identity(tmp_path, store, answering):
    store.put("bucket", "file", b"bytes")
    store.tokens[s3_server.ID] = "role token"
    (tmp_path / "identity").write_text("who I am\n")

    def service(method, path, headers, body):
        assert b"WebIdentityToken=who%20I%20am" in body and b"RoleArn=arn%3Aone" in body
        return 200, (f"<R><Credentials><AccessKeyId>{s3_server.ID}</AccessKeyId><SecretAccessKey>{s3_server.SECRET}"
                     "</SecretAccessKey><SessionToken>role token</SessionToken><Expiration>2099-01-01T00:00:00Z"
                     "</Expiration></Credentials></R>")
    settings = {k: v for k, v in store.environment.items() if "ACCESS_KEY" not in k}
    done = run_code(tmp_path, READ, AWS_ENDPOINT_URL_STS=answering(service), AWS_ROLE_ARN="arn:one", **settings,
                    AWS_WEB_IDENTITY_TOKEN_FILE=str(tmp_path / "identity"))
    assert done.stdout == "b'bytes'\n", done.stderr


def test_a_service_account_of_googles(tmp_path, answering):
    subprocess.run(["openssl", "genrsa", "-out", tmp_path / "key.pem", "2048"], check=True, capture_output=True)
    subprocess.run(["openssl", "rsa", "-in", tmp_path / "key.pem", "-pubout", "-out", tmp_path / "public.pem"],
                   check=True, capture_output=True)
    given = []

    def bytes_of(text):
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

    def tokens(method, path, headers, body):
        fields = dict(urllib.parse.parse_qsl(body.decode()))
        head, claim, signature = fields["assertion"].split(".")
        (tmp_path / "signature").write_bytes(bytes_of(signature))
        valid = subprocess.run(["openssl", "dgst", "-sha256", "-verify", tmp_path / "public.pem", "-signature",
                                tmp_path / "signature"], input=f"{head}.{claim}".encode(), capture_output=True)
        says = json.loads(bytes_of(claim))
        if valid.returncode != 0 or says["iss"] != "me@example.com" or json.loads(bytes_of(head))["alg"] != "RS256":
            return 400, ""
        given.append(f"token-{len(given)}")
        return 200, json.dumps({"access_token": given[-1], "expires_in": 3600, "token_type": "Bearer"})

    def storage(method, path, headers, body):
        if headers["Authorization"] != "Bearer token-1":  # the first one has ended before its time
            return 401, json.dumps({"error": {"code": 401, "message": "Invalid Credentials"}})
        if "alt=media" in path:
            return 200, b"bytes"
        return 200, json.dumps({"size": "5", "generation": "7", "updated": "2026-01-01T00:00:00.000Z"})
    (tmp_path / "account.json").write_text(json.dumps({
        "type": "service_account", "client_email": "me@example.com", "private_key_id": "id",
        "private_key": (tmp_path / "key.pem").read_text(), "token_uri": answering(tokens) + "/token"}))
    done = run_code(tmp_path, READ.replace("s3:", "gs:"), STORAGE_EMULATOR_HOST=answering(storage),
                    GOOGLE_APPLICATION_CREDENTIALS=str(tmp_path / "account.json"))
    assert done.stdout == "b'bytes'\n", done.stderr
    assert given == ["token-0", "token-1"]
    done = run_code(tmp_path, READ.replace("s3:", "gs:"), STORAGE_EMULATOR_HOST=answering(storage))
    assert "PermissionDeniedError" in done.stderr and "GOOGLE_APPLICATION_CREDENTIALS" in done.stderr


def test_facts_of_google_storage_are_kept_where_that_is_asked_for(tmp_path, answering):
    asked = []

    def storage(method, path, headers, body):
        asked.append((method, path.partition("?")[0].rpartition("/")[2]))
        return 200, json.dumps({"size": "5", "generation": "7", "updated": "2026-01-01T00:00:00.000Z", "items": []})
    code = ("for _ in range(3): tf.gfile.Stat('gs://bucket/file')\n"
            "tf.gfile.GFile('gs://bucket/other', 'w').write('x')\n"
            "tf.gfile.Stat('gs://bucket/file')\n")
    settings = {"STORAGE_EMULATOR_HOST": answering(storage), "GOOGLE_AUTH_TOKEN_FOR_TESTING": "token"}
    assert run_code(tmp_path, code, **settings).returncode == 0
    assert asked.count(("GET", "file")) == 4
    asked.clear()
    assert run_code(tmp_path, code, GCS_STAT_CACHE_MAX_AGE="60", **settings).returncode == 0
    assert asked.count(("GET", "file")) == 2  # what this process writes makes it ask anew
