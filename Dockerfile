# The image of the Action. Root and without a WORKDIR, as GitHub asks of Docker actions: the runner mounts the workspace
# and the files for outputs and the summary, and they belong to another user.

FROM python:3.13-slim-trixie@sha256:8d9d0b8bcf6506481eae4907c18f5e3e7902e629f5f6d684f9e7c32e85e3ddf0 AS build

# git comes from the distribution of the pinned base, with its security updates.
# hadolint ignore=DL3008
RUN find /usr/lib -name '*.so*' > /tmp/libraries \
    && apt-get update \
    && apt-get install --yes --no-install-recommends binutils git \
    && rm -rf /var/lib/apt/lists/*
COPY .github/image /build/image
RUN sh /build/image/collect-git /collected /tmp/libraries

# Wheels only, each by its hash: nothing is compiled, and no package runs code while it is installed.
COPY requirements-image.lock /build/requirements-image.lock
RUN python -m venv --without-pip /opt/auditor \
    && pip --python /opt/auditor/bin/python install --no-cache-dir --no-compile --only-binary :all: --require-hashes \
        --requirement /build/requirements-image.lock \
    && sh /build/image/strip-unused-files /opt/auditor

COPY auditor /opt/auditor/app/auditor
COPY rubric /opt/auditor/app/rubric
COPY templates /opt/auditor/app/templates
RUN echo /opt/auditor/app > "$(echo /opt/auditor/lib/python3*/site-packages)/auditor.pth" \
    && /opt/auditor/bin/python -m compileall -q --invalidation-mode unchecked-hash /opt/auditor \
    && /opt/auditor/bin/python -I -m auditor.compile_tables \
    && KF_RULE_CACHE_DIR=/opt/auditor/secret-rules /opt/auditor/bin/python -I -c \
        'from auditor.forensics.secrets.secret_detector import scanner; scanner()'


FROM python:3.13-slim-trixie@sha256:8d9d0b8bcf6506481eae4907c18f5e3e7902e629f5f6d684f9e7c32e85e3ddf0

LABEL org.opencontainers.image.title="Automaton Auditor" \
      org.opencontainers.image.licenses="MIT"

# The rules of the secret detector, compiled above: four seconds of every run.
ENV KF_RULE_CACHE_DIR=/opt/auditor/secret-rules

COPY --from=build /collected/ /
COPY --from=build /opt/auditor /opt/auditor

# -I: nothing of the workspace, where a pull request may be checked out, is ever importable.
ENTRYPOINT ["/opt/auditor/bin/python", "-I", "-m", "auditor", "action"]
