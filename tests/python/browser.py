"""A real browser without a window, driven over the pipes of its debugging protocol. For tests alone."""
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

COMMAND = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Browser:
    def __init__(self, width=1200, height=900, dark=False):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        command_read, self.commands = os.pipe()
        self.messages, message_write = os.pipe()

        def take_places():  # the browser reads from 3 and writes to 4
            low, high = os.dup(command_read), os.dup(message_write)
            os.dup2(low, 3)
            os.dup2(high, 4)

        self.process = subprocess.Popen(
            [COMMAND, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--remote-debugging-pipe", f"--user-data-dir={self.folder.name}", f"--window-size={width},{height}"],
            preexec_fn=take_places, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(command_read)
        os.close(message_write)
        self.numbers = itertools.count(1)
        self.rest = b""
        self.log = []  # what the page printed, and what it refused to run
        self.session = None
        target = self.tell("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.tell("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.tell(f"{domain}.enable")
        self.tell("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def read(self):
        while b"\0" not in self.rest:
            piece = os.read(self.messages, 1 << 20)
            assert piece, "the browser ended"
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(message)
        if message.get("method") in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded",
                                     "Page.javascriptDialogOpening"):
            self.log.append(message)
        return message

    def tell(self, method, **parameters):
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == number:
                assert "error" not in answer, answer
                return answer["result"]

    def open(self, url):
        self.tell("Page.navigate", url=url)

    def run(self, script):
        """The value of an expression in the page."""
        result = self.tell("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def await_true(self, script, seconds=15):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if self.run(f"Boolean({script})"):
                    return
            except AssertionError:  # the page is being replaced
                pass
            time.sleep(0.05)
        raise AssertionError(f"never true: {script}; the page says {self.run('document.body.innerText')}")

    def press(self, key, modifiers=0):
        code = {"Enter": 13, "Tab": 9}[key]
        text = {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.tell("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code,
                      modifiers=modifiers, **(text if kind == "keyDown" else {}))

    def type(self, text):
        self.tell("Input.insertText", text=text)

    def screenshot(self, path):
        import base64
        pathlib.Path(path).write_bytes(base64.b64decode(self.tell("Page.captureScreenshot", captureBeyondViewport=True)["data"]))

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.commands)
        os.close(self.messages)
        self.folder.cleanup()
