"""Clients of databases and services with names of their own for it, and addresses that say it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.forensics.python.node_match import Match
from auditor.forensics.source_text.site_probe_types import Site
from auditor.forensics.tls_verification.disabling_settings import CONNECTION_STATEMENT, is_insecure_pair

_INSECURE_SSLMODES = ("disable", "allow", "prefer")
"""Modes in which a PostgreSQL client checks no certificate."""
CLIENT_OPTIONS: dict[str, tuple[str, tuple[object, ...]]] = {
    **dict.fromkeys(
        (f"{module}.{name}" for module in ("elasticsearch", "opensearchpy") for name in ("Elasticsearch", "AsyncElasticsearch", "OpenSearch", "AsyncOpenSearch")),
        ("verify_certs", (False,)),
    ),
    **dict.fromkeys(("boto3.client", "boto3.resource", "boto3.Session.client", "boto3.session.Session.client", "hvac.Client"), ("verify", (False,))),
    **dict.fromkeys(("pymongo.MongoClient", "pymongo.mongo_client.MongoClient", "motor.motor_asyncio.AsyncIOMotorClient"), ("tlsAllowInvalidCertificates", (True,))),
    **dict.fromkeys(("redis.Redis", "redis.StrictRedis", "redis.from_url", "redis.Redis.from_url", "redis.asyncio.Redis.from_url", "redis.asyncio.Redis", "redis.asyncio.from_url"), ("ssl_cert_reqs", (None, "none"))),
    **dict.fromkeys(("pymysql.connect", "MySQLdb.connect", "mysql.connector.connect"), ("ssl_verify_cert", (False,))),
    **dict.fromkeys(("gitlab.Gitlab", "pyVim.connect.SmartConnect"), ("ssl_verify", (False,))),
    **dict.fromkeys(("tornado.httpclient.HTTPRequest", "tornado.httpclient.AsyncHTTPClient.fetch"), ("validate_cert", (False,))),
    **dict.fromkeys((f"{package}.connect" for package in ("psycopg", "psycopg2", "psycopg.Connection", "psycopg.AsyncConnection", "aiopg", "psycopg_pool")), ("sslmode", _INSECURE_SSLMODES)),
    **dict.fromkeys(("asyncpg.connect", "asyncpg.create_pool"), ("ssl", (False, *_INSECURE_SSLMODES))),
    **dict.fromkeys(("asyncssh.connect", "asyncssh.create_connection"), ("known_hosts", (None,))),
    **dict.fromkeys(("docker.tls.TLSConfig", "consul.Consul", "jenkins.Jenkins", "httpx.HTTPTransport", "httpx.AsyncHTTPTransport"), ("verify", (False,))),
    **dict.fromkeys(("influxdb.InfluxDBClient", "influxdb_client.InfluxDBClient", "proxmoxer.ProxmoxAPI", "pyzabbix.ZabbixAPI"), ("verify_ssl", (False,))),
    **dict.fromkeys(("kafka.KafkaProducer", "kafka.KafkaConsumer"), ("ssl_check_hostname", (False,))),
    **dict.fromkeys(("minio.Minio", "minio.api.Minio"), ("cert_check", (False,))),
    **dict.fromkeys(("winrm.Session", "winrm.Protocol", "winrm.protocol.Protocol"), ("server_cert_validation", ("ignore",))),
    **dict.fromkeys(("aiosmtplib.SMTP", "aiosmtplib.send"), ("validate_certs", (False,))),
}  # fmt: skip
"""Calls with a verification argument of their own: the argument, and the values that disable it."""


def by_client_option(match: Match) -> Iterator[Site]:
    """A client whose own option disables verification; one on the local machine needs no check."""
    name, off = CLIENT_OPTIONS[match.name]
    passed = match.argument(name)
    is_off = passed is not None and (match.value(passed) in off or is_insecure_pair(match, name, passed))
    if is_off and match.value(match.argument("host")) not in LOCAL_HOSTS:
        yield match.site(CONNECTION_STATEMENT)
    else:
        yield from by_database_address(match)


LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
"""Host names of the local machine."""
_INSECURE_ADDRESS = re.compile(
    r"(?:^|[?&\s])(?:sslmode=(?:disable|allow|prefer)|(?:tlsInsecure|tlsAllowInvalidCertificates|tlsAllowInvalidHostnames)=true|ssl_cert_reqs=(?:CERT_)?none|ssl_check_hostname=false)\b",
    re.IGNORECASE,
)
_LOCAL_ADDRESS = re.compile(r"localhost|127\.0\.0\.1|\[::1\]|@/|host=/|^(?!.*(?:host=|://))", re.DOTALL)


def by_database_address(match: Match) -> Iterator[Site]:
    """A database address that disables verification."""
    address = match.value(match.call.args[0]) if match.call.args else None
    if isinstance(address, str) and _INSECURE_ADDRESS.search(address) and not _LOCAL_ADDRESS.search(address):
        yield match.site(CONNECTION_STATEMENT)
