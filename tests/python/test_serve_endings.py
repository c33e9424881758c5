"""The model server ends by itself when it is told to, whatever it is doing: in time, with status 0, by no signal."""
import concurrent.futures
import contextlib
import http.client
import shutil
import signal
import socket
import threading
import time

import pytest

from serve_process import QUESTION, Serving, add_version

ASK = "/v1/models/m:predict"


def nothing(server, stack):
    del server, stack


def a_client_that_stays(server, stack):
    """A connection that was used and is left open."""
    client = http.client.HTTPConnection("127.0.0.1", server.rest_port, timeout=10)
    stack.callback(client.close)
    client.request("POST", ASK, QUESTION)
    assert client.getresponse().read()


def half_a_request(server, stack):
    for port in (server.port, server.rest_port):
        part = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
        part.sendall(b"POST " + ASK.encode() + b" HTTP/1.1\r\nContent-Length: 100\r\n\r\n{")
    time.sleep(0.1)


def clients_that_say_nothing(server, stack):
    for port in (server.port, server.rest_port):
        for _ in range(20):
            stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
    time.sleep(0.1)


def clients_that_go_on_asking(server, stack):
    over = threading.Event()

    def ask():
        while not over.is_set():
            with contextlib.suppress(OSError, http.client.HTTPException):
                client = http.client.HTTPConnection("127.0.0.1", server.rest_port, timeout=10)
                client.request("POST", ASK, QUESTION)
                client.getresponse().read()
                client.close()

    pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor(4))
    stack.callback(over.set)
    for _ in range(4):
        pool.submit(ask)
    time.sleep(0.2)


def a_version_that_comes(server, stack):
    """It is told to end while it loads, or just has."""
    del stack
    folder = server.log_path.parent
    for version in (2, 3):
        add_version(folder / "m", version=version)
    time.sleep(0.05)


def its_models_gone(server, stack):
    del stack
    shutil.rmtree(server.log_path.parent / "m")
    time.sleep(0.1)


STATES = [nothing, a_client_that_stays, half_a_request, clients_that_say_nothing, clients_that_go_on_asking,
          a_version_that_comes, its_models_gone]
FLAGS = {"plain": ["--shutdown_grace_ms=1000"], "batching": ["--shutdown_grace_ms=1000", "--enable_batching"]}


@pytest.mark.slow
@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("state", STATES)
def test_a_server_ends_with(tmp_path, state, number, flags):
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(Serving(tmp_path, *FLAGS[flags]))
        state(server, stack)
        assert server.stop(number) == 0, server.log


@pytest.mark.slow
def test_being_told_twice_does_no_harm(tmp_path):
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(Serving(tmp_path))
        clients_that_go_on_asking(server, stack)
        server.process.send_signal(signal.SIGINT)
        assert server.stop(signal.SIGTERM) in (0, 1), server.log  # 1: at once, by the second signal


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_has_only_begun_ends(tmp_path, number):
    """Before it listens; by the signal itself where it does not wait for one yet."""
    for wait in (0, 0.02, 0.05, 0.1):
        server = Serving(tmp_path)
        try:
            time.sleep(wait)
            status = server.stop(number)
            assert status in (0, -number), server.log
        finally:
            server.__exit__()
