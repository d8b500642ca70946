"""Ways in which a change is said to work that leave a sign wherever they are: jitter, a lock, a transaction, a probe, a matrix.

Signs are many for each, as whoever does something writes it in many ways; only where none of them stands in any changed file
is the statement wrong. What comments and documents say is no sign: it may be said there that another does it, or that nobody does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from auditor.forensics.description.change_contents import (
    FROM_WORDING,
    MAX_SENTENCES,
    Answer,
    Ground,
    Held,
    Sentence,
    beginning,
    put_off,
)
from auditor.forensics.description.phrase_claim_checks import Told, held_once
from auditor.forensics.source_text.comments import lines_without_comments
from auditor.forensics.source_text.file_roles import Role, is_code, is_test, language, role
from auditor.lazy_regex import lazy_compile


class _Manner(NamedTuple):
    """How a way of working is told, and what of it stands in files of some kind."""

    name: str
    words: re.Pattern[str]
    signs: re.Pattern[str]
    of: Callable[[str], bool]
    material: re.Pattern[str] | None = None
    """What lines that come must hold beside, for the statement to be about them."""


def _i(words: str) -> re.Pattern[str]:
    return lazy_compile(words, re.IGNORECASE | re.MULTILINE)


def _is_product(path: str) -> bool:
    return is_code(path) and not is_test(path)


def _is_workflow(path: str) -> bool:
    return role(path) is Role.WORKFLOW


_named_image = _i(r"(?:^|/)(?:[\w.-]*(?:dockerfile|containerfile)[\w.-]*|(?:docker-)?compose[\w.-]*\.ya?ml)$")
_named_cluster = _i(r"(?:^|/)(?:k8s|kubernetes|deploy\w*|manifests?|charts?|helm|overlays|base|templates)/[^\n]*\.ya?ml$|(?:^|/)[\w-]*deployment[\w-]*\.ya?ml$")  # fmt: skip
_named_table = _i(r"migrat|alembic|/versions/|\.sql$|schema|/models?[./]|entit")
_named_page = _i(r"\.(?:html?|jsx|tsx|vue|svelte|erb|css|scss|less|ejs|hbs|jinja2?|j2|blade\.php|twig|cshtml|razor)$")


def _is_image(path: str) -> bool:
    return _named_image.search(path) is not None


def _is_built_from(path: str) -> bool:
    return _is_image(path) and "compose" not in path.lower()


def _is_cluster(path: str) -> bool:
    return _named_cluster.search(path) is not None and not _is_workflow(path)


def _is_table(path: str) -> bool:
    return _named_table.search(path) is not None and not is_test(path)


def _is_page(path: str) -> bool:
    return _named_page.search(path) is not None and not is_test(path)


def _code(name: str, words: str, signs: str, material: str = "") -> _Manner:
    return _Manner(name, _i(words), _i(signs), _is_product, _i(material) if material else None)


_DONE = r"(?:is|are|gets?|being)\s+(?:now\s+|also\s+|then\s+|always\s+)?"
_MANNERS = (
    _code(
        "exponential",
        r"\bexponential(?:ly)?\b[^.;]{0,30}\b(?:back-?off|delays?|retr\w{1,4}|waits?)\b|\bback(?:s|ing|ed)?[- ]?off\s+exponentially\b|\b(?:wait|delay|pause)\w{0,2}\s+(?:is\s+|are\s+)?(?:doubled|doubles)\b",
        r"\*\*|<<|\bpow\b|exponential|\*=|multipl|factor|\*\s*2|2\s*\*|doubl|retry_?backoff|backoff[(_.]|p-retry|async-retry|tenacity|\.shl|urllib3|backoff\.on|\bexp\b",
        r"sleep|delay|wait|setTimeout|After\(",
    ),
    _code(
        "jitter",
        r"\b(?:with|adds?|and|plus|some|random|full)\s+(?:\w+\s+)?jitter\b|\bjitter\s+is\s+(?:now\s+)?added\b",
        r"jitter|rand|uniform",
        r"sleep|delay|wait|setTimeout|retr|attempt|After\(|interval",
    ),
    _code(
        "ignores_case",
        r"\bcase[- ]insensitive(?:ly)?\b|\b(?:ignor(?:es?|ing)|regardless\s+of|irrespective\s+of)\s+(?:the\s+|upper\s+and\s+lower\s+)?case\b|\bwhatever\s+(?:the|their|its)\s+case\b|\bupper\s+and\s+lower\s+case\s+(?:are|is)\s+(?:treated\s+)?(?:alike|the\s+same)",
        r"lower|casefold|upper|ignore_?case|ilike|icontains|iexact|istartswith|EqualFold|insensitive|nocase|re\.I\b|\(\?i|/[gmsuy]{0,4}i[gmsuy]{0,4}\b|citext|localeCompare|collat|strcase|stricmp|fold|capitalize|downcase|upcase|swapcase|-i\b|stri?pos|stristr|[\"']g?im?[\"']|/i|\bLIKE\b",
    ),
    _code(
        "guarded",
        r"\bthread[- ]safe(?:ly)?\b|\b(?:protected|guarded)\s+(?:by|with)\s+(?:an?\s+|the\s+)?(?:\w+\s+)?(?:lock|mutex|semaphore)\b|\b(?:takes?|holds?|acquires?)\s+(?:an?\s+|the\s+)(?:\w+\s+)?(?:lock|mutex)\b|\bsafe\s+for\s+concurrent\s+use\b",
        r"lock|mutex|synchroni|atomic|semaphore|monitor|\bchan\b|queue|thread|Once\b|concurren|actor|volatile|Interlocked|sync\.|immutable|frozen|transaction|FOR\s+UPDATE|serial|single",
    ),
    _code(
        "transaction",
        r"\b(?:in|inside|within)\s+(?:an?|one|a\s+single|the\s+same)\s+(?:single\s+)?(?:database\s+|db\s+)?transaction\b|\bwrapp?(?:ed|s)\s+(?:\w+\s+){0,4}in\s+a\s+(?:database\s+|db\s+)?transaction\b|\btransactionally\b",
        r"transact|atomic|\bbegin\b|commit|rollback|\btx\b|with_?tx|unit_?of_?work|session|batch",
    ),
    _code(
        "logged",
        rf"\b(?:failures?|errors?|exceptions?|retries|warnings?|attempts?|rows?|messages?|requests?|timeouts?|each\s+\w+|every\s+\w+)\s+(?:\w+\s+){{0,3}}{_DONE}logged\b",
        r"log|print|warn|console|trace|puts|echo|emit|report|sentry|capture|debug|info|write|record|stderr",
    ),
    _code(
        "stderr",
        r"\b(?:to|on)\s+(?:the\s+)?(?:`?stderr`?|standard\s+error)\b",
        r"stderr|standard.error|err\s*=\s*True|console\.(?:error|warn)|eprint|>&\s?2|Console\.Error|System\.err|\bwarnings?\.|\bwarn!?\(|\.warn|\blog|perror|PrintErr|abort|SystemExit|sys\.exit|\.error\(|die\b|\$std|2>|panic|Fatal|anyhow|raise|throw",
        r"print|write|echo|puts|console|output|Println",
    ),
    _code(
        "parallel",
        r"\b(?:fetch|load|run|download|upload|process|convert|resiz|send|query|check|request|read|import|render|compil|call|comput)\w{0,4}\s+(?:\w+\s+){0,4}(?:in\s+parallel|concurrently)\b",
        r"gather|Promise|thread|pool|\bgo\s|async|await|rayon|par_|WaitGroup|executor|concurren|multiproc|future|parallel|xargs|&\s*$|spawn|join|task|errgroup|chan|worker|fork|matrix|-j\b|-n\b|batch|stream",
    ),
    _code(
        "constant_time",
        r"\b(?:in\s+|with\s+a\s+)?constant[- ]time(?:\s+comparison|\s+compare)?\b|\btiming[- ](?:safe|attack)\w*",
        r"compare_digest|timing_?-?safe|constant_?time|secure_?compare|hash_equals|isEqual|subtle|verify|ct_eq|safe_?compare|fixed_?time|safe_?equal|timing|bcrypt|argon|hmac\.equal|check_password",
    ),
    _code("http_only", r"\b(?:http-?only)\b(?:\s+cookies?)?", r"http_?-?only|HTTP_?ONLY", r"cookie|session"),
    _code("same_site", r"\b(?:with|sets?|set|gets?|is|are|and|,)\s+`?same-?site\b", r"same_?-?site", r"cookie|session"),
    _code(
        "times_out",
        r"\b(?:with|has|have|gets?|adds?|sets?|uses?|now)\s+(?:an?\s+|the\s+|their\s+own\s+)?(?:\w+\s+)?timeouts?\b|\b(?:requests?|calls?|connections?|queries|lookups?)\s+(?:now\s+)?time\s+out\b",
        r"time_?-?out|deadline|abort|AfterFunc|expir|wait|limit|ttl|duration|_ms\b|[a-z]Ms\b|interval|alarm|seconds",
    ),
    _code(
        "retried",
        rf"\b(?:requests?|calls?|downloads?|uploads?|failures?|it|jobs?|messages?|queries|deliveries)\s+(?:\w+\s+){{0,3}}{_DONE}(?:retried|tried\s+again|repeated)\b|\bretr(?:y|ies)\s+(?:failed|the\s+(?:request|call|download|upload)|up\s+to|on\b)",
        r"retr|attempt|again|tries|\bfor\b|while|loop|backoff|range|times|resil|polly|tenacity|redeliver|repeat|until",
    ),
    _code(
        "closed",
        r"\b(?:file|handle|connection|session|stream|socket|cursor|response|client|reader|writer)s?\s+(?:is|are|gets?)\s+(?:now\s+|always\s+|also\s+){0,2}(?:properly\s+)?(?:closed|released|disposed)\b|\balways\s+closes\s+the\b",
        r"close|\bwith\b|using|defer|dispos|finally|try\s*\(|drop|release|context|ensure|shutdown|\bend\(|free|\.use\s*\{|File\.open|quit|disconnect|destroy|cleanup|Drop\b",
    ),
    _code(
        "trimmed",
        r"\b(?:surrounding|leading|trailing|outer)\s+(?:and\s+(?:trailing|leading)\s+)?(?:white-?space|spaces|blanks)\s+(?:is|are)\s+(?:now\s+|also\s+)?(?:removed|ignored|stripped|trimmed|cut)|\b(?:is|are)\s+(?:now\s+)?(?:trimmed|stripped\s+of\s+(?:white-?space|blanks|spaces))\b",
        r"strip|trim|chomp|squish|\\s|regex|re\.|replace|split|collapse|normali|fields|isspace|white|squeeze|rtrim|ltrim|sub\(|truncat|cut",
    ),
    _code(
        "sorted",
        rf"\b{_DONE}(?:(?:sorted|ordered)\s+by|(?:sorted|ordered|listed)\s+(?:alphabetically|in\s+(?:alphabetical|ascending|descending)\s+order))\b|\bin\s+alphabetical\s+order\b|\bsorts?\s+(?:the\s+|them\s+|all\s+)?(?:\w+\s+){{0,2}}(?:by|alphabetically)\b",
        r"sort|order|collat|rank|BTree|TreeMap|TreeSet|heap|\bmin\(|\bmax\(|cmp|compare|alphabet|arrange|priority|bisect|ASC\b|DESC\b",
    ),
    _code(
        "rounded",
        rf"\b{_DONE}rounded\b",
        r"round|floor|ceil|trunc|quantize|toFixed|%\.\d|:\.\d|\bint\(|//|>>|precision|scale|decimal|NumberFormat|Math\.|half",
    ),
    _code(
        "confirmed",
        r"\basks?\s+(?:the\s+user\s+)?for\s+confirmation\b|\b(?:shows?|opens?|adds?)\s+a\s+confirm(?:ation)?\s+(?:dialog|prompt|step)\b|\bprompts?\s+(?:for\s+confirmation\s+)?before\s+(?:delet|remov|overwrit)\w+",
        r"confirm|prompt|dialog|modal|are you sure|input\(|readline|\bask|alert|\[y/n\]|y/n|\byes\b|question|sure",
    ),
    _code(
        "shuts_down",
        r"\bgraceful(?:ly)?\s+(?:shut\s?down|shuts?\s+down|stops?|terminat\w+|exits?)\b|\b(?:shuts?\s+down|stops?|terminates?|exits?)\s+gracefully\b|\b(?:on|handles?|catches|reacts?\s+to)\s+`?SIG(?:TERM|INT|HUP)`?\b",
        r"sig|shutdown|graceful|terminat|notify|\bstop|drain|close|trap|atexit|lifespan|lifecycle|preStop|quit|interrupt|KeyboardInterrupt|cancel",
    ),
    _code(
        "compressed",
        rf"\b{_DONE}(?:compressed|gzipped|zipped)\b",
        r"gz|compress|zip|brotli|zst|deflate|lz|snappy|\btar\b|\bxz\b|bz2|\bbr\b",
    ),
    _code(
        "encrypted",
        rf"\b{_DONE}encrypted\b",
        r"crypt|cipher|\baes|fernet|seal|kms|\btls|ssl|https|vault|sops|\bage\b|gpg|box|scram|secure",
    ),
    _code(
        "redirected",
        rf"\b(?:users?|visitors?|requests?|clients?|browsers?|old\s+\w+|it|they)\s+(?:\w+\s+){{0,3}}{_DONE}redirected\b|\b(?:the\s+old\s+(?:\w+\s+){{0,2}}|`/[\w/-]+`\s+)(?:now\s+)?redirects?\s+to\b",
        r"redirect|\b30[12378]\b|Location|rewrite|moved|navigate|return_to|href|router|\.push\(|refresh|MovedPermanently|replace|goto",
    ),
    _code(
        "paged",
        r"\b(?:is|are)\s+(?:now\s+)?(?:paged|paginated|delivered\s+in\s+pages)\b|\bpaginat(?:es|e)\s+(?:the|all|GET|results)\b",
        r"page|limit|offset|cursor|per_|take|skip|first|size|next|slice|chunk|paginat|rows",
    ),
    _code(
        "escaped",
        r"\b(?:is|are)\s+(?:now\s+)?(?:properly\s+|always\s+|html-?)*(?:escaped|sanitised|sanitized)\b|\b(?:escap(?:es|e)|saniti[sz](?:es|e))\s+(?:the|all|user|html|every|each|any)\b",
        r"escap|saniti|bleach|purif|textContent|innerText|htmlspecialchars|encode|quot|safe|strip|clean|createTextNode|nh3|markup|replace|regexp|translate|\.text\(|param|shlex|mb_|filter|validat|autoescape|<%=|\{\{",
    ),
    _code(
        "stable",
        r"\b(?:immutable|frozen)\s+(?:now|data\s*class|value|record|object)\b|\b(?:is|are|becomes?)\s+(?:now\s+)?(?:immutable|frozen|read-?only)\b",
        r"frozen|final|readonly|read_only|const|immutable|NamedTuple|record|freeze|tuple|\bval\b|data class|MappingProxy|slots|get;\s*\}|init;|unmodifi|List\.of|copyOf|private|property|getter|permission|\blet\b|\#\w|disabled|mode|Copy\b",
    ),
    _code(
        "metric",
        r"\b(?:a|new|the)\s+(?:\w+\s+)?(?:counter|histogram|gauge|metric)\s+(?:is\s+(?:incremented|exported|recorded)|counts|records|measures|for)\b|\b(?:adds?|exports?|exposes?)\s+(?:an?\s+|new\s+)?(?:\w+\s+)?(?:prometheus\s+)?(?:metrics?|histogram|gauge)\b",
        r"metric|count|gauge|hist|statsd|prom|observe|\binc|meter|telemetry|timer|summary|\bstat",
    ),
    _code(
        "bom",
        r"\bwith\s+an?\s+(?:UTF-?8\s+)?(?:BOM|byte\s+order\s+mark)\b",
        r"\bbom|bom\b|sig\b|feff|\\xef|0xEF|UTF8Encoding|Utf8Bom|Encoding\.UTF8|efbbbf",
    ),
    _code(
        "recursive",
        r"\b(?:search|scan|walk|cop|delet|list|look|watch|find|read)\w{0,4}\s+(?:\w+\s+){0,4}recursively\b|\bincluding\s+(?:all\s+)?sub-?(?:folders|directories)\b",
        r"recurs|rglob|walk|\*\*|descend|nested|-[a-zA-Z]*[rR]\b|glob|depth|stack|queue|visit|readdir|rm_rf|rmtree|copytree|AllDirectories|find\s|tree|SearchOption|children|\bfind\b",
    ),
    _Manner(
        "concurrent_index",
        _i(r"\bindex\w*\b[^.;]{0,60}\bconcurrently\b|\bconcurrently\b[^.;]{0,40}\bindex"),
        _i(r"concurrently"),
        _is_table,
        _i(r"index"),
    ),
    _Manner(
        "foreign_key",
        _i(r"\b(?:with|adds?|has|gets?|is|as|and)\s+(?:an?\s+|the\s+)?foreign\s+keys?\b"),
        _i(r"foreign|references|belongs_to|relation|@ManyToOne|@JoinColumn|constrained|\bFK|OneToOne|fk_"),
        _is_table,
    ),
    _Manner(
        "not_null",
        _i(
            r"\b(?:is|are|and|with|as|,)\s+(?:now\s+)?(?:`?NOT\s+NULL`?|(?:not|non)[- ]nullable)\b|\bcolumns?\b[^.;]{0,40}\bcannot\s+be\s+null\b"
        ),
        _i(
            r"not\s+null|null:\s*false|nullable\s*=\s*false|nullable:\s*false|null\s*=\s*False|IsRequired|NotNull|required|Mapped\[(?!Optional)|\bnull\s*=>\s*false|CharField|Field\("
        ),
        _is_table,
        _i(r"column|table|field|Column|t\.\w+|add_|ALTER"),
    ),
    _Manner(
        "indexed",
        _i(
            r"\b(?:adds?|with|creates?|gets?|has)\s+(?:an?|the|two|three)\s+(?:\w+\s+){0,2}index(?:es)?\s+(?:on|for|over)\b"
        ),
        _i(r"index|idx|@@|\bKEY\b|unique"),
        _is_table,
    ),
    _Manner(
        "cancels",
        _i(
            r"\b(?:cancel(?:s|led|ed|ling|ing)?)\s+(?:\w+\s+){0,3}(?:older|previous|outdated|running|superseded|in-progress|earlier|stale)\b|\b(?:older|previous|outdated|superseded|earlier|stale|running)\s+(?:\w+\s+){0,2}runs?\s+(?:\w+\s+){0,4}cancel\w*|\bconcurrency\s+group\b"
        ),
        _i(r"concurrency|cancel"),
        _is_workflow,
    ),
    _Manner(
        "cached_there",
        _i(
            r"\b(?:caches?|caching\s+of)\s+(?:the\s+)?(?:\w+\s+)?(?:dependencies|pip|npm|node_modules|packages|downloads|modules|cargo|build|layers|gems)\b|\b(?:dependencies|packages|downloads|modules|layers|gems)\s+(?:\w+\s+){0,2}(?:is|are)\s+(?:now\s+)?cached\b"
        ),
        _i(r"cache"),
        _is_workflow,
    ),
    _Manner(
        "matrix", _i(r"\b(?:in|with|as|over|uses?|adds?)\s+an?\s+(?:\w+\s+)?matrix\b"), _i(r"matrix"), _is_workflow
    ),
    _Manner(
        "fails_softly",
        _i(
            r"\b(?:jobs?|legs?|steps?|checks?|builds?|entry|entries|lint\w{0,4})\s+(?:[\w.`-]{1,20}\s+){0,3}?(?:(?:may|can|is\s+allowed\s+to|are\s+allowed\s+to)\s+fail|does\s+not\s+(?:block|fail\s+the))\b"
        ),
        _i(r"continue-on-error|allow_failure|\|\|\s*true|always\(\)|soft|set \+e|fail-fast|exit 0|\bif:"),
        _is_workflow,
    ),
    _Manner(
        "job_times_out",
        _i(
            r"\b(?:jobs?|workflow|steps?|run)\b[^.;]{0,50}\b(?:times?\s+out\s+after|timeout\s+of|is\s+(?:stopped|cancelled|killed)\s+after)\s+\d"
        ),
        _i(r"timeout|\btimelimit|--max-time"),
        _is_workflow,
    ),
    _Manner(
        "uploaded",
        _i(
            r"\b(?:uploads?|kept|keeps?|stores?|saved|uploaded|published|attached)\b[^.;]{0,50}\bas\s+(?:an?\s+)?(?:build\s+|workflow\s+)?artifacts?\b"
        ),
        _i(r"artifact|upload|release|publish"),
        _is_workflow,
    ),
    _Manner(
        "by_token",
        _i(
            r"\b(?:trusted\s+publish\w+|OIDC|OpenID\s+Connect|without\s+(?:a\s+)?(?:long-lived\s+|stored\s+)(?:secret|token|key)s?)\b"
        ),
        _i(r"id-token|oidc|id_token"),
        _is_workflow,
    ),
    _Manner(
        "for_paths",
        _i(
            r"\b(?:only\s+)?(?:runs?|starts?|triggers?|triggered)\s+(?:\w+\s+){0,2}(?:only\s+)?(?:when|if|for)\s+(?:\w+\s+){0,3}(?:files?|code|docs|documentation|paths?|something|anything|folder|directory|`[^`]{1,40}`)\s+(?:\w+\s+){0,4}(?:chang|touch|modif)\w+"
        ),
        _i(r"paths|changes|changed|filter|\bdiff\b|affected"),
        _is_workflow,
    ),
    _Manner(
        "checked_health",
        _i(
            r"\b(?:adds?|with|has|gets?|and)\s+(?:an?\s+|the\s+)?(?:docker\s+|container\s+)?health-?\s?checks?\b|\ba\s+health-?\s?check\s+(?:asks|calls|polls|pings)\b"
        ),
        _i(r"health|liveness|readiness|probe|\bping\b|heartbeat"),
        lambda path: _is_image(path) or _is_cluster(path),
    ),
    _Manner(
        "in_stages",
        _i(r"\b(?:multi-?stage|two-?stage|in\s+two\s+stages|two\s+stages)\b"),
        _i(r"^[ \t]*FROM\b[^\n]{0,200}\n(?:[^\n]*\n){0,300}?[ \t]*FROM\b"),
        _is_built_from,
    ),
    _Manner(
        "no_root",
        _i(
            r"\b(?:run(?:s|ning)?|starts?|executes?)\s+(?:\w+\s+){0,4}(?:as\s+(?:an?\s+)?(?:non-?root|unprivileged|normal|dedicated)|without\s+root|not\s+as\s+root)\b|\bno\s+longer\s+(?:runs?\s+)?as\s+root\b"
        ),
        _i(
            r"^[ \t]*USER[ \t]+(?!root\b|0\b)|nonroot|runAsUser:\s*[1-9]|runAsNonRoot:\s*true|^[ \t]*user:[ \t]*[\"']?(?!root|0\b)\w|setpriv|gosu|su-exec|unprivileged"
        ),
        lambda path: _is_image(path) or _is_cluster(path),
    ),
    _Manner("probed_ready", _i(r"\breadiness\s+probes?\b"), _i(r"readiness"), _is_cluster),
    _Manner("probed_alive", _i(r"\bliveness\s+probes?\b"), _i(r"liveness"), _is_cluster),
    _Manner("probed_start", _i(r"\bstart-?up\s+probes?\b"), _i(r"startupProbe|startup"), _is_cluster),
    _Manner(
        "limited",
        _i(r"\b(?:memory|cpu|resource)\s+(?:limits?|requests?)\b"),
        _i(r"limits|resources|requests|mem_limit|cpus"),
        lambda path: _is_image(path) or _is_cluster(path),
    ),
    _Manner(
        "restarted",
        _i(
            r"\b(?:restarts?|is\s+restarted|are\s+restarted)\s+(?:automatically|unless\s+stopped|always|by\s+itself|on\s+failure)\b"
        ),
        _i(r"restart"),
        _is_image,
    ),
    _Manner(
        "read_only_root",
        _i(r"\bread-?only\s+(?:root\s+)?file\s?system\b"),
        _i(r"read_?-?only|readOnlyRootFilesystem"),
        lambda path: _is_image(path) or _is_cluster(path),
    ),
    _Manner(
        "dark",
        _i(r"\b(?:adds?|with|has|supports?|in)\s+(?:an?\s+)?dark\s+(?:mode|theme)\b"),
        _i(r"dark|color-scheme|theme"),
        _is_page,
    ),
    _Manner(
        "for_screen_readers",
        _i(r"\baria[- ]labels?\b|\balt(?:ernative)?\s+texts?\b|\bscreen\s+readers?\b"),
        _i(r"aria|\balt\b|role=|sr-only|visually|label|title=|hidden|<caption|<nav|<main|<button|<th"),
        _is_page,
    ),
    _Manner(
        "responsive",
        _i(r"\bresponsive\b|\bon\s+(?:small|narrow)\s+screens\b|\bon\s+(?:phones|mobile(?:\s+devices)?)\b"),
        _i(
            r"@media|min-width|max-width|grid|flex|\b(?:sm|md|lg|xl):|breakpoint|@container|clamp|\dvw|%|minmax|viewport|useMedia|isMobile|mobile|col-|responsive|wrap|xs="
        ),
        lambda path: path.endswith((".css", ".scss", ".less")),
    ),
)
_OTHERWISE = lazy_compile(
    r"\b(?:not|never|without|no|was|were|used\s+to|before|previously|until\s+now|so\s+far|currently|today|would|could|should|may|might|todo|later|follow-?up|instead\s+of|rather\s+than|because|since|unlike|already|still|if|bug|issue|problem|broken|fail(?:s|ed)?|fix(?:es|ed)?|cannot|race|wrong(?:ly)?|lack(?:s|ed)?|when|remov\w+|drop\w*|consider\w*|e\.g|example|like|such\s+as|optional(?:ly)?|support\w*|compat\w*|allow\w*)\b|n't\b",
    re.IGNORECASE,
)
"""Words before a statement by which it is denied, told of another time, or made for another reason."""
_NOT_AFTER = lazy_compile(
    r"^[^.;]{0,60}?\b(?:was|were|before|previously|already|upstream|elsewhere|as\s+before|unchanged|removed|dropped|is\s+gone|no\s+longer|instead\s+of|fails?|failed)\b",
    re.IGNORECASE,
)
_WRONG = "The description says in which way something works, and no changed file holds a sign of it"
_ELSEWHERE = f"{FROM_WORDING}; it may be done by code that the change leaves alone"


def held_manners(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Every way in which something is said to work, once."""
    yield from held_once(
        Told("manner", manner.name, sentence, partial(_shown, manner, ground), _WRONG)
        for sentence in said[:MAX_SENTENCES]
        for manner in _MANNERS
        if _says(manner, sentence.text)
    )


def _says(manner: _Manner, text: str) -> bool:
    found = manner.words.search(text)
    if found is None or put_off(text, found.end()) or _NOT_AFTER.match(text[found.end() : found.end() + 120]):
        return False
    return _OTHERWISE.search(text[max(0, found.start() - 200) : found.start()]) is None


def _shown(manner: _Manner, ground: Ground) -> Answer | None:
    """None where no file of that kind changes by more than words, or a sign of it may stand there for another reason."""
    files = [file for file in ground.change.files if file.added and file.head is not None and manner.of(file.path)]
    if not ground.whole or not any(not ground.only_words(file) for file in files):
        return None
    if manner.material is not None and not _any(manner.material, ground.came_in(manner.of)):
        return None
    texts = [text for text in ground.documents.head.values() if manner.signs.search(text)]
    if not texts:
        return Answer(False, confidence=0.6, because=_ELSEWHERE)
    code = ground.once("code of all files", lambda: _code_of(ground))
    if _any(manner.signs, ground.once("code that comes", lambda: list(_coming(ground, code)))):
        return Answer(True, confidence=0.55, because=_ELSEWHERE)
    if _any(manner.signs, map("\n".join, code.values())):
        return Answer(True, confidence=0.55, because=_ELSEWHERE) if manner.name == "in_stages" else None
    spoken = [line for text in texts for line in text.split("\n") if manner.signs.search(line)]
    denied = spoken and all(_DENIED.search(beginning(line)) for line in spoken)
    return Answer(False, confidence=0.6, because=_ELSEWHERE) if denied else None


def _code_of(ground: Ground) -> dict[str, list[str]]:
    """The lines of all changed files, without comments and documents."""
    return {
        path: lines_without_comments(text, "dockerfile" if _is_built_from(path) else language(path))
        for path, text in ground.documents.head.items()
        if role(path) is not Role.DOCUMENTATION
    }


def _coming(ground: Ground, code: Mapping[str, list[str]]) -> Iterator[str]:
    for file in ground.change.files:
        lines = code.get(file.path, [])
        yield from (lines[number - 1] for number in file.added_lines if number <= len(lines))


def _any(form: re.Pattern[str], texts: Iterable[str]) -> bool:
    return any(form.search(each) for each in texts)


_DENIED = lazy_compile(
    r"\b(?:no|not|never|without|nobody|nothing|todo|fixme|xxx|later|yet|lacks?|missing|should|could|would|consider|instead\s+of|rather\s+than|unlike)\b|n't\b",
    re.IGNORECASE,
)
"""What is said in a comment of something that is not done."""
