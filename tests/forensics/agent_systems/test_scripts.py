"""Graphs of LangGraph.js, however they are written, and scripts that only look like one."""

from __future__ import annotations

import time

import pytest

from auditor.forensics.agent_systems.analyzed_file import Source
from auditor.forensics.agent_systems.javascript import reachable_scripts
from auditor.forensics.agent_systems.system_report_types import GraphData, OutputsData, StateData
from tests.forensics.agent_systems.reading import answer, data, system

_HEAD = 'import { StateGraph, Annotation, START, END, Send, Command } from "@langchain/langgraph";\n'
_STATE = "const S = Annotation.Root({ notes: Annotation<string[]>({ reducer: (a, b) => a.concat(b), default: () => [] }) });\n"
_WORK = "const work = async (state) => ({ notes: [1] });\n"
_ALL = _HEAD + _STATE + _WORK
PAIRS = {
    ("START", "a"), ("START", "b"), ("a", "join"), ("b", "join"),
    ("join", "x"), ("join", "y"), ("x", "last"), ("y", "last"), ("last", "END"),
}  # fmt: skip

WRITTEN = {
    "one chain": """
        export const graph = new StateGraph(S)
          .addNode("a", work).addNode("b", work).addNode("join", work).addNode("x", work).addNode("y", work).addNode("last", work)
          .addEdge(START, "a").addEdge(START, "b").addEdge("a", "join").addEdge("b", "join")
          .addEdge("join", "x").addEdge("join", "y").addEdge("x", "last").addEdge("y", "last").addEdge("last", END)
          .compile();
    """,
    "a variable, list edges, strings for the ends": """
        const g = new StateGraph(S);
        g.addNode({ a: work, b: work, join: work });
        g.addNode([["x", work], ["y", work], ["last", work]]);
        g.addEdge("__start__", "a"); g.addEdge("__start__", "b");
        g.addEdge(["a", "b"], "join");
        g.addEdge("join", "x"); g.addEdge("join", "y");
        g.addEdge(["x", "y"], "last");
        g.addEdge("last", "__end__");
        export default g.compile();
    """,
    "loops over tables of names": """
        const FIRST = ["a", "b"] as const;
        enum Second { X = "x", Y = "y" }
        function fill(g) {
          for (const name of [...FIRST, "join", "last"]) { g.addNode(name, work); }
          Object.values(Second).forEach((name) => { g.addNode(name, work); g.addEdge("join", name); g.addEdge(name, "last"); });
          for (let i = 0; i < FIRST.length; i++) { g.addEdge(START, FIRST[i]); g.addEdge(FIRST[i], "join"); }
          return g;
        }
        export class Agent {
          private graph = fill(new StateGraph(S));
          constructor() { this.graph.addEdge("last", END); }
          run() { return this.graph.compile().invoke({}); }
        }
        new Agent().run();
    """,
    "routers that send": """
        const sent = (state) => ["a", "b"].map((name) => new Send(name, state));
        const next = async (state) => { return ["x", "y"]; };
        const g = ["a", "b", "join", "x", "y", "last"].reduce((all, name) => all.addNode(name, work), new StateGraph(S));
        g.addConditionalEdges(START, sent).addEdge("a", "join").addEdge("b", "join");
        g.addConditionalEdges({ source: "join", path: next, pathMap: ["x", "y"] });
        g.addEdge("x", "last").addEdge("y", "last").setFinishPoint("last");
        export const graph = g.compile();
    """,
}


def _graph(files: dict[str, str] | str) -> GraphData:
    found = data("swarm.graph", {"src/graph.ts": files} if isinstance(files, str) else files)
    assert isinstance(found, GraphData)
    return found


def _pairs(graph: GraphData) -> set[tuple[str, str]]:
    return {(edge.source, edge.target) for edge in graph.edges}


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
def test_a_graph_is_the_same_however_its_script_builds_it(written: str) -> None:
    found = answer("swarm.parallel_stages", {"src/graph.ts": _ALL + written})
    graph = _graph(_ALL + written)

    assert _pairs(graph) == PAIRS
    assert graph.unresolved == ()
    assert (found.answer, found.confidence) == (True, 1.0)


def test_an_edge_stands_at_its_own_line_of_a_chain() -> None:
    graph = _graph(
        _ALL + 'export const g = new StateGraph(S)\n  .addNode("a", work)\n  .addEdge(START, "a")\n  .compile();'
    )

    assert [edge.line for edge in graph.edges] == [6]
    assert graph.builder == "src/graph.ts:4"


def test_a_graph_is_followed_through_the_files_of_a_workspace() -> None:
    graph = _graph(
        {
            "package.json": '{"name": "root", "dependencies": {"@langchain/langgraph": "1"}}',
            "packages/shared/package.json": '{"name": "@team/shared"}',
            "packages/shared/src/index.ts": 'export * from "./names.js";',
            "packages/shared/src/names.ts": 'export const NAMES = { FIRST: "first", second: "second" } as const;',
            "apps/agent/src/nodes/index.ts": 'export { default as work, other as more } from "./work";',
            "apps/agent/src/nodes/work.js": "module.exports = { default: async () => ({}), other: () => ({}) };",
            "apps/agent/src/graph.ts": """
                import * as lg from "@langchain/langgraph/web";
                import { NAMES } from "@team/shared";
                import { work, more } from "@/nodes";
                const { START: begin, END } = lg;
                export const g = new lg.StateGraph({ channels: { text: null } })
                  .addNode(NAMES.FIRST, work).addNode(NAMES.second, more)
                  .addEdge(begin, NAMES.FIRST).addEdge(NAMES.FIRST, NAMES.second).addEdge(NAMES.second, END).compile();
            """,
        }
    )

    assert _pairs(graph) == {("START", "first"), ("first", "second"), ("second", "END")}
    assert graph.handlers == {"first": "apps/agent/src/nodes/work.js:1", "second": "apps/agent/src/nodes/work.js:1"}
    assert graph.linear


def test_commands_and_what_their_nodes_announce_are_one_decision() -> None:
    graph = _graph(
        _ALL
        + """
        const lead = async (state) => new Command({ goto: state.done ? END : "b", update: { notes: [] } });
        const typed = (state): Promise<"a" | typeof END> => choose(state);
        export const g = new StateGraph(S).addNode("a", lead, { ends: ["b", END] }).addNode("b", work)
          .addEdge(START, "a").addConditionalEdges("b", typed).compile();
        """
    )

    assert _pairs(graph) == {("START", "a"), ("a", "b"), ("a", "END"), ("b", "a"), ("b", "END")}
    assert graph.fan_out == ()


def test_what_only_a_run_would_tell_is_named_and_never_a_sure_no() -> None:
    text = (
        _ALL
        + """
        const g = new StateGraph(S).addNode("a", work).addEdge(START, "a");
        for (const name of await load()) g.addNode(name, work);
        g.addConditionalEdges("a", (state) => state.next);
        export const graph = g.compile();
    """
    )
    found = answer("swarm.parallel_stages", {"src/graph.ts": text})

    assert len(_graph(text).unresolved) == 2
    assert found.answer is False
    assert found.confidence <= 0.65


@pytest.mark.parametrize(
    "text",
    [
        'const text = `new StateGraph(S).addNode("a", f).addEdge(START, "a")`; // new StateGraph(S).addNode("b", f)',
        'import { StateGraph } from "./charts"; export const g = new StateGraph(S).addNode("a", f);',
        'import type { StateGraph } from "@langchain/langgraph"; export type G = StateGraph;',
        'import { StateGraph } from "@langchain/langgraph"; /* new StateGraph(S) */ export const keep = StateGraph.name;',
    ],
    ids=["text and comment", "another library", "a type", "an import alone"],
)  # fmt: skip
def test_what_only_looks_like_a_graph_is_none(text: str) -> None:
    assert answer("swarm.graph", {"src/graph.ts": text}).answer is not True


def test_wrapped_functions_and_the_library_s_own_router_are_followed() -> None:
    text = (
        _ALL
        + """
        import { toolsCondition, ToolNode } from "@langchain/langgraph/prebuilt";
        import { RunnableLambda } from "@langchain/core/runnables";
        export const g = new StateGraph(S)
          .addNode("ask", new RunnableLambda({ func: work }).withConfig({ tags: ["x"] }))
          .addNode("tools", new ToolNode([]))
          .addEdge(START, "ask").addConditionalEdges("ask", toolsCondition).addEdge("tools", "ask").compile();
    """
    )
    graph = _graph(text)

    assert _pairs(graph) == {("START", "ask"), ("ask", "tools"), ("ask", "END"), ("tools", "ask")}
    assert graph.handlers == {"ask": "src/graph.ts:3"}


def test_a_graph_in_tests_is_not_the_product_s() -> None:
    files = {
        "src/graph.test.ts": _ALL + 'new StateGraph(S).addNode("a", work).addEdge(START, "a");',
        "src/a.ts": "export {}",
    }

    assert answer("swarm.graph", files).answer is not True


STATES = {
    "an annotation": "Annotation.Root({ ...MessagesAnnotation.spec, found: Annotation({ reducer: merge }), done: Annotation<boolean> })",
    "a zod object": "z.object({ messages: MessagesZodState.shape.messages, found: z.record(Fact).langgraph.reducer(merge), done: z.boolean() })",
    "zod with a wrapper": "z.object({ messages: withLangGraph(z.custom(), MessagesZodMeta), found: withLangGraph(z.array(Fact), { reducer: { fn: merge } }) }).extend({ done: z.string() })",
    "a table of channels": "{ channels: { messages: { value: messagesStateReducer, default: () => [] }, found: { reducer: merge }, done: null } }",
    "an annotation under options": "{ stateSchema: Annotation.Root({ messages: Annotation({ reducer: messagesStateReducer }), found: Annotation(merge), done: Annotation() }) }",
}


@pytest.mark.parametrize("written", STATES.values(), ids=STATES)
def test_a_state_tells_its_fields_and_their_reducers(written: str) -> None:
    found = data(
        "swarm.state",
        {
            "src/graph.ts": f"""
            import {{ StateGraph, Annotation, MessagesAnnotation, MessagesZodState, MessagesZodMeta, messagesStateReducer, START }} from "@langchain/langgraph";
            import {{ z }} from "zod";
            import {{ withLangGraph }} from "@langchain/langgraph/zod";
            const merge = (a, b) => ({{ ...a, ...b }});
            const Fact = z.object({{ path: z.string() }});
            const Shared = {written};
            export const g = new StateGraph(Shared).addNode("a", () => ({{}})).addEdge(START, "a").compile();
            """
        },
    )

    assert isinstance(found, StateData)
    assert {name: field.reducer for name, field in found.fields.items()} == {
        "messages": "custom:messagesStateReducer", "found": "custom:merge", "done": "none",
    }  # fmt: skip


def test_parallel_nodes_that_write_one_plain_field_are_told() -> None:
    text = (
        _HEAD
        + """
        const S = Annotation.Root({ score: Annotation<number>, notes: Annotation<string[]>({ reducer: (a, b) => [...a, ...b] }) });
        const one = async ({ notes }: typeof S.State) => { const score = 1; return { score, notes }; };
        const two = (state) => ({ ...{ score: 2 } });
        export const g = new StateGraph(S).addNode("one", one).addNode("two", two).addNode("join", () => ({}))
          .addEdge(START, "one").addEdge(START, "two").addEdge(["one", "two"], "join").addEdge("join", END).compile();
    """
    )
    found = answer("swarm.reducers", {"src/graph.ts": text})

    assert found.answer is False
    assert found.data is not None
    assert found.data.model_dump()["unprotected"] == {"score": ("one", "two")}


JUDGES = """
    import { StateGraph, Annotation, START, END } from "@langchain/langgraph";
    import { ChatOpenAI } from "@langchain/openai";
    import OpenAI from "openai";
    import { zodResponseFormat } from "openai/helpers/zod";
    import { generateObject } from "ai";
    import { z } from "zod";
    const Opinion = z.object({ score: z.number(), argument: z.string() });
    const client = new OpenAI();
    const model = new ChatOpenAI({ model: "m" });
    const prosecutor = async (state) => ({ opinions: [ASK] });
    const S = Annotation.Root({ opinions: Annotation<object[]>({ reducer: (a, b) => a.concat(b) }) });
    export const g = new StateGraph(S).addNode("prosecutor", prosecutor).addEdge(START, "prosecutor").addEdge("prosecutor", END).compile();
"""


@pytest.mark.parametrize(
    ("ask", "method", "schema"),
    [
        ("await model.withStructuredOutput(Opinion).invoke(state.text)", "with_structured_output", "Opinion"),
        ('await model.bindTools([{ name: "opinion", parameters: {} }]).invoke("x")', "bind_tools", None),
        ('(await client.chat.completions.parse({ model: "m", messages: [], response_format: zodResponseFormat(Opinion, "o") })).x', "native_schema", "Opinion"),
        ('(await generateObject({ model, schema: Opinion, prompt: "p" })).object', "native_schema", "Opinion"),
        ('JSON.parse((await model.invoke("p")).content)', "manual_parse", ""),
        ('(await model.invoke("p")).content', "none", ""),
    ],
)  # fmt: skip
def test_a_judge_in_a_script_tells_how_it_answers(ask: str, method: str, schema: str | None) -> None:
    found = data("swarm.structured_output", {"src/graph.ts": JUDGES.replace("ASK", ask)})

    assert isinstance(found, OutputsData)
    assert found.method == method
    assert schema is None or found.schema_ == schema


def test_a_no_about_other_libraries_is_less_sure_in_scripts_than_one_about_the_graph() -> None:
    found = system(
        {"src/graph.ts": _ALL + 'export const g = new StateGraph(S).addNode("a", work).addEdge(START, "a").compile();'}
    )

    assert found.answers["swarm.report_written"][0].confidence <= 0.6
    assert found.answers["swarm.parallel_stages"][0].confidence == 1.0


def test_only_scripts_that_use_the_library_and_their_neighbours_are_followed() -> None:
    texts = {
        "src/graph.ts": 'import { StateGraph } from "@langchain/langgraph";\nimport { work } from "./work.js";',
        "src/work.ts": 'import { deep } from "@/deep/deep";',
        "src/deep/deep.ts": "export const deep = 1;",
        "src/server.ts": 'import { graph } from "./graph";',
        "src/page.tsx": 'import { useStream } from "@langchain/langgraph-sdk/react";',
    }
    unread: dict[str, str] = {}

    assert {each.path for each in reachable_scripts.reachable_scripts(texts, unread)} == {
        "src/graph.ts",
        "src/work.ts",
        "src/deep/deep.ts",
        "src/server.ts",
    }
    assert unread == {}
    assert not reachable_scripts.manifests_name_library(
        [Source("package.json", '{"dependencies": {"@langchain/langgraph-sdk": "1"}}')]
    )
    assert reachable_scripts.manifests_name_library(
        [Source("package.json", '{"dependencies": {"@langchain/langgraph": "1"}}')]
    )


HOSTILE = {
    "nested calls": "f(" * 3_000 + ")" * 3_000,
    "nested callbacks": "x.map((a) => " * 400 + "1" + ")" * 400,
    "nested blocks": "x.map((a) => { return " * 400 + "1" + "})" * 400,
    "nested schemas": "z.object({a: " * 400 + "1" + "})" * 400,
    "nested patterns": "const " + "{a: " * 400 + "b" + "}" * 400 + " = c;",
    "nested assignments": "a" + "[b = c" * 300 + "]" * 300 + " = 1;",
    "a long chain": "export const g = new StateGraph(S)" + "".join(f'.addNode("n{n}", work)' for n in range(2_000)),
    "a wide list": "const x = [" + "1," * 60_000 + "];",
    "unclosed brackets": "([{" * 5_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_script_costs_a_bounded_time_and_hides_no_other_file(text: str) -> None:
    start = time.monotonic()
    found = system(
        {
            "src/hostile.ts": 'import "@langchain/langgraph";\nimport { z } from "zod";\n' + text,
            "src/graph.ts": _ALL
            + 'export const g = new StateGraph(S).addNode("a", work).addEdge(START, "a").compile();',
        }
    )

    assert time.monotonic() - start < 5
    graphs = [each.data for each in found.answers["swarm.graph"] if isinstance(each.data, GraphData)]
    assert "a" in {node for graph in graphs for node in graph.nodes}


def test_a_set_leaves_out_of_a_list_what_it_has() -> None:
    graph = data(
        "swarm.graph",
        {
            "src/graph.ts": """
import { StateGraph, START, END } from "@langchain/langgraph";
const NODES = { FIRST: "first", SECOND: "second", HUB: "hub" } as const;
const APART = new Set<string>([NODES.HUB]);
const BACK = (Object.values(NODES) as string[]).filter((node) => !APART.has(node));
const graph = new StateGraph(State)
  .addNode(NODES.FIRST, first)
  .addNode(NODES.SECOND, second)
  .addNode(NODES.HUB, hub);
for (const node of BACK) {
  graph.addEdge(node, NODES.HUB);
}
graph.addEdge(START, NODES.FIRST);
graph.addEdge(NODES.HUB, END);
export const app = graph.compile();
"""
        },
    )
    assert isinstance(graph, GraphData)
    assert {(edge.source, edge.target) for edge in graph.edges} == {
        ("first", "hub"),
        ("second", "hub"),
        ("START", "first"),
        ("hub", "END"),
    }


_ALIASED = {
    "web/tsconfig.json": '{\n  // folders\n  "compilerOptions": {\n    "baseUrl": "./",\n    "paths": {\n      "@steps/*": ["src/steps/*"],\n    },\n  },\n}\n',
    "web/src/steps/names.ts": 'export const NAMES = { FIRST: "first", LAST: "last" };\n',
    "web/src/graph.ts": """
import { StateGraph, START, END } from "@langchain/langgraph";
import { NAMES } from "@steps/names";
const graph = new StateGraph(State)
  .addNode(NAMES.FIRST, one)
  .addNode(NAMES.LAST, two)
  .addEdge(START, NAMES.FIRST)
  .addEdge(NAMES.FIRST, NAMES.LAST)
  .addEdge(NAMES.LAST, END);
export const app = graph.compile();
""",
}


def test_folders_that_the_compilers_settings_name_are_found() -> None:
    graph = data("swarm.graph", _ALIASED)
    assert isinstance(graph, GraphData)
    assert graph.nodes == ("first", "last")
    assert graph.unresolved == ()


@pytest.mark.parametrize(
    "settings",
    [
        {"web/tsconfig.json": None},
        {"web/tsconfig.json": _ALIASED["web/tsconfig.json"].replace("src/steps", "src/others")},
        {"web/tsconfig.json": None, "server/tsconfig.json": _ALIASED["web/tsconfig.json"]},
        {"web/tsconfig.json": '{"compilerOptions": {"paths": ' + '{"@a/*": ["' * 5_000},
    ],
)
def test_folders_that_are_named_otherwise_or_for_others_are_not_guessed(settings: dict[str, str | None]) -> None:
    files = {path: text for path, text in {**_ALIASED, **settings}.items() if text is not None}
    graph = data("swarm.graph", files)
    assert isinstance(graph, GraphData)
    assert graph.unresolved != ()
