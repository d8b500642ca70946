"""Names of libraries, and of their calls, that the study knows."""

from __future__ import annotations

import builtins

BUILTINS = frozenset(dir(builtins))
BUILDERS = frozenset({"StateGraph", "MessageGraph", "Graph"})
BUILDER_METHODS = frozenset(
    {"add_node", "add_edge", "add_conditional_edges", "add_sequence", "set_entry_point", "set_finish_point",
     "set_conditional_entry_point", "add_conditional_edge", "add_edges", "add_nodes"}
)  # fmt: skip
PROCESS_CALLS = frozenset({"run", "Popen", "call", "check_call", "check_output", "system", "popen", "getoutput", "getstatusoutput",
                  "create_subprocess_exec", "create_subprocess_shell", "execvp", "spawnlp"})  # fmt: skip
CLONE_CALLS = frozenset({"clone_from", "clone", "clone_repository", "clone_repo"})
MODEL_CALLS = frozenset(
    {"invoke", "ainvoke", "batch", "abatch", "stream", "astream", "create", "parse", "completion", "acompletion", "generate",
     "agenerate", "predict", "apredict", "generate_content", "generate_content_async", "chat", "complete", "acomplete", "run_sync",
     "run", "run_stream", "structured_predict", "generateObject", "generateText", "streamObject", "streamText", "create_with_completion", "send_message", "__call__", "predict_messages", "chat_completion"}
)  # fmt: skip
WRITE_CALLS = frozenset({"write_text", "write", "writelines", "open", "write_bytes", "dump", "print"})
HTTP_POST_CALLS = frozenset({"post", "request", "urlopen", "fetch", "apost"})
"""Requests by HTTP, which may ask a model as well."""
TEXT_SPLITTING_METHODS = frozenset({"split", "rsplit", "partition", "rpartition", "splitlines"})
"""Methods that take a text apart."""
RECORDED_CALLS = (
    PROCESS_CALLS
    | TEXT_SPLITTING_METHODS
    | CLONE_CALLS
    | MODEL_CALLS
    | HTTP_POST_CALLS
    | WRITE_CALLS
    | {"rmtree", "cleanup", "loads", "model_validate_json", "parse_raw", "search", "findall", "literal_eval"}
)
FILE_READ_CALLS = frozenset(
    {
        "read_text",
        "read",
        "safe_load",
        "load",
        "loads",
        "full_load",
        "get_template",
        "from_file",
        "load_prompt",
        "render",
        "from_template",
    }
)
LIBRARY_EXPORTS: dict[str, frozenset[str]] = {
    "operator": frozenset({"add", "iadd", "ior", "or_", "concat", "iconcat", "and_", "mul"}),
    "langgraph.graph": frozenset({"StateGraph", "START", "END", "MessagesState", "add_messages", "MessageGraph"}),
    "langgraph.types": frozenset({"Send", "Command", "interrupt", "RetryPolicy"}),
    "pydantic": frozenset({"BaseModel", "Field", "ConfigDict", "ValidationError", "field_validator"}),
}
"""What libraries offer that are imported whole, where a file imports several of them so."""
