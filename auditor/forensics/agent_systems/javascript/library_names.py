"""What LangGraph.js, its neighbours and the language itself call things, beside the names that the following of code knows."""

from __future__ import annotations

import re

PACKAGE_MARK = "script:"
"""Stands before what a script imports from, since scripts name files and packages rather than modules."""
SCRIPT_SUFFIXES = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
_SCRIPT = re.compile(r"\.[cm]?[jt]sx?$")

METHOD_NAMES = {
    "addNode": "add_node",
    "addEdge": "add_edge",
    "addSequence": "add_sequence",
    "addConditionalEdges": "add_conditional_edges",
    "setEntryPoint": "set_entry_point",
    "setFinishPoint": "set_finish_point",
    "setConditionalEntryPoint": "set_conditional_entry_point",
    "withStructuredOutput": "with_structured_output",
    "bindTools": "bind_tools",
    "withRetry": "with_retry",
    "withFallbacks": "with_fallbacks",
    "withConfig": "with_config",
    "fromTemplate": "from_template",
    "fromMessages": "from_messages",
    "generateContent": "generate_content",
    "sendMessage": "send_message",
    "streamEvents": "astream_events",
    "getState": "get_state",
    "safeParse": "model_validate",
    "parseAsync": "model_validate",
    "safeParseAsync": "model_validate",
    "trim": "strip",
    "toLowerCase": "lower",
    "toUpperCase": "upper",
    "replaceAll": "replace",
    "startsWith": "startswith",
    "endsWith": "endswith",
}
"""Methods that have another name in Python."""
CALLS_WITH_OPTIONS = frozenset(
    {"Command", "RunnableLambda", "generateObject", "generateText", "streamObject", "streamText", "create", "parse", "stream", "generateContent",
     "createReactAgent", "createSupervisor", "createSwarm", "createAgent", "createHandoffTool"}
)  # fmt: skip
"""Calls whose one object of options is read as arguments by name."""
OPTION_NAMES = {
    "ends": "destinations",
    "retryPolicy": "retry_policy",
    "pathMap": "path_map",
    "responseFormat": "response_format",
    "responseMimeType": "response_mime_type",
    "agentName": "agent_name",
    "defaultActiveAgent": "default_active_agent",
    "stateSchema": "state_schema",
    "contextSchema": "context_schema",
}
"""Options that have another name in Python."""


def is_script(path: str) -> bool:
    """Is it a JavaScript or TypeScript file, declarations left out?"""
    return bool(_SCRIPT.search(path)) and not path.endswith((".d.ts", ".d.mts", ".d.cts"))


def package_name(name: str) -> str:
    """The qualified name of what a script imports from a package: `@langchain/langgraph` becomes `langchain.langgraph`."""
    if not name.startswith(PACKAGE_MARK):
        return name
    bare = name.removeprefix(PACKAGE_MARK).removeprefix("node:").removeprefix("npm:").lstrip("@")
    return bare.replace("/", ".").replace("-", "_")
