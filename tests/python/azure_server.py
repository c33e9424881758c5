"""A server that speaks the language of Azure's Blob Storage, for tests: it checks every signature, gives lists in small
pages, and fails in whatever way a test asks for. Written from the protocol's documentation."""
import base64
import collections
import hashlib
import hmac
import http.server
import re
import threading
import time
import urllib.parse
from email.utils import formatdate
from xml.sax.saxutils import escape

ACCOUNT, KEY = "tester", base64.b64encode(b"the account's own key, of 32 byte").decode()
SIGNATURE = "sv=2019-12-12&sp=rwdl&sig=a%2Fshared%2Bone"
PAGE = 7


class Refused(Exception):
    def __init__(self, status, code):
        self.status, self.code = status, code


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", **headers):
        body = body if isinstance(body, bytes) else body.encode()
        self.send_response(status)
        headers = {"x-ms-request-id": "REQ42", "Content-Length": str(len(body)), **headers}
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def handle_request(self):
        store = self.server.store
        path, _, text = self.path.partition("?")
        query = dict(urllib.parse.parse_qsl(text, keep_blank_values=True))
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        _, account, container, blob = (urllib.parse.unquote(path) + "///").split("/", 3)
        blob = blob.rstrip("/") + ("/" if path.endswith("/") and blob.strip("/") else "")
        try:
            with store.lock:
                store.requests.append((self.command, blob, query, dict(self.headers.items())))
                if store.faults:
                    raise store.faults.popleft()
            self.check(path, query, body)
            if account != ACCOUNT or container != "box":
                raise Refused(404, "ContainerNotFound")
            with store.lock:
                self.act(blob, query, body)
        except Refused as refused:
            self.answer(refused.status, "" if self.command == "HEAD" else
                        f"<Error><Code>{refused.code}</Code><Message>as it is</Message></Error>",
                        x_ms_error_code=refused.code)

    do_GET = do_HEAD = do_PUT = do_DELETE = handle_request

    def check(self, path, query, body):
        if "Authorization" not in self.headers:
            wanted = dict(urllib.parse.parse_qsl(SIGNATURE))
            if not self.server.store.is_public and any(query.get(name) != value for name, value in wanted.items()):
                raise Refused(404 if self.command == "GET" else 401, "ResourceNotFound")
            return
        told = [self.headers.get(name, "") for name in (
            "Content-Encoding", "Content-Language", "Content-Length", "Content-MD5", "Content-Type", "Date",
            "If-Modified-Since", "If-Match", "If-None-Match", "If-Unmodified-Since", "Range")]
        if told[2] == "0":
            told[2] = ""
        own = sorted((name.lower(), value) for name, value in self.headers.items() if name.lower().startswith("x-ms-"))
        text = "\n".join([self.command, *told, *(f"{name}:{value}" for name, value in own), f"/{ACCOUNT}{path}",
                          *(f"{name}:{query[name]}" for name in sorted(query))])
        sum_of = hmac.new(base64.b64decode(KEY), text.encode(), hashlib.sha256).digest()
        if self.headers["Authorization"] != f"SharedKey {ACCOUNT}:{base64.b64encode(sum_of).decode()}":
            raise Refused(403, "AuthenticationFailed")
        md5 = self.headers.get("Content-MD5")
        if md5 and md5 != base64.b64encode(hashlib.md5(body).digest()).decode():
            raise Refused(400, "Md5Mismatch")

    def act(self, blob, query, body):
        store = self.server.store
        if query.get("comp") == "list":
            return self.answer(200, self.page(store.blobs, query))
        found = store.blobs.get(blob)
        match = self.headers.get("If-Match")
        if self.command != "PUT" and found is None:
            raise Refused(404, "BlobNotFound")
        if match and (found is None or match.strip('"') != found.tag):
            raise Refused(412, "ConditionNotMet")
        getattr(self, "on_" + self.command)(blob, found, query, body)

    def on_HEAD(self, blob, found, query, body):
        self.answer(200, b"", Content_Length=str(len(found.data)), ETag=f'"{found.tag}"', Last_Modified=found.when)

    def on_GET(self, blob, found, query, body):
        if query.get("comp") == "blocklist":
            blocks = "".join(f"<Block><Name>{name}</Name><Size>{len(data)}</Size></Block>" for name, data in found.blocks)
            return self.answer(200, f"<BlockList><CommittedBlocks>{blocks}</CommittedBlocks></BlockList>")
        begin, end = map(int, re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers["x-ms-range"]).groups())
        if begin >= len(found.data):
            raise Refused(416, "InvalidRange")
        self.answer(206, found.data[begin:end + 1], ETag=f'"{found.tag}"')

    def on_PUT(self, blob, found, query, body):
        store = self.server.store
        if "x-ms-copy-source" in self.headers:
            source = urllib.parse.unquote(urllib.parse.urlparse(self.headers["x-ms-copy-source"]).path)
            made = store.put(blob, store.blobs[source.partition("/box/")[2]].data)
            return self.answer(202, b"", ETag=f'"{made.tag}"', x_ms_copy_status="success")
        if query.get("comp") == "block":
            if len({len(name) for name, _ in store.staged.get(blob, [])} | {len(query["blockid"])}) > 1:
                raise Refused(400, "InvalidBlobOrBlock")
            store.staged.setdefault(blob, []).append((query["blockid"], body))
            return self.answer(201)
        if query.get("comp") == "blocklist":
            known = dict((found.blocks if found else []) + store.staged.pop(blob, []))
            names = re.findall("<Latest>(.*?)</Latest>", body.decode())
            if any(name not in known for name in names):
                raise Refused(400, "InvalidBlockList")
            made = store.put(blob, b"".join(known[name] for name in names), [(name, known[name]) for name in names])
        else:
            made = store.put(blob, body)
        self.answer(201, b"", ETag=f'"{made.tag}"', Last_Modified=made.when)

    def on_DELETE(self, blob, found, query, body):
        del self.server.store.blobs[blob]
        self.answer(202)

    def page(self, blobs, query):
        prefix, delimiter, marker = query.get("prefix", ""), query.get("delimiter"), query.get("marker", "")
        entries = {}
        for key in blobs:
            if key.startswith(prefix):
                cut = key.find(delimiter, len(prefix)) if delimiter else -1
                entries[key if cut < 0 else key[:cut + 1]] = cut >= 0
        names = sorted(name for name in entries if name > marker)
        most = min(int(query.get("maxresults", PAGE)), PAGE)
        text = "<?xml version='1.0'?><EnumerationResults><Blobs>"
        for name in names[:most]:
            if entries[name]:
                text += f"<BlobPrefix><Name>{escape(name)}</Name></BlobPrefix>"
            else:
                blob = blobs[name]
                text += (f"<Blob><Name>{escape(name)}</Name><Properties><Last-Modified>{blob.when}</Last-Modified>"
                         f"<Etag>{blob.tag}</Etag><Content-Length>{len(blob.data)}</Content-Length></Properties></Blob>")
        return text + f"</Blobs><NextMarker>{escape(names[most - 1]) if len(names) > most else ''}</NextMarker>" \
                      "</EnumerationResults>"


Blob = collections.namedtuple("Blob", "data tag when blocks")


class Store:
    """The store and its server, on a port of its own, until close(). It has one container, `box`."""

    def __init__(self):
        self.blobs, self.staged, self.requests, self.faults = {}, {}, [], collections.deque()
        self.lock, self.is_public, self.puts = threading.RLock(), False, 0
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads, self.server.store = True, self
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def environment(self):
        return {"TF_AZURE_STORAGE_BLOB_ENDPOINT": f"127.0.0.1:{self.server.server_port}", "TF_AZURE_STORAGE_KEY": KEY,
                "TF_AZURE_STORAGE_USE_HTTP": "1"}

    def put(self, name, data, blocks=()):
        self.puts += 1
        self.blobs[name] = Blob(bytes(data), f"0x{self.puts:x}", formatdate(time.time(), usegmt=True), list(blocks))
        return self.blobs[name]

    def close(self):
        self.server.shutdown()
        self.server.server_close()
