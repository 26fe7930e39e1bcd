# Built in one stage, run in another: the image holds the runtime dependencies and the wheel, and no build tool. Every
# dependency comes as a wheel, so that no stage needs a compiler.
FROM python:3.11-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /build

COPY requirements.lock requirements-build.lock ./
RUN python -m venv /opt/gendei \
    && /opt/gendei/bin/pip install --only-binary :all: --require-hashes --requirement requirements.lock \
    && pip install --only-binary :all: --require-hashes --requirement requirements-build.lock

COPY pyproject.toml README.md ./
COPY src ./src
COPY prompts ./prompts
COPY verticals ./verticals
COPY clinics ./clinics
COPY evals ./evals
RUN pip wheel --no-deps --no-build-isolation --wheel-dir dist . \
    && /opt/gendei/bin/pip install --no-deps dist/*.whl \
    && /opt/gendei/bin/gendei check


FROM python:3.11-slim
ENV PATH=/opt/gendei/bin:$PATH \
    HOME=/data \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    GENDEI_DATABASE=sqlite:////data/gendei.db \
    FORWARDED_ALLOW_IPS=127.0.0.1,::1,169.254.0.0/16 \
    PORT=8000

RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin gendei \
    && install --directory --owner=gendei --group=gendei --mode=700 /data
COPY --from=build /opt/gendei /opt/gendei

USER gendei
WORKDIR /data
VOLUME /data
EXPOSE 8000

HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["python", "-c", \
    "import os, urllib.request as web; web.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/healthz', timeout=4)"]

# A shell reads PORT, which Cloud Run sets, and gives its place to the service, which is then told when to stop.
CMD ["sh", "-c", "exec gendei serve --host 0.0.0.0 --port \"$PORT\""]
