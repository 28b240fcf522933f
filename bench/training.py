"""Cost of training: six schemes on one task, one step, stopping, a file, and a long text."""

import multiprocessing
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import islice, pairwise
from statistics import median

import torch

from bench.table import Row
from bench.timing import Samples, format_seconds, one_thread, wall_seconds
from embedlib.extrapolation import (
    TextTask,
    TrainConfig,
    extrapolation,
    length_scores,
    new_run,
    train,
)
from embedlib.grammar import word_kinds
from embedlib.texts import reference_manual
from embedlib.word2vec import SkipGramConfig, kind_score, skip_gram, table_corpus

SCHEMES = ("none", "t5", "alibi", "rope", "sinusoidal", "learned")
CORES = 2
LENGTHS = (5, 10, 15, 20)
LONG = 512
SEEDS = (0, 1, 2)
ENOUGH = 0.8


def rows() -> Iterator[Row]:
    """Yield the rows of the table as they are measured."""
    yield six_schemes_row()
    yield meaning_row()
    with one_thread():
        yield step_row()
        yield stop_row()
        yield long_row()


def six_schemes_row() -> Row:
    """Train and score six schemes on sorting, two at a time, each in a process with one thread."""
    started = time.perf_counter()
    with ProcessPoolExecutor(CORES, multiprocessing.get_context("spawn")) as pool:
        seconds = list(pool.map(training_cpu_seconds, SCHEMES))
    wall = time.perf_counter() - started
    each = ", ".join(f"{name} {taken:.1f}" for name, taken in zip(SCHEMES, seconds, strict=True))
    config = TrainConfig()
    return Row(
        f"six schemes on sorting, {config.n_steps} steps, on {CORES} cores, s",
        format_seconds(wall),
        f"seconds of one core: {each}",
        wall,
        60,
    )


def meaning_row() -> Row:
    """Time rows from their draw until four in five of their neighbours are of the same kind, scored every ten steps."""
    corpus = table_corpus()
    kinds = word_kinds(corpus.words)
    samples, reached = [], []
    for seed in SEEDS:
        started = time.perf_counter()
        for step in skip_gram(corpus, SkipGramConfig(seed=seed)):
            if step.step % 10 == 0 and kind_score(step.rows, kinds).score >= ENOUGH:
                break
        samples.append(time.perf_counter() - started)
        reached.append(step.step)
    measured = Samples(samples)
    return Row(
        f"rows of the grammar to {ENOUGH:.0%} neighbours of the same kind, {len(SEEDS)} seeds, s",
        str(measured),
        f"after steps {', '.join(map(str, reached))}",
        max(samples),
        20,
    )


def training_cpu_seconds(scheme: str) -> float:
    """Train one scheme in this process and return the seconds of one core."""
    torch.set_num_threads(1)
    started = time.process_time()
    extrapolation(replace(TrainConfig(), scheme=scheme), lengths=LENGTHS, seeds=(0,))
    return time.process_time() - started


def step_row() -> Row:
    """Time one step of the run that a page begins with."""
    steps = train(TrainConfig())
    samples = Samples([wall_seconds(lambda: next(steps)) for _ in range(60)][10:])
    return Row("one step of sorting under rope, one thread, s", str(samples), "", samples.median, 0.03)


def stop_row() -> Row:
    """Time closing a run: the current step, and the closing itself."""
    waits = []
    for _ in range(5):
        steps = train(TrainConfig(TextTask(reference_manual())))
        list(islice(steps, 3))
        waits.append(wall_seconds(lambda steps=steps: (next(steps), steps.close())))  # type: ignore[misc]
    return Row("a run on the manual stopped, its last step included, s", str(Samples(waits)), "", max(waits), 1.0)


def long_row() -> Row:
    """Time the longest wait between two reports of progress while a long text is scored."""
    task = TextTask(reference_manual())
    run, ticks = new_run(TrainConfig(task)), [time.perf_counter()]
    length_scores(
        run.decoder, task, [LONG], seed=0, n_sequences=64, progress=lambda _: ticks.append(time.perf_counter())
    )
    waits = [later - earlier for earlier, later in pairwise(ticks)]
    what = f"between two reports of progress while windows of {LONG} are scored, s"
    return Row(what, f"{format_seconds(median(waits))} (at most {format_seconds(max(waits))})", "", max(waits), 1.0)
