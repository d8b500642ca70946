"""Dependencies: held by a lock file, from the registry, under the name that is meant."""

from __future__ import annotations

import json
import re
import time

import pytest

from auditor.domain import Fact, Outcome
from auditor.forensics.dependencies import popular_packages
from auditor.forensics.dependencies.manifest_formats import read_lock, read_manifest
from auditor.forensics.dependencies.manifest_inputs import Manifests
from auditor.forensics.probe_kit.probe_inputs import Change
from tests.forensics.probes.asking import added, ask, change, modified

POPULAR = {registry: popular_packages.names(registry) for registry in popular_packages.registries()}


def asked(
    probe: str, head: dict[str, str], base: dict[str, str] | None = None, what: Change | None = None
) -> list[Fact]:
    """What a probe says of manifests given as text."""
    return ask(f"dependencies.{probe}", Manifests(head, base or {}, frozenset(head), POPULAR), what)


def quotes(facts: list[Fact]) -> list[str]:
    """The lines of everything found."""
    return [place.quote for each in facts if each.outcome is Outcome.FOUND for place in each.locations]


def outcome(facts: list[Fact]) -> Outcome:
    """The only answer."""
    [fact] = facts
    return fact.outcome


def package_lock(asked_for: dict[str, str]) -> str:
    """A lock file as npm writes it."""
    packages = {"": {"dependencies": asked_for}, **{f"node_modules/{name}": {"version": "1.0.0"} for name in asked_for}}
    return json.dumps({"lockfileVersion": 3, "packages": packages})


PYPROJECT = '[project]\nname = "own"\ndependencies = [\n  "click>=8",\n  "own[extra]",\n]\n'
LOCKED = {
    "npm": ({"package.json": '{"dependencies": {"left": "^1.0.0"}}', "package-lock.json": package_lock({"left": "^1.0.0"})}, '"left": "^1.0.0"', '"left": "^2.0.0"'),
    "yarn": ({"package.json": '{"dependencies": {"@a/b": "^1.0.0"}}', "yarn.lock": '# yarn lockfile v1\n\n"@a/b@^1.0.0", "@a/b@^1.1.0":\n  version "1.1.0"\n'}, '"^1.0.0"', '"^3.0.0"'),
    "pnpm": ({"web/package.json": '{"dependencies": {"@a/b": "^1.0.0"}}', "pnpm-lock.yaml": "lockfileVersion: '9.0'\n\nimporters:\n\n  web:\n    dependencies:\n      '@a/b':\n        specifier: ^1.0.0\n        version: 1.0.0\n"}, '"^1.0.0"', '"^3.0.0"'),
    "uv": ({"pyproject.toml": PYPROJECT, "uv.lock": '[[package]]\nname = "click"\nversion = "8.1"\n'}, '"click>=8"', '"clack>=8"'),
    "poetry": ({"pyproject.toml": '[tool.poetry.dependencies]\npython = "^3.11"\nClick = "^8"\n', "poetry.lock": '[[package]]\nname = "click"\n'}, "Click", "Clock"),
    "cargo": ({"Cargo.toml": '[dependencies]\nserde = { version = "1" }\nlocal = { path = "../x" }\n', "Cargo.lock": '[[package]]\nname = "serde"\n'}, "serde", "syn"),
    "go": ({"go.mod": "module x.io/y\n\nrequire (\n\tgithub.com/a/b v1.2.0 // indirect\n)\n", "go.sum": "github.com/a/b v1.2.0 h1:aaa=\ngithub.com/a/b v1.2.0/go.mod h1:bbb=\n"}, "v1.2.0 //", "v1.3.0 //"),
    "gems": ({"Gemfile": "gem 'rack', '~> 3'\n", "Gemfile.lock": "GEM\n  specs:\n    rack (3.1)\n"}, "'rack'", "'roda'"),
}  # fmt: skip


@pytest.mark.parametrize("kind", sorted(LOCKED))
def test_a_lock_file_is_in_step_until_the_manifest_asks_for_something_else(kind: str) -> None:
    files, old, new = LOCKED[kind]
    assert outcome(asked("lock_in_step", files)) is Outcome.FOUND
    manifest = next(iter(files))
    [fact] = asked("lock_in_step", {**files, manifest: files[manifest].replace(old, new, 1)})
    assert fact.outcome is Outcome.NOT_FOUND
    assert len(fact.locations) == 1
    assert re.match(r"The lock file is out of date for `[\w@/.-]+` \(", fact.statement), "and it is named"


@pytest.mark.parametrize(
    ("path", "text", "form"),
    [("package.json", "{", "JSON"), ("Cargo.toml", "[", "TOML"), ("pyproject.toml", "a b", "TOML")],
)
def test_a_manifest_that_cannot_be_parsed_is_told_by_its_form_and_not_by_an_exception(
    path: str, text: str, form: str
) -> None:
    fact = next(each for each in asked("unpinned", {path: text}) if each.outcome is Outcome.UNAVAILABLE)
    assert fact.statement == f"`{path}` could not be read: it is not valid {form}."


@pytest.mark.parametrize("word", ["retract", "exclude"])
def test_versions_that_a_go_module_warns_off_are_not_asked_for(word: str) -> None:
    files, _, _ = LOCKED["go"]
    module = "" if word == "retract" else "github.com/c/d "
    several = f"{word} (\n\t{module}v0.9.0\n\t{module}v0.9.1\n)"
    for more in (f"{word} {module}v0.9.0 // was broken\n", f"{several}\n", f"{word} {module}v0.9.0 // (\n", f"{several} // all\n"):  # fmt: skip
        text = files["go.mod"].replace("require (", f"{more}\nrequire (")
        assert outcome(asked("lock_in_step", {**files, "go.mod": text})) is Outcome.FOUND
        lost = text.replace("github.com/a/b v1.2.0", "github.com/a/b v1.2.0\n\tgithub.com/e/f v1.0.0")
        (fact,) = asked("lock_in_step", {**files, "go.mod": lost})
        assert "out of date for `github.com/e/f` (" in fact.statement, "and what is asked for behind it still is"


@pytest.mark.parametrize(
    ("asked_for", "noted", "expected"),
    [
        ("==0.21.0beta1", "==0.21.0b1", Outcome.FOUND),
        (">=2.0.0-rc.1,<3", "<3,>=2.0.0rc1", Outcome.FOUND),
        ("==1.0alpha", "==1.0a0", Outcome.FOUND),
        ("==0.21.0beta1", "==0.21.0b2", Outcome.NOT_FOUND),
    ],
)
def test_two_spellings_of_a_version_before_the_release_are_the_same_range(
    asked_for: str, noted: str, expected: Outcome
) -> None:
    lock = f'[[package]]\nname = "own"\nsource = {{ virtual = "." }}\n\n[package.metadata]\nrequires-dist = [{{ name = "loop", specifier = "{noted}" }}]\n\n[[package]]\nname = "loop"\nversion = "2.0.0"\n'
    manifest = f'[project]\nname = "own"\ndependencies = ["loop{asked_for}"]\n'
    assert outcome(asked("lock_in_step", {"pyproject.toml": manifest, "uv.lock": lock})) is expected


def test_a_range_edited_without_the_lock_is_out_of_step_even_where_locks_tell_names_only() -> None:
    files, _, _ = LOCKED["uv"]
    edited = {**files, "pyproject.toml": files["pyproject.toml"].replace("click>=8", "click>=9")}
    facts = asked("lock_in_step", edited, files, change(modified("pyproject.toml")))
    assert outcome(facts) is Outcome.NOT_FOUND
    both = change(modified("pyproject.toml"), modified("uv.lock"))
    locked = {**edited, "uv.lock": files["uv.lock"].replace("8.1", "9.0")}
    assert outcome(asked("lock_in_step", locked, files, both)) is Outcome.FOUND
    assert outcome(asked("lock_in_step", edited, files, both)) is Outcome.NOT_FOUND


def test_a_change_that_touches_neither_manifest_nor_lock_is_not_asked() -> None:
    files, _, _ = LOCKED["npm"]
    assert outcome(asked("lock_in_step", files, {}, change(added("a.py")))) is Outcome.NOT_APPLICABLE


def test_peers_workspaces_builds_and_overrides_are_not_missed_in_a_lock() -> None:
    manifest = json.dumps(
        {"name": "root", "dependencies": {"mine": "workspace:*", "up": "^1"}, "peerDependencies": {"react": "*"}}
    )
    lock = "overrides:\n  up@<2: 2.0.0\n\nimporters:\n\n  .:\n    dependencies:\n      up:\n        specifier: 2.0.0\n"
    assert outcome(asked("lock_in_step", {"package.json": manifest, "pnpm-lock.yaml": lock})) is Outcome.FOUND
    project = '[build-system]\nrequires = ["hatchling"]\n[project]\nname = "own"\ndependencies = ["click"]\n'
    assert (
        outcome(asked("lock_in_step", {"pyproject.toml": project, "uv.lock": LOCKED["uv"][0]["uv.lock"]}))
        is Outcome.FOUND
    )


def test_a_package_in_any_version_is_unpinned_and_a_pinned_or_locked_one_is_not() -> None:
    assert quotes(
        asked("unpinned", {"requirements.txt": "flask\nclick==8.1.7 --hash=sha256:aa\n# x\n-r other.txt\n"})
    ) == ["flask"]
    assert quotes(asked("unpinned", {"package.json": '{"dependencies": {"left": "*"}}'})) == [
        '{"dependencies": {"left": "*"}}'
    ]
    assert outcome(asked("unpinned", {"requirements.txt": "flask==3.0.0\n"})) is Outcome.NOT_FOUND
    assert outcome(asked("unpinned", {"go.mod": "module a\nrequire b.io/c v1.0.0\n"})) is Outcome.NOT_FOUND
    assert (
        outcome(asked("unpinned", {"requirements.in": "flask\n", "requirements.txt": "flask==3.0.0\n"}))
        is Outcome.NOT_FOUND
    )


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("greenlet", Outcome.NOT_FOUND),
        ("greenlet==1.0;", Outcome.NOT_FOUND),
        ("greenlet ; 1 == 1", Outcome.NOT_FOUND),
        ('greenlet ; python_version < "3.11"', Outcome.FOUND),
    ],
)
def test_a_list_compiled_for_one_environment_lacks_what_others_need(wanted: str, expected: Outcome) -> None:
    files = {"requirements/tests.in": f"pytest\n{wanted}\n", "requirements/tests.txt": "pytest==8.0.0\n"}
    assert outcome(asked("lock_in_step", files)) is expected


COMMIT = "0123456789" * 4


@pytest.mark.parametrize(
    ("path", "text", "sure"),
    [
        ("requirements.txt", "x @ git+https://example.org/x.git@main\n", True),
        ("requirements.txt", "-e git+https://example.org/x.git#egg=x\n", True),
        ("requirements.txt", "https://example.org/x-1.0.tar.gz\n", True),
        ("requirements.txt", f"x @ git+https://example.org/x.git@{COMMIT}\n", False),
        ("requirements.txt", "--extra-index-url https://example.org/simple\n", False),
        ("package.json", '{"dependencies": {"x": "someone/x"}}', True),
        ("package.json", '{"dependencies": {"x": "git+ssh://git@example.org/x.git"}}', True),
        ("package.json", '{"dependencies": {"x": "http://example.org/x.tgz"}}', True),
        ("pyproject.toml", '[project]\ndependencies = ["x @ git+https://example.org/x"]\n', True),
        ("pyproject.toml", '[tool.uv.sources]\nx = { git = "https://example.org/x", branch = "main" }\n', True),
        ("pyproject.toml", '[tool.poetry.dependencies]\nx = { git = "https://example.org/x.git" }\n', True),
        ("Cargo.toml", '[dependencies]\nx = { git = "https://example.org/x" }\n', True),
        ("Cargo.toml", '[dependencies]\nx = "1"\n[patch.crates-io]\nx = { git = "https://example.org/x", branch = "mended" }\n', True),
        ("Cargo.toml", '[dependencies]\nx = "1"\n[patch."https://example.org/y"]\ny = { git = "https://example.org/z" }\n', True),
        ("Cargo.toml", '[dependencies]\nx = "1"\n[replace]\n"x:1.0.0" = { git = "https://example.org/x" }\n', True),
        ("go.mod", "module a\nreplace b.io/c => example.org/fork v1.0.0\n", True),
        ("Gemfile", "gem 'x', github: 'someone/x'\n", True),
    ],
)  # fmt: skip
def test_what_comes_from_elsewhere_than_the_registry_is_found(path: str, text: str, sure: bool) -> None:
    [fact] = asked("from_url", {path: text})
    assert fact.outcome is Outcome.FOUND
    assert (fact.confidence >= 0.8) is sure


def test_a_package_that_is_only_an_address_is_called_by_its_last_part() -> None:
    [fact] = asked("from_url", {"requirements/dev.txt": "git+https://example.org/acme/tool.git@96dbe5e3\n"})
    assert fact.statement.startswith("`tool` is installed from a branch, a tag or a shortened commit ID")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("requirements.txt", "# x @ git+https://example.org/x\nflask==3.0.0  # see https://example.org\n"),
        ("package.json", '{"dependencies": {"x": "^1.0.0", "y": "workspace:*", "z": "file:../z", "w": "npm:v@^2"}, "homepage": "https://example.org"}'),
        ("pyproject.toml", '[project]\ndependencies = ["x>=1"]\n[project.urls]\nhome = "https://example.org/x.git"\n'),
        ("go.mod", "module a\nreplace b.io/c => ../c\n"),
        ("Cargo.toml", '[dependencies]\nx = "1"\n[patch.crates-io]\nx = { path = "crates/x" }\n'),
        ("Cargo.toml", '[dependencies]\nx = "1"\n[patch]\nmuch = "?"\n'),
        ("Cargo.toml", '[dependencies]\nx = "1"\ny = { path = "../y" }\n[package]\nname = "z"\nrepository = "https://example.org/z"\n'),
    ],
)  # fmt: skip
def test_local_paths_aliases_and_addresses_of_homepages_are_not(path: str, text: str) -> None:
    assert outcome(asked("from_url", {path: text})) is Outcome.NOT_FOUND


def test_a_lock_entry_from_another_host_than_the_rest_stands_out_and_a_mirror_for_all_does_not() -> None:
    entries = [
        f'  "node_modules/p{n}": {{\n    "resolved": "https://registry.npmjs.org/p{n}",\n  }},' for n in range(9)
    ]
    odd = '    "resolved": "https://packages.example.org/p10.tgz",'
    text = "\n".join([*entries, odd])
    assert read_lock("package-lock.json", '{"packages": {}}\n').elsewhere == ()
    lock = json.dumps({"packages": {"": {}}}) + "\n"
    assert [line for _, line in read_lock("yarn.lock", lock + text).elsewhere] == [odd.strip()]
    assert (
        read_lock("yarn.lock", text.replace("registry.npmjs.org", "mirror.example.org").replace(odd, "")).elsewhere
        == ()
    )


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("reqeusts", "requests"),
        ("requestss", "requests"),
        ("python-dateutill", "python-dateutil"),
        ("beautifulsuop4", "beautifulsoup4"),
    ],
)
def test_a_name_one_letter_from_a_well_known_one_is_found(name: str, meant: str) -> None:
    [fact] = asked("look_alike", {"requirements.txt": f"{name}==1.0\n"})
    assert fact.outcome is Outcome.FOUND
    assert f"well-known package `{meant}`" in fact.statement


def test_for_npm_separators_and_scopes_count_too() -> None:
    for name, meant in (("loadsh", "lodash"), ("cross_env", "cross-env"), ("types-node", "@types/node")):
        [fact] = asked("look_alike", {"package.json": json.dumps({"dependencies": {name: "1.0.0"}})})
        assert f"well-known package `{meant}`" in fact.statement


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("requirements.txt", "requests==2\nboto==2\nattr==1\npsycopg3==3\nsix==1\nflake9==1\n"),
        ("package.json", '{"name": "reacts", "dependencies": {"react": "1", "preact": "1", "wouter": "1", "reacts": "1", "stylus": "1"}}'),
        ("requirements.txt", "our-own-thing==1\nzzyzx==2\n"),
    ],
)  # fmt: skip
def test_known_short_own_and_unrelated_names_are_not(path: str, text: str) -> None:
    assert outcome(asked("look_alike", {path: text})) is Outcome.NOT_FOUND


@pytest.mark.parametrize(
    ("before", "lock_is_new", "introduced"),
    [
        ("https://example.org/tool.tgz", False, False),
        ("^1.0", False, True),
        ("https://example.org/tool.tgz", True, True),
    ],
)
def test_a_lock_file_that_the_change_leaves_alone_held_the_same_before(
    before: str, *, lock_is_new: bool, introduced: bool
) -> None:
    def manifest(version: str, tool: str) -> str:
        return json.dumps({"version": version, "dependencies": {"tool": tool}}, indent=1)

    address = "https://example.org/tool.tgz"
    head = {"package.json": manifest("2.0.0", address), "package-lock.json": package_lock({"tool": address})}
    touched = frozenset(head) if lock_is_new else frozenset({"package.json"})
    given = Manifests(head, {"package.json": manifest("1.0.0", before)}, touched, POPULAR)
    (fact,) = ask("dependencies.from_url", given, change(modified("package.json", 4)))
    assert "`tool` is installed from a commit or an archive, not from a registry release." in fact.statement
    assert fact.introduced is introduced


@pytest.mark.parametrize(
    ("before", "after", "is_found"),
    [
        ("registry.npmjs.org", "packages.example.org", True),
        ("mirror.example.org", "mirror.example.org", False),
        ("mirror.example.org", "registry.npmjs.org", False),
        ("", "mirror.example.org", False),
    ],
)
def test_a_host_that_is_new_for_all_packages_is_found_and_the_mirror_of_before_is_not(
    before: str, after: str, is_found: bool
) -> None:
    def lock(host: str) -> str:
        entry = {"version": "1.0.0", "resolved": f"https://{host}/left/-/left-1.0.0.tgz"}
        return json.dumps({"lockfileVersion": 3, "packages": {"node_modules/left": entry}}, indent=2)

    base = {"package-lock.json": lock(before)} if before else {}
    facts = asked("from_url", {"package-lock.json": lock(after)}, base, change(modified("package-lock.json", 6)))
    assert [each.introduced for each in facts if each.outcome is Outcome.FOUND] == [True] * is_found


def test_only_what_the_change_added_is_new() -> None:
    old, new = (
        "x @ git+https://example.org/x@main\n",
        "# moved\nx @ git+https://example.org/x@main\ny @ git+https://example.org/y@main\n",
    )
    facts = asked(
        "from_url", {"requirements.txt": new}, {"requirements.txt": old}, change(modified("requirements.txt", 3))
    )
    assert {(each.introduced, place.quote[:1]) for each in facts for place in each.locations} == {
        (False, "x"),
        (True, "y"),
    }


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("package.json", "[" * 100_000),
        ("package.json", '{"dependencies": ["x"]}'),
        ("package.json", '{"dependencies": {"x": ' + "9" * 10_000 + "}}"),
        ("pyproject.toml", "a = " + "[" * 20_000),
        ("pyproject.toml", "project = 3\n"),
        ("pyproject.toml", "[project]\ndependencies = 7\n"),
        ("Cargo.toml", "[dependencies\n"),
        ("package.json", "{" + '"a": 1,' * 100_000),
    ],
)
def test_a_manifest_that_cannot_be_read_is_said(path: str, text: str) -> None:
    started = time.process_time()
    manifest = read_manifest(path, text)
    assert time.process_time() - started < 2
    if manifest.dependencies == ():
        facts = asked("from_url", {path: text})
        assert {each.outcome for each in facts} <= {Outcome.UNAVAILABLE, Outcome.NOT_FOUND}
    if text.count("[") > 1 or not text.endswith("}"):
        assert manifest.unread or text.endswith("}}")


def test_long_lines_and_large_locks_take_no_time() -> None:
    started = time.process_time()
    read_manifest("requirements.txt", "a" * 400_000)
    read_manifest("requirements.txt", "x[" + "a," * 100_000)
    read_manifest("go.mod", "require " + "a/" * 200_000 + "\n")
    read_manifest("Gemfile", "gem '" + "a" * 300_000)
    read_lock("yarn.lock", '"a@1", ' * 100_000)
    read_lock("pnpm-lock.yaml", "importers:\n" + "  a:\n" * 100_000)
    head = "importers:\n  .:\n    specifiers:\n      a:"
    read_lock("pnpm-lock.yaml", head + f"{' ' * 1_900}'x'y\n      a:" * 50)
    read_lock("go.sum", "a b c\n" * 100_000)
    read_lock("uv.lock", 'name = "a"\n' * 100_000)
    assert time.process_time() - started < 6


UNPINNED = {
    "a repository at a branch, by Poetry": ("pyproject.toml", '[tool.poetry.dependencies]\nx = { git = "https://example.org/x.git", branch = "main" }\n'),
    "a repository at nothing, by Poetry": ("pyproject.toml", '[tool.poetry.dependencies]\nx = { git = "https://example.org/x.git" }\n'),
    "a repository at a branch, by pip": ("requirements.txt", "x @ git+https://example.org/x.git@main\n"),
    "a repository at nothing, by npm": ("package.json", '{"dependencies": {"x": "github:someone/x"}}'),
    "a group of dependencies": ("pyproject.toml", '[project]\nname = "a"\n[dependency-groups]\ndev = ["pytest", {include-group = "x"}]\n'),
    "an extra": ("pyproject.toml", '[project]\nname = "a"\n[project.optional-dependencies]\npg = ["psycopg"]\n'),
    "tools of uv": ("pyproject.toml", '[project]\nname = "a"\n[tool.uv]\ndev-dependencies = ["ruff"]\n'),
    "a marker and an extra": ("requirements.txt", 'uvicorn[standard] ; python_version > "3.8"\n'),
    "Gradle, a plus": ("build.gradle", "dependencies {\n    implementation 'com.google.guava:guava:31.+'\n}\n"),
    "Gradle, the latest": ("build.gradle.kts", 'dependencies {\n    implementation("com.squareup.okhttp3:okhttp:latest.release")\n}\n'),
    "Gradle, a snapshot": ("app/build.gradle", "dependencies {\n  api group: 'org.a', name: 'b', version: '1.0-SNAPSHOT'\n}\n"),
    "Gradle, by a variable": ("build.gradle", "def v = '2.+'\ndependencies {\n  implementation \"org.a:b:$v\"\n}\n"),
    "a catalog": ("gradle/libs.versions.toml", '[versions]\nok = "+"\n[libraries]\nok = { module = "com.squareup.okhttp3:okhttp", version.ref = "ok" }\n'),
    "Maven, an open range": ("pom.xml", "<project><dependencies><dependency><groupId>a</groupId><artifactId>b</artifactId><version>[1.0,)</version></dependency></dependencies></project>"),
    "Maven, a snapshot": ("pom.xml", "<project><dependencies><dependency><groupId>a</groupId><artifactId>b</artifactId><version>1.0-SNAPSHOT</version></dependency></dependencies></project>"),
    "Composer, a star": ("composer.json", '{"require": {"php": ">=8.1", "monolog/monolog": "*"}}'),
    "Composer, a branch": ("composer.json", '{"require": {"acme/thing": "dev-main"}}'),
    "a Gemfile": ("Gemfile", "source 'https://rubygems.org'\ngem 'rails'\n"),
    "a Gemfile with a branch": ("Gemfile", "gem 'x', github: 'someone/x', branch: 'main'\n"),
    "Cargo, a star": ("Cargo.toml", '[dependencies]\nserde = "*"\n'),
    "Cargo, a repository": ("Cargo.toml", '[dependencies]\nx = { git = "https://example.org/x" }\n'),
    "pip in a Dockerfile": ("Dockerfile", "FROM python:3.12\nRUN pip install --no-cache-dir flask \\\n    gunicorn==22.0.0\n"),
    "npm in a Dockerfile": ("docker/Dockerfile.web", "RUN apk add curl && npm install -g serve\n"),
    "go in a Dockerfile": ("Dockerfile", "RUN go install github.com/a/b@latest\n"),
    "setup.py": ("setup.py", "from setuptools import setup\nsetup(name='a', install_requires=[\n    'flask',\n])\n"),
    "setup.cfg": ("setup.cfg", "[metadata]\nname = a\n[options]\ninstall_requires =\n    flask\n    click>=8\n"),
    "conda": ("environment.yml", "name: a\ndependencies:\n  - python=3.11\n  - numpy\n  - pip:\n      - flask==3.0.0\n"),
    "Pipfile": ("Pipfile", '[packages]\nflask = "*"\n'),
}  # fmt: skip


@pytest.mark.parametrize("kind", sorted(UNPINNED))
def test_what_may_be_another_version_tomorrow_is_unpinned(kind: str) -> None:
    path, text = UNPINNED[kind]
    assert len(quotes(asked("unpinned", {path: text}))) == 1


PINNED = {
    "a tag and a commit": {"pyproject.toml": f'[tool.poetry.dependencies]\nx = {{ git = "https://a.org/x", tag = "v1.0" }}\ny = {{ git = "https://a.org/y", rev = "{COMMIT}" }}\n'},
    "a release by pip": {"requirements.txt": f"x @ git+https://example.org/x.git@v1.2.3\ny @ git+https://git@example.org/y.git@{COMMIT}\n"},
    "ranges without a lock": {"pyproject.toml": '[project]\nname = "shop"\ndependencies = ["fastapi>=0.100"]\n', "package.json": '{"private": true, "dependencies": {"x": "^1.0.0"}}', "requirements.txt": "flask>=2\n"},
    "a list beside": {"pyproject.toml": '[project]\nname = "a"\ndependencies = ["click"]\n', "requirements.txt": "click==8.1.7\n"},
    "constraints": {"requirements.txt": "-c constraints.txt\nflask\n", "constraints.txt": "flask==3.0.0\n"},
    "Gradle": {"build.gradle": "// implementation 'a:b:+'\ndependencies {\n  implementation 'com.google.guava:guava:31.1-jre'\n  implementation project(':core')\n  implementation platform('a:bom:1.0')\n  implementation 'a:c'\n}\n"},
    "Gradle with a lock": {"build.gradle": "dependencies {\n  implementation 'com.google.guava:guava:31.+'\n}\n", "gradle.lockfile": "com.google.guava:guava:31.1-jre=compileClasspath\n"},
    "a catalog": {"gradle/libs.versions.toml": '[versions]\nok = "4.12.0"\n[libraries]\nok = { module = "com.squareup.okhttp3:okhttp", version.ref = "ok" }\nbom = { group = "a", name = "b" }\n[plugins]\nk = { id = "org.k", version = "1.9.0" }\n'},
    "Maven": {"pom.xml": "<project><properties><v>1.0</v></properties><dependencies><dependency><groupId>a</groupId><artifactId>b</artifactId><version>${v}</version></dependency></dependencies></project>"},
    "Composer with a lock": {"composer.json": '{"require": {"monolog/monolog": "^3.0", "ext-json": "*"}}', "composer.lock": '{"packages": [{"name": "monolog/monolog", "version": "3.5.0"}]}'},
    "bun": {"package.json": '{"private": true, "dependencies": {"x": "^1.0.0"}}', "bun.lock": '{"lockfileVersion": 1, "workspaces": {"": {"dependencies": {"x": "^1.0.0",},},}, "packages": {"x": ["x@1.0.0"],},}'},
    "files and groups in a Dockerfile": {"Dockerfile": "RUN pip install --group build && hatch build -t wheel && pip install dist/*-cp* && pip install shop/parts\n"},
    "a Dockerfile": {"Dockerfile": "RUN pip install --upgrade pip && pip install -r requirements.txt\nRUN pip install flask==3.0.0 && npm install -g serve@14.2.0 && npm ci\n# RUN pip install x\n"},
    "gems whose ranges are worked out": {"Gemfile": "gem 'rack', RACK_VERSION\ngem 'rake', ENV['RAKE'], require: false\ngem 'thin', (old? ? '~> 1.8' : '~> 2')\ngem 'puma', Own::RANGE\n"},
    "a gem of a library": {"Gemfile": "source 'https://rubygems.org'\ngemspec\ngem 'rake', '~> 13'\n"},
    "exact": {"package.json": '{"private": true, "dependencies": {"x": "1.0.0"}}', "setup.py": "setup(install_requires=['flask==3.0.0'], extras_require={'dev': ['pytest==8.0.0']})\n"},
    "conda": {"environment.yml": "dependencies:\n  - python\n  - numpy=1.26.4\n  - pip\n"},
}  # fmt: skip


@pytest.mark.parametrize("kind", sorted(PINNED))
def test_what_is_held_is_not_unpinned(kind: str) -> None:
    assert quotes(asked("unpinned", PINNED[kind])) == []


IN_STEP = {
    "bun": ({"package.json": '{"dependencies": {"x": "^1.0.0"}}', "bun.lock": '{"workspaces": {"": {"dependencies": {"x": "^1.0.0",},},}, "packages": {}}'}, "package.json", "^1.0.0", "^2.0.0"),
    "pnpm of old": ({"package.json": '{"dependencies": {"x": "^1.0.0"}}', "pnpm-lock.yaml": "lockfileVersion: 5.4\n\nspecifiers:\n  x: ^1.0.0\n\ndependencies:\n  x: 1.0.1\n"}, "package.json", "^1.0.0", "^2.0.0"),
    "pnpm of yesterday": ({"package.json": '{"dependencies": {"x": "^1.0.0"}}', "pnpm-lock.yaml": "lockfileVersion: '6.0'\n\ndependencies:\n  x:\n    specifier: ^1.0.0\n    version: 1.0.1\n"}, "package.json", "^1.0.0", "^2.0.0"),
    "pnpm of old, for a workspace": ({"web/package.json": '{"dependencies": {"x": "^1.0.0", "@a/b": "2.0.0"}}', "pnpm-lock.yaml": "lockfileVersion: 5.4\n\noverrides:\n  own: link:.\n\nimporters:\n\n  .:\n    specifiers:\n      y: ^3.0.0\n    dependencies:\n      y: 3.0.0\n\n  web:\n    specifiers:\n      '@a/b': 2.0.0\n      x: ^1.0.0\n    dependencies:\n      '@a/b': 2.0.0\n      x: 1.0.1\n"}, "web/package.json", "^1.0.0", "^2.0.0"),
    "npm, for a workspace with a lock that is left over": ({"web/package.json": '{"dependencies": {"x": "^1.0.0"}}', "web/package-lock.json": package_lock({"y": "^1.0.0"}), "package-lock.json": json.dumps({"packages": {"": {"workspaces": ["web"]}, "web": {"dependencies": {"x": "^1.0.0"}}}})}, "web/package.json", "^1.0.0", "^2.0.0"),
    "npm, for a folder that is no part of the workspace above": ({"demo/package.json": '{"dependencies": {"x": "^1.0.0"}}', "demo/package-lock.json": package_lock({"x": "^1.0.0"}), "package-lock.json": package_lock({"y": "^1.0.0"})}, "demo/package.json", "^1.0.0", "^2.0.0"),
    "composer": ({"composer.json": '{"require": {"a/b": "^3.0"}}', "composer.lock": '{"packages": [{"name": "a/b", "version": "v3.5.0"}]}'}, "composer.json", "^3.0", "^4.0"),
    "gradle": ({"build.gradle": "dependencies {\n  implementation 'a.b:c:1.0'\n}\n", "gradle.lockfile": "a.b:c:1.0=compileClasspath\nempty=\n"}, "build.gradle", "a.b:c", "a.b:d"),
    "poetry, by version": ({"pyproject.toml": '[tool.poetry.dependencies]\npython = "^3.11"\nrequests = "^2.28"\n', "poetry.lock": '[[package]]\nname = "requests"\nversion = "2.31.0"\n'}, "pyproject.toml", "^2.28", "^2.32"),
    "uv, by what was asked": ({"pyproject.toml": '[project]\nname = "a"\ndependencies = ["click >=8, <9"]\n', "uv.lock": '[[package]]\nname = "click"\nversion = "8.1.0"\n\n[[package]]\nname = "a"\nversion = "1"\n\n[package.metadata]\nrequires-dist = [{ name = "click", specifier = ">=8,<9" }]\n'}, "pyproject.toml", ">=8, <9", ">=8.2, <9"),
    "cargo, by version": ({"Cargo.toml": '[dependencies]\nserde = "1.0.100"\n', "Cargo.lock": '[[package]]\nname = "serde"\nversion = "1.0.203"\n'}, "Cargo.toml", "1.0.100", "2.0"),
    "Pipfile, by version": ({"Pipfile": '[packages]\nflask = ">=2"\n', "Pipfile.lock": '{"default": {"flask": {"version": "==2.3.1"}}}'}, "Pipfile", ">=2", ">=3"),
    "gems, of one version": ({"Gemfile": "gem 'rack', '3.1.2', require: false\n", "Gemfile.lock": "GEM\n  specs:\n    rack (3.1.2)\n\nDEPENDENCIES\n  rack (= 3.1.2)\n"}, "Gemfile", "3.1.2", "3.1.3"),
    "gems, by what was asked": ({"Gemfile": "gem 'rack', '~> 3.0'\n", "Gemfile.lock": "GEM\n  specs:\n    rack (3.1)\n\nDEPENDENCIES\n  rack (~> 3.0)\n"}, "Gemfile", "~> 3.0", "~> 2.2"),
}  # fmt: skip


@pytest.mark.parametrize("kind", sorted(IN_STEP))
def test_locks_of_every_kind_tell_when_a_range_was_changed_without_them(kind: str) -> None:
    files, path, old, new = IN_STEP[kind]
    assert outcome(asked("lock_in_step", files)) is Outcome.FOUND
    assert outcome(asked("lock_in_step", {**files, path: files[path].replace(old, new)})) is Outcome.NOT_FOUND


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("build.gradle", "repositories {\n  mavenCentral()\n  maven { url 'https://jars.example.org/maven' }\n}\n"),
        ("build.gradle.kts", 'repositories {\n  maven("https://jars.example.org/maven")\n}\n'),
        ("composer.json", '{"repositories": [{"type": "vcs", "url": "https://example.org/x.git"}], "require": {}}'),
        ("Gemfile", "source 'https://gems.example.org'\n"),
    ],
)
def test_further_places_to_take_packages_from_are_found(path: str, text: str) -> None:
    assert len(quotes(asked("from_url", {path: text}))) == 1


@pytest.mark.parametrize(
    ("path", "text", "meant"),
    [
        ("Cargo.toml", '[dependencies]\nreqwst = "0.12"\n', "reqwest"),
        ("Gemfile", "gem 'nokogirii'\n", "nokogiri"),
        ("go.mod", "module a\nrequire github.com/gorila/mux v1.8.0\n", "github.com/gorilla/mux"),
        ("build.gradle", "dependencies {\n  implementation 'com.google.guava:guavva:31.1'\n}\n", "com.google.guava:guava"),
        ("composer.json", '{"require": {"guzzlehttp/guzle": "^7.0"}}', "guzzlehttp/guzzle"),
        ("Dockerfile", "RUN pip install reqeusts==2.0\n", "requests"),
    ],
)  # fmt: skip
def test_names_are_compared_in_every_registry(path: str, text: str, meant: str) -> None:
    [fact] = asked("look_alike", {path: text})
    assert fact.outcome is Outcome.FOUND
    assert f"well-known package `{meant}`" in fact.statement


@pytest.mark.parametrize("registry", [each for each in popular_packages.registries() if each not in {"pypi", "npm"}])
def test_no_well_known_name_looks_like_another_one(registry: str) -> None:
    manifests = {
        "crates": "Cargo.toml",
        "gems": "Gemfile",
        "go": "go.mod",
        "maven": "build.gradle",
        "packagist": "composer.json",
        "nuget": "a.csproj",
        "pub": "pubspec.yaml",
        "hex": "mix.exs",
    }
    forms = {
        "crates": lambda name: f'"{name}" = "1"', "gems": lambda name: f"gem '{name}'", "go": lambda name: f"require {name} v1.0.0",
        "maven": lambda name: f"  implementation '{name}:1.0'", "packagist": lambda name: f'"{name}": "1"',
        "nuget": lambda name: f'<PackageReference Include="{name}" Version="1.0.0" />', "pub": lambda name: f"  {name}: ^1.0.0", "hex": lambda name: f'{{:{name}, "~> 1.0"}}',
    }  # fmt: skip
    names = [forms[registry](name) for name in popular_packages.names(registry)]
    text = {
        "crates": "[dependencies]\n" + "\n".join(names),
        "packagist": '{"require": {' + ", ".join(names) + "}}",
        "nuget": f"<Project>{''.join(names)}</Project>",
        "pub": "dependencies:\n" + "\n".join(names),
    }
    facts = asked("look_alike", {manifests[registry]: text.get(registry, "\n".join(names))})
    assert outcome(facts) is Outcome.NOT_FOUND


def test_a_module_of_the_same_project_is_not_unpinned_for_being_a_snapshot() -> None:
    parent = "<parent><groupId>org.a</groupId><artifactId>all</artifactId><version>2.0-SNAPSHOT</version></parent>"
    asking = (
        "<dependency><groupId>org.a</groupId><artifactId>core</artifactId><version>2.0-SNAPSHOT</version></dependency>"
    )
    files = {
        "core/pom.xml": f"<project>{parent}<artifactId>core</artifactId></project>",
        "extra/pom.xml": f"<project>{parent}<artifactId>extra</artifactId><dependencies>{asking}</dependencies></project>",
    }
    assert quotes(asked("unpinned", files)) == []


def test_a_manifest_of_thousands_is_read_in_time_that_grows_with_it() -> None:
    one = "<dependency><groupId>g</groupId><artifactId>a{}</artifactId><version>1.0</version></dependency>\n"
    pom = "<project><dependencies>\n" + "".join(one.format(n) for n in range(2_000)) + "</dependencies></project>"
    same = "<project><dependencies>\n" + one.format("") * 2_000 + "</dependencies></project>"
    packages = json.dumps({"dependencies": {f"p{n}": "1.0.0" for n in range(8_000)}})
    started = time.process_time()
    assert len(read_manifest("pom.xml", pom).dependencies) == 2_000
    assert len(read_manifest("pom.xml", same).dependencies) == 2_000
    assert len(read_manifest("package.json", packages).dependencies) == 8_000
    read_manifest("setup.py", "install_requires=[" * 20_000)
    read_manifest("Dockerfile", "RUN pip install " + "a " * 200_000)
    read_manifest("Dockerfile", "RUN pip install a \\\n" * 20_000)
    read_manifest("environment.yml", "dependencies:\n" + "  - a" * 20_000)
    read_manifest("build.gradle", "implementation('" + "a:" * 200_000)
    read_manifest("setup.cfg", "[options]\ninstall_requires=\n" + " a\n" * 20_000)
    assert time.process_time() - started < 6


@pytest.mark.parametrize(
    ("manifest", "text", "name", "lock"),
    [
        (
            "package.json",
            '{"dependencies": {"left": "*",\n"right": "^2.0.0"}}',
            "package-lock.json",
            '{"packages": {"": {"dependencies": {"left": "*"}}, "node_modules/left": {"version": "1.0.0"}}}',
        ),
        (
            "pyproject.toml",
            '[tool.poetry.dependencies]\nleft = "^1"\nright = "^2"\n',
            "poetry.lock",
            '[[package]]\nname = "left"\nversion = "1.0.0"\n',
        ),
        (
            "Cargo.toml",
            '[dependencies]\nleft = "1"\nright = "2"\n',
            "Cargo.lock",
            '[[package]]\nname = "left"\nversion = "1.0.0"\n',
        ),
        (
            "Gemfile",
            'gem "left"\ngem "right"\n',
            "Gemfile.lock",
            "GEM\n  specs:\n    left (1.0.0)\n\nDEPENDENCIES\n  left\n",
        ),
    ],
)
def test_a_lock_holds_only_what_stands_in_it(manifest: str, text: str, name: str, lock: str) -> None:
    [fact] = asked("unpinned", {manifest: text, name: lock})
    assert fact.outcome is Outcome.FOUND
    assert ["right" in place.quote for place in fact.locations] == [True]
    exact = text.replace("^2.0.0", "2.0.0").replace('"^2"', '"==2.0"').replace('"2"', '"=2.0.0"')
    if exact != text:
        assert outcome(asked("unpinned", {manifest: exact, name: lock})) is Outcome.NOT_FOUND


@pytest.mark.parametrize("probe", ["unpinned", "from_url", "lock_in_step"])
def test_a_manifest_of_thousands_of_packages_is_answered_in_a_time_that_grows_with_it(probe: str) -> None:
    names = "\n".join(f"package-{number}" for number in range(8_000))
    started = time.process_time()

    facts = asked(probe, {"requirements.txt": names})

    assert facts[0].outcome is not Outcome.UNAVAILABLE
    assert time.process_time() - started < 5


def _locked_apart(manifest: tuple[str, str], lock: tuple[str, str]) -> list[Fact]:
    sides = dict([manifest, lock])
    return asked("lock_in_step", sides, sides)


_ASKS = '{"dependencies": {"left": "^1.2.0"}}'


def _npm(version: str, name: str = "left") -> str:
    return json.dumps(
        {
            "packages": {
                "": {"dependencies": {"left": "^1.2.0"}},
                f"node_modules/{name}": {"version": version},
                f"node_modules/other/node_modules/{name}": {"version": "9.0.0"},
            },
        }
    )


@pytest.mark.parametrize(
    ("lock", "held"),
    [
        (_npm("1.2.3"), True),
        (_npm("1.9.0"), True),
        (_npm("2.0.1"), False),
        (_npm("1.2.3", "right"), False),
        (_npm("2.0.0-rc.1"), True),
    ],
)
def test_a_lock_of_npm_that_was_edited_alone_holds_no_version_outside_of_what_it_notes(lock: str, held: bool) -> None:
    facts = _locked_apart(("package.json", _ASKS), ("package-lock.json", lock))
    assert (facts[0].outcome is Outcome.FOUND) is held


@pytest.mark.parametrize("spec", ["1", "1.x", ">=1 <3", "1 || 2", "latest", "npm:other@^1.0.0", "<=1"])
def test_ranges_that_npm_reads_in_its_own_way_are_not_judged_by_their_numbers(spec: str) -> None:
    lock = _npm("2.0.1").replace("^1.2.0", spec)
    facts = _locked_apart(("package.json", _ASKS.replace("^1.2.0", spec)), ("package-lock.json", lock))
    assert facts[0].outcome is Outcome.FOUND


@pytest.mark.parametrize(
    ("version", "more", "held"), [("2.3.1", "", True), ("1.9.0", "", False), ("1.9.0", 'overrides = [{ name = "httpy" }]\n', True)]
)  # fmt: skip
def test_a_lock_of_uv_that_was_edited_alone_is_out_of_step_unless_it_overrides(
    version: str, more: str, held: bool
) -> None:
    manifest = '[project]\nname = "app"\nversion = "1"\ndependencies = ["httpy>=2.0"]\n'
    lock = f'version = 1\n[manifest]\n{more}\n[[package]]\nname = "app"\nversion = "1"\n[package.metadata]\nrequires-dist = [{{ name = "httpy", specifier = ">=2.0" }}]\n[[package]]\nname = "httpy"\nversion = "{version}"\n'
    facts = _locked_apart(("pyproject.toml", manifest), ("uv.lock", lock))
    assert (facts[0].outcome is Outcome.FOUND) is held


@pytest.mark.parametrize(("version", "held"), [("5.6.7", True), ("4.6.7", False), ("4.6.7-x86_64-linux", True)])
def test_a_lock_of_bundler_that_was_edited_alone_is_out_of_step(version: str, held: bool) -> None:
    lock = f"GEM\n  remote: https://rubygems.org/\n  specs:\n    pumas ({version})\n\nDEPENDENCIES\n  pumas (>= 5.0)\n"
    facts = _locked_apart(("Gemfile", 'gem "pumas", ">= 5.0"\n'), ("Gemfile.lock", lock))
    assert (facts[0].outcome is Outcome.FOUND) is held


_PLACES = {
    "pnpm-lock.yaml": (
        "packages:\n\n  a@1.0.0:\n    resolution: {integrity: sha512-x}\n\n  b@1.0.0:\n    resolution: {integrity: sha512-y}\n\n",
        "  c@1.0.0:\n    resolution: {integrity: sha512-z, tarball: https://else.example.com/c.tgz}\n",
        "  c@1.0.0:\n    resolution: {integrity: sha512-z}\n",
    ),
    "yarn.lock": (
        '"a@npm:^1":\n  resolution: "a@npm:1.0.0"\n\n"b@npm:^1":\n  resolution: "b@npm:1.0.0"\n\n',
        '"c@npm:^1":\n  resolution: "c@https://else.example.com/c.tgz"\n',
        '"c@npm:^1":\n  resolution: "c@npm:1.0.0"\n\n"d@workspace:.":\n  resolution: "d@workspace:."\n',
    ),
    "Cargo.lock": (
        '[[package]]\nname = "a"\nversion = "1.0.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\n\n[[package]]\nname = "b"\nversion = "1.0.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\n\n',
        '[[package]]\nname = "c"\nversion = "1.0.0"\nsource = "git+https://github.com/someone/c#abc"\n',
        '[[package]]\nname = "c"\nversion = "1.0.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\n',
    ),
    "Gemfile.lock": (
        "GIT\n  remote: https://github.com/someone/b\n  specs:\n    b (1.0)\n\nGEM\n",
        "  remote: https://gems.else.example.com/\n  specs:\n    a (1.0)\n",
        "  remote: https://rubygems.org/\n  specs:\n    a (1.0)\n",
    ),
    "composer.lock": (
        '{\n"packages": [\n{"name": "x/a",\n"url": "https://api.github.com/repos/x/a"},\n{"name": "x/b",\n"url": "https://github.com/x/b.git"},\n',
        '{"name": "x/c",\n"url": "https://else.example.com/c.zip"}]}\n',
        '{"name": "x/c",\n"url": "https://api.github.com/repos/x/c"}]}\n',
    ),
    "uv.lock": (
        '[[package]]\nname = "a"\nversion = "1"\nsource = { registry = "https://pypi.org/simple" }\nsdist = { url = "https://files.pythonhosted.org/a.tar.gz", hash = "x" }\n',
        'wheels = [\n    { url = "https://else.example.com/a.whl", hash = "x" },\n]\n',
        'wheels = [\n    { url = "https://files.pythonhosted.org/a.whl", hash = "x" },\n]\n',
    ),
}


@pytest.mark.parametrize("path", sorted(_PLACES))
def test_one_package_of_a_lock_that_comes_from_another_place_than_the_rest_is_told(path: str) -> None:
    rest, odd, usual = _PLACES[path]
    assert read_lock(path, rest + odd).elsewhere
    assert not read_lock(path, rest + usual).elsewhere


def test_a_folder_of_which_the_lock_above_knows_nothing_is_not_held_against_its_versions() -> None:
    sides = {"package.json": _ASKS, "package-lock.json": _npm("1.2.3"), "demo/package.json": _ASKS.replace("^1", "^7")}
    assert outcome(asked("lock_in_step", sides, sides)) is Outcome.FOUND


def test_packages_with_one_statement_are_named_and_many_are_counted() -> None:
    listed = "".join(f"{name}\n" for name in ("tooling", "printing", "posting", "sorting"))
    fact = next(each for each in asked("unpinned", {"requirements.txt": listed}) if each.outcome is Outcome.FOUND)
    assert fact.statement == "`tooling`, `printing`, `posting` and 1 more have no version constraint."
