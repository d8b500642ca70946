"""Lines that run, load or query what they are given: with a value they leave a question open, with constants they do not."""

from __future__ import annotations

import time

import pytest

from auditor.forensics.protections.changed_lines import lines_of
from auditor.forensics.sensitive_words.unfollowed_uses import first_input, open_questions, unfollowed_uses

WITH_A_VALUE = [
    ("shop.py", "code.dynamic_code", ["result = eval(formula)"]),
    ("shop.py", "code.shell_execution", ['run(["git"], shell=True, cwd=folder)']),
    ("shop.py", "code.shell_execution", ['kwargs["shell"] = True']),
    ("shop.py", "code.shell_execution", ['options.setdefault("shell", True)']),
    ("shop.py", "code.shell_execution", ['OPTIONS = {"shell": True, "timeout": 20}']),
    ("shop.py", "code.shell_execution", ['SHELL = ["bash", "-lc"]']),
    ("shop.py", "code.unsafe_deserialization", ["return pickle.loads(", "    body,", ")"]),
    ("shop.py", "code.dynamic_code", ['LAYOUT = "<p></p>"', "LAYOUT = read()", "page = engine.from_string(LAYOUT)"]),
    ("shop.py", "code.dynamic_code", ["LAYOUT = read()", "page = engine.from_string(LAYOUT)"]),
    ("shop.js", "code.shell_execution", ["const listing = promisify(exec);"]),
    ("shop.js", "code.shell_execution", ["child_process.exec(`ls ${folder}`);"]),
    ("shop.js", "code.shell_execution", ["export { exec as list } from 'child_process';"]),
    ("shop.js", "code.dynamic_code", ['orders.find({ ["$wh" + "ere"]: text });']),
    ("shop.ts", "code.dynamic_code", ["new Worker(text, { eval: true });"]),
    ("shop.go", "code.shell_execution", ["var start = tool{run: exec.Command}"]),
    ("shop.go", "code.shell_execution", ['words: []string{"ash", "-c"},']),
    ("Shop.java", "code.dynamic_code", ["return new SpelExpressionParser().parseRaw(text);"]),
    ("shop.rb", "code.sql_from_strings", ["scope :by, ->(column) { order(Arel.sql(column)) }"]),
    ("shop.rs", "code.shell_execution", ['Command::new("/bin/busybox").args(words).status()']),
    ("Shop.cs", "code.dynamic_code", ["shell.AddScript($\"'{text}'.Trim()\").Invoke();"]),
    ("cgi/rows.sh", "code.shell_execution", ['mapfile -t -C "$each" rows < prices.txt']),
    ("cgi/after.sh", "code.shell_execution", ['trap -- "$first" EXIT']),
    ("cgi/sum.sh", "code.shell_execution", ["awk '{ sum += '\"$column\"' } END { print sum }' prices.csv"]),
    ("cgi/a.sh", "code.shell_execution", ["keep=${2:-5}", "if [[ $keep -gt 20 ]]; then"]),
    ("cgi/a.sh", "code.shell_execution", ['[[ -n "$1" && "$1" -le 20 ]]']),
    ("cgi/a.sh", "code.shell_execution", ["read -r count", "echo $((count + 1))"]),
    ("cgi/a.sh", "code.shell_execution", ['(( "$QUERY_STRING" > 3 )) || exit 1']),
    ("cgi/a.sh", "code.shell_execution", ["n=$(jq -r .n body.json)", "let m=n+1"]),
    ("cgi/a.sh", "code.shell_execution", ['declare -i size="$1"']),
    ("cgi/a.sh", "code.shell_execution", ["declare -i size", "size=$1"]),
    ("cgi/a.sh", "code.shell_execution", ["item=$1", 'echo "${items[$item]}"']),
    ("cgi/a.sh", "code.shell_execution", ["from=$1", 'echo "${text:from:3}"']),
    ("cgi/a.sh", "code.shell_execution", ['printf -v "$1" %s done']),
    ("cgi/a.sh", "code.shell_execution", ["[[ -v $1 ]] && exit"]),
    ("cgi/a.sh", "code.shell_execution", ['read -r "$1" < rows.csv']),
    ("cgi/a.sh", "code.shell_execution", ["name=$1", 'unset "$name"']),
    ("cgi/a.sh", "code.shell_execution", ["name=$1", 'echo "${!name}"']),
    ("Jenkinsfile", "code.shell_execution", ["sh(['echo', *words].join(' '))"]),
    ("deploy/nginx.conf", "code.shell_execution", ['local pipe = io.popen("ping " .. ngx.var.arg_host)']),
    ("deploy/restart.yml", "code.shell_execution", ["cmd: systemctl restart {{ service }}"]),
    ("shop.rb", "code.shell_execution", ["Array(@shelf).map(&Kernel.method(:open))"]),
    ("db/002.sql", "code.sql_from_strings", ["RETURN QUERY EXECUTE 'SELECT * FROM items WHERE kind = ' || wanted;"]),
    ("shop.pl", "code.shell_execution", ["open(NOTE, $wanted) or die;"]),
    ("shop.ex", "code.dynamic_code", ["rule |> Code.string_to_quoted!() |> Code.eval_quoted(amount: 3)"]),
    ("Shop.kt", "code.shell_execution", ['ProcessBuilder("sh", "-c", this).start()']),
    ("Shop.cs", "code.dynamic_code", ["var types = LoadFromStream(stream).ExportedTypes;"]),
    ("shop.go", "code.tls_verification_off", ["return func(host string, addr net.Addr, key ssh.PublicKey) error {"]),
    ("Shop.java", "code.dynamic_code", ["return InitialContext.doLookup(name);"]),
    ("shop.ts", "code.sql_from_strings", ["const { literal: column } = orm.Sequelize;"]),
    ("Shop.java", "code.tls_verification_off", ["connection.setHostnameVerifier(HostNames::matches);"]),
    ("shop.rs", "code.tls_verification_off", ['.danger_accept_invalid_certs(!cfg!(feature = "strict-tls"))']),
    ("shop.php", "code.unsafe_deserialization", ["return unserialize($text);"]),
    ("shop.py", "code.dynamic_code", ['row = type("Row", (), {"__annotations__": dict(columns)})']),
    ("shop.py", "code.dynamic_code", ["row.__annotations__ = columns"]),
    ("shop.py", "code.dynamic_code", ['row = create_model("Row", **columns)']),
    ("shop.py", "code.dynamic_code", ["fit = smf.ols(formula, data=history).fit()"]),
    (
        "shop.py",
        "code.dynamic_code",
        [
            'MODELS = {"price": "units ~ price"}',
            "MODELS[name] = text",
            "fit = smf.ols(MODELS[name], data=load()).fit()",
        ],
    ),
    ("shop.py", "code.dynamic_code", ["RULES = {", '    "tax": read(),', "}", "total = eval(RULES[name])"]),
    ("shop.py", "code.dynamic_code", ['RULES = {"tax": "1"}', "fill(RULES)", "total = eval(RULES[name])"]),
    ("shop.py", "code.dynamic_code", ['RULES = {"tax": "1"}', "total = eval(RULES.get(name, name))"]),
    ("shop.py", "code.dynamic_code", ['matrix = patsy.dmatrix(f"{left} + week", history)']),
    ("shop.py", "code.dynamic_code", ["write = pkgutil.resolve_name(kind)"]),
    ("shop.py", "code.dynamic_code", ['return EntryPoint(name="exporter", value=kind, group="stock").load()']),
    ("shop.py", "code.shell_execution", ["return webbrowser.get(browser).open(page)"]),
    ("shop.js", "code.dynamic_code", ["await session.post('Runtime.evaluate', { expression: rule });"]),
    ("shop.js", "code.dynamic_code", ["new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`));"]),
    ("shop.js", "code.dynamic_code", ["const module = new vm.SourceTextModule(script);"]),
    ("shop.ts", "code.shell_execution", ["await $`convert ${{ raw: text }} label.png`;"]),
    ("shop.js", "code.path_traversal", ["attachments: [{ filename: 'terms.pdf', path: letter.terms }],"]),
    ("db/002.sql", "code.sql_from_strings", ["EXECUTE format('SELECT * FROM %s', wanted);"]),
    ("db/002.sql", "code.sql_from_strings", ["EXEC('SELECT * FROM items WHERE kind = ' + @wanted);"]),
    ("Shop.cs", "code.sql_from_strings", ["db.Items.FromSql(FormattableStringFactory.Create(text));"]),
    ("shop.ex", "code.sql_from_strings", ['from(i in Item, where: fragment("kind = #{kind}"))']),
    ("Shop.java", "code.dynamic_code", ['.toD("${header.channel}");']),
    ("Shop.java", "code.dynamic_code", ['.recipientList(header("channels"))']),
    ("routes/shop.xml", "code.dynamic_code", ['<toD uri="${header.channel}"/>']),
    ("routes/shop.yaml", "code.dynamic_code", ['- toD: "${header.channel}"']),
    ("shop.php", "code.shell_execution", ["$sent = mail($to, 'Order', $text, [], '-f' . $from);"]),
    (
        "shop.php",
        "code.shell_execution",
        ["$from = $form['from'] ?? 'a';", "mail($to, 'Order', $text, [], '-f' . $from);"],
    ),
    ("shop.php", "code.shell_execution", ["mail($to, 'Order', $text, $headers, $params);"]),
    ("flows.json", "code.shell_execution", ['"addpay": "payload",']),
    ("flows.json", "code.shell_execution", ['[{"type": "exec", "command": "ping", "addpay": "payload"}]']),
    ("shop.rb", "code.dynamic_code", ["DRb.start_service(uri, Desk.new)"]),
    ("Shop.scala", "code.shell_execution", ["Ok(Seq(program, label).!!)"]),
    ("Shop.scala", "code.shell_execution", ["val done = Process(command).run()"]),
    ("shop.ex", "code.shell_execution", ["System.shell(command)"]),
    ("shop.ex", "code.unsafe_deserialization", [":erlang.binary_to_term(bytes)"]),
    ("Shop.cs", "code.unsafe_deserialization", ["settings.TypeNameHandling = (ReadMode)3;"]),
    ("Shop.cs", "code.unsafe_deserialization", ["settings.TypeNameHandling = mode;"]),
    ("cgi-bin/rows", "code.shell_execution", ["#!/bin/bash", 'n="${PARAM[n]:-10}"', 'if [[ "$n" -gt 0 ]]; then']),
    ("shop.py", "code.dynamic_code", ["from pydantic import BaseModel, ImportString", 'export: ImportString = "a.b"']),
    ("db/002.sql", "code.sql_from_strings", ["begin", "return query execute", "'select 1 where a = ' || kind;"]),
    ("db/002.sql", "code.sql_from_strings", ["execute", "'select ' || quote_ident(a)", "|| kind", "using b;"]),
    ("shop.ts", "code.shell_execution", ['import { $ } from "bun";', "const size = { raw: text.trim() };"]),
    ("shop.ts", "code.shell_execution", ['import { $ } from "bun";', "size.raw = text;"]),
    (
        "Shop.scala",
        "code.sql_from_strings",
        ["import slick.jdbc.H2Profile.api._", "sql\"select 1 where a = '#$kind'\""],
    ),
    ("shop.js", "code.dynamic_code", ['const { deserialize } = require("seroval");', "return deserialize(text);"]),
    ("Shop.cs", "code.unsafe_deserialization", ["options.WithResolver(TypelessContractlessStandardResolver.Instance)"]),
    (
        "shop.php",
        "code.unsafe_deserialization",
        ["const OPTIONS = Yaml::PARSE_DATETIME | 4;", "Yaml::parse($a, OPTIONS)"],
    ),
    ("shop.php", "code.unsafe_deserialization", ["$menu = Yaml::parse($text, 36);"]),
    ("shop.ts", "code.dynamic_code", ["return { data: () => ({ a }), template: parts.join('') };"]),
    (
        "shop.ts",
        "code.dynamic_code",
        ['import { createApp } from "vue";', "createApp({ template: `<p>${text}</p>` });"],
    ),
    ("shop.R", "code.dynamic_code", ["list(letter = glue(text, name = name))"]),
    ("shop.R", "code.dynamic_code", ["eval(parse(text = rule))"]),
]
WITH_CONSTANTS = [
    ("shop.py", ['result = eval("1 + 1")']),
    ("shop.py", ["import pickle"]),
    ("shop.py", ['run("git status", shell=True)']),
    ("shop.py", ['SHELL = ["bash", "-c", "git status"]']),
    ("shop.py", ['LABEL = "eval(x)"']),
    ("shop.py", ['LAYOUT = "<p>{{ name }}</p>"', "page = engine.from_string(LAYOUT)"]),
    ("shop.go", ['const LISTING = "ls -l"', 'exec.Command("sh", "-c", LISTING)']),
    ("shop.js", ["const { exec } = require('child_process');"]),
    ("shop.js", ["child_process.exec('git status');"]),
    ("shop.py", ["net.eval()", "price = board.eval(side)"]),
    ("shop.py", ["def eval(side):"]),
    ("shop.js", ["eval(side) {"]),
    ("shop.js", ["const exec = range.exec.bind(range);", "const [, from] = exec(text);"]),
    ("shop.js", ["const found = pattern.exec(text);"]),
    ("shop.js", ["axios.post(`api/alerts/${id}/eval`);"]),
    ("shop.ts", ["const languages = {", '  sh: "bash",', "};"]),
    ("shop.go", ['exec.Command("git", branch)']),
    ("shop.go", ['exec.Command("sh", "-c", "git status")']),
    ("cgi/a.sh", ["count=3", "[[ $count -gt 2 ]]", "(( count++ ))", "echo $((count * 2))"]),
    ("cgi/a.sh", ["[[ $1 =~ ^[0-9]+$ ]] || exit 1", "if [[ $1 -gt 20 ]]; then"]),
    ("cgi/a.sh", ["keep=$1", 'case "$keep" in *[!0-9]*) exit 1;; esac', "echo $((keep + 1))"]),
    ("cgi/a.sh", ['[ "$1" -gt 20 ] && exit 1', "test $2 -lt 3"]),
    ("cgi/a.sh", ["keep=${1//[!0-9]/}", 'echo $((10#${keep} + 1)) "${1%%[!0-9]*}"']),
    ("cgi/a.sh", ["lines=$(wc -l < rows.csv)", "start=$(date +%s)", "(( lines > 3 && SECONDS - start > 9 ))"]),
    ("cgi/a.sh", ["for ((i = 0; i < ${#items[@]}; i++)); do", 'echo "${items[$i]}"', "[[ $# -lt 2 || $? -ne 0 ]]"]),
    ("cgi/a.sh", ['read -r -p "$1 [$2]: " result']),
    ("cgi/a.sh", ["declare -A prices", "item=$1", 'echo "${prices[$item]}"', "prices[$item]=3"]),
    ("cgi/a.sh", ["for name in HOST PORT; do", 'echo "${!name}"', 'unset "$name"']),
    ("cgi/a.sh", ['echo "${1:-none}" "${2:?}" "${text:0:3}"', "export PATH", 'git clone --no-local "$1"']),
    ("cgi/rows.sh", ["trap 'rm -f rows' EXIT"]),
    ("cgi/sum.sh", ["awk '{ sum += $2 } END { print sum }' prices.csv"]),
    ("Jenkinsfile", ["sh 'make test'", 'sh("make test")']),
    ("deploy/restart.yml", ["cmd: systemctl restart shop"]),
    ("db/002.sql", ["EXECUTE prepared_items('tea');"]),
    ("shop.rs", [".danger_accept_invalid_certs(false)"]),
    ("Shop.java", ["import javax.net.ssl.HostnameVerifier;"]),
    ("shop.rb", ["Order.class_eval do"]),
    ("db/002.sql", ["EXECUTE 'SELECT * FROM a WHERE b ILIKE $1' USING '%' || term || '%';"]),
    (
        "shop.php",
        [
            "$from = ($form['from'] ?? '') === 'shop' ? 'a@b.example' : 'c@b.example';",
            "mail($to, 'Order', $text, [], '-f' . $from);",
        ],
    ),
    ("db/002.sql", ["EXECUTE format('SELECT * FROM %I WHERE a = %L', wanted, kind);"]),
    ("db/002.sql", ["EXECUTE 'SELECT * FROM ' || quote_ident(wanted) || ' WHERE a = $1' USING kind;"]),
    ("Shop.java", ['.toD("direct:${header.channel}");', '.to("direct:orders")']),
    ("shop.php", ["mail($to, 'Order', $text, $headers);", "mail($to, 'Order', $text, [], '-fshop@example.org');"]),
    ("flows.json", ['"addpay": "",', '"addpay": false,']),
    (
        "Shop.scala",
        [
            'val LISTING = "ls -l"',
            "if (!(ready && !done)) stop()",
            "worker ! (order, 3)",
            "val done = Process(LISTING)",
        ],
    ),
    ("shop.rb", ["DRb.start_service('druby://localhost:8787', Desk.new)"]),
    ("shop.ex", ['System.cmd("git", [branch])', "Plug.Crypto.non_executable_binary_to_term(bytes)"]),
    ("Shop.cs", ["settings.TypeNameHandling = TypeNameHandling.None;", "class A { TypeNameHandling Mode { get; } }"]),
    ("settings.php", ["'empty' => 'hozir bo\\'sh',"]),
    ("shop.py", ['hints = cls.__dict__.get("__annotations__", {})', "types = get_type_hints(Order)"]),
    ("shop.py", ["wrapper.__annotations__ = function.__annotations__", 'f.__annotations__["return"] = kind']),
    ("shop.py", ['fit = smf.ols("bolts ~ week", data=history).fit()']),
    ("shop.py", ['MODELS = {"price": "units ~ price"}', "fit = smf.ols(MODELS[name], data=load()).fit()"]),
    (
        "shop.py",
        ["RULES: dict[str, str] = {", '    "tax": "1",', "}", "if name in RULES:", "    total = eval(RULES[name])"],
    ),
    ("shop.py", ['write = pkgutil.resolve_name("json:dumps")', "for each in entry_points(group=name):"]),
    ("shop.py", ["webbrowser.open(page)"]),
    ("shop.js", ["await session.post('Runtime.evaluate', { expression: '1 + 1' });"]),
    ("shop.js", ["await session.post('Profiler.start', { interval: pause });"]),
    ("shop.js", ["img.src = `data:image/png;base64,${picture}`;"]),
    ("shop.ts", ["await $`convert ${text} label.png`;"]),
    ("cgi-bin/rows", ["#!/bin/bash", 'n="${PARAM[n]//[!0-9]/}"', 'if [[ "$n" -gt 0 ]]; then']),
    ("cgi-bin/rows", ["#!/usr/bin/env perl", 'if [[ "$n" -gt 0 ]]; then']),
    ("shop.py", ["from pydantic import BaseModel, ImportString", "class ImportStrings: ..."]),
    ("db/002.sql", ["begin", "return query execute", "'select 1 where a = $1'", "using '%' || kind;"]),
    ("db/002.sql", ["execute prepared;", "select a || b;"]),
    ("shop.ts", ['import { $ } from "bun";', 'const size = { raw: "10x10" };']),
    ("shop.ts", ['import sharp from "sharp";', "const size = { raw: text.trim() };"]),
    (
        "Shop.scala",
        ["import slick.jdbc.H2Profile.api._", 'val cars = "cars"', 'sql"select 1 from #$cars where a = $kind"'],
    ),
    ("shop.js", ['const { deserialize } = require("node:v8");', "return deserialize(text);"]),
    ("Shop.cs", ["options.WithResolver(ContractlessStandardResolver.Instance)"]),
    ("shop.php", ["const OPTIONS = Yaml::PARSE_DATETIME | Yaml::PARSE_CONSTANT;", "Yaml::parse($a, self::OPTIONS)"]),
    ("shop.php", ["$menu = Yaml::parse($text);", "$text = Yaml::dump($menu, 4);"]),
    ("shop.ts", ["return { data: () => ({ a }), template: '<p>{{ a }}</p>' };"]),
    ("shop.ts", ["await mails.send({ to, template: names.join('/') });"]),
    ("shop.R", ['letter <- "Dear {name}"', "list(text = glue(letter, name = name))", 'glue("Dear {name}")']),
    ("shop.js", ["attachments: [{ filename: name, path: './letters/terms.pdf' }, { filename: name, content: text }],"]),
]


@pytest.mark.parametrize(("path", "question", "lines"), WITH_A_VALUE, ids=[each[2][0] for each in WITH_A_VALUE])
def test_a_dangerous_word_with_a_value_leaves_the_question_of_its_rule_open(
    path: str, question: str, lines: list[str]
) -> None:
    assert question in {each.question for each in unfollowed_uses(path, lines, range(1, len(lines) + 1))}


@pytest.mark.parametrize(("path", "lines"), WITH_CONSTANTS, ids=[each[1][0] for each in WITH_CONSTANTS])
def test_constants_imports_and_other_things_of_that_name_leave_nothing_open(path: str, lines: list[str]) -> None:
    assert list(unfollowed_uses(path, lines, range(1, len(lines) + 1))) == []


def test_only_the_lines_that_are_asked_for_are_read() -> None:
    lines = ["first = eval(a)", "second = eval(b)"]
    assert [each.line for each in unfollowed_uses("shop.py", lines, {2})] == [2]


def test_a_call_that_is_too_long_to_read_is_not_taken_for_one_with_constants() -> None:
    lines = ["result = eval(", *(f'    "{number}"' for number in range(40)), ")"]
    assert [each.line for each in unfollowed_uses("shop.py", lines, {1})] == [1]


def test_input_is_read_where_a_request_is_read_or_a_route_begins() -> None:
    assert first_input("shop.py", ["from flask import request", 'name = request.args["name"]']) == 2
    assert first_input("shop.rs", ['let app = Router::new().route("/", get(home));']) == 1
    assert first_input("conf/routes", ["# Routes", "GET  /label  controllers.Labels.print(text: String)"]) == 2
    assert first_input("Shop.java", ['from("platform-http:/notify")']) == 1
    assert first_input("shop.ex", ['  get "/total" do']) == 1
    assert first_input("flows.json", ['"type": "http in",']) == 1
    assert first_input("db/002.sql", ["LANGUAGE plpgsql SECURITY DEFINER AS $$"]) == 1
    assert first_input("Shop.java", ['from("timer:tick")']) is None
    assert first_input("cgi-bin/rows", ["#!/bin/bash", 'load "${QUERY_STRING:-}"']) == 2
    assert first_input("cgi-bin/rows", ["load QUERY_STRING", 'load "${QUERY_STRING:-}"']) is None
    assert first_input("plumber.R", lines_of("#* @post /letters", "plumber.R")) == 1
    assert first_input("plumber.R", lines_of("#* Letters of a teacher", "plumber.R")) is None
    assert first_input("shop.py", ["def total(prices):", "    return sum(prices)"]) is None


def test_a_listener_for_everybody_is_an_entry_and_one_with_a_key_is_none() -> None:
    assert first_input("shop.py", ["with Listener((host, port)) as door:"]) == 1
    assert first_input("shop.py", ["with Listener((host, port), authkey=key) as door:"]) is None
    assert first_input("shop.py", ["with keyboard.Listener(on_press=show) as keys:"]) is None


def test_every_open_question_is_one_of_a_rule() -> None:
    from auditor.forensics.engine.probe_discovery import discover_probes

    assert open_questions().keys() <= discover_probes().keys()


@pytest.mark.parametrize(
    ("path", "lines"),
    [
        ("a.php", ["$f{} = $a ? 'b' : 'c';", "mail($to, 'a', $t, [], '-f' . $f{});"]),
        ("a.py", ["M{} = {{'a': 'b'}}", "fit = smf.ols(M{}[terms], data=history)"]),
        ("a.sh", ["v{}=$(wc -l < list)", "if [[ $v{} -gt 3 ]]; then echo; fi"]),
    ],
)
def test_a_file_of_thousands_of_names_is_read_in_a_moment(path: str, lines: list[str]) -> None:
    many = [line.format(number) for number in range(2_000) for line in lines]
    started = time.process_time()
    list(unfollowed_uses(path, many, range(1, len(many) + 1)))
    assert time.process_time() - started < 10
