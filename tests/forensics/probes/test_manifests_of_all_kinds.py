"""Manifests and locks of many package managers: the labelled cases about them, and text that wants to be read for ever."""

from __future__ import annotations

import time

import pytest

from auditor.domain import Fact, Outcome
from auditor.forensics.dependencies import popular_packages
from auditor.forensics.dependencies.manifest_formats import (
    is_lock,
    is_manifest,
    is_package_file,
    read_lock,
    read_manifest,
)
from auditor.forensics.dependencies.manifest_inputs import Manifests
from tests.accuracy.labelled import ROOT, Case, read
from tests.accuracy.measuring import compare, run
from tests.forensics.probes.asking import added, ask, change, deleted, modified

POPULAR = {registry: popular_packages.names(registry) for registry in popular_packages.registries()}
CASES = list(read(ROOT / "cases" / "dependencies.yaml"))


def _sides(case: Case) -> tuple[dict[str, str], dict[str, str]]:
    """What stands at the head and at the base of a case."""
    head: dict[str, str] = dict(case.tree())
    base: dict[str, str] = {}
    for number, made in enumerate(case.commits, start=1):
        head.update({path: text for path, text in made.files.items() if text is not None})
        base = dict(head) if number == case.base else base
    return head, base


def asked(case: Case, probe: str) -> list[Fact]:
    """What a probe says of the manifests of a case."""
    head, base = ({path: each for path, each in side.items() if _is_read(path)} for side in _sides(case))
    if not case.base:
        return ask(probe, Manifests(head, {}, frozenset(head), POPULAR), None)
    touched = [path for path in {*head, *base} if head.get(path) != base.get(path)]
    files = [
        added(each) if each not in base else deleted(each) if each not in head else modified(each) for each in touched
    ]
    in_scope = frozenset(each for each in touched if each in head)
    return ask(probe, Manifests(head, {each: base[each] for each in touched if each in base}, in_scope, POPULAR), change(*files))  # fmt: skip


def _is_read(path: str) -> bool:
    return is_package_file(path) or is_lock(path)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_careful_reader_agrees_about_packages(case: Case) -> None:
    checked = [compare(case.name, probe, wanted, asked(case, probe)) for probe, wanted in case.expect.items()]
    assert [(each.probe, each.wrong) for each in checked if not each.hit] == []


@pytest.mark.parametrize("case", list(read(ROOT / "cases" / "workflows.yaml")), ids=lambda case: case.name)
def test_a_careful_reader_agrees_about_workflows(case: Case) -> None:
    assert [(each.probe, each.wrong) for each in run(case) if not each.hit] == []


@pytest.mark.parametrize(
    ("path", "manifest"),
    [
        ("src/Shop.fsproj", True), ("Directory.Packages.props", True), ("pubspec.yaml", True), ("apps/web/mix.exs", True), ("Package.swift", True),
        ("ios/Podfile", True), ("deno.jsonc", True), ("charts/a/Chart.yaml", True), ("ferry.gemspec", True), ("project/plugins.sbt", True),
        ("compose.yaml", False), ("docker-compose.prod.yml", False), (".npmrc", False), ("nuget.config", False), ("src/composer.py", False),
        ("decompose.yml", False),
    ],
)  # fmt: skip
def test_what_asks_for_packages_is_a_manifest_and_what_tells_of_images_or_places_is_none(
    path: str, manifest: bool
) -> None:
    assert is_manifest(path) is manifest
    assert is_package_file(path) is (manifest or path not in {"src/composer.py", "decompose.yml"})


def test_an_image_that_is_built_in_the_tree_is_taken_in_no_version() -> None:
    def told(image: str, name: str) -> list[Outcome]:
        head = {"compose.yml": f"services:\n  web:\n    image: {image}\n", "package.json": f'{{"name": "{name}"}}'}
        return [each.outcome for each in ask("dependencies.unpinned", Manifests(head, {}, frozenset(head), POPULAR), None)]  # fmt: skip

    assert told("harbour/ferry:latest", "ferry") == [Outcome.NOT_FOUND]
    assert told("harbour/ferry:latest", "@ferry/web") == [Outcome.NOT_FOUND]
    assert told("harbour/ferry:latest", "tides") == [Outcome.FOUND]


def test_an_image_that_goes_by_the_project_and_the_folder_of_its_dockerfile_is_built_in_the_tree() -> None:
    def told(image: str, path: str) -> list[Outcome]:
        head = {"compose.yml": f"services:\n  web:\n    image: {image}\n", path: "FROM alpine:3.20\n"}
        return [each.outcome for each in ask("dependencies.unpinned", Manifests(head, {}, frozenset(head), POPULAR), None)]  # fmt: skip

    assert told("quay.io/harbour/harbour-night-ferry", "images/night-ferry/Dockerfile") == [Outcome.NOT_FOUND]
    assert told("harbour/nginx:latest", "nginx/Dockerfile") == [Outcome.FOUND]
    assert told("nginx", "nginx/Dockerfile") == [Outcome.FOUND]
    assert told("harbour-ferry", "Dockerfile") == [Outcome.FOUND]


def test_an_image_that_another_service_of_the_composition_builds_is_built_in_the_tree() -> None:
    def told(other: str) -> list[Outcome]:
        built = "services:\n  api:\n    build: .\n    image: harbour/ferry:latest\n"
        head = {"compose.yml": f"{built}  worker:\n    image: {other}\n"}
        return [each.outcome for each in ask("dependencies.unpinned", Manifests(head, {}, frozenset(head), POPULAR), None)]  # fmt: skip

    assert Outcome.FOUND not in told("harbour/ferry:latest")
    assert told("harbour/tug:latest") == [Outcome.FOUND]


def test_a_version_that_the_root_of_a_workspace_forces_is_no_other_range() -> None:
    lock = '# yarn lockfile v1\n\n\nleft@^2.0.0:\n  version "1.3.0"\n'
    member = '{"name": "b", "dependencies": {"left": "^2.0.0"}}'
    root = '{"name": "a", "workspaces": ["b"], "resolutions": {"**/left": "1.3.0"}}'
    for text, outcome in ((root, Outcome.FOUND), (root.replace("left", "right"), Outcome.NOT_FOUND)):
        head = {"package.json": text, "b/package.json": member, "yarn.lock": lock}
        [fact] = ask("dependencies.lock_in_step", Manifests(head, {}, frozenset(head), POPULAR), None)
        assert fact.outcome is outcome


MANIFESTS = {
    "a.csproj": "<Project>" + "<PackageReference Include='a' Version='$(' />" * 20_000 + "</Project>",
    "pubspec.yaml": "dependencies:\n" + "  a: " * 20_000 + "\n" + "  a:\n    git:\n" * 20_000,
    "mix.exs": "{:a, \"" * 20_000 + "{ :" * 20_000 + "#" * 20_000,
    "Package.swift": ".package(" * 20_000 + ".package(url: \"" * 20_000 + "//" * 20_000,
    "Podfile": "pod 'a', " * 20_000 + "\npod 'a'" * 20_000,
    "deno.json": "/*" * 20_000 + "\n//" * 20_000,
    "Chart.yaml": "dependencies:\n" + "- name: a\n" * 20_000 + "name: '" * 20_000,
    "build.sbt": "\"a\" % " * 20_000 + "\n" + "\"a\" %% \"b\" % \"\n" * 20_000,
    "compose.yml": "  image: a\n" * 20_000 + "    image: " + "a/" * 20_000,
    "Dockerfile": "FROM " * 20_000 + "\nFROM a:b AS c\n" * 20_000 + "FROM " + "a/" * 20_000,
    "a.gemspec": "  s.add_dependency 'a', " * 20_000 + "\n  s.add_dependency('a', [" * 20_000,
    ".npmrc": "registry = " * 20_000 + "\nregistry=http://" * 20_000,
    "pip.conf": "index-url = " * 20_000,
}  # fmt: skip
LOCKS = {
    "packages.lock.json": '{"dependencies": {"net8.0": {' + ",".join(f'"a{n}": {{"type": "Direct"}}' for n in range(20_000)) + "}}}",
    "pubspec.lock": "packages:\n" + "  a:\n    version: 1\n" * 20_000,
    "mix.lock": '  "a": {:hex, :a, "' * 20_000 + '\n"a": {:hex' * 20_000,
    "Package.resolved": '{"pins": [' + ",".join(['{"location": "a/b"}'] * 20_000) + "]}",
    "Podfile.lock": "DEPENDENCIES:\n" + "  - a (" * 20_000 + "\n  - a (b)" * 20_000,
    "deno.lock": '{"workspace": {}, "specifiers": {' + ",".join(f'"npm:a{n}@": "1"' for n in range(20_000)) + "}}",
    "Chart.lock": "dependencies:\n" + "- name: a\n  version: 1\n" * 20_000,
    "yarn.lock": 'a@1, a@2:\n  version "1"\n' * 20_000,
}  # fmt: skip


@pytest.mark.parametrize("path", [*MANIFESTS, *LOCKS])
def test_reading_takes_time_that_grows_with_the_length_alone(path: str) -> None:
    started = time.process_time()
    if path in MANIFESTS:
        read_manifest(path, MANIFESTS[path][:499_000])
    else:
        read_lock(path, LOCKS[path])
    assert time.process_time() - started < 1.5


def test_a_module_of_go_that_long_had_half_of_its_sums_is_left_alone() -> None:
    lock = "a.dev/b v1.0.0/go.mod h1:x=\na.dev/c v1.0.0 h1:x=\na.dev/c v1.0.0/go.mod h1:x=\n"
    old = "module a.dev/a\n\nrequire a.dev/b v1.0.0\n"
    new = f"{old}require a.dev/c v1.0.0\n"
    scope = frozenset({"go.mod"})
    for before, outcome in ((old, Outcome.FOUND), ("module a.dev/a\n\nrequire a.dev/c v1.0.0\n", Outcome.NOT_FOUND)):
        sides = Manifests({"go.mod": new, "go.sum": lock}, {"go.mod": before}, scope, POPULAR)
        [fact] = ask("dependencies.lock_in_step", sides, change(modified("go.mod")))
        assert fact.outcome is outcome


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".npmrc", "registry=https://packages.example.com/registry.npmjs.org/\n"),
        (".npmrc", "registry=https://registry.npmjs.org.example.com/\n"),
        (".npmrc", "registry=https://registry.npmjs.org@packages.example.com/\n"),
        (".npmrc", f"registry=https://registry.npmjs.org:{'a' * 400}@packages.example.com/\n"),
        (".npmrc", "registry=https://packages.example.com\\@registry.npmjs.org/\n"),
        ("pip.conf", "[global]\nindex-url = https://not-pypi.org/simple\n"),
        ("pip.conf", "[global]\nindex-url: https://packages.example.com/simple\n"),
        ("pip.conf", "[global]\nextra-index-url =\n    https://packages.example.com/simple\n"),
        ("nuget.config", '<configuration><packageSources><add key="a" value="https://nuget.org.example.com/v3"/></packageSources></configuration>'),
        ("nuget.config", '<configuration><packageSources><add key="a" value="https://example.com/nuget.org"/></packageSources></configuration>'),
    ],
)  # fmt: skip
def test_an_address_that_only_speaks_of_the_registry_is_another_place(path: str, text: str) -> None:
    assert len(read_manifest(path, text).index_lines) == 1


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".npmrc", "registry=https://registry.npmjs.org/\n"),
        (".npmrc", "registry=https://REGISTRY.npmjs.org:443\n"),
        ("pip.conf", "[global]\nindex-url = https://pypi.org/simple\n"),
        ("nuget.config", '<configuration><packageSources><add key="a" value="https://api.nuget.org/v3/index.json"/></packageSources></configuration>'),
    ],
)  # fmt: skip
def test_an_address_of_the_registry_is_no_other_place(path: str, text: str) -> None:
    assert read_manifest(path, text).index_lines == ()


@pytest.mark.parametrize(
    ("rows", "other"),
    [
        ("    hosted: https://pub.dev\n    version: ^1.0.0\n", False),
        ("    hosted: https://packages.example.com\n    version: ^1.0.0\n", True),
        ("    hosted:\n      name: left\n      url: https://packages.example.com\n    version: ^1.0.0\n", True),
        ("    git:\n      url: https://git.example.com/left\n      hosted: yes\n", True),
    ],
)
def test_a_package_of_dart_that_another_server_has_comes_from_elsewhere(rows: str, other: bool) -> None:
    (left,) = read_manifest("pubspec.yaml", f"name: own\ndependencies:\n  left:\n{rows}").dependencies
    assert bool(left.url) is other


def test_a_lock_that_names_a_package_for_many_frameworks_takes_no_square_of_their_number() -> None:
    rows = ",".join(f'"net{n}":{{"a":{{"type":"Direct","resolved":"{n}"}}}}' for n in range(10_000))
    started = time.process_time()
    assert len(read_lock("packages.lock.json", f'{{"dependencies":{{{rows}}}}}').versions["a"]) == 10_000
    assert time.process_time() - started < 0.8
