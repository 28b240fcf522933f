"""Sinusoids of a grid: against ViT-MAE in transformers, positional-encodings, and the formula as a plain loop."""

import math

import pytest
import torch
from positional_encodings.torch_encodings import PositionalEncoding2D
from transformers.models.vit_mae.configuration_vit_mae import ViTMAEConfig
from transformers.models.vit_mae.modeling_vit_mae import ViTMAEEmbeddings, build_2d_sinusoidal_position_embedding

from embedlib.positional import halves_order, make_scheme, sinusoidal_grid


@pytest.mark.parametrize(("lines", "columns", "d_model"), [(3, 5, 8), (14, 14, 24), (1, 9, 4), (6, 1, 12)])
def test_line_first_is_column_first_with_halves_exchanged(lines: int, columns: int, d_model: int) -> None:
    theirs = build_2d_sinusoidal_position_embedding(lines, columns, d_model)
    line_first = sinusoidal_grid(lines * columns, d_model, grid_width=columns, first="line")
    torch.testing.assert_close(line_first, theirs, rtol=0, atol=1e-6)
    column_first = sinusoidal_grid(lines * columns, d_model, grid_width=columns)
    assert torch.equal(column_first, line_first.roll(d_model // 2, dims=1))


@pytest.mark.parametrize(("patches", "d_model"), [(14, 24), (3, 8)])
def test_rows_are_those_that_vit_mae_adds(patches: int, d_model: int) -> None:
    config = ViTMAEConfig(hidden_size=d_model, image_size=16 * patches, patch_size=16)
    embeddings = ViTMAEEmbeddings(config)
    embeddings.initialize_weights()
    theirs = embeddings.position_embeddings[0, 1:].detach()  # the first is a zero row for [CLS]
    ours = make_scheme("sinusoidal_2d", d_model=d_model, n_heads=1, grid_width=patches).position_table(patches**2)
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-6)


@pytest.mark.parametrize(("lines", "columns", "d_model"), [(3, 5, 8), (7, 4, 24)])
def test_rows_are_those_of_positional_encodings_up_to_the_order_of_columns(
    lines: int, columns: int, d_model: int
) -> None:
    theirs = PositionalEncoding2D(d_model)(torch.zeros(1, lines, columns, d_model)).reshape(-1, d_model)
    order = halves_order(d_model // 2)  # theirs interleaves sines and cosines, and its first half tells the line
    reordered = torch.cat([theirs[:, : d_model // 2][:, order], theirs[:, d_model // 2 :][:, order]], dim=1)
    ours = sinusoidal_grid(lines * columns, d_model, grid_width=columns, first="line")
    torch.testing.assert_close(ours, reordered, rtol=0, atol=1e-5)


@pytest.mark.parametrize(("seq_len", "d_model", "grid_width", "offset"), [(10, 8, 4, 0), (33, 12, 14, 7)])
def test_rows_are_the_formula_as_a_loop(seq_len: int, d_model: int, grid_width: int, offset: int) -> None:
    scheme = make_scheme("sinusoidal_2d", d_model=d_model, n_heads=1, grid_width=grid_width)
    table = scheme.position_table(seq_len, offset=offset)
    quarter = d_model // 4
    for row in range(seq_len):
        line, column = divmod(row + offset, grid_width)
        for i in range(quarter):
            frequency = 10_000 ** (-i / quarter)
            expected = [
                math.sin(column * frequency),
                math.cos(column * frequency),
                math.sin(line * frequency),
                math.cos(line * frequency),
            ]
            assert table[row, i::quarter].tolist() == pytest.approx(expected, abs=1e-7)


def test_angles_are_exact_far_out() -> None:
    row = sinusoidal_grid(1, 4, grid_width=3, offset=300_001)[0]
    line, column = divmod(300_001, 3)
    expected = [math.sin(column), math.cos(column), math.sin(line), math.cos(line)]
    assert row.tolist() == pytest.approx(expected, abs=1e-7)
