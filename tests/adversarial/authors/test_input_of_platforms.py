"""Input that a platform, and no web framework, gives to a function, and input that one function leaves for another, each beside a harmless twin."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adversarial.authors.drawing import CODE, FORGERY, LOADING, PATH, QUERY, SHELL, Case, evidence_by_path
from tests.adversarial.authors.flow_cases import names
from tests.seeing import sites

SOURCES: list[Case] = [
    ("the body of an event of a cloud function", PATH, """
import json

def main(event, context):
    wanted = json.loads(event["body"])["note"]
    return {"statusCode": 200, "body": open(f"/srv/notes/{wanted}").read()}
""", """
import json

def main(event, bus):
    wanted = json.loads(event["body"])["note"]
    return {"statusCode": 200, "body": open(f"/srv/notes/{wanted}").read()}
"""),
    ("a path parameter of an event", FORGERY, """
import requests

def relay(evt: dict, _context: object) -> str:
    return requests.get("https://" + evt.get("pathParameters", {})["host"], timeout=3).text
""", """
import requests

def relay(evt: dict, _context: object) -> str:
    return requests.get("https://shop.example/" + evt.get("pathParameters", {})["item"], timeout=3).text
"""),
    ("a route of Chalice", QUERY, """
from chalice import Chalice

app = Chalice(app_name="shop")

@app.route("/orders")
def orders():
    return database.execute("select * from orders order by " + app.current_request.query_params["by"])
""", """
from chalice import Chalice

app = Chalice(app_name="shop")

@app.route("/orders")
def orders():
    return database.execute("select * from orders where name = %s", [app.current_request.query_params["by"]])
"""),
    ("a request of Azure", PATH, """
import azure.functions as func

def main(req: func.HttpRequest) -> func.HttpResponse:
    return func.HttpResponse(open("/srv/" + req.params["name"]).read())
""", """
import azure.functions as func

def main(req: func.HttpRequest) -> func.HttpResponse:
    return func.HttpResponse(open("/srv/" + ROOMS[req.params["name"]]).read())
"""),
    ("a stream of gRPC", PATH, """
from . import photos_pb2_grpc

class Photos(photos_pb2_grpc.PhotosServicer):
    def Upload(self, request_iterator, context):
        for part in request_iterator:
            with open("/srv/photos/" + part.name, "ab") as file:
                file.write(part.data)
""", """
from . import photos_pb2_grpc

class Photos(photos_pb2_grpc.PhotosStub):
    def Upload(self, request_iterator, context):
        for part in request_iterator:
            with open("/srv/photos/" + part.name, "ab") as file:
                file.write(part.data)
"""),
    ("a tool without brackets", PATH, """
from fastmcp import FastMCP

tools = FastMCP("shop")

@tools.tool
def read_note(title: str) -> str:
    return open("/srv/notes/" + title).read()
""", """
from fastmcp import FastMCP

tools = FastMCP("shop")

@tools.tool
def read_note(number: int) -> str:
    return open(f"/srv/notes/{number}").read()
"""),
    ("a handler of the standard library", PATH, """
from http.server import BaseHTTPRequestHandler

class Files(BaseHTTPRequestHandler):
    def do_GET(self):
        self.wfile.write(open("." + self.path, "rb").read())
""", """
from http.server import BaseHTTPRequestHandler

class Files:
    def load(self):
        self.wfile.write(open("." + self.path, "rb").read())
"""),
    ("a route that is imported", PATH, """
from bottle import route

@route("/notes/<name>")
def note(name):
    return open("/srv/notes/" + name).read()
""", """
from bottle import route

@route("/notes/<name:int>")
def note(name):
    return open(f"/srv/notes/{name}").read()
"""),
    ("a message of Socket.IO", PATH, """
import socketio

hub = socketio.Server()

@hub.on("open")
def opened(sid, name):
    hub.emit("page", open("/srv/" + name).read())
""", """
import socketio

hub = socketio.Server()

@hub.on("open")
def opened(sid, name: int):
    hub.emit("page", open(f"/srv/{name}").read())
"""),
    ("a resource of Falcon", PATH, """
import falcon

class Notes:
    def on_get(self, req, resp):
        resp.text = open("/srv/" + req.get_param("name")).read()
""", """
import falcon

class Notes:
    def on_get(self, req, resp):
        resp.text = open("/srv/" + req.method).read()
"""),
]  # fmt: skip

CARRIERS: list[Case] = [
    ("an attribute of what is there for a request", PATH, """
from quart import g, request

async def before():
    g.folder = request.headers["X-Folder"]

async def logo():
    return open(f"/srv/{g.folder}/logo.png", "rb").read()
""", """
from quart import g, request

async def before():
    g.user = request.headers["X-User"]
    g.folder = "main"

async def logo():
    return open(f"/srv/{g.folder}/logo.png", "rb").read()
"""),
    ("an attribute of a thread", FORGERY, """
import threading
import requests
from flask import request

_here = threading.local()

def before():
    _here.region = request.args["region"]

def stock():
    return requests.get(f"https://{_here.region}.example/stock", timeout=3).json()
""", """
import threading
import requests
from flask import request

_here = threading.local()

def before():
    _here.region = request.args["region"]

def stock():
    _here.region = "eu"
    return requests.get(f"https://{_here.region}.example/stock", timeout=3).json()
"""),
    ("a variable of a context", SHELL, """
import contextvars
import subprocess
from flask import request

chosen = contextvars.ContextVar("chosen", default=None)

def before():
    chosen.set(request.args["tool"])

def run():
    program = chosen.get()
    subprocess.run([program, "--version"], check=True)
""", """
import contextvars
import subprocess
from flask import request

chosen = contextvars.ContextVar("chosen", default=None)
tool = contextvars.ContextVar("tool", default="make")

def before():
    chosen.set(request.args["tool"])

def run():
    program = tool.get()
    subprocess.run([program, "--version"], check=True)
"""),
    ("a queue", PATH, """
from queue import SimpleQueue
from flask import request

waiting = SimpleQueue()

def add():
    waiting.put_nowait((request.form["name"], request.form["text"]))

def write():
    name, text = waiting.get()
    open("/srv/notes/" + name, "w").write(text)
""", """
from queue import SimpleQueue
from flask import request

waiting = SimpleQueue()

def add():
    waiting.put_nowait(int(request.form["number"]))

def write():
    number = waiting.get()
    open(f"/srv/notes/{number}", "w").write("")
"""),
    ("a generator that is sent a name", PATH, """
from flask import request

def writer():
    while True:
        name = yield
        open("/srv/notes/" + name, "w").close()

def add():
    notes = writer()
    next(notes)
    notes.send(request.form["name"])
""", """
from flask import request

def writer():
    while True:
        text = yield
        open("/srv/notes/all", "a").write(text)

def add():
    notes = writer()
    next(notes)
    notes.send(request.form["name"])
"""),
    ("an entry of a table", LOADING, """
import pickle
from flask import request

STATE = {"kept": b""}

def before():
    STATE["sent"] = request.get_data()

def basket():
    return pickle.loads(STATE.get("sent"))
""", """
import json
from flask import request

STATE = {"kept": b""}

def before():
    STATE["sent"] = request.get_data()

def basket():
    return json.loads(STATE.get("sent"))
"""),
    ("an entry of a table beside others", CODE, """
from flask import request

def price():
    rule = {"total": 10}
    rule["formula"] = request.form["formula"]
    return eval(rule["formula"], {})
""", """
from flask import request

def price():
    rule = {"total": 10}
    rule["formula"] = request.form["formula"]
    return float(rule["total"])
"""),
]  # fmt: skip


@pytest.mark.parametrize("case", SOURCES + CARRIERS, ids=names(SOURCES + CARRIERS))
def test_the_way_of_such_input_is_reported(case: Case) -> None:
    assert [each for each in sites(case[1], case[2]) if " reaches `" in each.statement and each.confidence >= 0.8]


@pytest.mark.parametrize("case", SOURCES + CARRIERS, ids=names(SOURCES + CARRIERS))
def test_what_only_looks_like_it_is_not(case: Case) -> None:
    assert [each for each in sites(case[1], case[3]) if " reaches `" in each.statement] == []


def test_a_variable_of_a_context_is_followed_into_another_file(tmp_path: Path) -> None:
    files = {
        "shop/tenant.py": """
from contextvars import ContextVar
from flask import request

tenant: ContextVar[str] = ContextVar("tenant")
theme: ContextVar[str] = ContextVar("theme", default="plain")

def before():
    tenant.set(request.headers["X-Tenant"])
""",
        "shop/logo.py": """
from flask import Blueprint
from .tenant import tenant

def logo():
    return open("/srv/logos/" + tenant.get(), "rb").read()
""",
        "shop/page.py": """
from flask import Blueprint
from .tenant import theme

def page():
    return open("/srv/themes/" + theme.get(), "rb").read()
""",
    }
    found = evidence_by_path(tmp_path, files, PATH)
    assert [each.statement for each in found["shop/logo.py"]] == [
        'Untrusted input `tenant.get()` (line 6), which returns `request.headers["X-Tenant"]`, reaches `open` (line 6)'
    ]
    assert found["shop/page.py"] == []
