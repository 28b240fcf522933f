import pytest
import torch
from torch.nn import functional
from torch.profiler import ProfilerActivity, profile

from embedlib.embedding import (
    embedding_table,
    measure_lookup,
    one_hot_flops,
)
from embedlib.embedding.lookup_cost import _one_hot
from embedlib.progress import Cancelled


def test_both_ways_are_measured_and_give_the_same_numbers() -> None:
    cost = measure_lookup(300, 16, 50, seed=4)
    assert cost.is_equal
    assert (cost.vocab_size, cost.d_model, cost.n_tokens) == (300, 16, 50)
    assert min(cost.lookup_seconds, cost.one_hot_seconds, cost.product_seconds) > 0
    assert cost.one_hot_lookup_seconds == cost.one_hot_seconds + cost.product_seconds
    assert cost.slowdown == cost.one_hot_lookup_seconds / cost.lookup_seconds
    assert cost.repeats == 5
    assert (cost.device, cost.n_threads) == ("cpu", torch.get_num_threads())


def test_what_is_counted_is_what_the_product_and_the_copy_do() -> None:
    cost = measure_lookup(7, 3, 5)
    operations = sum(2 for _token in range(5) for _column in range(3) for _row in range(7))
    assert cost.flops == operations == 5 * one_hot_flops(7, 3)
    assert cost.lookup_bytes == 4 * 5 * 3
    assert cost.product_bytes == 4 * 5 * (7 + 3)


@pytest.mark.parametrize(("held", "blocks"), [(4 * 300 * 50, 1), (4 * 300 * 20, 3), (4 * 300, 50)])
def test_too_many_one_hot_vectors_go_block_by_block(held: int, blocks: int) -> None:
    cost = measure_lookup(300, 16, 50, max_one_hot_bytes=held)
    assert cost.is_equal
    assert cost.n_blocks == blocks
    assert cost.product_bytes == 4 * 50 * (300 + 16), "all blocks are counted"
    assert cost.peak_bytes == held + 4 * 50 * 16, "no more than one block is held"


def test_the_bytes_are_those_that_torch_allocates() -> None:
    table, token_ids = embedding_table(500, 8), torch.arange(0, 500, 7)

    def allocated(way: str) -> int:
        with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as seen:
            # Kept until the profile ends, so that nothing is counted as given back.
            kept = [functional.embedding(token_ids, table)] if way == "lookup" else [_one_hot(token_ids, 500)]
            if way == "product":
                kept.append(kept[0] @ table)
        return sum(event.self_cpu_memory_usage for event in seen.key_averages()) if kept else 0

    cost = measure_lookup(500, 8, len(token_ids))
    assert allocated("lookup") == cost.lookup_bytes
    assert allocated("product") == cost.product_bytes


def test_progress_rises_to_one_and_can_stop_the_work() -> None:
    shares: list[float] = []
    measure_lookup(300, 16, 50, max_one_hot_bytes=4 * 300 * 20, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[-1] == 1
    assert len(shares) >= 5 * 3, "one report for each block at least"

    seen: list[float] = []

    def stop(share: float) -> None:
        seen.append(share)
        if share >= 0.4:
            raise Cancelled

    with pytest.raises(Cancelled):
        measure_lookup(300, 16, 50, progress=stop)
    assert max(seen) < 1
