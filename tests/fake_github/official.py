"""GitHub's own description of its API, and what it says of the requests we make and of the answers the fake gives.

It comes from the npm package `@octokit/openapi`, fetched when the tests run and kept in the user's cache folder.
"""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker, validators
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from tests.fake_github.server import Seen

PACKAGE = "@octokit/openapi"
VERSION = "23.0.2"
GITHUB, ENTERPRISE = "api.github.com.json", "ghes-3.17.json"
_SECONDS = 60
_PARTLY = re.compile(r"/pulls|/branches/|/rules/|^/user$")
"""Answers of which the fake gives only the fields that we read."""


class Missing(Exception):
    """The description cannot be had here; the message says why."""


def _folder() -> Path:
    root = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(root) / "automaton-auditor-tests" / f"octokit-openapi-{VERSION}"


def fetch(folder: Path) -> None:
    """Ask npm for the package and unpack the two files. Raises Missing."""
    npm = shutil.which("npm")
    if npm is None:
        raise Missing("GitHub's API description was not checked: there is no npm to fetch it with.")
    with tempfile.TemporaryDirectory() as temporary:
        command = [
            npm,
            "pack",
            f"{PACKAGE}@{VERSION}",
            "--silent",
            "--fetch-retries=0",
            f"--pack-destination={temporary}",
        ]
        try:
            done = subprocess.run(command, cwd=temporary, capture_output=True, timeout=_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Missing(f"GitHub's API description was not checked: npm did not fetch it ({error}).") from error
        packed = next(Path(temporary).glob("*.tgz"), None)
        if done.returncode or packed is None:
            raise Missing(f"GitHub's API description was not checked: npm could not fetch {PACKAGE}@{VERSION}.")
        folder.mkdir(parents=True, exist_ok=True)
        with tarfile.open(packed) as archive:
            for name in (GITHUB, ENTERPRISE):
                member = archive.extractfile(f"package/generated/{name}")
                if member is None:
                    raise Missing(f"GitHub's API description was not checked: {PACKAGE}@{VERSION} has no {name}.")
                beside = folder / f".{name}.{os.getpid()}"
                beside.write_bytes(member.read())
                beside.replace(folder / name)


def description(name: str = GITHUB) -> Description:
    """The description. Raises Missing, and then does not try again: nobody waits for npm once a test."""
    found = _had(name)
    if isinstance(found, Missing):
        raise found
    return found


@functools.cache
def _had(name: str) -> Description | Missing:
    file = _folder() / name
    try:
        if not file.exists():
            fetch(_folder())
    except Missing as missing:
        return missing
    return Description(json.loads(file.read_bytes()))


@dataclass(frozen=True)
class _Operation:
    template: str
    verb: str
    what: Mapping[str, Any]


def _type(validator: Any, types: Any, instance: Any, schema: Mapping[str, Any]) -> Iterator[Any]:
    """OpenAPI 3.0 says `nullable` where JSON Schema has a type of its own."""
    if instance is None and schema.get("nullable"):
        return
    yield from Draft202012Validator.VALIDATORS["type"](validator, types, instance, schema)


def _enum(validator: Any, values: Any, instance: Any, schema: Mapping[str, Any]) -> Iterator[Any]:
    if instance is None and schema.get("nullable"):
        return
    yield from Draft202012Validator.VALIDATORS["enum"](validator, values, instance, schema)


_FORMATS = FormatChecker(formats=())


@_FORMATS.checks("date-time")
def _is_a_time(instance: object) -> bool:
    """As GitHub spells it out: `YYYY-MM-DDTHH:MM:SSZ`."""
    return not isinstance(instance, str) or bool(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", instance))


_extend: Any = validators.extend  # the stubs leave its types open
_Validator = _extend(Draft202012Validator, {"type": _type, "enum": _enum})


class Description:
    """Says what is wrong with a request or an answer."""

    def __init__(self, document: Any) -> None:
        self._document = document
        resource = Resource.from_contents(document, default_specification=DRAFT202012)
        self._registry: Any = Registry().with_resource("urn:github", resource)
        self._templates = [
            (re.compile("^" + re.sub(r"\\\{[^}]*\\\}", "([^/]+)", re.escape(template)) + "$"), template)
            for template in sorted(document["paths"], key=lambda each: each.count("{"))
        ]

    def complaints(self, seen: Seen) -> list[str]:
        """What GitHub's description has against a request, and against the answer that it got."""
        operation = self._operation(seen.verb, seen.path)
        if operation is None:
            return [f"{seen.line}: there is no such operation"]
        found = [*self._query(operation, seen.query), *self._body(operation, seen.body)]
        if seen.answer is not None and 0 < seen.status < 300 and str(seen.status) not in operation.what["responses"]:
            found.append(f"the answer {seen.status} is not one of it")
        elif seen.answer is not None and 0 < seen.status < 300 and not _PARTLY.search(operation.template):
            schema = self._pointer(operation, "responses", str(seen.status), "content", "application/json", "schema")
            found += [f"answer: {each}" for each in self._against(schema, seen.answer)]
        return [f"{seen.line}: {each}" for each in found]

    def _operation(self, verb: str, path: str) -> _Operation | None:
        for pattern, template in self._templates:
            what = self._document["paths"][template].get(verb.lower())
            if what is not None and pattern.match(path):
                return _Operation(template, verb.lower(), what)
        return None

    def _pointer(self, operation: _Operation, *parts: str) -> str:
        steps = ("paths", operation.template, operation.verb, *parts)
        return "urn:github#/" + "/".join(
            each.replace("~", "~0").replace("/", "~1").replace("{", "%7B").replace("}", "%7D") for each in steps
        )

    def _against(self, pointer: str, instance: Any) -> list[str]:
        validator: Any = _Validator({"$ref": pointer}, registry=self._registry, format_checker=_FORMATS)
        return [
            f"{'.'.join(map(str, each.absolute_path))}: {each.message[:300]}"
            for each in validator.iter_errors(instance)
        ]

    def _body(self, operation: _Operation, body: Any) -> list[str]:
        if "requestBody" not in operation.what:
            return [] if body is None else ["it takes no body"]
        if body is None:
            return ["it takes a body"] if operation.what["requestBody"].get("required") else []
        known = operation.what["requestBody"]["content"]["application/json"]["schema"].get("properties", {})
        unknown = [f"{name} is no field of it" for name in body if name not in known]
        return unknown + self._against(
            self._pointer(operation, "requestBody", "content", "application/json", "schema"), body
        )

    def _query(self, operation: _Operation, query: Mapping[str, str]) -> list[str]:
        parameters = [self._parameter(each) for each in operation.what.get("parameters", [])]
        known = {each["name"]: each["schema"] for each in parameters if each["in"] == "query"}
        found = [f"{name} is no parameter of it" for name in query if name not in known]
        for name, value in query.items():
            schema = known.get(name, {})
            if schema.get("type") == "integer" and not value.isdigit():
                found.append(f"{name} is no number")
            if "enum" in schema and value not in schema["enum"]:
                found.append(f"{name} cannot be {value}")
        return found

    def _parameter(self, parameter: Mapping[str, Any]) -> Mapping[str, Any]:
        if "$ref" not in parameter:
            return parameter
        found = self._document
        for step in parameter["$ref"].removeprefix("#/").split("/"):
            found = found[step]
        resolved: Mapping[str, Any] = found
        return resolved
