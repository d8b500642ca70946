"""Spans tell which model, how many tokens and how it ended, and no word of what was asked or answered."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, Tracer, TracerProvider, use_span

from auditor.judges import request_telemetry
from tests.judges.cases import heard
from tests.judges.model_stand_in import Says, Standin, good


class Recorded(NonRecordingSpan):
    """A span that keeps its attributes."""

    def __init__(self, name: str, attributes: Any) -> None:
        super().__init__(SpanContext(1, 1, is_remote=False, trace_flags=TraceFlags(TraceFlags.SAMPLED)))
        self.name = name
        self.attributes: dict[str, Any] = dict(attributes or {})

    def is_recording(self) -> bool:
        return True

    def set_attribute(self, key: str, value: Any) -> None:
        self.attributes[key] = value

    def set_attributes(self, attributes: Any) -> None:
        self.attributes.update(attributes)

    def add_event(self, name: str, attributes: Any = None, timestamp: int | None = None) -> None:
        self.attributes[f"event {name}"] = attributes


class Keeping(TracerProvider, Tracer):
    """Keeps every span that is begun."""

    def __init__(self) -> None:
        self.spans: list[Recorded] = []

    def get_tracer(self, *_: Any, **__: Any) -> Tracer:
        return self

    def start_span(
        self, name: str, context: Any = None, kind: Any = None, attributes: Any = None, *_: Any, **__: Any
    ) -> Recorded:
        self.spans.append(Recorded(name, attributes))
        return self.spans[-1]

    @contextmanager
    def start_as_current_span(self, name: str, *arguments: Any, **more: Any) -> Iterator[Recorded]:  # type: ignore[override]
        with use_span(self.start_span(name, *arguments, **more)) as span:
            yield span  # type: ignore[misc]


def test_each_request_has_a_span_by_the_conventions_and_none_has_content() -> None:
    keeping = Keeping()
    model = Standin(lambda body: Says(good(body)))
    heard(model.connect(open_telemetry=request_telemetry.tracing_options(keeping)))
    asked = [each for each in keeping.spans if each.name.endswith("messages.create")]
    assert len(asked) == 3
    for each in asked:
        assert each.attributes["gen_ai.operation.name"] == "chat"
        assert each.attributes["gen_ai.request.model"] == "claude-sonnet-5-5"
        assert each.attributes["gen_ai.usage.output_tokens"] > 0
    told = repr([each.attributes for each in keeping.spans])
    for word in ("You judge a code base", "subprocess.run", "It is so."):
        assert word not in told


def test_nobody_makes_spans_that_nobody_takes() -> None:
    assert request_telemetry.make_tracer_provider({}) is None
    assert (
        request_telemetry.make_tracer_provider(
            {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "OTEL_SDK_DISABLED": "true"}
        )
        is None
    )
    assert request_telemetry.tracing_options(None)["traces"] == {"enabled": False}
