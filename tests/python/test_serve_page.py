"""The server's page in a real browser."""
import json

import pytest

import browser
from test_serve import MODELS, add_version, run, write_config  # noqa: F401

STRANGE = "<img src=x onerror=alert(1)><script>alert(2)</script>&'\\\"/:"
needs_browser = pytest.mark.skipif(browser.COMMAND is None, reason="there is no Chromium here (apt-get install chromium)")
CONTROL = 2  # of the modifiers of a key


@pytest.fixture
def surf():
    browsers = []

    def start(url, **options):
        browsers.append(browser.Browser(**options))
        browsers[-1].open(url)
        return browsers[-1]

    yield start
    for one in browsers:
        one.close()


def url_of(server, fragment=""):
    return f"http://127.0.0.1:{server.rest_port}/{fragment}"


def text(page, selector):
    return page.run(f"document.querySelector({json.dumps(selector)}).innerText")


def test_what_is_sent(run, tmp_path):
    add_version(tmp_path / "m", MODELS / "saved_models/predict/model")
    server = run(f"--model_base_path={tmp_path / 'm'}", "--model_name=m")
    import urllib.request
    with urllib.request.urlopen(url_of(server)) as answer:
        headers, first = answer.headers, answer.read().decode()
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    nonce = policy.split("'nonce-")[1].split("'")[0]
    assert first.count(f'nonce="{nonce}"') == 2 and "@NONCE@" not in first
    assert "http://" not in first and "https://" not in first  # nothing from elsewhere
    assert server.request("GET", "/")[1].decode() != first  # a nonce is used once
    assert server.request("POST", "/", {})[0] == 404


@pytest.mark.slow
@needs_browser
def test_a_person_tries_a_model(run, surf, tmp_path):
    names = {"predict": "predict", "texts": "texts", STRANGE: "simple_save"}
    for i, golden in enumerate(names.values()):
        add_version(tmp_path / str(i), MODELS / "saved_models" / golden / "model", 1 + i)
    (tmp_path / "1/9").mkdir()  # a version that cannot be loaded
    write_config(tmp_path / "models.config", [(name, tmp_path / str(i), "model_version_policy { all {} }")
                                              for i, name in enumerate(names)])
    server = run(f"--model_config_file={tmp_path / 'models.config'}", "--max_num_load_retries=0")
    page = surf(url_of(server))
    page.await_true("document.getElementById('send')")
    assert page.run("document.querySelectorAll('nav button').length") == 3
    assert text(page, "#summary") == "3 of 3 models available"
    assert text(page, "h2") == "predict"
    assert [row.split() for row in page.run(
        "[...document.querySelectorAll('.signature tbody tr')].map(row => row.innerText)")] == [
            ["in", "rows", "float", "[?,", "3]"], ["out", "scores", "float", "[?,", "2]"], ["out", "total", "float", "[]"]]
    # What stands in the form can be sent as it is.
    page.run("document.getElementById('send').click()")
    page.await_true("!document.getElementById('answer').hidden")
    assert set(json.loads(text(page, "#answer"))["outputs"]) == {"scores", "total"}
    assert text(page, "#note").startswith("200 in ")
    # A mistake is told of, from the keyboard.
    page.run("document.getElementById('body').value = '{\"inputs\": [[1, 2]]}'; document.getElementById('body').focus()")
    page.press("Enter", CONTROL)
    page.await_true("document.getElementById('answer').className == 'bad'")
    assert "400" in text(page, "#note")
    assert "must" in text(page, "#answer") or "Shape" in text(page, "#answer") or "incompatible" in text(page, "#answer")
    # Another model, with the keyboard alone; a version that failed says why.
    page.run("document.querySelectorAll('nav button')[1].focus()")
    page.press("Enter")
    page.await_true("document.querySelector('h2').innerText == 'texts' && document.getElementById('send')")
    assert "failed" in text(page, "#model .card")
    assert page.run("document.activeElement.dataset.model") == "texts"  # where it was, after a change
    # A name is but a text.
    page.run("document.querySelectorAll('nav button')[2].click()")
    page.await_true("document.querySelector('h2').innerText.startsWith('<img') && document.getElementById('send')")
    page.run("document.getElementById('send').click()")
    page.await_true("!document.getElementById('answer').hidden")
    assert text(page, "#note").startswith("200 in "), text(page, "#answer")
    assert page.run("document.querySelectorAll('img').length") == 0
    assert not [entry for entry in page.log if "400" not in json.dumps(entry)], page.log


@pytest.mark.slow
@needs_browser
def test_a_person_brings_a_token(run, surf, tmp_path):
    add_version(tmp_path / "m", MODELS / "saved_models/predict/model")
    (tmp_path / "token").write_text("open sesame")
    server = run(f"--model_base_path={tmp_path / 'm'}", "--model_name=m", f"--auth_token_file={tmp_path / 'token'}")
    page = surf(url_of(server), dark=True)
    page.await_true("!document.getElementById('token').hidden")
    assert page.run("document.querySelectorAll('nav button').length") == 0
    page.await_true("document.activeElement.id == 'secret'")
    page.type("wrong")
    page.press("Enter")
    page.await_true("document.getElementById('summary').innerText.includes('no token') || "
                    "document.getElementById('summary').innerText.includes('token')")
    assert page.run("document.querySelectorAll('nav button').length") == 0
    page.run("document.getElementById('secret').focus()")
    page.type("open sesame")
    page.press("Enter")
    page.await_true("document.getElementById('send')")
    assert page.run("document.getElementById('token').hidden")
    page.run("document.getElementById('send').click()")
    page.await_true("!document.getElementById('answer').hidden")
    assert text(page, "#note").startswith("200 in ")
    assert page.run("getComputedStyle(document.body).backgroundColor") == "rgb(15, 18, 22)"


@pytest.mark.slow
@needs_browser
def test_versions_appear_by_themselves(run, surf, tmp_path):
    add_version(tmp_path / "m", MODELS / "saved_models/predict/model")
    server = run(f"--model_base_path={tmp_path / 'm'}", "--model_name=m")
    page = surf(url_of(server, "#m"), width=400)
    page.await_true("document.getElementById('send')")
    assert page.run("document.documentElement.scrollWidth <= innerWidth")
    page.run("document.getElementById('body').focus(); document.getElementById('body').select()")
    page.type("half a thought")
    add_version(tmp_path / "m", MODELS / "saved_models/predict/model", 2)
    page.await_true("document.querySelector('#model .card tbody tr').innerText.startsWith('2')")
    assert page.run("document.getElementById('body').value") == "half a thought"
    assert page.run("document.activeElement.id") == "body"
