"""Each language's rules: what is there, what is not, and what only looks like it."""

from __future__ import annotations

import gc
import time

import pytest

from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.single_file_scan import scan_file as look_at_file
from auditor.forensics.languages import assigned_texts
from auditor.forensics.languages.assignments import AssignmentIndex
from auditor.forensics.languages.file_rule_evaluation import scan_file
from auditor.forensics.languages.language_registry import covered_languages
from auditor.forensics.languages.language_rule_types import ERROR_KIND
from auditor.forensics.languages.parsed_file import FileScan, ParsedFile
from auditor.forensics.languages.string_building import TextResolver
from auditor.forensics.languages.tree_walk import MAX_CODE_BYTES, first_relevant_byte, node_query
from auditor.forensics.probe_kit.file_record import ReadStatus
from auditor.forensics.source_text.syntax_trees import count_broken_bytes, get_parser, parse_timeout
from tests.auditing import audited, found, places
from tests.auditing import covered as files_covered
from tests.repos import Drawing


def looked(language: str, source: str) -> FileScan:
    """What every rule of a language sees in a source."""
    known = covered_languages()[language]
    return scan_file(source.encode(), known, known.probes)


def seen(language: str, source: str) -> list[tuple[str, int]]:
    """Probes and lines of everything seen."""
    return sorted((probe, site.line) for probe, sites in looked(language, source).sites.items() for site in sites)


@pytest.mark.parametrize("name", sorted(covered_languages()))
def test_every_kind_that_a_language_asks_for_is_given_under_its_name(name: str) -> None:
    language = covered_languages()[name]
    kinds = language.kinds_with_values | language.rare_node_rules.keys()
    walk = node_query(language.grammar(b""), language, frozenset(kinds))
    assert set(walk.kinds.values()) == {ERROR_KIND, *kinds}


def test_nodes_of_a_stretch_are_those_that_share_a_byte_with_it() -> None:
    language = covered_languages()["typescript"]
    grammar = language.grammar(b"")
    source = b"f(1)\nif (a) g(2)\nh(3)\n"
    root = get_parser(grammar).parse(source).root_node
    walk = node_query(grammar, None, frozenset({"call_expression", "if_statement"}))
    found = walk.within(root, source.index(b"g("), source.index(b"g(") + 1)
    assert {kind: [source[each.start_byte : each.end_byte] for each in nodes] for kind, nodes in found.items()} == {
        "if_statement": [b"if (a) g(2)"],
        "call_expression": [b"g(2)"],
    }
    assert {kind: len(nodes) for kind, nodes in walk.nodes(root).items()} == {"if_statement": 1, "call_expression": 3}


SHELL, CODE, SQL, TLS = (
    "code.shell_execution",
    "code.dynamic_code",
    "code.sql_from_strings",
    "code.tls_verification_off",
)
HASH, LOOSE, DROP, WIDE = (
    "code.weak_hash",
    "code.unsafe_deserialization",
    "code.swallowed_exception",
    "code.broad_except",
)
CHILD = "code.subprocess_unchecked"
LEFT, BARE, TEMP, WAIT = (
    "text.debug_leftovers",
    "tests.without_assertions",
    "code.insecure_temporary_file",
    "code.no_timeout",
)
JS = "import { exec, spawn as start } from 'node:child_process';\nimport * as cp from 'child_process';\nimport crypto from 'crypto';\n"
GO = 'package a\nimport (\n\t"os/exec"\n\tweb "net/http"\n\t"crypto/md5"\n\t"fmt"\n)\nfunc f(x string) {\n%s\n}\n'
JAVA = "class A {\n  void f(String x) throws Exception {\n%s\n  }\n}\n"

THERE = [
    ("ruby", "# timeout\nHTTP.get(url)\n", [(WAIT, 2)]),
    ("java", "class A {\n  // a timeout\n  Object c = HttpClients.createDefault();\n}\n", [(WAIT, 3)]),
    ("typescript", "console.log('XXXXX', id);\nconsole.log(`here ${x}`);\nconsole.error('got here');\nconsole.log('=====', value);\nconsole.log('[DEBUG] value', v);\n", [(LEFT, 1), (LEFT, 3), (LEFT, 4), (LEFT, 5)]),
    ("go", GO % '\tfmt.Println("XXXXX", x)\n\tfmt.Printf(">>> got %s\\n", x)\n\tlog.Println("here")', [(LEFT, 9), (LEFT, 10), (LEFT, 11)]),
    ("java", JAVA % '    System.out.println("HERE: " + x);\n    System.err.println("DEBUG: " + x);\n    try { g(); } catch (SQLException ignored) { }\n    try { g(); } catch (final RuntimeException unused) { }', [(LEFT, 3), (LEFT, 4), (DROP, 5), (DROP, 6)]),
    ("rust", 'fn read(x: &str) -> i64 { x.parse().unwrap() }\n#[cfg(test)]\nmod tests {\n  #[test]\n  fn reads() {\n    read("1");\n  }\n}\n', [(BARE, 5)]),
    ("rust", 'fn f(x: &str) {\n  println!("xxxx {}", x);\n  eprintln!(">>> got {x}");\n}\n', [(LEFT, 2), (LEFT, 3)]),
    ("ruby", "puts 'XXX'\np \"here\"\nputs \"!!!! #{x}\"\n", [(LEFT, 1), (LEFT, 2), (LEFT, 3)]),
    ("typescript", JS + "exec(`ls ${dir}`);", [(SHELL, 4), (CHILD, 4)]),
    ("typescript", JS + "cp.execSync(command);", [(SHELL, 4)]),
    ("typescript", JS + "start('ls', [x], { shell: true });", [(SHELL, 4), (CHILD, 4)]),
    ("javascript", "const { exec: run } = require('child_process');\nrun('ls ' + dir);", [(SHELL, 2), (CHILD, 2)]),
    ("javascript", "const cp = require('child_process');\nconst run = require('util').promisify(x);\nconst go = promisify(cp.exec);\ngo(text);", [(SHELL, 4)]),
    ("javascript", "const util = require('util');\nconst run = util.promisify(require('child_process').exec);\nrun('ls ' + dir);", [(SHELL, 3), (CHILD, 3)]),
    ("javascript", "const run = require('util').promisify(require('node:child_process').exec);\nrun(text);", [(SHELL, 2)]),
    ("javascript", "setTimeout(\"f('\" + x + \"')\", 5);\nsetInterval(`f(${x})`, 5);", [(CODE, 1), (CODE, 2)]),
    ("javascript", "eval(text);\nnew Function('a', body)();\nsetTimeout('x()', 5);", [(CODE, 1), (CODE, 2), (CODE, 3)]),
    ("typescript", "db.query(`SELECT * FROM t WHERE id = ${id}`);\nconn.execute('DELETE FROM t WHERE a = ' + a);", [(SQL, 1), (SQL, 2)]),
    ("javascript", "function f(a) {\n  const q = \"SELECT * FROM t WHERE a='\" + a + \"'\";\n  db.query(q, done);\n}", [(SQL, 3)]),
    ("typescript", "const q: string = `DELETE FROM t WHERE a = ${a}`;\nexport const f = async () => db.execute(q);", [(SQL, 2)]),
    ("typescript", "const agent = new Agent({ rejectUnauthorized: false });\nprocess.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';", [(TLS, 1), (TLS, 2)]),
    ("typescript", JS + "crypto.createHash('md5');", [(HASH, 4)]),
    ("javascript", "const s = require('node-serialize');\ns.unserialize(body);", [(LOOSE, 2)]),
    ("typescript", "try { f() } catch (e) {}\np.catch(() => {});\ndebugger;", [(DROP, 1), (DROP, 2), (LEFT, 3)]),
    ("typescript", "it('works', () => { run(); });", [(BARE, 1)]),
    ("typescript", "it('works', () => {\n  // @ts-ignore, no error is expected\n  run();\n});", [(BARE, 1)]),
    ("typescript", "const A = () => <div onClick={() => eval(x)}>a</div>;", [(CODE, 1)]),
    ("go", GO % '\texec.Command("sh", "-c", x)', [(SHELL, 9)]),
    ("go", GO % '\tdb.Query(fmt.Sprintf("SELECT a FROM t WHERE b = %s", x))\n\tdb.QueryContext(ctx, "SELECT a FROM t WHERE b = " + x)', [(SQL, 9), (SQL, 10)]),
    ("go", GO % '\tq := fmt.Sprintf("SELECT a FROM t WHERE b = %s", x)\n\tdb.QueryContext(ctx, q)', [(SQL, 10)]),
    ("go", GO % "\tc := &tls.Config{InsecureSkipVerify: true}\n\tmd5.Sum(b)\n\tweb.Get(x)", [(WAIT, 11), (DROP, 11), (TLS, 9), (HASH, 10)]),
    ("go", GO % "\tif err != nil {\n\t}\n\tos.WriteFile(\"/tmp/x\", b, 0o600)", [(TEMP, 11), (DROP, 9), (DROP, 11)]),
    ("go", "package a\nfunc TestIt(t *testing.T) {\n\tdoIt()\n}\n", [(BARE, 2)]),
    ("java", JAVA % '    p = new ProcessBuilder("sh", "-c", x).start();\n    p = Runtime.getRuntime().exec("ls " + x);', [(SHELL, 3), (SHELL, 4)]),
    ("java", JAVA % '    new ObjectInputStream(in).readObject();\n    MessageDigest.getInstance("MD5");\n    st.executeQuery("SELECT a FROM t WHERE b = " + x);', [(SQL, 5), (LOOSE, 3), (HASH, 4)]),
    ("java", JAVA % '    String q = "SELECT a FROM t " + "WHERE b = " + x;\n    st.executeQuery(q);', [(SQL, 4)]),
    ("java", JAVA % "    HttpsURLConnection.setDefaultHostnameVerifier((host, session) -> true);", [(TLS, 3)]),
    ("java", "class A implements X509TrustManager {\n  @Override\n  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {\n    // all is well\n  }\n}\n", [(TLS, 2)]),
    ("java", JAVA % "    try { g(); } catch (Exception e) { }\n    try { g(); } catch (Throwable t) { h(); }", [(WIDE, 4), (DROP, 3)]),
    ("java", "class T {\n  @Test\n  void works() { run_it(); go(); }\n}\n".replace("run_it", "act"), [(BARE, 2)]),
    ("rust", 'fn f(x: &str) {\n  let a = Command::new("sh").arg("-c").arg(format!("ls {}", x.trim())).output();\n  Command::new("bash").args(["-c", &format!("ls {x}")]);\n}\n', [(SHELL, 2), (CHILD, 2), (SHELL, 3)]),
    ("rust", 'fn f(x: &str) {\n  Command::new("sh").arg("-c").arg(x);\n  md5::compute(x);\n  b.danger_accept_invalid_certs(true);\n  dbg!(x);\n}\n', [(SHELL, 2), (TLS, 4), (HASH, 3), (LEFT, 5)]),
    ("rust", '#[test]\nfn goes() {\n  Program::new().arg("b").go();\n}\n#[test]\nfn works() {\n  let done = ran.success();\n}\n', [(BARE, 2), (BARE, 6)]),
    ("rust", 'fn f(x: &str) {\n  sqlx::query(&format!("SELECT a FROM t WHERE b = {}", x));\n}\n#[test]\nfn it_works() {\n  act();\n}\n', [(SQL, 2), (BARE, 5)]),
    ("ruby", 'system("ls #{dir}")\n`ls #{dir}`\neval(text)\nMarshal.load(data)\nDigest::MD5.hexdigest(x)\nhttp.verify_mode = OpenSSL::SSL::VERIFY_NONE\nbinding.pry\n', [(CODE, 3), (SHELL, 1), (SHELL, 2), (CHILD, 1), (CHILD, 2), (TLS, 6), (LOOSE, 4), (HASH, 5), (LEFT, 7)]),
    ("ruby", "User.where(\"name LIKE '%#{x}%'\")\nwhere(\"age > #{x}\")\n", [(SQL, 1), (SQL, 2)]),
    ("ruby", "begin\n  f\nrescue => e\nend\nit 'works' do\n  act\nend\ndb.execute(\"SELECT a FROM t WHERE b = #{x}\")\n", [(SQL, 8), (DROP, 3), (BARE, 5)]),
    ("javascript", "function f(a) {\n  let q = 'SELECT * FROM t WHERE 1=1';\n  if (a) { q += \" AND a = '\" + a + \"'\"; }\n  const w = ['b = 1'];\n  w.push(`c = ${a}`);\n  db.query(q);\n  db.query('SELECT * FROM t WHERE ' + w.join(' AND '));\n}\nfunction run(text) { return pool.query(text); }\nrun(`DELETE FROM t WHERE a = ${a}`);", [(SQL, 6), (SQL, 7), (SQL, 10)]),
    ("javascript", "const o = { shell: true };\nrequire('child_process').spawn('ls', [x], o).on('exit', f);\nconst { spawn } = require('child_process');\nconst a = ['-c', x];\nconst p = spawn('sh', a);\nspawn('ls', [x]);", [(SHELL, 2), (SHELL, 5), (CHILD, 6)]),
    ("go", GO % '\tq := "SELECT a FROM t"\n\tif x != "" {\n\t\tq += " WHERE b = \'" + x + "\'"\n\t}\n\tdb.Query(q)\n\tvar b strings.Builder\n\tb.WriteString("DELETE FROM t WHERE a = ")\n\tb.WriteString(x)\n\tdb.Exec(b.String())\n\targs := []string{"-c", x}\n\t_ = exec.Command("bash", args...).Run()', [(SQL, 13), (SQL, 17), (DROP, 17), (SHELL, 19), (CHILD, 19)]),
    ("go", "package a\nimport \"net/http\"\nfunc loose() *http.Client {\n\tc := &http.Client{}\n\treturn c\n}\nfunc limited() *http.Client {\n\tc := &http.Client{}\n\tc.Timeout = time.Minute\n\treturn c\n}\n", [(WAIT, 4)]),
    ("go", "package a\nimport \"os/exec\"\ntype R struct{ run *exec.Cmd }\nfunc (r *R) save() error { return r.run.Start() }\nfunc (r *R) go_() {\n\tr.run.Run()\n\t_ = r.save()\n\tr.save()\n\tif err := r.save(); err != nil {\n\t\treturn\n\t}\n}\n", [(CHILD, 4), (CHILD, 6), (DROP, 7), (DROP, 8), (DROP, 9)]),
    ("java", JAVA % "    Object a = new ObjectInputStream(in).readObject();\n  }\n  void g() {\n    ObjectInputStream s = new ObjectInputStream(in);\n    s.setObjectInputFilter(only);", [(LOOSE, 3)]),
    ("rust", "fn save(p: &str) -> Result<(), E> { todo() }\nfn f(p: &str, mut job: Child) {\n  let _ = save(p);\n  job.wait().ok();\n  job.wait();\n  // it may be gone already\n  let _ = save(p);\n}\n", [(DROP, 3), (DROP, 4), (CHILD, 5)]),
    ("java", JAVA % '    StringBuilder b = new StringBuilder("SELECT a FROM t WHERE b = ");\n    b.append(x).append(" LIMIT 1");\n    jdbc.query(b.toString(), m);\n    String[] c = {"/bin/sh", "-c", x};\n    Process p = Runtime.getRuntime().exec(c);\n    jdbc.query("SELECT a FROM t WHERE b = \'%s\'".formatted(x), m);', [(SQL, 5), (SQL, 8), (SHELL, 7), (CHILD, 7)]),
    ("rust", 'fn f(x: &str) {\n  let mut q = String::from("SELECT a FROM t");\n  q.push_str(&format!(" WHERE b = \'{x}\'"));\n  sqlx::query_as::<_, U>(&q);\n  let mut c = Command::new("sh");\n  c.arg("-c");\n  c.arg(x);\n  if let Err(_) = go() {}\n}\n', [(SQL, 4), (SHELL, 7), (DROP, 8)]),
    ("ruby", "q = 'SELECT a FROM t'\nq << \" WHERE b = '#{x}'\"\ndb.execute(q)\ndb.execute(<<~SQL)\n  DELETE FROM t WHERE a = '#{x}'\nSQL\ncommand = \"ls #{x}\"\nout = `#{command}`\nfine = system(command)\nv = f rescue nil\nUser.order(\"name #{x}\")\n", [(SQL, 3), (SQL, 4), (SQL, 11), (SHELL, 8), (CHILD, 8), (SHELL, 9), (DROP, 10)]),
    ("shell", "Q=\"DELETE FROM t WHERE a = '$1'\"\npsql -c \"$Q\"\ngit config --global http.sslVerify false\nssh -o StrictHostKeyChecking=no h\n", [(SQL, 2), (TLS, 3), (TLS, 4)]),
    ("shell", 'eval "$text"\ncurl -sSL https://example.org/x | sudo bash\ncurl -k https://example.org\nwget --no-check-certificate x\nmktemp -u\necho a > /tmp/name\n', [(CODE, 1), (CODE, 2), (TEMP, 5), (TEMP, 6), (TLS, 3), (TLS, 4)]),
    ("shell", "sudo python3 -c \"print('$1')\"\nperl -w -e \"print $x\" file\n", [(CODE, 1), (CODE, 2)]),
    ("java", JAVA % "    try { g(); } catch (Exception e) { return null; }\n    try { g(); } catch (Exception e) { x = null; }\n    try { g(); } catch (Exception e) { failed(); }", [(WIDE, 5), (DROP, 3), (DROP, 4)]),
    ("ruby", "begin\n  f\nrescue Exception => e\n  nil\nend\nbegin\n  f\nrescue Exception\n  @failed = true\nend\n", [(WIDE, 8), (DROP, 3)]),
    ("typescript", "async function may() {\n  try { return await ask(); } catch { return false; }\n}", [(DROP, 2)]),
]  # fmt: skip

NOT_THERE = [
    ("typescript", "it('takes no numbers', () => {\n  // @ts-expect-error: it is a text\n  run(1);\n});\nit('takes none', () => {\n  /* @ts-expect-error */ run(1);\n});"),
    ("typescript", "console.log('Here are your results');\nconsole.log('====== Summary ======');\nconsole.log('here you go', x);\nconsole.log('---');\nif (debug) console.log('[DEBUG] on');\nconsole.log('==> Building');\n"),
    ("go", GO % '\tfmt.Println("here is the list")\n\tfmt.Println("=== RUN")\n\tfmt.Println("debugger attached")'),
    ("java", JAVA % '    System.out.println("Hereby granted");\n    try { g(); } catch (ParseException ignored) { }\n    try { g(); } catch (java.io.IOException ignored) { }\n    try { g(); } catch (NoSuchElementException expected) { }'),
    ("rust", 'fn f(x: &str) {\n  println!("extra {}", x);\n  println!("here: {x}");\n}\n'),
    ("ruby", "puts 'hereafter'\nputs '=== Report ==='\np value\n"),
    ("shell", "python3 -c 'import json,sys; print(json.dumps(sys.argv[1]))' \"$MESSAGE\"\npython3 -c \"import sys; print(sys.argv[1])\" \"$MESSAGE\"\nperl -pe 's/a/b/' \"$FILE\"\npython3 tool.py -e \"$NAME\"\n"),
    ("typescript", "async function copy(text: string) {\n  try { await write(text); return true; } catch { return false; }\n}"),
    ("rust", "fn print() -> Result<(), E> { todo() }\nfn f() {\n  // swallow broken pipes\n  let _ = print();\n}\n"),
    ("typescript", "const q = 'SELECT * FROM t ' + 'WHERE id = $1';\ndb.query(q, [id]);\nconst r = `SELECT * FROM t ORDER BY ${COLUMN}`;\ndb.query(r);\nfunction f() { const s = 'SELECT * FROM t WHERE a = ' + a; log(s); }\nfunction g(s) { db.query(s); }"),
    ("typescript", "const marks = ids.map(() => '?').join();\nconst q = `SELECT * FROM t WHERE id IN (${marks})`;\ndb.query(q, ids);\nconst r = `SELECT * FROM t WHERE a = ${a}`;\ncache.get(r);"),
    ("java", JAVA % '    String q = "SELECT a FROM t " + "WHERE b = ?";\n    c.prepareStatement(q);\n    String r = "SELECT a FROM " + TABLE;\n    c.prepareStatement(r);'),
    ("go", GO % '\tq := "SELECT a FROM t " + "WHERE b = $1"\n\tdb.Query(q, x)'),
    ("javascript", "const fs = require('fs');\nconst read = require('util').promisify(fs.readFile);\nread('ls ' + dir);\nsetTimeout(() => f('a' + x), 5);\nsetTimeout(run, 5 + wait);\nsetTimeout(a + b, 5);"),
    ("java", "class A implements X509TrustManager {\n  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {\n    inner.checkServerTrusted(chain, type);\n  }\n  public void checkClientTrusted(X509Certificate[] chain, String type) { }\n}\n"),
    ("ruby", "User.where('name LIKE ?', \"%#{x}%\")\nUser.where(name: \"#{x}\")\n"),
    ("typescript", JS + "const a = start('ls', [dir]);\ncp.execFile('ls', [dir], done);\n/re/.exec(text);\npattern.exec(line);\nexec();"),
    ("typescript", "// eval(text)\nconst s = 'eval(text)';\nconst t = `new Function(${x})`;\nobj.eval(x);\nevaluate(x);\neval('1 + 1');"),
    ("typescript", "db.query('SELECT * FROM t WHERE id = $1', [id]);\nsql`SELECT * FROM t WHERE id = ${id}`;\nlog(`select one of ${x}`);\nsearch.query(`${a} from ${b}`);"),
    ("typescript", "const a = { rejectUnauthorized: true };\n// rejectUnauthorized: false\ncrypto.createHash('sha256');\ntype T = { rejectUnauthorized: boolean };"),
    ("typescript", "try { f() } catch { /* the cache may be cold */ }\ntry { f() } catch (e) { log(e) }\np.catch((e) => report(e));"),
    ("typescript", "it('works', () => { expect(f()).toBe(1); });\nit.todo('later');\ntest('x', async () => { await assertThat(y); });\nsubmit('it', () => {});"),
    ("typescript", "function exec(x: string) {}\nexec(`ls ${dir}`);"),
    ("go", GO % '\texec.Command("ls", x)\n\tdb.Query("SELECT a FROM t WHERE b = $1", x)\n\t// exec.Command("sh", "-c", x)\n\ts := "exec.Command(\\"sh\\")"\n\tif err != nil {\n\t\treturn err\n\t}\n\tclient.Get(x)'),
    ("go", "package a\nimport \"testing\"\nfunc TestIt(t *testing.T) {\n\tif f() != 1 {\n\t\tt.Fatal(\"no\")\n\t}\n}\nfunc TestMain(m *testing.M) { os.Exit(m.Run()) }\nfunc Helper(t *testing.T) {}\n"),
    ("java", JAVA % '    return new ProcessBuilder("ls", x).start();\n    st.executeQuery("SELECT a FROM t WHERE b = ?");\n    String s = "MessageDigest.getInstance(\\"MD5\\")"; // new ObjectInputStream(in)\n    MessageDigest.getInstance("SHA-256");'),
    ("go", "package a\nfunc keep() error { return nil }\nfunc f(w *sync.WaitGroup) error {\n\t_ = keep() // best effort: it is only a cache\n\t// the folder may be there already\n\t_ = os.Mkdir(dir, 0o700)\n\tw.Wait()\n\treturn keep()\n}\n"),
    ("java", JAVA % "    try { g(); } catch (IOException e) { throw new UncheckedIOException(e); }\n    try { g(); } catch (Exception e) { throw e; }\n    try { g(); } catch (NumberFormatException ignored) { }"),
    ("rust", '#[test]\nfn says_so() {\n  Test::new()\n    .justfile("a")\n    .stderr("wrong")\n    .failure();\n}\n#[test]\nfn works() {\n  Program::new().arg("b").success();\n}\n'),
    ("rust", 'fn f(x: &str) {\n  Command::new("ls").arg(x);\n  // dbg!(x)\n  let s = "dbg!(x)";\n  sqlx::query("SELECT a FROM t WHERE b = $1");\n}\n#[test]\nfn it_works() {\n  assert_eq!(f(), 1);\n}\n'),
    ("ruby", "system('ls', dir) or fail\nfine = system('ls')\n# eval(text)\ns = 'eval(text)'\ndb.execute('SELECT a FROM t WHERE b = ?', x)\nbegin\n  f\nrescue KeyError\n  g\nend\nit 'works' do\n  expect(f).to eq 1\nend\n"),
    ("javascript", "let q = 'SELECT * FROM t WHERE 1=1';\nif (a) { q += ' AND a = ?'; }\ndb.query(q, [a]);\nconst w = ['a = ?', 'b = ?'];\ndb.query('SELECT * FROM t WHERE ' + w.join(' AND '), v);\nconst table = 'users';\ndb.query(`SELECT * FROM ${table} ORDER BY a ${up ? 'ASC' : 'DESC'} LIMIT ${Number(n)}`);\ndb.query(sql`SELECT * FROM t WHERE a = ${a}`);\ndb.query(`SELECT * FROM t WHERE a = ${db.escape(a)}`);\nconst p = spawn('ls', ['-c', x]);"),
    ("go", GO % '\tq := "SELECT a FROM t"\n\tif x != "" {\n\t\tq += " WHERE b = $1"\n\t}\n\tdb.Query(q, x)\n\tdb.Query(fmt.Sprintf("SELECT a FROM t LIMIT %d", n))\n\tif err := exec.Command("ls", "-c", x).Run(); err != nil {\n\t\treturn\n\t}\n\tdb.Where("a = ?", x)'),
    ("java", JAVA % '    StringBuilder b = new StringBuilder("SELECT a FROM t WHERE 1=1");\n    if (x != null) { b.append(" AND b = ?"); }\n    c.prepareStatement(b.toString());\n    String marks = String.join(",", Collections.nCopies(n, "?"));\n    c.prepareStatement("SELECT a FROM t WHERE b IN (" + marks + ")");'),
    ("rust", 'const T: &str = "users";\nfn f(x: &str) {\n  let mut q = format!("SELECT a FROM {} WHERE 1=1", T);\n  q.push_str(" AND a = $1");\n  sqlx::query(&q).bind(x);\n  let ok = Command::new("ls").arg("-c").arg(x).status()?;\n}\n'),
    ("ruby", "q = 'SELECT a FROM t'\nq += ' WHERE b = ?' if x\ndb.execute(q, x)\nUser.find_by_sql(['SELECT a FROM t WHERE b = ?', x])\nUser.where(\"a > #{connection.quote(x)}\")\nsystem({ 'A' => 'b' }, 'ls', x) or fail\n"),
    ("shell", '# eval "$text"\necho "curl x | bash"\ncurl -fsSL https://example.org/x -o x\nmktemp -d\ncurl https://example.org/x | jq .\nprintf "eval"\necho a > out/tmp\n'),
]  # fmt: skip


@pytest.mark.parametrize(("language", "source", "expected"), THERE)
def test_what_is_there_is_seen_on_its_line(language: str, source: str, expected: list[tuple[str, int]]) -> None:
    assert seen(language, source) == sorted(expected)


@pytest.mark.parametrize(("language", "source"), NOT_THERE)
def test_what_only_looks_like_it_is_not_seen(language: str, source: str) -> None:
    certain = [
        (probe, site.line)
        for probe, sites in looked(language, source).sites.items()
        for site in sites
        if site.confidence > 0.5
    ]
    assert certain == []


PAYLOAD = "echo ZWNobyBoaQo= | base64 -d | sh"
HIDDEN = [
    ("typescript", JS + f"exec('{PAYLOAD}');", SHELL, 4),
    ("javascript", "eval(atob('YWxlcnQoMSk='));", CODE, 1),
    ("javascript", "new Function(Buffer.from('YWxlcnQoMSk=', 'base64').toString())();", CODE, 1),
    ("javascript", "setTimeout(atob(text), 5);", CODE, 1),
    ("go", GO % f'\texec.Command("sh", "-c", "{PAYLOAD}")', SHELL, 9),
    ("go", GO % f'\texec.CommandContext(ctx, "bash", "-c", `{PAYLOAD}`)', SHELL, 9),
    ("java", JAVA % '    Runtime.getRuntime().exec(new String(Base64.getDecoder().decode("bHM=")));', SHELL, 3),
    ("java", JAVA % '    engine.eval(new String(Base64.getDecoder().decode("bHM=")));', CODE, 3),
    ("java", JAVA % f'    Runtime.getRuntime().exec(new String[] {{"sh", "-c", "{PAYLOAD}"}});', SHELL, 3),
    ("rust", f'fn f() {{\n  Command::new("sh").arg("-c").arg("{PAYLOAD}");\n}}\n', SHELL, 2),
    ("rust", f'fn f() {{\n  Command::new("sh").args(["-c", "{PAYLOAD}"]);\n}}\n', SHELL, 2),
    ("ruby", f"system('{PAYLOAD}')\n", SHELL, 1),
    ("ruby", f"`{PAYLOAD}`\n", SHELL, 1),
    ("ruby", "eval(Base64.decode64('cHV0cyAx'))\n", CODE, 1),
    ("ruby", "eval('cHV0cyAx'.unpack1('m'))\n", CODE, 1),
    ("shell", f"{PAYLOAD}\n", CODE, 1),
    ("shell", "echo ZWNobyBoaQo= | openssl base64 -d | bash\n", CODE, 1),
    ("shell", "base64 --decode payload | gunzip | sudo /bin/bash\n", CODE, 1),
    ("shell", 'eval "$(echo ZWNobyBoaQo= | base64 -d)"\n', CODE, 1),
    ("shell", 'bash -c "$(base64 -d <<< ZWNobyBoaQo=)"\n', CODE, 1),
    ("shell", "source <(echo ZWNobyBoaQo= | base64 -D)\n", CODE, 1),
    ("shell", 'sh -c "$(curl -fsSL https://example.org/x)"\n', CODE, 1),
    ("shell", "bash <(wget -qO- https://example.org/x)\n", CODE, 1),
]  # fmt: skip
PLAIN = [
    ("typescript", JS + "exec('base64 -d in > out');"),
    ("javascript", "const text = atob(body); JSON.parse(text); setTimeout(() => show(atob(text)), 5);"),
    ("go", GO % '\texec.Command("sh", "-c", "base64 -d in > out")'),
    ("java", JAVA % "    String s = new String(Base64.getDecoder().decode(text)); executor.exec(task);"),
    ("ruby", "text = Base64.decode64(body)\nsystem('base64 -d in > out')\n"),
    ("shell", "echo $KEY | base64 -d > key.pem\nbase64 -d in | jq .\necho 'x | base64 -d | sh'\nkey=$(echo $K | base64 -d)\ncurl https://example.org | base64 -d | shasum\n"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "source", "probe", "line"), HIDDEN)
def test_text_that_is_decoded_and_run_is_told_once_and_with_no_doubt_to_speak_of(
    language: str, source: str, probe: str, line: int
) -> None:
    sites = [(name, site) for name, some in looked(language, source).sites.items() for site in some]
    sites = [(name, site) for name, site in sites if name != CHILD]
    assert [(name, site.line) for name, site in sites if site.confidence >= 0.8] == [(probe, line)]
    assert not [site for _, site in sites if "hi" in site.statement.split() or "ZWNo" in site.statement]


@pytest.mark.parametrize(("language", "source"), PLAIN)
def test_text_that_is_decoded_and_not_run_is_not_told(language: str, source: str) -> None:
    sites = [site for name, some in looked(language, source).sites.items() for site in some if name != CHILD]
    assert [site.statement for site in sites if site.confidence > 0.5] == []


def test_a_long_query_that_is_run_by_its_name_many_times_costs_no_more_than_its_length() -> None:
    source = "const q = '{}';\n".replace("{}", " ".join(["select a", *["from x"] * 250])) + "db.query(q);\n" * 5_000
    begun = time.process_time()
    assert seen("typescript", source) == []
    assert time.process_time() - begun < 5


def test_a_constant_command_is_doubtful_only() -> None:
    [site] = looked("typescript", JS + "exec('git status');").sites[SHELL]
    assert site.confidence == 0.5


def test_functions_and_their_branches_are_counted_each_for_itself() -> None:
    source = "function outer(a) {\n  if (a) { b() }\n  const inner = () => { for (const x of a) { if (x) {} } };\n  return a ? 1 : 2;\n}\n"
    shape = looked("typescript", source).outline
    assert shape is not None
    assert {each.qualname: each.complexity for each in shape.functions} == {"outer": 3, "inner": 3}


def test_every_rule_names_a_probe_that_exists() -> None:
    known = set(discover_probes())
    for language in covered_languages().values():
        assert language.probes <= known, language.name


def test_a_repository_in_another_language_is_read_and_said_to_be_read(drawing: Drawing) -> None:
    drawing.commit(
        {
            "src/run.ts": JS + "exec(`ls ${dir}`);\n",
            "src/odd.kt": "fun main() {}\n",
            "tests/run.test.ts": "it('works', () => { run(); });\n",
        }
    )
    report = audited(drawing.path)
    assert places(found(report, SHELL)) == [("src/run.ts", 4)]
    assert places(found(report, BARE, in_tests=True)) == [("tests/run.test.ts", 1)]
    status = files_covered(report)
    assert status["src/run.ts"] == ("analysed", "")
    assert status["src/odd.kt"] == ("text", "read as text: no grammar for Kotlin")


def test_what_is_fine_in_test_code_is_said_to_be_so_before_it_is_said_what(drawing: Drawing) -> None:
    drawing.commit({"a.py": "x = 1\n", "tests/test_a.py": "def test_a():\n    assert 1 + 1 == 2\n"})
    told = {each.statement for each in audited(drawing.path).evidence if each.in_tests}
    assert {"In test code no command is run in a shell.", "In test code every test has an assertion."} <= told
    assert not any(each.endswith("in test code.") for each in told)


def test_languages_are_named_as_people_write_them(drawing: Drawing) -> None:
    broken = "export const = = = ;;; )) } ] => => ((\n" * 40
    drawing.commit({"a.ts": broken, "b.cpp": "int main() {}\n", "c.lua": "print(1)\n"})
    report = audited(drawing.path)
    status = files_covered(report)
    assert status["a.ts"] == ("partial", "most of it is not TypeScript as its grammar knows it")
    assert status["b.cpp"] == ("text", "read as text: no grammar for C++")
    assert status["c.lua"] == ("text", "read as text: no grammar for Lua")


def test_a_function_without_a_name_is_told_by_its_line(drawing: Drawing) -> None:
    drawing.commit({"d.js": f"{JS}{LONG}"})
    (fact,) = (each for each in audited(drawing.path).evidence if each.probe == "code.complexity")
    line = JS.count("\n") + 1
    assert f"anonymous function at line {line} " in fact.statement.lower()
    assert "`line" not in fact.statement


LONG = "run(function (a) {\n" + "  if (a) { run(a); }\n" * 30 + "});\n"


RUST = """fn tag(text: &str) -> String {
    format!("{:x}", md5::compute(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> String {
        hex::encode(Md5::digest("a"))
    }

    #[test]
    fn it_runs() {
        tag("a");
    }
}
"""


def test_tests_that_stand_beside_what_they_test_are_test_code(drawing: Drawing) -> None:
    drawing.commit({"src/lib.rs": RUST, "src/made.rs": '#[cfg(any(test, feature = "old"))]\n' + RUST[:80]})
    report = audited(drawing.path)
    assert places(found(report, HASH)) == [("src/lib.rs", 2), ("src/made.rs", 3)]
    assert places(found(report, HASH, in_tests=True)) == [("src/lib.rs", 10)]
    assert places(found(report, BARE)) == []
    assert places(found(report, BARE, in_tests=True)) == [("src/lib.rs", 14)]


def test_what_is_moved_out_of_the_tests_of_a_file_is_new_in_its_product_code(drawing: Drawing) -> None:
    line = '    hex::encode(Md5::digest("a"))\n'
    inside = "#[cfg(test)]\nmod tests {\n    fn known() -> String {\n" + line + "    }\n}\n"
    drawing.commit({"src/lib.rs": inside})
    drawing.branch("work")
    drawing.commit({"src/lib.rs": "fn known() -> String {\n" + line + "}\n"})
    assert [each.introduced for each in found(audited(drawing.path, "main"), HASH)] == [True]


def test_a_script_is_read_as_what_its_first_line_gives_it_to(drawing: Drawing) -> None:
    fetch = "wget --no-check-certificate https://example.org/a\n"
    drawing.commit(
        {
            "bin/fetch": "#!/usr/bin/env -S bash -eu\n" + fetch,
            "bin/plain": fetch,
            "bin/other": "#!/usr/bin/bashful\n" + fetch,
            "notes.txt": "Begin with #!/bin/sh\n" + fetch,
        }
    )
    report = audited(drawing.path)
    assert places(found(report, TLS)) == [("bin/fetch", 2)]
    assert files_covered(report)["bin/fetch"] == ("analysed", "")


def test_only_what_the_change_brings_in_is_new(drawing: Drawing) -> None:
    drawing.commit({"a.ts": JS + "exec(`ls ${dir}`);\n"})
    drawing.branch("work")
    drawing.commit({"a.ts": "// moved down\n" + JS + "exec(`ls ${dir}`);\nexec(`rm ${dir}`);\n"})
    report = audited(drawing.path, "main")
    assert {(each.introduced, place) for each in found(report, SHELL) for place in places([each])} == {
        (False, ("a.ts", 5)),
        (True, ("a.ts", 6)),
    }


def test_a_repository_whose_language_is_not_covered_gets_no_low_score_for_structure(drawing: Drawing) -> None:
    drawing.commit({"src/main.kt": "fun main() {}\n" * 50, "src/other.scala": "object A\n" * 20})
    report = audited(drawing.path)
    scores = {each.criterion: each.score for each in report.verdict.rulings}
    for criterion in ("error_handling", "interfaces"):
        assert scores[criterion] is None


EVERYBODY = Interest(tuple(discover_probes().values()))


@pytest.mark.parametrize("language", sorted(covered_languages()))
@pytest.mark.parametrize(
    "source",
    [
        "(" * 20_000,
        "{" * 5_000 + "}" * 5_000,
        "f(" * 2_500 + ")" * 2_500,
        "a." * 20_000 + "b()",
        "x = [" + "1," * 40_000 + "]",
        "`${" * 2_500,
        "if (a) " * 2_500,
        "'" + "\\" * 10_001,
        "<a>" * 2_500,
        "# " + "x" * 200_000,
        "try {} catch (e) {}\n" * 2_500,
        "eval " * 20_000,
        "sh $(" * 10_000,
        "eval $(" + "base64 -" * 10_000,
        "base64 -d |" * 10_000,
        "a;b;" + "x=>" * 8_000 + "1;a;b;",
    ],
)
def test_hostile_sources_end_in_time_with_an_answer(language: str, source: str) -> None:
    started = time.process_time()
    record = look_at_file(source.encode(), language, EVERYBODY)
    assert time.process_time() - started < 5
    assert record.reading is ReadStatus.FULL
    assert record.pack()


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("typescript", "it('a', () => {\n" + "expect((a\n" * 5_000 + "});"),
        ("typescript", "const { spawnSync } = require('child_process');\nfunction f() { const r = spawnSync('a');\n" + "r.stdout;" * 20_000 + "}"),
        ("typescript", "".join(f"function help{n}() {{ help{n + 1}(); }}\n" for n in range(5_000)) + "it('x', () => { help1(); });"),
        ("typescript", "try {} catch { //" + " ignore" * 10_000 + "}\n" + "try {} catch { // ignore , , ,\n}\n" * 1_000),
        ("shell", ('ssh a "' + "a;" * 950 + '"\n') * 20),
        ("javascript", "pool.query(`SELECT * FROM t WHERE a = '${n}'`);\n" * 1_500),
        ("javascript", "".join("function f@(n@) { if (!h@.includes(n@)) throw 1; pool.query(`SELECT a FROM t WHERE a = '${n@}'`); }\n".replace("@", str(n)) for n in range(1_200))),
        ("rust", "macro_rules! abc {\n" * 10_000 + "#[test]\nfn a() { b(); }"),
        ("ruby", "def f\n" + "out, err, status = Open3.capture3('a')\nstatus\n" * 2_000 + "end"),
        ("go", "package a\n" + "".join(f"func (s *S) f{n}() error {{ return nil }}\nfunc g{n}() *http.Client {{ s.f{n}(); job{n}.Start(); c := &http.Client{{}}; return c }}\n" for n in range(1_500)) + "func z() { c.Timeout = 5 }"),
        ("java", "".join(f"class A{n} {{ String g{n}() {{ return g{n + 1}(); }} void f(Statement s) {{ s.execute(g{n}(), new ObjectInputStream(in)); }} }}\n" for n in range(1_500)) + "class Z { Z() { setObjectInputFilter(\"drop it\"); } }"),
        ("go", "package a\nfunc (s *S) f() error { return nil }\nfunc g() { s.f() }\nfunc (" + "\n" * 100_000 + "*S) Close() error { return nil }\n"),
        ("rust", "fn a() -> Result<(), E> { Ok(()) }\nfn g() { let _ = a(); }\nfn b" + " " * 100_000 + "(x: u8) {}"),
        ("ruby", "describe 'a' do\nit 'a' do\n" + "expect(true).t;" * 7_000 + "\nend\nend\n"),
        ("python", "def f(d):\n    return " + ", ".join(f"d['a{n}']" for n in range(12)) + "\n" + "\n" * 100_000 + "x = 1\n"),
    ],
    ids=("unclosed checks", "uses of a result", "helpers of helpers", "comments", "commands for ssh", "one query many times", "names held against lists", "macros", "results", "values given back", "texts given back", "blank receiver", "blank header", "one line of checks", "blank lines"),
)  # fmt: skip
def test_what_follows_names_through_a_file_ends_in_time(language: str, source: str) -> None:
    started = time.process_time()
    look_at_file(source.encode(), language, EVERYBODY)
    assert time.process_time() - started < 15


@pytest.mark.parametrize(("limit", "told"), [("0", True), ("4000", False)])
def test_a_limit_of_nothing_for_all_requests_is_no_limit(limit: str, told: bool) -> None:
    source = f"import axios from 'axios';\naxios.defaults.timeout = {limit};\nexport const f = (u) => axios.get(u);\n"
    assert ("code.no_timeout" in looked("typescript", source).sites) is told


@pytest.mark.parametrize(
    ("beside", "told"),
    [
        ("describe('sum', () => {});\n", False),
        ("if (all) {\n\tit('adds', () => {});\n}\n", False),
        ("const same = it('adds');\n", True),
    ],
)
def test_a_request_in_a_test_needs_no_limit_however_far_the_test_is_indented(beside: str, told: bool) -> None:
    assert (WAIT in dict(seen("typescript", f'{beside}fetch("https://a.example/");\n'))) is told


def test_a_file_too_large_to_be_parsed_is_unread_for_every_question_and_still_read_as_text() -> None:
    source = b"eval(x);\n" * (MAX_CODE_BYTES // 9 + 1)
    record = look_at_file(source, "javascript", Interest(tuple(discover_probes().values())))
    assert CODE in record.failed
    assert "larger than" in record.reason


def test_what_a_file_may_take_to_be_parsed_grows_with_its_length_up_to_a_limit() -> None:
    assert [parse_timeout(size) for size in (10_000, 22_000, 100_000, MAX_CODE_BYTES)] == [0.6, 0.7, 1.5, 3.0]


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("typescript", "export const a = 1\n" * 3),
        ("typescript", "f(1);\nconst = = 3 @@ ;\nclass A { b( {} }\ng(`${`)\n" * 9),
        ("typescript", "interface A { <T>(a: T): T }\nlet b = <T>(a) =>\n" * 4),
        ("javascript", "if (a) { b( } else ] c\n\x01\x02\n"),
        ("go", "package a\nfunc f( {\n\tx := := 2\n}\n" * 4),
        ("shell", "if a; then b )\nfi fi\n"),
    ],
)
def test_what_is_broken_of_a_file_is_told_without_looking_at_the_rest(language: str, source: str) -> None:
    known = covered_languages()[language]
    grammar = known.grammar(source.encode())
    tree = get_parser(grammar).parse(source.encode())
    everywhere = node_query(grammar, None, frozenset()).nodes(tree.root_node).get(ERROR_KIND, ())
    lost = sum(each.end_byte - each.start_byte for each in everywhere)
    assert count_broken_bytes(tree) == lost + tree.root_node.has_error


_HEADS = (
    "// eval(1)\n/* new Function(a) */\nimport a, { b as c } from 'd'\nimport type { E } from \"e\";\nimport 'g'\n",
    "/** (c) 2020 */\n\nimport * as a from 'a'\n",
)


@pytest.mark.parametrize("head", _HEADS)
def test_comments_and_imports_that_a_file_begins_with_are_not_walked_through(head: str) -> None:
    language = covered_languages()["typescript"]
    assert first_relevant_byte(head.encode() + b"f(1)\n", language, language.kinds) == len(head)
    assert first_relevant_byte(head.encode(), language, language.kinds_with_values) == 0


@pytest.mark.parametrize(
    "head",
    [
        "eval(a)\n",
        "import.meta.a\neval(a)\nimport 'b'\n",
        "import.meta.a ? eval(a) : 'b'\n",
        "import a = require('b'), c = eval(a)\nimport 'b'\n",
        "import { a } from 'b'; eval(c); import 'd'\n",
        "import { a } from 'b'; debugger; import 'd'\n",
        "// a\reval(c)\nimport 'd'\n",
        "// a\u2028eval(c)\nimport 'd'\n",
        "// a\u2029eval(c)\nimport 'd'\n",
        "/* a */ eval(c) /* b */\nimport 'd'\n",
        "/* a *//* b */ eval(c)\nimport 'd'\n",
        "import('a').then(eval(c))\nimport 'd'\n",
        "import a from 'b' with { type: 'json' }; eval(c)\n",
        "import\ndebugger\n'a'\n",
        "import /* ' */ a from 'b'; eval(c) /* ' */\n",
        "import$\ntry { a } catch { eval }\n'b'\n",
    ],
)
def test_what_stands_among_comments_and_imports_is_seen(head: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told = seen("typescript", f"{head}eval(e)\n")
    monkeypatch.setattr("auditor.forensics.languages.file_rule_evaluation.first_relevant_byte", lambda *_: 0)
    assert told == seen("typescript", f"{head}eval(e)\n") != []


@pytest.mark.parametrize("language", ["javascript", "typescript"])
def test_no_name_and_no_quote_in_a_comment_hides_code_at_the_beginning_of_a_file(language: str) -> None:
    assert seen(language, "import /* ' */ a from 'b'; eval(c) /* ' */\n") == seen(language, "eval(c)\n") != []
    assert (
        seen(language, "import$\ntry { a } catch { }\n'b'\n")
        == seen(language, "imports\ntry { a } catch { }\n'b'\n")
        != []
    )


@pytest.mark.parametrize(
    "source", ["f(() => g(), function () {});\n" * 3, "$`ls`; f((err, a) => g(a)); debugger;\n", ""]
)
def test_pieces_are_counted_for_each_rule_whether_or_not_any_may_speak(
    source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = covered_languages()["typescript"]
    told = looked("typescript", source)
    monkeypatch.setitem(known.__dict__, "silent", {})
    one_by_one = looked("typescript", source)
    assert (told.candidates, told.sites) == (one_by_one.candidates, one_by_one.sites)


def test_the_beginning_of_a_file_is_found_in_time_whatever_is_repeated_in_it() -> None:
    language = covered_languages()["typescript"]
    for piece in (b"import a ", b"import 'a", b"/*", b"/* *", b"//", b"import a from 'b'\n", b"; \n"):
        started = time.process_time()
        first_relevant_byte(piece * 20_000, language, language.kinds)
        assert time.process_time() - started < 0.5, piece


def test_an_export_is_found_behind_a_decorator_and_the_word_alone_exports_nothing() -> None:
    source = "// export class Neither {}\nconst said = 'export const nor = 1';\n@Component({})\nexport class Shown {}\nfunction f() { exported(); }\nexport { f as told };\n"
    outline = looked("typescript", source).outline
    assert outline is not None
    assert [each.name for each in outline.exported_symbols] == ["Shown", "told"]


def test_a_file_gives_the_same_answers_each_time_it_is_read() -> None:
    chained = "".join(f"a{number}.open(f).then((m) => m.b()).catch(() => {{}});\n" for number in range(30))
    answers = [looked("typescript", chained) for _ in range(5)]
    assert all(each.candidates == answers[0].candidates and each.sites == answers[0].sites for each in answers)
    assert len(answers[0].sites[DROP]) == 30


@pytest.mark.parametrize("source", ["const q = 'select a from t where b = ' + b;\ndb.query(q);\n", "const x = 1;\n"])
def test_what_was_worked_out_of_a_file_is_given_up_with_it_though_nobody_collects_garbage(source: str) -> None:
    gc.collect()
    gc.disable()
    try:
        looked("typescript", source)
        left = [each for each in gc.get_objects() if isinstance(each, ParsedFile | TextResolver | AssignmentIndex)]
    finally:
        gc.enable()
    assert left == []


PIECE_OF_A_QUERY = "Part of a query is interpolated into another query"
WHOLE_QUERY = ("SQL built by string formatting: a value is interpolated into the query of {call}", 0.85)


@pytest.mark.parametrize(
    ("language", "asked", "expected"),
    [
        ("go", GO % '  pool.Query(ctx, "SELECT a FROM b WHERE "+where, args...)', (PIECE_OF_A_QUERY, 0.6)),
        ("go", GO % '  where, args := x.clause()\n  pool.Query(ctx, "SELECT a FROM b WHERE "+where, args...)', (PIECE_OF_A_QUERY, 0.6)),
        ("go", GO % '  where := "true"\n  if x != "" {\n    where, args = made(x)\n  }\n  pool.Query(ctx, "SELECT a FROM b WHERE "+where, args...)', (PIECE_OF_A_QUERY, 0.6)),
        ("typescript", "pool.query(`SELECT a FROM b WHERE ${where}`, ...args);", (PIECE_OF_A_QUERY, 0.6)),
        ("typescript", "const { where, params } = made(x);\npool.query(`SELECT a FROM b WHERE ${where}`, params);", (PIECE_OF_A_QUERY, 0.6)),
        ("ruby", 'db.execute("SELECT a FROM b WHERE #{conditions}", *args)', (PIECE_OF_A_QUERY, 0.6)),
        ("java", JAVA % '    jdbc.query("SELECT a FROM b WHERE " + where, mapper, params.toArray());', (PIECE_OF_A_QUERY, 0.6)),
        ("go", GO % '  pool.Query(ctx, "SELECT a FROM b WHERE "+where)', WHOLE_QUERY),
        ("go", GO % '  pool.Query(ctx, "SELECT a FROM b WHERE "+where+limit, args...)', WHOLE_QUERY),
        ("go", GO % '  pool.Query(ctx, "SELECT a FROM b WHERE name = \'"+filter+"\'", args...)', WHOLE_QUERY),
        ("go", GO % '  where, args := f.where()\n  where += " AND name = \'" + x + "\'"\n  pool.Query(ctx, "SELECT a FROM b WHERE "+where, args...)', WHOLE_QUERY),
        ("typescript", "pool.query(`SELECT a FROM b WHERE ${text}`, ...args);", WHOLE_QUERY),
    ],
)  # fmt: skip
def test_a_piece_of_a_query_beside_a_list_of_values_may_hold_none_itself(
    language: str, asked: str, expected: tuple[str, float]
) -> None:
    (site,) = looked(language, asked).sites[SQL]
    assert (site.statement, site.confidence) == expected


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ('  marks, args := inOf(x)\n  db.Query("SELECT a FROM b WHERE c IN ("+marks+")", args...)', False),
        (
            '  batchInClause, args := inOf(x)\n  db.Query(fmt.Sprintf("DELETE FROM b WHERE c IN (%s)", batchInClause), args...)',
            False,
        ),
        ('  batchInClause := inOf(x)\n  db.Query(fmt.Sprintf("DELETE FROM b WHERE c IN (%s)", batchInClause))', True),
        ('  inClause := "\'" + x + "\'"\n  db.Query("SELECT a FROM b WHERE c IN ("+inClause+")", args...)', True),
        ('  names, args := inOf(x)\n  db.Query("SELECT a FROM b WHERE c IN ("+names+")", args...)', True),
    ],
)
def test_marks_that_are_made_elsewhere_stand_for_the_values_beside_them(asked: str, *, told: bool) -> None:
    assert bool(looked("go", GO % asked).sites.get(SQL)) is told


NAME_IN_A_QUERY = ("Table or column name is interpolated into the query of {call}", 0.6)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ('  db.Query(fmt.Sprintf("SELECT a FROM b WHERE %s = ?", TargetExpr), x)', NAME_IN_A_QUERY),
        ('  db.Query(fmt.Sprintf("SELECT a, %s FROM b WHERE c = ?", store.TargetExpr), x)', NAME_IN_A_QUERY),
        ('  db.Query(fmt.Sprintf("SELECT a FROM b WHERE %s = ?", targetCol), x)', NAME_IN_A_QUERY),
        ('  db.Query(fmt.Sprintf("SELECT a FROM b WHERE %s = ?", protocol), x)', WHOLE_QUERY),
        ("  db.Query(fmt.Sprintf(\"SELECT a FROM b WHERE c = '%s'\", user.Name), x)", WHOLE_QUERY),
        ('  db.Query(fmt.Sprintf("SELECT a FROM b WHERE c = %s", Lowered(filter)), x)', WHOLE_QUERY),
    ],
)
def test_what_belongs_to_a_package_of_go_is_a_name_in_a_query_and_a_field_of_a_value_is_not(
    asked: str, expected: tuple[str, float]
) -> None:
    source = (GO % asked).replace('"fmt"', '"fmt"\n\t"example.org/app/store"', 1)
    (site,) = looked("go", source).sites[SQL]
    assert (site.statement, site.confidence) == expected


@pytest.mark.parametrize(
    "asked",
    [
        '  Where = r.FormValue("x")\n  db.Query("SELECT a FROM b WHERE c = \'" + Where + "\'")',
        '  Where, _ := taken(r)\n  db.Query("SELECT a FROM b WHERE c = \'" + Where + "\'")',
        '  ask := func(Where, Other string) {\n  db.Query("SELECT a FROM b WHERE c = \'" + Where + "\'")\n  }',
        '  store := taken(r)\n  db.Query("SELECT a FROM b WHERE c = \'" + store.Name + "\'")',
        '  log.Print("input")\n  db.Query("SELECT a FROM b WHERE c = \'" + input.Name + "\'")',
    ],
)
def test_a_capital_letter_or_the_name_of_a_package_makes_no_name_of_what_a_function_is_given(asked: str) -> None:
    source = (GO % asked).replace('"fmt"', '"fmt"\n\t"example.org/app/store"', 1)
    (site,) = looked("go", source).sites[SQL]
    assert (site.statement, site.confidence) == WHOLE_QUERY


@pytest.mark.parametrize("piece", [b"A, ", b"A", b"func ", b"func(A, ", b"A:=", b"A \t", b"\t"])
def test_names_without_end_are_told_from_those_of_packages_in_time(piece: bytes) -> None:
    began = time.process_time()
    for form in (assigned_texts._GO_ASSIGNMENT, assigned_texts._GO_FUNCTION_HEADER, assigned_texts._GO_PARAMETER):
        sum(1 for _ in form.finditer(piece * 20_000))
    assert time.process_time() - began < 3


def test_thousands_of_pieces_of_queries_cost_no_more_than_their_length() -> None:
    row = '  where, args := f.where()\n  pool.Query(ctx, "SELECT a FROM b WHERE "+where, args...)\n'
    started = time.process_time()
    assert looked("go", GO % (2_000 * row)).sites[SQL]
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("language", "source", "shown"),
    [
        ("javascript", JS + 'crypto.createHash("md5")', 'crypto.createHash("md5")'),
        ("javascript", JS + 'const KIND = "sha1";\ncrypto.createHash(KIND)', 'crypto.createHash("sha1")'),
        ("javascript", JS + 'crypto.pbkdf2(a, b, 1000, 32, "sha1", f)', 'crypto.pbkdf2(..., "sha1")'),
        ("php", "<?php\nopenssl_sign($a, $b, $c, OPENSSL_ALGO_MD5);", "openssl_sign(..., OPENSSL_ALGO_MD5)"),
        ("go", GO % "\tsums[x] = md5.New", "md5.New"),
        ("csharp", "class A { void F() { G(HashAlgorithmName.MD5); } }", "HashAlgorithmName.MD5"),
    ],
)
def test_a_weak_hash_is_named_in_the_words_of_the_source(language: str, source: str, shown: str) -> None:
    (site,) = looked(language, source).sites[HASH]
    assert site.call == shown
