"""Which commands are taken from files of each format, with their lines; and what hostile files cost."""

from __future__ import annotations

import time

import pytest

from auditor.forensics.embedded_shell.shell_extraction import (
    MAX_CHARACTERS,
    MAX_SCRIPT_CHARACTERS,
    embedded_scripts,
    extract_shell,
    scripts_within,
    with_nested,
)
from auditor.forensics.embedded_shell.shell_formats import format_of, shell_formats


def told(path: str, text: str) -> list[tuple[str, int, int]]:
    """The scripts of a file and those inside them: text, first line, last line."""
    found = with_nested(embedded_scripts(text, format_of(path))).scripts
    return [(each.text, each.lines[0][0], each.lines[-1][1]) for each in found]


PATHS = {
    "github_workflow": (".github/workflows/ci.yml", "action.yaml", "actions/setup/action.yml"),
    "gitlab_ci": (".gitlab-ci.yml", ".gitlab/ci/build.yml", "release.gitlab-ci.yml", "gitlab/build.yml"),
    "gitlab_included": ("ci/build.yml", "docs/workflows/ci.yml"),
    "circleci": (".circleci/config.yml",),
    "azure_pipelines": ("azure-pipelines.yml", ".azure/build.yaml"),
    "travis": (".travis.yml",),
    "compose": ("docker-compose.yml", "compose.prod.yaml", "deploy/compose.yml"),
    "pre_commit": (".pre-commit-config.yaml", ".pre-commit-hooks.yaml"),
    "lefthook": ("lefthook.yml", ".lefthook-local.yml"),
    "taskfile": ("Taskfile.yml", "Taskfile.dist.yaml"),
    "package_json": ("package.json", "packages/a/package.json"),
    "composer_json": ("composer.json",),
    "deno_json": ("deno.json", "deno.jsonc"),
    "devcontainer": (".devcontainer.json", ".devcontainer/devcontainer.json"),
    "dockerfile": ("Dockerfile", "build/Dockerfile.dev", "api.Dockerfile", "Containerfile", "Earthfile"),
    "makefile": ("Makefile", "GNUmakefile", "rules/build.mk", "Makefile.local", "debian/rules"),
    "justfile": ("justfile", ".justfile", "ci.just"),
    "procfile": ("Procfile", "Procfile.dev"),
    "systemd_unit": ("etc/shop.service",),
    "ansible": ("roles/shop/tasks/main.yml", "playbook.yml"),
    "cloud_init": ("cloud-init.yaml", "images/user-data"),
    "crontab": ("etc/crontab", "etc/cron.d/shop", "shop.crontab"),
    "terraform": ("infra/main.tf",),
    "tox": ("tox.ini",),
    "dotenv": (".env", "deploy/.env.production"),
    "direnv": (".envrc",),
    "git_hook": (".husky/pre-commit", ".githooks/post-merge"),
    "tekton": (".tekton/build.yaml", "ci/tekton/build.yml"),
    "argo": ("argo/build.yaml", "workflow-templates/build.yaml"),
    "kubernetes": ("deploy/app.yaml", "charts/shop/values.yaml"),
    "agent_settings": (".claude/settings.json", ".claude/settings.local.json"),
    "appveyor": ("appveyor.yml", ".appveyor.yml"),
    "arch_package": ("PKGBUILD",),
    "bazel": ("BUILD", "lib/BUILD.bazel", "rules.bzl"),
    "bitbucket_pipelines": ("bitbucket-pipelines.yml",),
    "buildkite": (".buildkite/pipeline.yml",),
    "cargo_make": ("Makefile.toml",),
    "cirrus": (".cirrus.yml",),
    "cloud_build": ("cloudbuild.yaml", "ci/cloudbuild-test.yml"),
    "cmake": ("CMakeLists.txt", "cmake/tools.cmake"),
    "code_build": ("buildspec.yml", "amplify.yml"),
    "drone": (".drone.yml", ".woodpecker.yml", ".woodpecker/test.yaml"),
    "editor_tasks": (".vscode/tasks.json",),
    "gitpod": (".gitpod.yml",),
    "goreleaser": (".goreleaser.yml", "goreleaser.yaml"),
    "gradle": ("build.gradle", "app/build.gradle.kts"),
    "jenkins": ("Jenkinsfile", "ci/Jenkinsfile.release", "ci/test.jenkinsfile", "vars/build.groovy"),
    "maven_and_ant": ("pom.xml", "build.xml"),
    "meson": ("meson.build",),
    "mise": ("mise.toml", ".mise.local.toml", ".mise/config.toml"),
    "msbuild": ("Shop.csproj", "Directory.Build.props", "build/tools.targets"),
    "netlify": ("netlify.toml",),
    "nox": ("noxfile.py",),
    "packer": ("image.pkr.hcl",),
    "podspec": ("Shop.podspec",),
    "pyproject": ("pyproject.toml",),
    "read_the_docs": (".readthedocs.yaml",),
    "scala_build": ("build.sbt", "build.sc"),
    "tox_toml": ("tox.toml",),
    "vercel": ("vercel.json",),
    "vagrant": ("Vagrantfile",),
    "gemspec": ("shop.gemspec",),
    "xcode": ("Shop.xcodeproj/project.pbxproj",),
    "air": (".air.toml", "air.toml"),
    "data_pipeline": ("dvc.yaml",),
    "firebase": ("firebase.json",),
    "fly": ("fly.toml", "fly.staging.toml"),
    "git_hooks_of_packages": (".lintstagedrc", ".huskyrc.json"),
    "heroku_app": ("app.json",),
    "melos": ("melos.yaml",),
    "nixpacks": ("nixpacks.toml",),
    "nodemon": ("nodemon.json",),
    "nx_project": ("apps/shop/project.json",),
    "pipenv": ("Pipfile",),
    "pixi": ("pixi.toml",),
    "railway": ("railway.toml",),
    "railway_json": ("railway.json",),
    "release_it": (".release-it.json",),
    "render": ("render.yaml",),
    "renovate": ("renovate.json", ".renovaterc"),
    "replit": (".replit",),
    "semantic_release": (".releaserc", ".releaserc.yml"),
    "skaffold": ("skaffold.yaml",),
    "tauri": ("src-tauri/tauri.conf.json",),
    "wrangler": ("wrangler.toml",),
    "wrangler_json": ("wrangler.jsonc",),
}


def test_every_format_is_known_by_its_paths() -> None:
    assert {format_id: tuple(map(format_of, paths)) for format_id, paths in PATHS.items()} == {
        format_id: (format_id,) * len(paths) for format_id, paths in PATHS.items()
    }
    assert PATHS.keys() == shell_formats().keys()


@pytest.mark.parametrize("path", ["package-lock.json", "docs/workflows/ci.txt", "profile.py", "Makefile.py.txt/x", "compose.md", "notes/Dockerfile/readme.md"])  # fmt: skip
def test_what_is_only_named_like_it_is_none(path: str) -> None:
    assert format_of(path) == ""


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (".github/workflows/ci.yml", "jobs:\n  a:\n    steps:\n      - run: |\n          one\n\n          two\n", [("one\n\ntwo\n", 5, 8)]),
        (".github/workflows/ci.yml", "jobs:\n  a:\n    steps:\n      - run: >\n          one\n          two\n\n          three\n", [("one \\\ntwo\n\nthree", 5, 8)]),
        (".github/workflows/ci.yml", "jobs:\n  a:\n    steps:\n      - run: one\n          two\n", [("one \\\ntwo", 4, 5)]),
        (".github/workflows/ci.yml", 'jobs: {a: {steps: [{run: "one\\ntwo"}]}}\n', [("one\ntwo", 1, 1)]),
        (".github/workflows/ci.yml", "jobs:\n  a:\n    steps:\n      - shell: python\n        run: print(1)\n      - {shell: bash, run: ls}\n", [("ls", 6, 6)]),
        (".github/workflows/ci.yml", "defaults: {run: {shell: python}}\njobs:\n  a:\n    steps:\n      - run: print(1)\n", []),
        (".github/workflows/ci.yml", "jobs:\n  a:\n    steps:\n      - run: ls\n   - broken: [\n", [("ls", 4, 4)]),
        ("package.json", '{"scripts": {\n  // one\n  "a": "x && y",\n  "b": "\\u0063url"\n}, "config": {"scripts": {"c": "no"}}}', [("x && y", 3, 3), ("curl", 4, 4)]),
        ("package.json", '{"lint-staged": {"*.js": ["eslint --fix",\n "prettier"]}}', [("eslint --fix", 1, 1), ("prettier", 2, 2)]),
        ("Dockerfile", "FROM a\nRUN one && \\\n  # no\n\n  two\n", [("one && \\\n  two", 2, 5)]),
        ("Dockerfile", "# escape=`\nRUN one `\n  two\n", [("one \\\n  two", 2, 3)]),
        ("Dockerfile", 'CMD ["sh", "-c", "one"]\nENTRYPOINT ["two", "a b"]\n', [("one", 1, 1), ("two 'a b'", 2, 2)]),
        ("Dockerfile", "RUN <<A <<B\none\nA\ntwo\nB\nRUN three\n", [("one", 2, 2), ("two", 4, 4), ("three", 6, 6)]),
        ("Dockerfile", "RUN python3 <<END\nprint(1)\nEND\n", [("python3 ", 1, 1)]),
        ("Dockerfile", 'SHELL ["python", "-c"]\nRUN print(1)\n', []),
        ("Makefile", "all: a\n\t@one \\\n\t  two\n\t-three $$X $(Y) $(dir $(Y))\nY = four\n", [("one \\\n\t  two", 2, 3), ("three $X four expression", 4, 4)]),
        ("Makefile", "a: ; one\ndefine GET\ntwo\nendef\nb:\n\t$(GET)\n", [("one", 1, 1), ("two", 6, 6)]),
        ("justfile", "a b:\n    one {{b}}\n    two\n", [("one {{b}}", 2, 2), ("two", 3, 3)]),
        ("compose.yml", "services:\n  a:\n    command: [bash, -c, one $$X]\n    entrypoint: [two, three]\n", [("one $X", 3, 3), ("two three", 4, 4)]),
        ("Procfile", "web: one\n# no\nworker: two\n", [("one", 1, 1), ("two", 3, 3)]),
        ("etc/a.service", "[Service]\nExecStart=-/bin/sh -c 'one'\n", [("/bin/sh -c 'one'", 2, 2), ("one", 2, 2)]),
        ("etc/crontab", "MAILTO=a\n# no\n*/5 * * * MON-FRI root one\n@daily two\n", [("one", 3, 3), ("two", 4, 4)]),
        ("a.tf", 'resource "x" "y" {\n  provisioner "local-exec" {\n    command = "one \\"a\\""\n  }\n  provisioner "remote-exec" {\n    inline = [\n      "two",\n      "three",\n    ]\n  }\n  provisioner "local-exec" {\n    command = <<-END\n      four ${var.a}\n    END\n  }\n}\n', [('one "a"', 3, 3), ("two", 7, 7), ("three", 8, 8), ("      four ${var.a}", 13, 13)]),
        ("b.tf", 'variable "command" {\n  command = "no"\n}\n', []),
        ("roles/a/tasks/main.yml", "- ansible.builtin.shell: one {{ b }}\n- shell:\n    cmd: two\n", [("one {{ b }}", 1, 1), ("two", 3, 3)]),
        ("user-data.yml", "#cloud-config\nruncmd:\n  - one\n  - [sh, -c, two]\n", [("sh", 4, 4), ("-c", 4, 4), ("two", 4, 4), ("one", 3, 3)]),
        ("tox.ini", "[testenv]\ncommands =\n    one {posargs}\n    - two\ndeps = no\n", [("one expression", 3, 3), ("two", 4, 4)]),
        ("deploy/a.yaml", "spec:\n  containers:\n    - args: [one]\n      command: [sh, -ec]\n", [("one", 3, 3), ("sh -ec", 4, 4)]),
        ("cloudbuild.yaml", "steps:\n  - entrypoint: bash\n    args:\n      - -c\n      - one $$X\n", [("bash", 2, 2), ("one $X", 5, 5)]),
        ("pyproject.toml", "[tool.poe.tasks]\na = 'one'\nb = {shell = \"\"\"\ntwo\nthree\"\"\", help = \"no\"}\n[project]\nscripts = {c = 'no'}\n", [("one", 2, 2), ("two\nthree", 4, 5)]),
        ("tox.toml", "[env.a]\ncommands = [\n  [\"one\", \"a b\"],\n  [\"sh\", \"-c\", \"two\"],\n]\n", [("one 'a b'", 3, 3), ("two", 4, 4)]),
        ("a.csproj", "<Project>\n  <!-- <Exec Command=\"no\" /> -->\n  <Target>\n    <Exec\n      Command=\"one &amp;&amp; two\" />\n    <PreBuildEvent>\nthree</PreBuildEvent>\n  </Target>\n</Project>\n", [("one && two", 5, 5), ("\nthree", 6, 7)]),
        ("pom.xml", "<a><configuration>\n<executable>bash</executable>\n<arguments>\n<argument>-c</argument>\n<argument>one</argument>\n</arguments>\n</configuration></a>\n", [("one", 5, 5)]),
        ("build.xml", "<target>\n<exec executable=\"sh\">\n<arg line=\"-c 'one two'\"/>\n</exec>\n</target>\n", [("one two", 3, 3)]),
        ("Jenkinsfile", "// sh 'no'\nsh 'one'\nsh(label: 'no', script: \"two ${a}\" + b)\nsh \"\"\"\n  three\n\"\"\"\n", [("one", 2, 2), ("two \x02a\x03\x02b\x03", 3, 3), ("\n  three\n", 4, 6)]),
        ("build.gradle", "exec { commandLine 'sh', '-c', 'one' }\n['bash', '-ec',\n 'two'].execute()\ncommandLine('three')\n", [("one", 1, 1), ("two", 3, 3)]),
        ("CMakeLists.txt", "# sh -c \"no\"\nadd_custom_command(COMMAND sh -c \"one\")\n", [("one", 2, 2)]),
        ("Shop.xcodeproj/project.pbxproj", "shellScript = \"one\\ntwo\";\n", [("one\ntwo", 1, 1)]),
        ("Dockerfile", "FROM a\nADD --chmod=755 https://example.org/one /bin/\nADD --checksum=sha256:1 https://example.org/two /bin/\nADD three /bin/\n", [("wget -O /bin/one https://example.org/one", 2, 2)]),
        (".gitlab-ci.yml", "a:\n  script:\n    - one\n    - |\n      two\n      three\n", [("one", 3, 3), ("two\nthree\n", 5, 7)]),
    ],
)  # fmt: skip
def test_commands_come_with_their_lines(path: str, text: str, expected: list[tuple[str, int, int]]) -> None:
    assert told(path, text) == expected


def test_a_script_inside_a_script_has_the_lines_of_the_outer_file() -> None:
    script = "set -e\nsudo bash -ec 'one\ntwo'\nsh <<'END'\nthree\nEND\neval \"four \\$X\"\n"
    found = [(each.text, each.lines) for each in scripts_within(script).scripts]
    assert found == [
        ("one\ntwo", ((2, 2), (3, 3))),
        ("four $X", ((7, 7),)),
        ("three", ((5, 5),)),
    ]


def test_the_environment_of_a_script_is_that_of_all_levels() -> None:
    text = "env: {A: 1, B: 1}\njobs:\n  a:\n    env: {B: 2}\n    steps:\n      - run: x\n        env: {C: 3}\n      - run: y\n"
    first, second = embedded_scripts(text, "github_workflow")
    assert (dict(first.environment), dict(second.environment)) == ({"A": "1", "B": "2", "C": "3"}, {"A": "1", "B": "2"})
    assert first.names == ("jobs", "a", "steps", "run") or first.names[0] == "jobs"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("Dockerfile", "RUN <<A\n" * 20_000),
        ("Dockerfile", "RUN " + "--a=b " * 50_000),
        ("Makefile", "A = " + "$(A)" * 400 + "\nb:\n" + "\t$(A)\n" * 2_000),
        ("Makefile", "a:\n\t" + "$(" * 30_000 + "\n"),
        ("package.json", '{"scripts": {' * 20_000),
        ("package.json", '{"scripts": {"a": "' + "\\" * 100_000),
        ("compose.yml", "a: " + "[" * 20_000),
        ("compose.yml", "x: &a " + "y" * 10_000 + "\nb:\n" + "  - command: *a\n" * 10_000),
        (
            ".gitlab-ci.yml",
            "variables:\n"
            + "".join(f"  V{n}: a\n" for n in range(30_000))
            + f".t: &t {' '.join(f'V{n}' for n in range(30_000))}\n"
            + "".join(f"j{n}:\n  script: *t\n" for n in range(15_000)),
        ),
        (".github/workflows/ci.yml", "run: |\n" + "  bash <<A\n" * 20_000),
        (".github/workflows/ci.yml", "run: |\n  " + "sh -c '" * 20_000),
        (".github/workflows/ci.yml", "run: |\n  " + "sh " + " \t" * 100_000),
        ("tox.ini", "commands = " + "{" * 100_000),
        ("tox.ini", "[a]\n" * 60_000),
        ("tox.toml", "a = [" * 20_000),
        ("tox.toml", "[a]\nx = 1\n" + "".join(f"y{n} = '{n}'\n" for n in range(30_000)) + "commands = ['b']\n"),
        ("pom.xml", "<a " * 100_000),
        ("pom.xml", "<!--" * 100_000),
        (
            "a.csproj",
            "<PreBuildEvent>x" * 199 + "</PreBuildEvent>" * 199 + "<PreBuildEvent>x</PreBuildEvent>\n" * 10_000,
        ),
        ("pom.xml", '<a b="' * 50_000),
        ("Jenkinsfile", 'sh "' * 100_000),
        ("Jenkinsfile", 'sh """' * 50_000),
        ("Jenkinsfile", "/*" * 100_000),
        ("Jenkinsfile", "sh 'a' + " * 40_000),
        ("build.gradle", "'sh', " * 60_000),
        ("Jenkinsfile", 'sh "' + "${a}" * 50_000 + '"\n'),
        ("Makefile", ".IGNORE:\n" * 50_000),
    ],
)
def test_a_hostile_file_costs_no_more_than_its_length(path: str, text: str) -> None:
    start = time.process_time()
    read = extract_shell(text, format_of(path))
    found = with_nested(read.scripts).scripts
    assert sum(len(each.text) for each in found) <= MAX_SCRIPT_CHARACTERS
    assert time.process_time() - start < 5


def test_commands_that_are_not_read_are_told() -> None:
    assert "larger than" in extract_shell("x" * (MAX_CHARACTERS + 1), "procfile").unread
    assert "more shell commands" in extract_shell("a: b\n" * 10_000, "procfile").unread


CHAIN = ".x0: &x0 [a]\n" + "".join(f".x{at}: &x{at} [*x{at - 1}]\n" for at in range(1, 62))
MANY = ".x0: &x0 [a]\n" + "".join(f".x{at}: &x{at} [{', '.join([f'*x{at - 1}'] * 10)}]\n" for at in range(1, 8))
DEEP = f".x: {'[' * 70}{']' * 70}\n"


@pytest.mark.parametrize(
    ("filling", "why"),
    [
        (CHAIN, "levels deep"),
        (MANY, "200,000 values"),
        (DEEP, "levels deep"),
        ("a:\n  script: [" + "b, " * 501 + "c]\n", "first 500"),
        (".x: &x [a]\n.y: &y [*x]\n", ""),
    ],
    ids=["chain", "many", "deep", "long", "honest"],
)
def test_commands_behind_many_aliases_are_read_or_told(filling: str, why: str) -> None:
    read = extract_shell(f"{filling}job:\n  script: [evil]\n", "gitlab_ci")
    assert read.scripts[-1].text == "evil"
    assert read.scripts[-1].names == ("job", "script")
    assert why in read.unread
    assert bool(why) == bool(read.unread)


JOBS = ".t: &t\n  script:\n" + "".join(f"    - make {at}\n" for at in range(10))


def test_commands_that_many_jobs_share_hide_no_later_ones() -> None:
    jobs = "".join(f"job{at}:\n  <<: *t\n  variables: {{STAGE: '{at}'}}\n" for at in range(600))
    read = extract_shell(f"{JOBS}{jobs}last:\n  script: [evil]\n", "gitlab_ci")
    assert read.unread == ""
    shown = [each for each in read.scripts if not each.is_environment]
    assert [each.text for each in shown] == [*(f"make {at}" for at in range(10)), "evil"]


def test_a_shared_command_counts_where_its_variables_or_its_neighbours_differ() -> None:
    jobs = "".join(f"job{at}:\n  <<: *t\n" for at in range(600))
    odd = "odd:\n  variables: {RUN: evil}\n  script: [*r]\nnext:\n  script: [*r, evil]\n"
    read = extract_shell(f".r: &r '$RUN'\n{JOBS}{jobs}job:\n  script: [*r]\n{odd}", "gitlab_ci")
    kept = [each for each in read.scripts if each.text == "$RUN"]
    assert [(each.names[0], each.environment.get("RUN")) for each in kept] == [
        ("job", None),
        ("odd", "evil"),
        ("next", None),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".a: &s [one]\n.b: &s two\njob: {script: *s}\n", ["two"]),
        (".a: &s one\n.b: &s [two]\njob: {script: *s}\n", ["two"]),
        (".a: &s [one]\n.b: &t [*s]\n.c: &s [two]\njob: {script: *t}\n", ["one"]),
        (".a: &s\n  - &t one\n  - two\njob: {script: *s}\nlast: {script: *t}\n", ["one", "two", "one"]),
    ],
)
def test_an_alias_stands_for_the_last_anchor_before_it(text: str, expected: list[str]) -> None:
    assert [each.text for each in extract_shell(text, "gitlab_ci").scripts] == expected


@pytest.mark.parametrize(
    ("path", "text", "assignments"),
    [
        ("Dockerfile", "FROM a\nENV A=1 B='x y'\nENV C d e\n", ["A=1 B='x y'", "C='d e'"]),
        ("compose.yaml", "services:\n  shop:\n    environment:\n      A: '1'\n", ["A=1"]),
        ("compose.yaml", "services:\n  shop:\n    environment:\n      - A=x y\n", ["A='x y'"]),
        ("deploy/app.yaml", "spec:\n  env:\n    - name: A\n      value: '0'\n", ["A=0"]),
        (".env", "# a\nexport A=1\n", ["A=1"]),
        ("shop.service", "[Service]\nEnvironment=A=1 'B=2'\n", ["A=1 B=2"]),
        (".env.example", "A=1\n", []),
    ],
)
def test_variables_that_a_file_sets_are_assignments_and_no_commands(
    path: str, text: str, assignments: list[str]
) -> None:
    form = format_of(path)
    assert [each.text for each in extract_shell(text, form).scripts if each.is_environment] == assignments
    assert not [each for each in embedded_scripts(text, form) if each.is_environment]
