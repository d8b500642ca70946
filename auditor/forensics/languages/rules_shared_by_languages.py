"""Sentences, patterns and rules that several languages share."""

from __future__ import annotations

import re

from auditor.forensics.languages.built_query_patterns import BUILT_GRAPH_QUERY, SQL_STATEMENT
from auditor.forensics.languages.keyword_gated_patterns import compile_pattern
from auditor.forensics.languages.language_rule_types import (
    ALL_ARGUMENTS,
    RECEIVER,
    WHOLE_CALL,
    ArgumentCondition,
    CallRule,
)
from auditor.forensics.languages.string_syntax import DYNAMIC_MARK, ITEM_SEPARATOR
from auditor.forensics.python.justifying_comments import UNINFORMATIVE_WORD
from auditor.forensics.source_text.decode_and_run_commands import DECODE_AND_RUN_COMMAND

CONSTANT_COMMAND_REASON = "the command is a constant, so no input can reach the shell"
USE_NOT_TRACED_REASON = "what the hash protects was not analysed"
KEYED_HASH_REASON = "with a key it has not been broken in practice (RFC 6151)"
ORIGIN_NOT_TRACED_REASON = "the origin of its parts was not analysed"
GRAPH_DATABASE_KEYWORDS = (b"neo4j", b"Neo4j", b"neo4rs", b"memgraph", b"Memgraph", b"cypher", b"Cypher")
IDENTIFIER_REASON = "it looks like a table or column name, which cannot be a parameter"
_FILLED_VALUE = rf"[\s'\"(%]*{DYNAMIC_MARK}(?!\.[a-z_])"
BUILT_CONDITION = compile_pattern(
    rf"(?i)^(?={SQL_STATEMENT})(?:[^{ITEM_SEPARATOR}]*{DYNAMIC_MARK})|[\w\"\])]\s*(?:[<>!=]=?|<>|\b(?:not\s+)?(?:like|ilike|in|between|is|regexp)\b){_FILLED_VALUE}|\w\(\s*(?:'[^'{DYNAMIC_MARK}{ITEM_SEPARATOR}]{{0,60}}'\s*,\s*){{0,3}}'[^'{DYNAMIC_MARK}{ITEM_SEPARATOR}]{{0,60}}{DYNAMIC_MARK}|^{DYNAMIC_MARK}\s*(?:=|[<>]|\blike\b|\bin\b)"
)
"""A part of a query into which a value is put."""
BUILT_QUERY_PART = compile_pattern(
    rf"[\w)\]\"',.]\s*{DYNAMIC_MARK}|{DYNAMIC_MARK}\s*[\w(\[\"',.]|{DYNAMIC_MARK}[\s,]+{DYNAMIC_MARK}"
)
"""Text with something put in, where all text is taken for a part of a query."""
_WRAPPER_PROGRAMS = rf"(?:(?:[\w./-]*/)?(?:sudo|doas|env|docker|docker-compose|podman|nerdctl|kubectl|oc|nsenter|unshare|chroot|lxc|incus|flatpak-spawn|systemd-run|timeout|nice|ionice|nohup|setsid|stdbuf|xargs|find|parallel|wsl(?:\.exe)?|heroku|fly|vagrant){ITEM_SEPARATOR}(?:[^{ITEM_SEPARATOR}]*{ITEM_SEPARATOR}){{0,12}}?)?"
"""Programs that run the command that their last arguments are."""
SHELL_INVOCATION = rf"^{_WRAPPER_PROGRAMS}(?:(?:/usr)?(?:/local)?(?:/bin/)?(?:ba|z|da|k)?sh{ITEM_SEPARATOR}(?:-[\w-]+{ITEM_SEPARATOR}(?:(?<=o{ITEM_SEPARATOR})\w+{ITEM_SEPARATOR})?){{0,4}}?-\w*c|(?i:(?:[\w:\\\\/]*[\\\\/])?cmd(?:\.exe)?{ITEM_SEPARATOR}(?:/\w{ITEM_SEPARATOR}){{0,3}}?/[ck]|(?:[\w:\\\\/]*[\\\\/])?(?:powershell|pwsh)(?:\.exe)?{ITEM_SEPARATOR}(?:-\w+{ITEM_SEPARATOR}){{0,6}}?(?:-c\w*|/c)))(?:{ITEM_SEPARATOR}|$)"
"""The words of a command line that hand the one after them to a shell."""
BUILT_INTERPRETER_COMMAND = compile_pattern(
    rf"^{_WRAPPER_PROGRAMS}(?:[\w./-]*/)?(?:node|python[\d.]*|perl|ruby|php|bun|osascript){ITEM_SEPARATOR}(?:-\w+{ITEM_SEPARATOR}){{0,3}}?(?:-[a-zA-Z]*[ecrp]|--eval|--print){ITEM_SEPARATOR}[^{ITEM_SEPARATOR}]*{DYNAMIC_MARK}"
)
"""The words of a command line that hand a text put together at run time to an interpreter as its program."""
BUILT_SHELL_COMMAND = compile_pattern(rf"{SHELL_INVOCATION}(?=.*{DYNAMIC_MARK})")
CONSTANT_SHELL_COMMAND = compile_pattern(SHELL_INVOCATION)
_REMOTE_SHELL = rf"^(?:sudo{ITEM_SEPARATOR})?(?:sshpass{ITEM_SEPARATOR}(?:[^{ITEM_SEPARATOR}]*{ITEM_SEPARATOR}){{1,3}}?)?(?:[\w./-]*/)?(?:ssh|autossh|mosh){ITEM_SEPARATOR}(?:[^{ITEM_SEPARATOR}]*{ITEM_SEPARATOR}){{1,12}}?"
BUILT_REMOTE_COMMAND = compile_pattern(
    rf"{_REMOTE_SHELL}(?=[^{ITEM_SEPARATOR}]*[\s;&|])(?=[^{ITEM_SEPARATOR}]*{DYNAMIC_MARK})[\w./{DYNAMIC_MARK}][^{ITEM_SEPARATOR}=\s]*[\s;&|]"
)
"""The words of a command line that hand a command, put together at run time, to a shell on another machine."""
CONSTANT_REMOTE_COMMAND = compile_pattern(
    rf"{_REMOTE_SHELL}[A-Za-z_][\w./-]*\s[^{ITEM_SEPARATOR}{DYNAMIC_MARK}]*(?:{ITEM_SEPARATOR}|$)"
)
BUILT_REMOTE_STATEMENT = "Shell injection risk: a command built at run time is run in a shell on another machine"
CONSTANT_REMOTE_STATEMENT = "Constant command is run in a shell on another machine"
DECODED_SHELL_COMMAND = compile_pattern(rf"{SHELL_INVOCATION}.*(?:{DECODE_AND_RUN_COMMAND})")
_UNINFORMATIVE_WORDS = (
    rf"[^\w\n/*#]{{0,20}}(?i:{UNINFORMATIVE_WORD}(?:[^\w\n]{{1,20}}{UNINFORMATIVE_WORD}){{0,5}})[^\w\n]{{0,20}}"
)
UNINFORMATIVE_COMMENT_BODY = (
    rf"\{{\s*(?:(?://|#){_UNINFORMATIVE_WORDS}\n\s*|/\*+{_UNINFORMATIVE_WORDS}\n?\s*\*/\s*)\}}$"
)
"""A body of nothing but a comment that gives no reason."""
REPORTED_ELSEWHERE_REASON = "the failure may be reported elsewhere"
UNCHECKED_OUTPUT_STATEMENT = "Output of the child process is used without checking its exit status"
EMPTY_OUTPUT_REASON = "empty output may be handled as a failure"
PRIVATE_FOLDER_REASON = "the directory may belong to one user only"
PARTLY_GENERATED_REASON = "part of the name is set at run time"
FIXED_FILE_STATEMENT = (
    "File with a fixed name is written to the shared temporary directory: another user can create it first"
)
GUESSABLE_FILE_STATEMENT = (
    "File with a predictable name is written to the shared temporary directory: another user can create it first"
)
GUESSABLE_FOLDER_STATEMENT = (
    "Directory with a predictable name is created in the shared temporary directory, or reused if it exists"
)
_TEMPORARY_FOLDER = r"(?:^|\n)/(?:(?:private/)?(?:var/)?tmp|dev/shm)"
FIXED_TEMPORARY_PATH = compile_pattern(
    rf"{_TEMPORARY_FOLDER}(?:/+|(?=[A-Za-z]))[^{DYNAMIC_MARK}{ITEM_SEPARATOR}\n]+(?:\n|$)"
)
"""A path in a folder that all users share, all of it known."""
GUESSABLE_TEMPORARY_PATH = compile_pattern(
    rf"{_TEMPORARY_FOLDER}(?:/+|(?=[A-Za-z{DYNAMIC_MARK}]))[^{ITEM_SEPARATOR}\n]*{DYNAMIC_MARK}"
)
"""The same with a part that is filled in."""
TEMPORARY_PATH_ARGUMENT = compile_pattern(
    rf"(?:^|[\s>{ITEM_SEPARATOR}])(?:--?[\w-]+=|of=|['\"])?/(?:(?:private/)?(?:var/)?tmp|dev/shm)(?:/+|(?=[A-Za-z{DYNAMIC_MARK}]))[\w.{DYNAMIC_MARK}-]"
)
"""A command in which such a path stands."""
READ_ONLY_COMMAND = compile_pattern(
    rf"^(?:sudo[\s{ITEM_SEPARATOR}]+)?(?:[\w./-]*/)?(?:cat|rm|rmdir|ls|stat|head|tail|grep|wc|file|du|df|diff|cmp|test|find|less|unlink|shred|md5sum|sha\d+sum|readlink|chmod|chown|pkill|kill|umount|mount|open|xdg-open|docker|podman)(?:[\s{ITEM_SEPARATOR}]|$)"
)
"""A command that writes nothing where it is told to look, or writes on another machine."""
_WORD_GAP = rf"[\s{ITEM_SEPARATOR}]"
UNVERIFIED_TLS_COMMAND = compile_pattern(
    rf"(?:^|[\s;&|(/{ITEM_SEPARATOR}])(?:curl{_WORD_GAP}(?:[^;|&\n]{{0,300}}?{_WORD_GAP})?(?:--insecure|-[a-zA-Z]{{0,8}}k[a-zA-Z]{{0,8}})|wget{_WORD_GAP}(?:[^;|&\n]{{0,300}}?{_WORD_GAP})?--no-check-certificate|git{_WORD_GAP}(?:[^;|&\n]{{0,200}}?{_WORD_GAP})?http\.sslVerify(?:=|{_WORD_GAP})(?:false|0))(?:{_WORD_GAP}|$)"
    rf"|\bStrictHostKeyChecking[= ](?:no|off)\b|\bUserKnownHostsFile[= ]/dev/null\b"
)
"""A command that tells its program not to verify the server."""
UNVERIFIED_TLS_KEYWORDS = (b"curl", b"wget", b"sslVerify", b"StrictHostKeyChecking", b"UserKnownHostsFile")
UNVERIFIED_TLS_URL = compile_pattern(
    r"^[rb]?#?[\"'`]{1,3}[^\"'`\s]{3,300}?(?:[?&;](?:tlsInsecure=true|tlsAllowInvalidCertificates=true|tlsAllowInvalidHostnames=true|sslmode=no-verify|tls=skip-verify|trustServerCertificate=true|TrustServerCertificate=true|TrustServerCertificate=True|verifyServerCertificate=false|ssl_cert_reqs=none|ssl_cert_reqs=CERT_NONE|ssl_verify=false|ssl_verify_cert=false)(?![\w-])|(?<=rediss:)//[^\"'`\s]{3,200}#insecure\b)"
)
"""A URL whose parameters switch verification off."""
PROGRAM_FILE_STATEMENT = "Program is given a predictable file name in the shared temporary directory"
WRITE_NOT_TRACED_REASON = "whether the program writes to it was not analysed"
RANDOM_NAME_SOURCE = compile_pattern(
    r"(?i)uuid|ulid|token|secret|rand|nonce|unique|mkd?s?temp|mktmp|nanoid|ksuid|cuid|hexdigest|createtemp|tempfile|(?<!os\.)tempdir\b"
)
"""Names of functions and variables that make a file name unguessable."""


_DEBUG_MARKER = r"(?i:x{3,}|z{3,}|a?sdf+(?:gh|asdf)*\b|qwert\w*|(?:i\s+am|i'm|got|am|in|right|reached|we\s+are|gets?|still)\s+here\b|here(?=\W*\d*\W*$)|here\s*[!?]+|>{3,}\s*\w|<{3,}\s*\w|!{3,}|\?{3,}\s*$|@{3,}|\w{1,20}(?:\s\w{1,20})?\s?[!?]{2,}\W*$|wtf\b|blah\b|foo(?:bar)?(?=\W*$))|HERE\b(?!\s+[A-Za-z])"
"""What somebody prints to find where a program gets to, and nobody on purpose."""
DEBUG_MARKER_TEXT = compile_pattern(rf"^[\"'`](?:\\n|[\s\[(*#=.:-]){{0,20}}(?:{_DEBUG_MARKER})")
DEBUG_LABEL_TEXT = compile_pattern(
    r"^[\"'`](?:\\n|[\s\[(*#=<>.:-]){0,20}(?:DEBUG\b|DBG\b|(?i:debug|dbg)\s*(?:[:>]|-+>|=+>))"
)
_SEPARATOR_TEXT = compile_pattern(r"^[\"'`]\s*(?:[=*#~_+-]\s{0,2}){3,}(?:\\n)?\s*[\"'`]$")
_VERBOSE_CONDITION = re.compile(
    rb"(?i)\b(?:if|unless|&&)\b[^\n]{0,60}(?:debug|verbose|trace)|(?:debug|verbose|trace)\w*(?:\(\))?\s*(?:&&|\))"
)


INTENDED_OUTPUT_REASON = "the output may be meant for users"
BARE_VALUE_STATEMENT = "Bare value is printed, like debug output"


def debug_print_rules(calls: tuple[str, ...]) -> tuple[CallRule, CallRule, CallRule]:
    """Rules for calls that print texts which only debugging needs."""
    told = "Printed text looks like leftover debug output"
    meant = INTENDED_OUTPUT_REASON
    return (
        CallRule("text.debug_leftovers", calls, told, (ArgumentCondition(0, DEBUG_MARKER_TEXT),), 0.75, meant),
        CallRule(
            "text.debug_leftovers",
            calls,
            told,
            (ArgumentCondition(0, DEBUG_LABEL_TEXT),),
            0.6,
            meant,
            unless_in_file=_VERBOSE_CONDITION,
        ),
        CallRule(
            "text.debug_leftovers",
            calls,
            told,
            (ArgumentCondition(0, _SEPARATOR_TEXT), ArgumentCondition(1, compile_pattern(r"^[\w$.]+$"))),
            0.6,
            meant,
        ),
    )


def temporary_file_rules(
    calls: tuple[str, ...], *unless: ArgumentCondition, place: int | None = 0
) -> tuple[CallRule, CallRule]:
    """Rules for calls that write to a path at a position, where it lies in the shared temporary folder."""
    return (
        CallRule("code.insecure_temporary_file", calls, FIXED_FILE_STATEMENT, (ArgumentCondition(place, reads=FIXED_TEMPORARY_PATH),), 0.8, PRIVATE_FOLDER_REASON, unless),
        CallRule("code.insecure_temporary_file", calls, GUESSABLE_FILE_STATEMENT, (ArgumentCondition(place, reads=GUESSABLE_TEMPORARY_PATH),), 0.65, PARTLY_GENERATED_REASON, (*unless, ArgumentCondition(place, sources_pattern=RANDOM_NAME_SOURCE))),
    )  # fmt: skip


def temporary_argument_rule(calls: tuple[str, ...], *when: ArgumentCondition, place: int = ALL_ARGUMENTS) -> CallRule:
    """The rule for calls that start a program with a path in the shared temporary folder."""
    return CallRule(
        "code.insecure_temporary_file", calls, PROGRAM_FILE_STATEMENT, (*when, ArgumentCondition(place, reads=TEMPORARY_PATH_ARGUMENT)), 0.55, WRITE_NOT_TRACED_REASON,
        (ArgumentCondition(place, reads=READ_ONLY_COMMAND), ArgumentCondition(WHOLE_CALL if place == RECEIVER else None, sources_pattern=RANDOM_NAME_SOURCE)),
    )  # fmt: skip


def graph_query_rule(calls: tuple[str, ...]) -> CallRule:
    """The rule for calls that query a graph database."""
    return CallRule(
        "code.sql_from_strings", calls, "Query built by string formatting: a value is interpolated into the query of {call}", (ArgumentCondition(None, reads=BUILT_GRAPH_QUERY),), 0.75, ORIGIN_NOT_TRACED_REASON, beside=GRAPH_DATABASE_KEYWORDS,
    )  # fmt: skip


_CLOCK_OR_PROCESS_ID = compile_pattern(
    r"Date\.now\(|process\.pid|\bgetTime\(\)|time\.Now\(\)|\bos\.Getpid\(|Time\.(?:now|current)|Process\.pid|\$\$|currentTimeMillis\(|nanoTime\(|process::id\(|SystemTime::now\(|Utc::now\(|Local::now\("
)
"""The time, or the number of a process: of these others try a few."""


def temporary_folder_rules(
    calls: tuple[str, ...], *when: ArgumentCondition, place: int = 0
) -> tuple[CallRule, CallRule]:
    """Rules for calls that create a folder and accept one that is there already."""
    probe, told = "code.insecure_temporary_file", GUESSABLE_FOLDER_STATEMENT
    counted = (
        ArgumentCondition(place, reads=GUESSABLE_TEMPORARY_PATH),
        *when,
        ArgumentCondition(place, sources_pattern=_CLOCK_OR_PROCESS_ID),
    )
    return (
        CallRule(
            probe,
            calls,
            told,
            (ArgumentCondition(place, reads=FIXED_TEMPORARY_PATH), *when),
            0.55,
            PRIVATE_FOLDER_REASON,
        ),
        CallRule(
            probe,
            calls,
            told,
            counted,
            0.55,
            PARTLY_GENERATED_REASON,
            (ArgumentCondition(place, sources_pattern=RANDOM_NAME_SOURCE),),
        ),
    )
