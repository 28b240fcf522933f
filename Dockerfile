# The app in a container: docker build -t embedding-explorer . && docker run -p 8501:8501 embedding-explorer
# It runs as a user of its own and writes to /data alone, so that the rest can be read-only; docs/serving.md says more.
ARG PYTHON=3.11
FROM python:${PYTHON}-slim

# For bin/serve, which puts several processes behind it.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends nginx-light \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --uid 1000 --home-dir /data --create-home explorer

WORKDIR /app
COPY bin/environment bin/
COPY requirements*.txt ./
# cuda brings NVIDIA's libraries along, several GB, for docker run --gpus all.
ARG TORCH=cpu
# Compiled here, since the app cannot write there what it compiles.
RUN EMBEDDING_EXPLORER_TORCH="$TORCH" PIP_NO_CACHE_DIR=1 PIP_COMPILE=1 bin/environment requirements-metrics.txt
COPY . .
RUN .venv/bin/python -m compileall -q app.py embedlib pages ui

ENV HOME=/data \
    TMPDIR=/data \
    EMBEDLIB_CACHE=/data/embedlib \
    HF_HOME=/data/huggingface \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
USER explorer
VOLUME /data
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=10s --start-period=90s \
    CMD [".venv/bin/python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8501/readyz', timeout=9)"]
CMD ["bin/start"]
