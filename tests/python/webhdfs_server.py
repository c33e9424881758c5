"""A name node and a data node that speak WebHDFS over a folder of this machine, for tests. Written from the
protocol's documentation; no Hadoop is asked."""
import http.server
import json
import os
import shutil
import threading
import urllib.parse

PAGE = 5


class Remote(Exception):
    def __init__(self, status, kind, message):
        self.status, self.kind, self.message = status, kind, message


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 1 << 16

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", headers=()):
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **dict(headers)}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def handle_request(self):
        store = self.server.store
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        at, _, text = self.path.partition("?")
        query = dict(urllib.parse.parse_qsl(text, keep_blank_values=True))
        at = urllib.parse.unquote(at)
        store.requests.append((self.command, query["op"], at, len(body)))
        try:
            if store.faults:
                store.faults.pop(0)(self)
                if self.close_connection:
                    return
            self.is_data_node = at.startswith("/data")
            if query.get("user.name") not in (store.user, None):
                raise Remote(403, "AccessControlException", "Permission denied: user=" + query["user.name"])
            name = at[len("/data" if self.is_data_node else "/webhdfs/v1"):]
            getattr(self, f"op_{query['op'].lower()}")(name, store.folder + name, query, body)
        except Remote as error:
            self.remote(error)
        except FileNotFoundError:
            self.remote(Remote(404, "FileNotFoundException", f"File does not exist: {at}"))

    do_GET = do_PUT = do_POST = do_DELETE = handle_request

    def remote(self, error):
        self.answer(error.status, {"RemoteException": {"exception": error.kind, "message": error.message,
                                                       "javaClassName": "java.io." + error.kind}})

    def to_data_node(self):
        """Whether the bytes come here; else the client is sent to where they go."""
        if self.is_data_node:
            return True
        at = self.path.replace("/webhdfs/v1", "/data", 1)
        self.answer(307, headers={"Location": f"http://127.0.0.1:{self.server.server_port}{at}"})
        return False

    def status_of(self, path, suffix):
        facts = os.stat(path)
        is_folder = os.path.isdir(path)
        return {"pathSuffix": suffix, "type": "DIRECTORY" if is_folder else "FILE", "permission": "644",
                "length": 0 if is_folder else facts.st_size, "modificationTime": int(facts.st_mtime * 1000),
                "owner": self.server.store.user, "group": "users", "replication": 1, "blockSize": 1 << 27}

    def op_getfilestatus(self, name, path, query, body):
        self.answer(200, {"FileStatus": self.status_of(path, "")})

    def op_liststatus_batch(self, name, path, query, body):
        names = [n for n in sorted(os.listdir(path)) if n > query.get("startAfter", "")]
        statuses = [self.status_of(os.path.join(path, n), n) for n in names[:PAGE]]
        self.answer(200, {"DirectoryListing": {"partialListing": {"FileStatuses": {"FileStatus": statuses}},
                                               "remainingEntries": max(0, len(names) - PAGE)}})

    def op_open(self, name, path, query, body):
        os.stat(path)
        if self.to_data_node():
            with open(path, "rb") as file:
                file.seek(int(query.get("offset", 0)))
                self.answer(200, file.read(int(query.get("length", -1))))

    def op_create(self, name, path, query, body):
        if os.path.isdir(path) or (os.path.exists(path) and query.get("overwrite") != "true"):
            raise Remote(403, "FileAlreadyExistsException", f"{name} already exists")
        if self.to_data_node():
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(body)
            self.answer(201)

    def op_append(self, name, path, query, body):
        os.stat(path)
        if self.to_data_node():
            with open(path, "ab") as file:
                file.write(body)
            self.answer(200)

    def op_mkdirs(self, name, path, query, body):
        os.makedirs(path, exist_ok=True)
        self.answer(200, {"boolean": True})

    def op_delete(self, name, path, query, body):
        if not os.path.exists(path):
            return self.answer(200, {"boolean": False})
        if os.path.isdir(path):
            if os.listdir(path) and query.get("recursive") != "true":
                raise Remote(403, "PathIsNotEmptyDirectoryException", f"`{name} is non empty'")
            shutil.rmtree(path)
        else:
            os.remove(path)
        self.answer(200, {"boolean": True})

    def op_rename(self, name, path, query, body):
        os.stat(path)
        target = self.server.store.folder + query["destination"]
        if query.get("renameoptions") == "OVERWRITE":
            if os.path.isdir(path) and os.path.exists(target):
                os.rmdir(target)
            os.replace(path, target)
            return self.answer(200)
        if os.path.exists(target):
            return self.answer(200, {"boolean": False})
        os.rename(path, target)
        self.answer(200, {"boolean": True})


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        pass


class Cluster:
    def __init__(self, folder, user="tester"):
        self.folder, self.user, self.requests, self.faults = str(folder), user, [], []
        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.store = self
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def standby(handler):
    raise Remote(403, "StandbyException", "Operation category READ is not supported in state standby")


def busy(handler):
    raise Remote(503, "RetriableException", "try again")


def broken(handler):
    handler.close_connection = True
