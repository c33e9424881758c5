"""The dashboard in a real browser."""
import pytest

import browser
from board_process import HOSTILE, Board, text_value, write_everything, write_run

pytestmark = pytest.mark.skipif(browser.COMMAND is None, reason="there is no Chromium here (apt-get install chromium)")
PAGES = ["scalars", "images", "audio", "text", "histograms", "distributions", "graphs", "projector", "profile", "runs"]


@pytest.fixture
def open_page():
    opened = []

    def start(logs, page="scalars", **options):
        board = Board("--logdir", logs).wait()
        surf = browser.Browser(**options)
        opened.extend([surf.close, board.stop])
        surf.open(f"{board.base}#{page}")
        surf.await_true("document.querySelector('#tabs a[aria-current]')")
        return surf

    yield start
    for end in opened:
        end()


def problems(surf):
    """What the page complained of: errors, refused scripts, dialogs."""
    return [message for message in surf.log
            if message["method"] != "Runtime.consoleAPICalled" or message["params"]["type"] == "error"]


def test_every_page_shows_what_there_is(open_page, tmp_path):
    write_everything(tmp_path / "run")
    surf = open_page(tmp_path)
    shown = {
        "scalars": "document.querySelectorAll('.card[data-loaded=\"1\"]').length === 2",
        "images": "[...document.images].some((image) => image.naturalWidth === 8)",
        "audio": "document.querySelector('audio[src]')",
        "text": "document.querySelector('.prose h1')?.innerText === 'Head'",
        "histograms": "document.querySelector('.card canvas')",
        "distributions": "document.querySelector('.card canvas')",
        "graphs": "Number(document.querySelector('#page').dataset.boxes) > 3",
        "projector": "Number(document.querySelector('#page').dataset.points) > 0",
        "profile": "document.querySelector('#page table.data')?.innerText.includes('MatMul')",
        "runs": "document.querySelector('#page').innerText.includes('1 of 1 runs')",
    }
    for page in PAGES:
        surf.run(f"location.hash = '{page}'")
        surf.await_true(shown[page])
    assert not problems(surf), problems(surf)


def test_runs_are_filtered_and_charts_follow(open_page, tmp_path):
    for i in range(4):
        write_run(tmp_path / f"run{i}", 0.1 * (i + 1))
    surf = open_page(tmp_path)
    surf.await_true("document.querySelector('.card').dataset.loaded === '4'")
    surf.run("""(() => {
        const filter = document.querySelector('#side input[type=search]');
        filter.value = 'run[12]';
        filter.dispatchEvent(new Event('input'));
    })()""")
    surf.await_true("document.querySelectorAll('#side .runs li').length === 2")
    surf.run("[...document.querySelectorAll('#side button')].find((one) => one.textContent === 'Show these').click()")
    surf.await_true("document.querySelector('.card').dataset.loaded === '2'")
    surf.run("document.querySelector('#side .runs input').click()")
    surf.await_true("document.querySelector('.card').dataset.loaded === '1'")


def test_values_are_told_where_the_pointer_is_and_dragging_zooms(open_page, tmp_path):
    write_run(tmp_path / "run")
    surf = open_page(tmp_path)
    surf.await_true("document.querySelector('.card').dataset.loaded === '1'")
    surf.run("window.box = document.querySelector('.card canvas').getBoundingClientRect()")
    box = surf.run("({x: box.x, y: box.y, width: box.width, height: box.height})")

    def mouse(kind, part, **more):
        surf.tell("Input.dispatchMouseEvent", type=kind, x=box["x"] + box["width"] * part, y=box["y"] + box["height"] / 2, **more)

    mouse("mouseMoved", 0.6)
    surf.await_true("document.querySelector('.tip') && !document.querySelector('.tip').hidden")
    assert "run" in surf.run("document.querySelector('.tip').innerText")
    mouse("mousePressed", 0.3, button="left", clickCount=1)
    mouse("mouseMoved", 0.5, button="left")
    mouse("mouseReleased", 0.5, button="left", clickCount=1)
    surf.await_true("document.querySelector('.card').dataset.loaded === '1'")
    assert not problems(surf), problems(surf)


def test_a_graph_unfolds_and_tells_of_its_nodes(open_page, tmp_path):
    write_everything(tmp_path)
    surf = open_page(tmp_path, "graphs")
    surf.await_true("Number(document.querySelector('#page').dataset.boxes) > 3")
    folded = surf.run("Number(document.querySelector('#page').dataset.boxes)")
    surf.run("""(() => {
        const search = document.querySelector('#side input[placeholder^=Find]');
        search.value = 'layer1/dense/MatMul';
        search.dispatchEvent(new Event('input'));
    })()""")
    surf.await_true("document.querySelector('#side .results .name')")
    surf.run("document.querySelector('#side .results .name').click()")
    surf.await_true("document.querySelector('.panel')?.innerText.includes('MatMul')")
    surf.await_true(f"Number(document.querySelector('#page').dataset.boxes) > {folded}")
    assert not problems(surf), problems(surf)


def test_new_values_appear_by_themselves(open_page, tmp_path):
    write_run(tmp_path / "first")
    surf = open_page(tmp_path)
    surf.await_true("document.querySelector('.card').dataset.loaded === '1'")
    write_run(tmp_path / "second")
    surf.await_true("document.querySelector('.card').dataset.loaded === '2'", seconds=10)


def test_hostile_logs_are_shown_and_do_nothing(open_page, tmp_path):
    write_run(tmp_path / "<img src=x onerror='window.hit=1'>", tag=HOSTILE,
              more=[text_value("note", f"{HOSTILE}\n\n[x](javascript:window.hit=1) <svg onload=window.hit=1>".encode())])
    surf = open_page(tmp_path)
    surf.await_true("document.querySelector('.card .title')?.innerText.includes('onerror')")
    for page in ("text", "runs", "scalars"):
        surf.run(f"location.hash = '{page}'")
        surf.await_true("document.querySelector('#page').innerText.includes('img src')")
    assert surf.run("window.hit") is None
    assert surf.run("document.querySelectorAll('#page img, #page script, #page svg[onload]').length") == 0
    assert not problems(surf), problems(surf)


@pytest.mark.parametrize("options", [{"width": 400, "height": 800}, {"dark": True}])
def test_it_fits_phones_and_dark_rooms(open_page, tmp_path, options):
    write_run(tmp_path / "run")
    surf = open_page(tmp_path, **options)
    surf.await_true("document.querySelector('.card').dataset.loaded === '1'")
    if "width" in options:
        surf.tell("Emulation.setDeviceMetricsOverride", width=400, height=800, deviceScaleFactor=1, mobile=True)
        surf.await_true("document.documentElement.scrollWidth <= 400")
    else:
        assert surf.run("getComputedStyle(document.body).backgroundColor") == "rgb(18, 22, 28)"


def test_keys_change_pages_and_colours(open_page, tmp_path):
    write_run(tmp_path / "run")
    surf = open_page(tmp_path)
    press = "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '%s', bubbles: true}))"
    surf.run(press % "d")
    assert surf.run("document.documentElement.className") == "dark"
    surf.run(press % "?")
    surf.await_true("document.querySelector('#dialog').open")
    surf.run("document.querySelector('#dialog').close()")
    surf.run(press % "2")
    surf.await_true("document.querySelector('#tabs a:nth-child(2)').ariaCurrent === 'page' || document.querySelector('#tabs a:nth-child(2)').getAttribute('aria-current')")
