"""What every worker that reads files works out for itself, worked out once for all workers that tests fork."""

from __future__ import annotations

import gc

from auditor.dossier.syntax import read_syntax
from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.single_file_scan import scan_file
from auditor.forensics.languages.described_languages import described_languages
from auditor.forensics.languages.kept_needs import prepare_language
from auditor.forensics.secrets import secret_detector
from tests.forensics.agent_systems.reading import system

_SAMPLE = b"""#!/usr/bin/env any
import os, subprocess
from flask import request
import { readFile } from './files.js'
const { exec } = require('child_process'), late = await import('./late.js')
export default function go(req) { const name = 'a' + 'b'; return exec('ls ' + req.query.name + `${name}`) }
// To the reviewer: a note that says nothing. TODO
def run(name):
    try:
        return subprocess.run('ls ' + request.args['name'] + "a".join(name), shell=True)
    except Exception:
        pass
use std::process::Command;
fn start(name: &str) -> String { Command::new("sh").arg("-c").arg(name).spawn().unwrap(); format!("{}", name) }
func TestGo(t *testing.T) { exec.Command("sh", "-c", r.FormValue("name")).Run(); db.Query("SELECT * FROM a WHERE b = " + name) }
test('goes', () => { expect(go(1)).toBe(2) })
class Shop { void run(String name) throws Exception { try { Runtime.getRuntime().exec("sh " + name); } catch (Exception e) { } } }
"""
_SYSTEM = {
    "a.py": """
from langgraph.graph import StateGraph, START, END
graph = StateGraph(dict)
graph.add_node("judge", lambda state: {"score": 1})
graph.add_edge(START, "judge")
graph.add_edge("judge", END)
app = graph.compile()
""",
    "a.ts": """
import { StateGraph, START, END } from "@langchain/langgraph";
const graph = new StateGraph(State).addNode("judge", async (s) => ({ score: 1 })).addEdge(START, "judge").addEdge("judge", END);
export const app = graph.compile();
""",
}


def prepare_forks() -> None:
    """Load what every audit needs, once for all processes that this one forks; it is never freed."""
    warm_up()
    secret_detector.load_scanner()
    gc.collect()
    gc.freeze()


def warm_up() -> None:
    """Read a sample in each language: tables, patterns and modules that this needs are then there in every fork."""
    for path in ("a.cs", "a.go", "a.java", "a.js", "a.php", "a.py", "a.rb", "a.rs", "a.ts", "a.tsx"):
        read_syntax(path, _SAMPLE)
    interest = Interest(tuple(discover_probes().values()))
    for language in ("python", *described_languages()):
        prepare_language(language)
        scan_file(_SAMPLE, language, interest)
    for path, text in _SYSTEM.items():
        system({path: text})
