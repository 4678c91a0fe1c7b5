# The app, the command line and the HTTP service in one image: docs/how-to/deploy.md. `.ci/dockerfile` runs these steps
# without a container.
FROM python:3.11-slim AS build
ARG EXTRAS=app,code,documents,pgvector,serve
WORKDIR /src
COPY . .
RUN python -m venv /opt/chunkscope
RUN /opt/chunkscope/bin/pip install --no-cache-dir --constraint constraints.txt ".[${EXTRAS}]"

FROM python:3.11-slim
RUN useradd --uid 10001 --no-create-home chunkscope && install --directory --owner=10001 --group=10001 /data
COPY --from=build /opt/chunkscope /opt/chunkscope
# All that is written is in /data and /tmp, so that the rest may be read-only. CHUNKSCOPE_TOKEN is asked of everybody; where it
# is not given, one is drawn and printed.
ENV PATH=/opt/chunkscope/bin:$PATH \
    HOME=/data \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    CHUNKSCOPE_DATA=/data/kept \
    CHUNKSCOPE_CACHE=/data/cache \
    CHUNKSCOPE_MEMORY_MB=1000 \
    CHUNKSCOPE_RUN_MEMORY_MB=1000 \
    CHUNKSCOPE_RUN_SECONDS=60
WORKDIR /data
VOLUME /data
USER 10001:10001
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD python -c "import os, urllib.request as u; u.urlopen('http://127.0.0.1:8501/' + (os.environ.get('STREAMLIT_SERVER_BASE_URL_PATH', '').strip('/') + '/_stcore/health').strip('/'), timeout=4)"
ENTRYPOINT ["chunkscope"]
CMD ["app", "--port", "8501", "--server.address", "0.0.0.0", "--server.headless", "true"]
