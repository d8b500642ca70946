"""JavaScript and TypeScript."""

from __future__ import annotations

import re
from dataclasses import replace

from auditor.forensics.languages import grammar_workarounds
from auditor.forensics.languages.exports.javascript import EXPORT_KEYWORDS
from auditor.forensics.languages.javascript_grammars import (
    FILE_HEAD,
    alternative_parses,
    typescript_alternatives,
    typescript_grammar,
)
from auditor.forensics.languages.javascript_imports import IMPORT_KEYWORDS, read_imports
from auditor.forensics.languages.javascript_rules import RULES
from auditor.forensics.languages.keyword_gated_patterns import compile_pattern
from auditor.forensics.languages.language_type import Language
from auditor.forensics.languages.string_syntax import StringSyntax
from auditor.forensics.languages.test_syntax import TestSyntax
from auditor.forensics.source_text.tree_sitter_grammars import grammar

_STRING_SYNTAX = StringSyntax(
    literals=frozenset({"string", "template_string"}),
    interpolation_kinds=frozenset({"template_substitution"}),
    gives={"variable_declarator": ("name", "value"), "assignment_expression": ("left", "right"), "augmented_assignment_expression": ("left", "right")},
    fields={"field_definition": ("property", "value")},
    defaults={"assignment_pattern": ("left", "right"), "object_assignment_pattern": ("left", "right")},
    self_names=re.compile(r"this$|[A-Z]\w*$"),
    declares=frozenset({"variable_declarator"}),
    around={"parenthesized_expression": "", "as_expression": "", "non_null_expression": "", "satisfies_expression": "", "await_expression": "", "spread_element": ""},
    choices={"ternary_expression": ("consequence", "alternative")},
    lists=frozenset({"array"}),
    records=frozenset({"object"}),
    members=frozenset({"member_expression"}),
    calls=frozenset({"call_expression", "new_expression"}),
    format_calls=re.compile(r"^(?:util\.|utils?\.)?(?:format|sprintf|vsprintf)$"),
    same=re.compile(r"(?:^|\.)(?:trim|trimStart|trimEnd|toString|normalize|valueOf|replace|replaceAll)$"),
    identity_calls=re.compile(r"^(?:String|text|dedent|stripIndent|Object\.freeze)$"),
    list_calls=re.compile(r"^(?:Object\.assign|(?:_|lodash)\.(?:assign|extend|merge|defaults)|extend|merge)$"),
    adds=re.compile(r"(?:^|\.)concat$"),
    append_methods=re.compile(r"(?:^|\.)push$"),
    returns=frozenset({"return_statement"}),
    growing=re.compile(rb"[\w$.]{1,80}\.(?:push|concat)\("),
    paths=re.compile(r"^(?:path\.(?:posix\.|win32\.)?)?(?:join|resolve)$"),
    temporary_folder=re.compile(rb"(?:(?:require\(['\"](?:node:)?os['\"]\)|\w*[oO]s)\.)?tmpdir\(\)|await\s+realpath\(\s*(?:os\.)?tmpdir\(\)\s*\)"),
    join_calls=re.compile(r"(?:^|\.)join$"),
    assignment_before=re.compile(rb"(?:\b(?:const|let|var|using)|,|/)\s*\Z"),
    boolean_assignment=re.compile(rb"\s{0,9}=\s{0,9}(?:true|false|!0|!1)\b"),
    function_value_kinds=frozenset({"arrow_function", "function_expression"}),
    assignment_after=re.compile(rb"\s*(?:[/:!]|[-+*/%&|^<>?]{0,3}=(?![=>])|\.\s*(?:push|concat)\b|\.\w{1,40}\s{0,9}=\s{0,9}(?:true|false|!0|!1)\b)"),
)  # fmt: skip
_TYPESCRIPT_STRING_SYNTAX = replace(
    _STRING_SYNTAX,
    fields={"public_field_definition": ("name", "value"), "enum_assignment": ("name", "value")},
    defaults={**_STRING_SYNTAX.defaults, "required_parameter": ("pattern", "value"), "optional_parameter": ("pattern", "value")},
)  # fmt: skip
_TEST_MODIFIERS = rb"(?:\.(?:only|skip|todo|fixme|fails|failing|concurrent|sequential|serial|parallel|shuffle|each|for|skipIf|runIf|cb))*"
_EXPECT_ERROR_COMMENT = r"\s{0,20}@ts-expect-error\b"
"""A comment that the compiler checks: it fails where the line below holds no mistake of types."""
_TEST_SYNTAX = TestSyntax(
    comments=compile_pattern(rf"//(?!{_EXPECT_ERROR_COMMENT})[^\n]*|/\*(?!{_EXPECT_ERROR_COMMENT}).*?\*/"),
    words=(b"it(", b"it.", b"test(", b"test.", b"specify"),
    calls=re.compile(rb"(?:(?:t|Deno|QUnit)\.)?[xf]?(?:it|test|specify)" + _TEST_MODIFIERS + rb"(?![\w$.])"),
    holders=re.compile(rb"(?:test\.)?[xf]?(?:describe|context|suite)" + _TEST_MODIFIERS + rb"(?![\w$.])"),
    checks=compile_pattern(
        r"@ts-expect-error\b|\b(?:expect\w*|assert\w*|should|verify\w*|check\w*|fail|throws?|rejects|snapshot\w*|toMatch\w*|toThrow\w*|t\.(?:is\w*|not\w*|ok\w*|equal\w*|same\w*|deep\w*|does\w*|like|match\w*|has\w*|type|emits|resolves\w*|assert|plan|true\w*|false\w*|truthy\w*|falsy\w*|throws\w*|error|ifErr\w*)|cy\.contains|(?:get|find)(?:All)?By[A-Z]\w*|done(?=\s*\)|\(\s*e(?:rr\w*)?\b)|ensure\w*|validate\w*|until\w*|waitFor\w*|run[A-Z]\w*Tests?|test[A-Z]\w*|(?:create|make)\w*Tests?)\b|\.(?:should|to)\b"
    ),
    is_counted_always_check=True,
    counted=compile_pattern(
        r"\b(?:expect|assert)\w*(?:\.\w+)*\s*[(<]|\.should\b|\bt\.(?:is|not|deepEqual|true|false|truthy|falsy|throws|equal|same|ok)\w*\(|\.(?:rejects|toThrow)\b"
    ),
    trivial=compile_pattern(
        r"\bexpect\((?<!= expect\()(?<!\.expect\()(?>(?>(?:[^()]{1,400}+|\((?>(?:[^()]{1,200}+|\([^()]{0,200}+\)){0,200})\)){0,400})\))[ \t]*(?:;|(?=\n\s*[^\s.])|(?=\s*\Z))|\bexpect\(\s*(true|false|\d+|null|undefined)\s*\)\.(?:toBe|toEqual|toStrictEqual|to\.equal|to\.be)\(\s*\1\s*\)|\bexpect\(\s*true\s*\)\.(?:toBeTruthy\(\s*\)|to\.be\.true)|\bassert(?:\.ok)?\(\s*(?:true|1)\s*(?:,[^;]{0,200})?\)|\bassert\.(?:equal|strictEqual|deepEqual)\(\s*(\w+)\s*,\s*\2\s*\)|\bexpect\.(?:assertions\(\s*\d+\s*\)|hasAssertions\(\s*\))"
    ),
    skipped=compile_pattern(
        r"^x(?:it|test|specify|describe|context|suite)\b|^[\w.]*\.(?:skip|todo|fixme|fails|failing)\b|\b(?:skip|todo)\s*:\s*(?!false\b|undefined\b|null\b)\S"
    ),
    conditional=compile_pattern(r"^[\w.]*\.(?:skipIf|runIf)\b"),
    alone=compile_pattern(r"^f(?:it|test|specify|describe|context|suite)\b|^[\w.]*\.only\b|\bonly\s*:\s*true\b"),
    stops=compile_pattern(
        r"(?:(?:await\s+)?(?:this|t|ctx|context|test|it)\.(?:skip|fixme|todo)\(\s*(?:\)|['\"`]|true\b))|(?:pending|skip)\(\s*(?:\)|['\"`])"
    ),
)
_SHARED_FIELDS = {
    "alternative_parses": alternative_parses,
    "calls": {"call_expression": "function", "new_expression": "constructor"},
    "callee_fields": ("function", "constructor"),
    "functions": frozenset({"function_declaration", "function_expression", "arrow_function", "method_definition", "generator_function_declaration"}),
    "branches": frozenset({"if_statement", "for_statement", "for_in_statement", "while_statement", "do_statement", "switch_case", "catch_clause", "ternary_expression"}),
    "values": frozenset({"pair", "assignment_expression", "variable_declarator"}),
    "writing": _STRING_SYNTAX,
    "handlers": frozenset({"catch_clause"}),
    "imports": read_imports,
    "head": FILE_HEAD,
    "imported": IMPORT_KEYWORDS,
    "export_keywords": EXPORT_KEYWORDS,
    "test_syntax": _TEST_SYNTAX,
    "rules": RULES,
}  # fmt: skip
JAVASCRIPT = Language(name="javascript", grammar=lambda _content: grammar("tree_sitter_javascript"), **_SHARED_FIELDS)  # type: ignore[arg-type]
TYPESCRIPT = replace(
    JAVASCRIPT,
    name="typescript",
    grammar=typescript_grammar,
    dialect_keywords=frozenset({"/>", "</"}),
    preprocess=grammar_workarounds.rewrite_type_reexports,
    preprocess_keywords=grammar_workarounds.TYPE_REEXPORT_KEYWORDS,
    alternative_parses=typescript_alternatives,
    writing=_TYPESCRIPT_STRING_SYNTAX,
)
