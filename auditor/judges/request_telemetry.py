"""Optional spans of the model's requests: the SDK's own, by OpenTelemetry's conventions for generative AI.

They say which model was asked, how many tokens it took and how it ended; never what was asked or answered. They are sent
where the standard variables say, when the extra `telemetry` is installed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opentelemetry.trace import TracerProvider

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_FLUSH_SECONDS = 5.0
"""Seconds for sending what is left, tries and pauses included."""


def make_tracer_provider(environment: Mapping[str, str]) -> TracerProvider | None:
    """Makes and sends spans, when an endpoint is named and the libraries are there; else None."""
    if environment.get("OTEL_SDK_DISABLED", "").lower() == "true" or not any(map(environment.get, _ENDPOINTS)):
        return None
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # type: ignore[import-not-found,unused-ignore]
            OTLPSpanExporter,
        )
        from opentelemetry.sdk.resources import Resource  # type: ignore[import-not-found,unused-ignore]
        from opentelemetry.sdk.trace import TracerProvider as Provider  # type: ignore[import-not-found,unused-ignore]
        from opentelemetry.sdk.trace.export import (  # type: ignore[import-not-found,unused-ignore]
            BatchSpanProcessor,
        )
    except ImportError:
        return None
    made: Any = Provider(
        resource=Resource.create({"service.name": environment.get("OTEL_SERVICE_NAME", "automaton-auditor")})
    )
    made.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(timeout=_FLUSH_SECONDS)))
    return made  # type: ignore[no-any-return]


def tracing_options(tracer_provider: TracerProvider | None) -> dict[str, Any]:
    """The client's option: metadata only, whatever the environment asks for; no spans without somebody to take them."""
    if tracer_provider is None:
        return {"traces": {"enabled": False}, "propagation": False}
    return {"tracer_provider": tracer_provider, "traces": {"enabled": True, "content_mode": "metadata_only"}}


def flush(tracer_provider: TracerProvider | None) -> None:
    """Send what is left; nobody waits long for it."""
    if tracer_provider is not None:
        tracer_provider.force_flush(int(_FLUSH_SECONDS * 1000))  # type: ignore[attr-defined]
