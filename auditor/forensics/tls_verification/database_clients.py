"""Clients of databases and services with names of their own for it, and addresses that say it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.forensics.python.node_match import Match
from auditor.forensics.source_text.site_types import Site
from auditor.forensics.tls_verification.disabling_settings import OFF, pair_is_off

_NO_SSLMODE = ("disable", "allow", "prefer")
"""Modes in which a PostgreSQL client talks to whoever answers, without a certificate."""
OPTIONS: dict[str, tuple[str, tuple[object, ...]]] = {
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
    **dict.fromkeys((f"{package}.connect" for package in ("psycopg", "psycopg2", "psycopg.Connection", "psycopg.AsyncConnection", "aiopg", "psycopg_pool")), ("sslmode", _NO_SSLMODE)),
    **dict.fromkeys(("asyncpg.connect", "asyncpg.create_pool"), ("ssl", (False, *_NO_SSLMODE))),
    **dict.fromkeys(("asyncssh.connect", "asyncssh.create_connection"), ("known_hosts", (None,))),
    **dict.fromkeys(("docker.tls.TLSConfig", "consul.Consul", "jenkins.Jenkins", "httpx.HTTPTransport", "httpx.AsyncHTTPTransport"), ("verify", (False,))),
    **dict.fromkeys(("influxdb.InfluxDBClient", "influxdb_client.InfluxDBClient", "proxmoxer.ProxmoxAPI", "pyzabbix.ZabbixAPI"), ("verify_ssl", (False,))),
    **dict.fromkeys(("kafka.KafkaProducer", "kafka.KafkaConsumer"), ("ssl_check_hostname", (False,))),
    **dict.fromkeys(("minio.Minio", "minio.api.Minio"), ("cert_check", (False,))),
    **dict.fromkeys(("winrm.Session", "winrm.Protocol", "winrm.protocol.Protocol"), ("server_cert_validation", ("ignore",))),
    **dict.fromkeys(("aiosmtplib.SMTP", "aiosmtplib.send"), ("validate_certs", (False,))),
}  # fmt: skip
"""Calls of libraries that have a name of their own for it: the argument, and the values that switch it off."""


def by_option(match: Match) -> Iterator[Site]:
    """A client that has a name of its own for it; one on the machine itself needs no check."""
    name, off = OPTIONS[match.name]
    passed = match.argument(name)
    is_off = passed is not None and (match.value(passed) in off or pair_is_off(match, name, passed))
    if is_off and match.value(match.argument("host")) not in HERE:
        yield match.site(OFF)
    else:
        yield from by_address(match)


HERE = frozenset({"localhost", "127.0.0.1", "::1"})
"""Hosts that are the machine itself."""
_LOOSE_ADDRESS = re.compile(
    r"(?:^|[?&\s])(?:sslmode=(?:disable|allow|prefer)|(?:tlsInsecure|tlsAllowInvalidCertificates|tlsAllowInvalidHostnames)=true|ssl_cert_reqs=(?:CERT_)?none|ssl_check_hostname=false)\b",
    re.IGNORECASE,
)
_LOCAL_ADDRESS = re.compile(r"localhost|127\.0\.0\.1|\[::1\]|@/|host=/|^(?!.*(?:host=|://))", re.DOTALL)


def by_address(match: Match) -> Iterator[Site]:
    """The address of a database that says not to ask who answers."""
    address = match.value(match.call.args[0]) if match.call.args else None
    if isinstance(address, str) and _LOOSE_ADDRESS.search(address) and not _LOCAL_ADDRESS.search(address):
        yield match.site(OFF)
