"""The server chooses where it keeps an upload; what the client says of it, or of another value with such a member, it does not."""

from __future__ import annotations

import pytest

from tests.seeing import lines

_PROBE = "code.path_traversal"
_PHP = "<?php\nuse Illuminate\\Http\\Request;\nuse Illuminate\\Http\\UploadedFile;\nclass C extends Controller {{\n  public function up(Request $request) {{\n    {body}\n  }}\n}}\n"
_EXPRESS = "const express = require('express');\nconst fs = require('fs');\nconst app = express();\napp.post('/a', (req, res) => {{\n  {body}\n}});\n"
_RAILS = "class FilesController < ApplicationController\n  def up\n    {body}\n  end\nend\n"
_DJANGO = "from django.http import HttpRequest\ndef up(request: HttpRequest):\n    {body}\n"
_CASES = [
    ("php", _PHP, "readfile($request->file('a')->path());", "readfile($request->path());"),
    ("php", _PHP, "$f = $request->file('a'); readfile($f->path());", "$f = $request->input('a'); readfile($f->path());"),
    ("php", _PHP, "readfile($request->files->get('a')->path());", "readfile($request->query->get('a')->path());"),
    ("php", _PHP, "readfile($request->file('a')->getRealPath());", "readfile('/data/' . $request->file('a')->getClientOriginalPath());"),
    ("php", _PHP, "foreach ($request->file('a') as $f) { readfile($f->path()); }", "foreach ($request->input('a') as $f) { readfile($f->path()); }"),
    ("php", _PHP, "readfile($_FILES['a']['tmp_name']);", "readfile($_FILES['a']['name']);"),
    ("php", _PHP, "readfile($_FILES['a']['tmp_name']);", "readfile($_POST['a']['tmp_name']);"),
    ("php", _PHP, "foreach ($_FILES as $f) { readfile($f['tmp_name']); }", "readfile($_FILES['tmp_name']['name']);"),
    ("javascript", _EXPRESS, "fs.readFile(req.file.path, done);", "fs.readFile('/data/' + req.file.originalname, done);"),
    ("javascript", _EXPRESS, "fs.readFile(req.files[0].path, done);", "fs.readFile(req.body.file.path, done);"),
    ("javascript", _EXPRESS, "fs.readFile(req.files.a.tempFilePath, done);", "fs.readFile(req.files.path.name, done);"),
    ("ruby", _RAILS, "File.read(params[:a].tempfile.path)", "File.read(params[:a][:tempfile])"),
    ("ruby", _RAILS, "File.read(params[:a].path)", "File.read(params[:a][:path])"),
    ("ruby", _RAILS, "f = params[:a]; File.read(f.path)", "f = URI.parse(params[:a]); File.read(f.path)"),
    ("python", _DJANGO, "return open(request.FILES['a'].temporary_file_path())", "return open('/data/' + request.FILES['a'].name)"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "around", "chosen", "given"), _CASES)
def test_only_the_path_that_the_server_chose_may_be_opened(language: str, around: str, chosen: str, given: str) -> None:
    assert lines(_PROBE, around.format(body=chosen), language) == []
    assert len(lines(_PROBE, around.format(body=given), language)) == 1


def test_the_text_of_an_upload_is_no_answer_of_a_server_that_the_client_chose() -> None:
    upload = _PHP.format(body="return file_get_contents($request->file('a')->getRealPath());")
    address = _PHP.format(body="return file_get_contents($request->input('a'));")
    assert lines("code.request_forgery", upload, "php") == []
    assert lines("code.request_forgery", address, "php") == [6]
