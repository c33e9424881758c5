"""An object store that speaks S3's language, for tests: it checks every signature, gives lists in small pages, and
fails in whatever way a test asks for. Written from the protocol's documentation."""
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

ID, SECRET = "AKIDTESTS", "a/secret+of+tests"
REGION = "us-east-1"
PAGE = 7


def signature(handler, path, query, secret, payload_sum):
    """The Authorization that belongs to a request, and the one that came."""
    given = handler.headers["Authorization"]
    scope = re.search(r"Credential=[^/]*/([^,]*)", given)[1]
    names = re.search(r"SignedHeaders=([^,]*)", given)[1].split(";")
    day, region, service, _ = scope.split("/")
    lines = "".join(f"{name}:{handler.headers[name].strip()}\n" for name in names)
    pairs = sorted((urllib.parse.quote(k, safe="-_.~"), urllib.parse.quote(v, safe="-_.~")) for k, v in query.items())
    canonical = "\n".join([handler.command, path, "&".join(f"{k}={v}" for k, v in pairs), lines, ";".join(names),
                           payload_sum])
    text = "\n".join(["AWS4-HMAC-SHA256", handler.headers["x-amz-date"], scope,
                      hashlib.sha256(canonical.encode()).hexdigest()])
    key = f"AWS4{secret}".encode()
    for part in (day, region, service, "aws4_request"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest(), given.rpartition("Signature=")[2], region


class Refused(Exception):
    def __init__(self, status, code, message="", headers=()):
        self.status, self.code, self.message, self.headers = status, code, message, dict(headers)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 1 << 16

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", headers=(), cut=None):
        body = body if isinstance(body, (bytes, bytearray, memoryview)) else body.encode()
        body = other_bytes(bytes(body)) if self.garbles else body
        self.send_response(status)
        headers = {"x-amz-request-id": "REQ42", "Content-Length": str(len(body)), **dict(headers)}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body if cut is None else body[:cut])
        self.wfile.flush()
        if cut is not None:
            self.close_connection = True

    def refuse(self, refused):
        text = (f"<?xml version='1.0'?><Error><Code>{refused.code}</Code><Message>{escape(refused.message)}</Message>"
                f"<RequestId>REQ42</RequestId></Error>")
        self.answer(refused.status, "" if self.command == "HEAD" else text, refused.headers)

    def handle_request(self):
        store = self.server.store
        path, _, text = self.path.partition("?")
        query = dict(urllib.parse.parse_qsl(text, keep_blank_values=True))
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        bucket, _, key = urllib.parse.unquote(path)[1:].partition("/")
        with store.lock:
            store.requests.append((self.command, bucket, key, query, dict(self.headers.items())))
            fault = store.next_fault(self.command, key, query)
        self.cut, self.garbles, self.spoils = None, False, False
        try:
            if fault is not None:
                fault(self)
                body = other_bytes(body) if self.spoils else body
                if self.close_connection and self.cut is None:
                    return
            self.check(path, query, body)
            getattr(self, f"do_{'bucket' if not key else 'object'}")(bucket, key, query, body)
        except Refused as refused:
            self.refuse(refused)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = handle_request

    def check(self, path, query, body):
        store = self.server.store
        payload_sum = hashlib.sha256(body).hexdigest()
        if self.headers["x-amz-content-sha256"] != payload_sum:
            raise Refused(400, "XAmzContentSHA256Mismatch", "other bytes came than were signed")
        if "Authorization" not in self.headers:
            if not store.is_public:
                raise Refused(403, "AccessDenied", "Access Denied")
            return
        user = re.search(r"Credential=([^/]*)", self.headers["Authorization"])[1]
        if user not in store.secrets:
            raise Refused(403, "InvalidAccessKeyId", "The key does not exist in our records.")
        token = store.tokens.get(user)
        if token is not None and self.headers.get("x-amz-security-token") != token:
            raise Refused(400, "ExpiredToken", "The provided token has expired.")
        wanted, given, region = signature(self, path, query, store.secrets[user], payload_sum)
        if wanted != given:
            raise Refused(403, "SignatureDoesNotMatch", "The signature does not match.")
        when = time.mktime(time.strptime(self.headers["x-amz-date"], "%Y%m%dT%H%M%SZ")) - time.timezone
        if abs(when - (time.time() + store.clock_ahead)) > 900:
            raise Refused(403, "RequestTimeTooSkewed", "The difference is too large.",
                          {"Date": formatdate(time.time() + store.clock_ahead, usegmt=True)})
        if region != store.region:
            raise Refused(400, "AuthorizationHeaderMalformed", f"the region '{region}' is wrong",
                          {"x-amz-bucket-region": store.region})

    def date_time_string(self, timestamp=None):
        return super().date_time_string((timestamp or time.time()) + self.server.store.clock_ahead)

    def do_bucket(self, bucket, _, query, body):
        store = self.server.store
        if bucket not in store.buckets:
            raise Refused(404, "NoSuchBucket", "The specified bucket does not exist")
        objects = store.buckets[bucket]
        if "delete" in query:
            for key in re.findall(r"<Key>(.*?)</Key>", body.decode()):
                key = key.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
                objects.pop(key, None)
            return self.answer(200, "<DeleteResult/>")
        with store.lock:
            return self.answer(200, self.page(objects, query))

    def page(self, objects, query):
        prefix, delimiter = query.get("prefix", ""), query.get("delimiter")
        start, most = query.get("continuation-token", ""), min(int(query.get("max-keys", PAGE)), PAGE)
        entries = {}
        for key in sorted(objects):
            if key.startswith(prefix):
                cut = key.find(delimiter, len(prefix)) if delimiter else -1
                entries[key if cut < 0 else key[:cut + 1]] = cut >= 0
        names = sorted(name for name in entries if name > start)
        text = "<?xml version='1.0'?><ListBucketResult><EncodingType>url</EncodingType>"
        for name in names[:most]:
            shown = urllib.parse.quote_plus(name, safe="/")
            if entries[name]:
                text += f"<CommonPrefixes><Prefix>{shown}</Prefix></CommonPrefixes>"
            else:
                data, tag, when = objects[name]
                date = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(when))
                text += (f"<Contents><Key>{shown}</Key><LastModified>{date}</LastModified>"
                         f"<ETag>{escape(tag)}</ETag><Size>{len(data)}</Size></Contents>")
        if len(names) > most:
            text += f"<NextContinuationToken>{escape(names[most - 1])}</NextContinuationToken>"
        return text + "</ListBucketResult>"

    def do_object(self, bucket, key, query, body):
        store = self.server.store
        if bucket not in store.buckets:
            raise Refused(404, "NoSuchBucket", "The specified bucket does not exist")
        kind = self.command + ("-upload" if "uploadId" in query or "uploads" in query else "")
        getattr(self, "on_" + kind.replace("-", "_"))(store.buckets[bucket], bucket, key, query, body)

    def on_GET(self, objects, bucket, key, query, body):
        if key not in objects:
            raise Refused(404, "NoSuchKey", "The specified key does not exist.")
        data, tag, when = objects[key]
        headers = {"ETag": tag, "Last-Modified": formatdate(when, usegmt=True)}
        if self.headers.get("If-Match", tag) != tag:
            raise Refused(412, "PreconditionFailed", "At least one condition failed")
        match = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if not match:
            if self.command == "HEAD":
                headers["Content-Length"] = str(len(data))
                return self.answer(200, b"", headers)
            return self.answer(200, data, headers, self.cut)
        begin, end = int(match[1]), min(int(match[2]) + 1, len(data))
        if begin >= len(data):
            raise Refused(416, "InvalidRange", "The requested range is not satisfiable")
        headers["Content-Range"] = f"bytes {begin}-{end - 1}/{len(data)}"
        self.answer(206, memoryview(data)[begin:end], headers, self.cut)

    on_HEAD = on_GET

    def source(self):
        bucket, _, key = urllib.parse.unquote(self.headers["x-amz-copy-source"]).lstrip("/").partition("/")
        found = self.server.store.buckets.get(bucket, {}).get(key)
        if found is None:
            raise Refused(404, "NoSuchKey", "The specified key does not exist.")
        if self.headers.get("x-amz-copy-source-if-match", found[1]) != found[1]:
            raise Refused(412, "PreconditionFailed", "At least one condition failed")
        return found[0]

    def on_PUT(self, objects, bucket, key, query, body):
        is_copy = "x-amz-copy-source" in self.headers
        data = self.source() if is_copy else body
        tag = self.server.store.put(bucket, key, data)
        self.answer(200, f"<CopyObjectResult><ETag>{escape(tag)}</ETag></CopyObjectResult>" if is_copy else "",
                    {"ETag": tag})

    def on_DELETE(self, objects, bucket, key, query, body):
        objects.pop(key, None)
        self.answer(204)

    def on_POST_upload(self, objects, bucket, key, query, body):
        store = self.server.store
        if "uploads" in query:
            with store.lock:
                store.uploads[f"up{len(store.uploads)}"] = {}
                return self.answer(200, f"<R><UploadId>up{len(store.uploads) - 1}</UploadId></R>")
        parts = store.uploads.get(query["uploadId"])
        if parts is None:
            raise Refused(404, "NoSuchUpload", "The upload does not exist")
        named = re.findall(r"<PartNumber>(\d+)</PartNumber><ETag>(.*?)</ETag>", body.decode())
        chosen = [parts[int(number)] for number, _ in named]
        if any(len(part) < store.smallest_part for part in chosen[:-1]):
            raise Refused(400, "EntityTooSmall", "a part is too small")
        if any(etag_of(part) != tag.replace("&quot;", '"') for part, (_, tag) in zip(chosen, named)):
            raise Refused(400, "InvalidPart", "a part has another tag")
        sums = b"".join(hashlib.md5(part).digest() for part in chosen)
        tag = store.put(bucket, key, b"".join(chosen), f'"{hashlib.md5(sums).hexdigest()}-{len(chosen)}"')
        store.uploads[query["uploadId"]] = None
        self.answer(200, f"<R><ETag>{escape(tag)}</ETag></R>")

    def on_PUT_upload(self, objects, bucket, key, query, body):
        parts = self.server.store.uploads.get(query["uploadId"])
        if parts is None:
            raise Refused(404, "NoSuchUpload", "The upload does not exist")
        is_copy = "x-amz-copy-source" in self.headers
        if is_copy:
            begin, end = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers["x-amz-copy-source-range"]).groups()
            body = self.source()[int(begin):int(end) + 1]
        parts[int(query["partNumber"])] = body
        tag = etag_of(body)
        self.answer(200, f"<CopyPartResult><ETag>{escape(tag)}</ETag></CopyPartResult>" if is_copy else "",
                    {"ETag": tag})

    def on_DELETE_upload(self, objects, bucket, key, query, body):
        self.server.store.uploads[query["uploadId"]] = None
        self.answer(204)


def etag_of(data):
    return f'"{hashlib.md5(data).hexdigest()}"'


def other_bytes(data):
    middle = len(data) // 2
    return data[:middle] + bytes(byte ^ 0x20 for byte in data[middle:middle + 1]) + data[middle + 1:]


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):  # clients that leave, and connections that tests break
        pass


class Store:
    """The store and its server, on a port of its own, until close()."""

    def __init__(self, *buckets, tls=None):
        self.buckets = {bucket: {} for bucket in buckets}
        self.uploads, self.requests, self.faults = {}, [], collections.deque()
        self.secrets, self.tokens = {ID: SECRET}, {}
        self.lock = threading.RLock()
        self.is_public, self.clock_ahead, self.region, self.smallest_part = False, 0, REGION, 5 << 20
        self.server = Server(("127.0.0.1", 0), Handler)
        if tls is not None:
            self.server.socket = tls.wrap_socket(self.server.socket, server_side=True)
        self.server.store = self
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    @property
    def environment(self):
        return {"S3_ENDPOINT": f"127.0.0.1:{self.server.server_port}", "S3_USE_HTTPS": "0",
                "AWS_ACCESS_KEY_ID": ID, "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_REGION": REGION}

    def put(self, bucket, key, data, tag=None):
        tag = tag or etag_of(data)
        self.buckets[bucket][key] = (bytes(data), tag, int(time.time()))
        return tag

    def next_fault(self, method, key, query):
        for fault in list(self.faults):
            if fault.fits(method, key, query):
                fault.left -= 1
                if fault.left == 0:
                    self.faults.remove(fault)
                return fault.act
        return None

    def fail(self, act, times=1, method=None, key=None, skip=0):
        self.faults.append(Fault(act, times, method, key, skip))

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Fault:
    def __init__(self, act, times, method, key, skip):
        self.act, self.left, self.method, self.key, self.skip = act, times, method, key, skip

    def fits(self, method, key, query):
        fits = self.method in (None, method) and (self.key is None or self.key in key)
        self.skip -= fits
        return fits and self.skip < 0


def status(number, code="InternalError", headers=()):
    def act(handler):
        raise Refused(number, code, f"asked for by a test: {code}", headers)
    return act


def reset(handler):
    """The connection ends before an answer."""
    handler.close_connection = True


def cut_body(handler):
    """The connection ends in the middle of a body."""
    handler.cut = 10


def spoil_request(handler):
    """Other bytes arrive than were sent."""
    handler.spoils = True


def garble_answer(handler):
    """Other bytes come back than lie there."""
    handler.garbles = True


def slow(seconds):
    def act(handler):
        time.sleep(seconds)
    return act
