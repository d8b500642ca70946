"""Dangerous calls in Go that hide behind function values."""

from __future__ import annotations

import pytest

from tests.adversarial.authors.drawing import CODE, SHELL, Case, evidence_by_case
from tests.adversarial.authors.flow_cases import Found, assert_is_found, assert_is_silent, names

CASES: list[Case] = [
    ('a function value', SHELL, 'package shop\n\nimport (\n\t"os/exec"\n)\n\nfunc f(x string) {\n\trun := exec.Command\n\trun("sh", "-c", x).Run()\n}\n', 'package shop\n\nimport (\n\t"os/exec"\n)\n\nfunc f(x string) {\n\trun := exec.Command\n\trun("ls", x).Run()\n}\n'),
    ('a variable of the package', SHELL, 'package shop\n\nimport (\n\t"os/exec"\n)\n\nvar run = exec.Command\n\nfunc f(x string) {\n\trun("sh", "-c", x).Run()\n}\n', 'package shop\n\nimport (\n\t"os/exec"\n)\n\nvar run = exec.Command\n\nfunc f(x string) {\n\trun("git", "log", x).Run()\n}\n'),
    ('an import under another name', SHELL, 'package shop\n\nimport (\n\te "os/exec"\n)\n\nfunc f(x string) {\n\te.Command("sh", "-c", x).Run()\n}\n', 'package shop\n\nimport (\n\te "os/exec"\n)\n\nfunc f(x string) {\n\te.Command("ls", x).Run()\n}\n'),
    ('a table of functions', SHELL, 'package shop\n\nimport (\n\t"os/exec"\n)\n\nvar tools = map[string]func(string, ...string) *exec.Cmd{"run": exec.Command}\n\nfunc f(x string) {\n\ttools["run"]("bash", "-c", x).Run()\n}\n', 'package shop\n\nimport (\n\t"os/exec"\n)\n\nvar tools = map[string]func(string, ...string) *exec.Cmd{"run": exec.Command}\n\nfunc f(x string) {\n\ttools["run"]("grep", "-c", x).Run()\n}\n'),
    ('a field of a struct', SHELL, 'package shop\n\nimport (\n\t"os/exec"\n)\n\ntype tool struct {\n\trun func(string, ...string) *exec.Cmd\n}\n\nfunc f(x string) {\n\tt := tool{run: exec.Command}\n\tt.run("bash", "-c", x).Run()\n}\n', 'package shop\n\nimport (\n\t"os/exec"\n)\n\ntype tool struct {\n\trun func(string, ...string) *exec.Cmd\n}\n\nfunc f(x string) {\n\tt := tool{run: exec.Command}\n\tt.run("grep", "-c", x).Run()\n}\n'),
    ('a parameter', SHELL, 'package shop\n\nimport (\n\t"os/exec"\n)\n\nfunc use(run func(string, ...string) *exec.Cmd, x string) {\n\trun("sh", "-c", x).Run()\n}\n\nfunc f(x string) {\n\tuse(exec.Command, x)\n}\n', 'package shop\n\nimport (\n\t"os/exec"\n)\n\nfunc use(run func(string, ...string) *exec.Cmd, x string) {\n\trun("ls", x).Run()\n}\n\nfunc f(x string) {\n\tuse(exec.Command, x)\n}\n'),
    ('a function that returns it', SHELL, 'package shop\n\nimport (\n\t"os/exec"\n)\n\nfunc pick() func(string, ...string) *exec.Cmd { return exec.Command }\n\nfunc f(x string) {\n\tpick()("sh", "-c", x).Run()\n}\n', 'package shop\n\nimport (\n\t"os/exec"\n)\n\nfunc pick() func(string, ...string) *exec.Cmd { return exec.Command }\n\nfunc f(x string) {\n\tpick()("ls", x).Run()\n}\n'),
    ('brackets', SHELL, 'package shop\n\nimport (\n\t"os/exec"\n)\n\nfunc f(x string) {\n\t(exec.Command)("sh", "-c", x).Run()\n}\n', 'package shop\n\nimport (\n\t"os/exec"\n)\n\nfunc f(x string) {\n\t(exec.Command)("ls", x).Run()\n}\n'),
    ('words that are spread', SHELL, 'package shop\n\nimport (\n\t"os/exec"\n)\n\nfunc f(x string) {\n\targs := []string{"-c", x}\n\t(exec.Command)("/bin/bash", args...).Run()\n}\n', 'package shop\n\nimport (\n\t"os/exec"\n)\n\nfunc f(x string) {\n\targs := []string{"-l", x}\n\t(exec.Command)("/bin/ls", args...).Run()\n}\n'),
    ('the name of the shell in a constant', SHELL, 'package shop\n\nimport (\n\t"os/exec"\n)\n\nconst shell = "/bin/" + "sh"\n\nfunc f(x string) {\n\trun := exec.Command\n\trun(shell, "-c", x).Run()\n}\n', 'package shop\n\nimport (\n\t"os/exec"\n)\n\nconst shell = "/bin/" + "grep"\n\nfunc f(x string) {\n\trun := exec.Command\n\trun(shell, "-c", x).Run()\n}\n'),
    ('a shell of Windows', SHELL, 'package shop\n\nimport (\n\t"os/exec"\n)\n\nfunc f(x string) {\n\trun := exec.Command\n\trun("cmd.exe", "/C", x).Run()\n}\n', 'package shop\n\nimport (\n\t"os/exec"\n)\n\nfunc f(x string) {\n\trun := exec.Command\n\trun("cmd.exe", x).Run()\n}\n'),
    ('a loop over functions', SHELL, 'package shop\n\nimport (\n\t"os/exec"\n)\n\nfunc f(x string) {\n\tfor _, run := range []func(string, ...string) *exec.Cmd{exec.Command} {\n\t\trun("sh", "-c", x).Run()\n\t}\n}\n', 'package shop\n\nimport (\n\t"os/exec"\n)\n\nfunc f(x string) {\n\tfor _, run := range []func(string, ...string) *exec.Cmd{exec.Command} {\n\t\trun("ls", x).Run()\n\t}\n}\n'),
    ('reflection', SHELL, 'package shop\n\nimport (\n\t"os/exec"\n\t"reflect"\n)\n\nfunc f(x string) {\n\treflect.ValueOf(exec.Command).Call([]reflect.Value{reflect.ValueOf("sh"), reflect.ValueOf("-c"), reflect.ValueOf(x)})\n}\n', 'package shop\n\nimport (\n\t"os/exec"\n\t"reflect"\n)\n\nfunc f(x string) {\n\treflect.ValueOf(exec.Command).Call([]reflect.Value{reflect.ValueOf("ls"), reflect.ValueOf("-l"), reflect.ValueOf(x)})\n}\n'),
    ('reflection in two steps', SHELL, 'package shop\n\nimport (\n\t"os/exec"\n\t"reflect"\n)\n\nfunc f(x string) {\n\tv := reflect.ValueOf(exec.Command)\n\tin := []reflect.Value{reflect.ValueOf("sh"), reflect.ValueOf("-c"), reflect.ValueOf(x)}\n\tv.Call(in)\n}\n', 'package shop\n\nimport (\n\t"os/exec"\n\t"reflect"\n)\n\nfunc f(x string) {\n\tv := reflect.ValueOf(exec.LookPath)\n\tin := []reflect.Value{reflect.ValueOf("sh"), reflect.ValueOf("-c"), reflect.ValueOf(x)}\n\tv.Call(in)\n}\n'),
    ('a method that a request names', CODE, 'package shop\n\nimport (\n\t"net/http"\n\t"reflect"\n)\n\nfunc f(w http.ResponseWriter, r *http.Request) {\n\tm := reflect.ValueOf(&shop{}).MethodByName(r.FormValue("m"))\n\tm.Call(nil)\n}\n', 'package shop\n\nimport (\n\t"net/http"\n\t"reflect"\n)\n\nfunc f(w http.ResponseWriter, r *http.Request) {\n\tm := reflect.ValueOf(&shop{}).MethodByName("Open")\n\tm.Call([]reflect.Value{reflect.ValueOf(r.FormValue("m"))})\n}\n'),
    ('stdin of a shell', SHELL, 'package shop\n\nimport (\n\t"net/http"\n\t"os/exec"\n)\n\nfunc f(w http.ResponseWriter, r *http.Request) {\n\tcmd := exec.Command("sh")\n\tcmd.Stdin = r.Body\n\tcmd.Run()\n}\n', 'package shop\n\nimport (\n\t"net/http"\n\t"os/exec"\n)\n\nfunc f(w http.ResponseWriter, r *http.Request) {\n\tcmd := exec.Command("gzip")\n\tcmd.Stdin = r.Body\n\tcmd.Run()\n}\n'),
    ('bash -s', SHELL, 'package shop\n\nimport (\n\t"net/http"\n\t"os/exec"\n)\n\nfunc f(w http.ResponseWriter, r *http.Request) {\n\tcmd := exec.Command("bash", "-s")\n\tcmd.Stdin = r.Body\n\tcmd.Run()\n}\n', 'package shop\n\nimport (\n\t"net/http"\n\t"os/exec"\n)\n\nfunc f(w http.ResponseWriter, r *http.Request) {\n\tcmd := exec.Command("bash", "./install.sh")\n\tcmd.Stdin = r.Body\n\tcmd.Run()\n}\n'),
    ('a reader of text', SHELL, 'package shop\n\nimport (\n\t"net/http"\n\t"os/exec"\n\t"strings"\n)\n\nfunc f(w http.ResponseWriter, r *http.Request) {\n\tcmd := exec.CommandContext(r.Context(), "/bin/sh", "-e")\n\tcmd.Stdin = strings.NewReader(r.FormValue("script"))\n\tcmd.Run()\n}\n', 'package shop\n\nimport (\n\t"net/http"\n\t"os/exec"\n\t"strings"\n)\n\nfunc f(w http.ResponseWriter, r *http.Request) {\n\tcmd := exec.CommandContext(r.Context(), "/bin/sh", "-e")\n\tcmd.Stdin = strings.NewReader("ls")\n\tcmd.Run()\n}\n'),
    ('an import in one line', SHELL, 'package shop\n\nimport("fmt"; run "os/exec")\n\nfunc F(x string) error { return run.Command("bash", "-c", fmt.Sprint("ls ", x)).Run() }\n', 'package shop\n\nimport("fmt"; run "os/exec")\n\nfunc F(x string) error { return run.Command("ls", "--", fmt.Sprint("list-", x)).Run() }\n'),
    ('a list that is filled', SHELL, 'package shop\n\nimport "os/exec"\n\nfunc F(x string) error {\n\twords := make([]string, 2)\n\twords[0] = "-c"\n\twords[1] = "ls " + x\n\treturn exec.Command("dash", words...).Run()\n}\n', 'package shop\n\nimport "os/exec"\n\nfunc F(x string) error {\n\twords := make([]string, 2)\n\twords[0] = "--"\n\twords[1] = x\n\treturn exec.Command("ls", words...).Run()\n}\n'),
]  # fmt: skip


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What is found in each file of one repository with all cases."""
    return evidence_by_case(tmp_path_factory.mktemp("shop"), CASES, "go")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_a_call_that_hides_is_found(number: int, found: Found) -> None:
    assert_is_found(found, number, CASES[number], "go")


@pytest.mark.parametrize("number", range(len(CASES)), ids=names(CASES))
def test_what_only_looks_like_it_is_not(number: int, found: Found) -> None:
    assert_is_silent(found, number, "go")
