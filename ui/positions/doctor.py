"""The RoPE doctor: the rotation that a config.json describes, and the one that maps an array to another."""

import io
import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st
import torch
from streamlit.runtime.uploaded_file_manager import UploadedFile
from torch import Tensor

from embedlib.checkpoints import CheckpointError, RopeConfig, positional_scheme, read_rope_config
from embedlib.i18n import N_
from embedlib.positional import RotationCandidate, RotationDiagnosis, diagnose_rotation
from embedlib.tables import TableError, read_array
from ui.cache.bounded import memo
from ui.cache.schemes import SchemeKey
from ui.export import Lines, download, save_table
from ui.i18n import _, join_sentences, ngettext, number, separator
from ui.positions.view import SchemeView
from ui.settings import state
from ui.shared.model_choice import model_sentence
from ui.shared.model_scheme import ModelScheme, scheme_from_config
from ui.shared.page import section, text_table
from ui.shared.schemes import SCALING_TITLES
from ui.shared.upload import upload

# code of ROPE_FINDINGS -> what people get wrong about it
FINDINGS = {
    "pairing_unsaid": N_("The pairing follows from the model’s code, not this file."),
    "pairing_guessed": N_("Unknown model: the pairing is a guess."),
    "base_unsaid": N_("The file has no base: models of this type have {base:,.9g}."),
    "base_raised": N_("The base is {base:,.9g}: code that assumes 10,000 computes other angles."),
    "head_dim_own": N_("Heads are {head_dim:,} wide, not hidden_size / heads = {expected:,.9g}."),
    "fraction": N_("Exponents are divided by the {rotary_dim:,} rotated dimensions, not all {head_dim:,}."),
    "proportional": N_("Only {rotary_dim:,} dimensions rotate, yet exponents are divided by all {head_dim:,}."),
    "old_key": N_("“type” is now called “rope_type”."),
    "meta_scaling": N_("The factor of use_scaled_rope is in Meta’s code: {factor:g} is Llama 3.1’s; Llama 3.2 has 32."),
    "original_unsaid": N_("No trained length: max_position_embeddings, {original:,}, is taken."),
    "factor_apart": N_(
        "The frequencies follow the factor, although {factor:g} × {original:,} is not the {longest:,} positions that "
        "the file allows."
    ),
    "attention_factor": N_("Rotated queries and keys are also multiplied by {attention_factor:.6g}."),
    "by_length": N_("Past {original:,} positions, angles change with length: cached keys no longer fit."),
    "layers_differ": N_("Other layers have base {other:,.9g}."),
}
# key of SCHEMES -> why a model with it has no rotation
NO_ROTATION = {
    "learned": N_("This model adds a learned row to the token at each position: nothing rotates."),
    "alibi": N_("This model lowers scores by distance (ALiBi): nothing rotates."),
    "t5": N_("This model adds a learned number for each distance to the scores: nothing rotates."),
}
EXAMPLE = """{
  "model_type": "llama",
  "hidden_size": 4096,
  "num_attention_heads": 32,
  "max_position_embeddings": 131072,
  "rope_theta": 500000.0,
  "rope_scaling": {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192
  }
}"""
SCALING_NUMBERS = (
    "factor", "original_max_seq_len", "low_freq_factor", "high_freq_factor", "beta_fast", "beta_slow"
)  # fmt: skip
MOST_CHARACTERS = 100_000
MOST_MB = 8  # of an array, as float64: a head of width 128 at 8,192 positions
EXAMPLE_POSITIONS = 256
STILL = 1e-9  # radians per position
FREE = 10  # times smaller must the difference with fitted frequencies be where no base explains the arrays
_TEXT, _FOUND = "rope_config", "rope_found"
_OPENED = "rope_config_opened"  # how many files were loaded into the text, and what it begins with


@section("positions-doctor", N_("RoPE doctor"), heading=st.subheader)
def rope_doctor(view: SchemeView) -> None:
    """Draw both halves: a model's config.json, and two arrays."""
    st.markdown("**config.json**")
    arguments = _config_arguments()
    st.markdown(f"**{_('Queries before and after rotation')}**")
    _diagnose_section(view, arguments)


def _config_arguments() -> dict[str, Any]:
    """Read a config.json; return the rotation's arguments, none where it has none."""
    # As what the field begins with, not as its state: Streamlit sends a state once, and a run that comes before the
    # browser has drawn it would leave the field empty.
    opened, given = st.session_state.setdefault(_OPENED, (0, EXAMPLE))
    write, read = st.columns(2, gap="large")
    with write:
        text = st.text_area(_("A model’s config.json"), given, height=340, key=f"{_TEXT}_{opened}")
        upload(_("Load config.json"), _load_config, key="rope-config-file", types=["json"], limit_mb=1)
    with read:
        try:
            config = _parse_config(text)
            scheme, _arguments = positional_scheme(config)
            if scheme in NO_ROTATION:
                st.info(_(NO_ROTATION[scheme]))
                return {}
            found = read_rope_config(config)
            taken = scheme_from_config(found.arguments, "config.json")
            others = {layers: scheme_from_config(other, "config.json") for layers, other in found.others.items()}
        except TableError as error:
            st.error(model_sentence(error))
            return {}
        except (ValueError, RecursionError):
            st.error(_("Paste one JSON object (limit: {most:,} characters).").format(most=MOST_CHARACTERS))
            return {}
        rows = _rotation_properties(found)
        columns = {_("Property"): list(rows), _("Result"): list(rows.values())}
        save_table("rope-config", "config.json", columns)
        text_table(columns, alt="config.json")
        st.button(_("Set this page to it"), key="rope-config-set", on_click=_select_scheme, args=(taken,))
        for layers, other in others.items():
            label = _("Set this page to {layers}").format(layers=layers)
            st.button(label, key=f"rope-config-set-{layers}", on_click=_select_scheme, args=(other,))
        st.markdown("\n".join(f"- {_(FINDINGS[one.code]).format(**one.values)}" for one in found.findings))
    return dict(found.arguments)


def _load_config(file: UploadedFile) -> str | None:
    """Copy an uploaded config.json into the text area, or return a sentence on what is wrong with it."""
    try:
        text = file.getvalue().decode("utf-8-sig")
        _parse_config(text)
    except (ValueError, RecursionError):
        return model_sentence(CheckpointError("damaged", file=file.name, format="config.json"))
    opened, _before = st.session_state[_OPENED]
    st.session_state[_OPENED] = (opened + 1, text)
    return None


def _parse_config(text: str) -> dict[str, Any]:
    """Parse a JSON object; ValueError for another value or a long text, RecursionError for a deep one."""
    config = json.loads(text) if len(text) <= MOST_CHARACTERS else None
    if not isinstance(config, dict):
        raise ValueError(len(text))
    return config


def _select_scheme(scheme: ModelScheme) -> None:
    state.put(scheme=scheme.name, **scheme.values, **scheme.sizes)


def _rotation_properties(found: RopeConfig) -> dict[str, str]:
    """Return the properties of the rotation in a config.json."""
    given = found.arguments
    scaling = str(given["scaling"])
    numbers = [
        f"{name} {number(given[name], ',.9g')}" for name in SCALING_NUMBERS if name in given and scaling != "none"
    ]
    return {
        _("Pairing"): str(given["pairing"]),
        _("Base"): number(given["base"], ",.9g"),
        _("Width of a head"): number(found.head_dim, ","),
        _("Rotated dimensions"): number(found.rotary_dim, ","),
        _("Scaling"): separator("; ").join([_(SCALING_TITLES[scaling]), *numbers]),
    }


def _diagnose_section(view: SchemeView, arguments: dict[str, Any]) -> None:
    """Diagnose the rotation between uploaded queries before and after RoPE, or between example arrays."""
    st.markdown(
        _(
            "Save the queries (or keys) of one layer twice, before and after RoPE: the doctor finds the rotation "
            "between the two arrays. Dimensions must be the last axis; positions can be any other: (positions, "
            "dimensions), (heads, positions, dimensions) or (positions, heads, dimensions), with or without a batch."
        )
    )
    titles = {"before": _("Before"), "after": _("After")}
    files = []
    for column, (name, title) in zip(st.columns(2, gap="large"), titles.items(), strict=True):
        with column:
            files.append(
                st.file_uploader(title, ["npy", "safetensors"], max_upload_size=MOST_MB, key=f"rope-array-{name}")
            )
    before, after = files
    if before is not None and after is not None:
        # Kept until the files, the config.json or the chosen axis change: a rerun must not read and fit them again.
        axis_key = f"rope-axis-{before.file_id}-{after.file_id}"
        axis = st.session_state.get(axis_key)
        kept, asked = st.session_state.get(_FOUND), (before.file_id, after.file_id, arguments, axis)
        if kept is None or kept[0] != asked:
            kept = st.session_state[_FOUND] = (asked, _diagnose_files(before, after, arguments, axis))
        if isinstance(kept[1], str):
            st.error(kept[1])
        else:
            shape, found = kept[1]
            _show_diagnosis(shape, found, axis_key)
    elif before is None and after is None:
        st.caption(_("Example: random queries of one head, rotated as this page is set."))
        with st.container(horizontal=True):
            for which, name in enumerate(titles):
                download(
                    f"{name}.npy",
                    partial(_example_file, view.key, view.seed, which),
                    f"{name}.npy",
                    kind="application/octet-stream",
                    key=f"rope-{name}-npy",
                )
        shape = tuple(rope_example(view.key, view.seed)[0].shape)
        _show_diagnosis(shape, _example_diagnosis(view.key, view.seed, tuple(arguments.items())))
    else:
        st.info(_("Load the other array too: the same queries, before or after RoPE."))


def _diagnose_files(
    before: Any, after: Any, arguments: Mapping[str, Any], seq_axis: int | None
) -> tuple[tuple[int, ...], RotationDiagnosis] | str:
    """Return the arrays' shape and their rotation, or a sentence on what is wrong with the files."""
    try:
        arrays = [read_array(file, limit_bytes=MOST_MB * 10**6) for file in (before, after)]
    except TableError as error:
        return model_sentence(error)
    first, second = (array.shape for array in arrays)
    if first != second:
        return _("The shapes {before} and {after} differ: save the same queries before and after RoPE.").format(
            before=first, after=second
        )
    return first, diagnose_rotation(*arrays, arguments=arguments, seq_axis=seq_axis)


@memo()
def rope_example(key: SchemeKey, seed: int) -> tuple[Tensor, Tensor]:
    """Draw one head's queries, and rotate them as a scheme does, each (EXAMPLE_POSITIONS, head_dim)."""
    scheme = key.scheme()
    generator = torch.Generator().manual_seed(seed)
    drawn = torch.randn(scheme.n_heads, EXAMPLE_POSITIONS, scheme.head_dim, generator=generator)
    rotated, _keys = scheme.rotate(drawn.to(scheme.device), drawn.to(scheme.device))
    return drawn[0], rotated[0].cpu()


@memo()
def _example_diagnosis(key: SchemeKey, seed: int, arguments: tuple[tuple[str, Any], ...]) -> RotationDiagnosis:
    return diagnose_rotation(*rope_example(key, seed), arguments=dict(arguments))


def _example_file(key: SchemeKey, seed: int, which: int) -> bytes:
    target = io.BytesIO()
    np.save(target, rope_example(key, seed)[which].numpy(), allow_pickle=False)
    return target.getvalue()


def _show_diagnosis(shape: tuple[int, ...], found: RotationDiagnosis, axis_key: str = "") -> None:
    """Show how the arrays were read, which rotation explains them, and the table of all candidates."""
    if len(found.explaining_axes) != 1 and len(found.seq_axes) > 1:
        st.selectbox(
            _("Order of the axes"),
            found.seq_axes,
            index=found.seq_axes.index(found.seq_axis),
            format_func=partial(axis_order, shape),
            key=axis_key,
        )
    read_as = _("Read as {order}.").format(order=axis_order(shape, found.seq_axis))
    st.markdown(join_sentences(read_as, _verdict(found)))
    if _differ_by_shared_rotation(found):
        return
    marks = ["✓" if found.is_explained else "✕", *["✕"] * (len(found.candidates) - 1)]
    rows = {
        _("Pairing"): [f"{mark} {one.pairing}" for mark, one in zip(marks, found.candidates, strict=True)],
        _("Direction"): [_("forwards") if one.direction > 0 else _("backwards") for one in found.candidates],
        _("Base"): [number(one.base, ",.6g") for one in found.candidates],
        _("Rotated dimensions"): [number(one.rotary_dim, ",") for one in found.candidates],
        _("Scaling"): [_scaling_label(one) for one in found.candidates],
        _("First position"): [number(one.offset, ",") for one in found.candidates],
        _("Largest difference"): [number(one.max_error, ".1e") for one in found.candidates],
        _("With fitted frequencies"): [number(one.max_error_fitted, ".1e") for one in found.candidates],
    }
    save_table("rope-doctor", _("RoPE doctor"), rows, numbers=candidate_lines(found.candidates))
    text_table(rows, alt=_("Queries before and after rotation"))
    st.markdown(_("**Convert the pairing**"))
    st.code(found.code, language="python", wrap_lines=True)


def axis_order(shape: tuple[int, ...], seq_axis: int) -> str:
    """Return the axes with their sizes, as "8 heads × 256 positions × 64 dimensions"."""
    others = [axis for axis in range(-2, -len(shape) - 1, -1) if axis != seq_axis]  # from the last
    names = {
        -1: ngettext("{n} dimension", "{n} dimensions", shape[-1]),
        seq_axis: ngettext("{n} position", "{n} positions", shape[seq_axis]),
        **{axis: ngettext("{n} head", "{n} heads", shape[axis]) for axis in others[:1]},
        **{axis: ngettext("{n} sequence", "{n} sequences", shape[axis]) for axis in others[1:2]},
    }
    return " × ".join(names.get(axis, "{n}").format(n=number(shape[axis], ",")) for axis in range(-len(shape), 0))


def _differ_by_shared_rotation(found: RotationDiagnosis) -> bool:
    """Return whether the arrays differ only by a rotation that all positions share."""
    return found.is_explained and max(map(abs, found.candidates[0].frequencies)) < STILL


def _verdict(found: RotationDiagnosis) -> str:
    """Return a sentence on which rotation explains the arrays, or that none does."""
    best = found.candidates[0]
    if not found.is_explained:
        return _(
            "No rotation explains these arrays: check that they hold the same queries (or keys), and that nothing but "
            "RoPE happens between them."
        )
    if _differ_by_shared_rotation(found):
        return _("Nothing rotates from one position to the next: save one array before and one after RoPE.")
    if best.max_error_fitted < best.max_error / FREE:
        verdict = _(
            "A rotation explains these arrays, but its frequencies follow no base that was tried: paste the model’s "
            "config.json above."
        )
    else:
        verdict = _(
            "A rotation of {rotary_dim} of {head_dim} dimensions explains these arrays: pairing {pairing}, "
            "base {base}, position {offset} in the first row."
        ).format(
            rotary_dim=number(best.rotary_dim, ","),
            head_dim=number(len(found.to_halves), ","),
            pairing=best.pairing,
            base=number(best.base, ",.6g"),
            offset=number(best.offset, ","),
        )
        if best.scaling != "none":
            verdict = join_sentences(
                verdict, _("Frequencies are scaled: {scaling}.").format(scaling=_scaling_label(best))
            )
    if best.direction < 0:
        verdict = join_sentences(verdict, _("Pairs rotate backwards: by minus the angle."))
    if best.amplitude != 1:
        stretched = _("Rotated dimensions are also multiplied by {amplitude:.6g}, as YaRN does.")
        verdict = join_sentences(verdict, stretched.format(amplitude=best.amplitude))
    return verdict


def _scaling_label(one: RotationCandidate) -> str:
    """Return the name of a scaling with its numbers, as “YaRN (4 × 32,768)”."""
    if one.scaling == "none":
        return "–"
    trained = f" × {number(one.original_max_seq_len, ',')}" if one.original_max_seq_len else ""
    return f"{_(SCALING_TITLES[one.scaling])} ({number(one.factor, ',.4g')}{trained})"


def candidate_lines(candidates: Sequence[RotationCandidate]) -> Lines:
    """Return one line for each candidate, the best first."""
    names = (
        "pairing", "direction", "rotary_dim", "base", "scaling", "factor", "original_max_seq_len", "amplitude",
        "offset", "max_error", "max_error_fitted",
    )  # fmt: skip
    return Lines(names, [[getattr(one, name) for name in names] for one in candidates])
