"""Sizes of known models' embedding matrices, and their share of all parameters."""

from dataclasses import dataclass

# Bytes of one number of a table.
BYTES_PER_NUMBER = {"fp32": 4, "fp16": 2, "int8": 1}


@dataclass(frozen=True)
class ModelSize:
    """Size of a published model's embedding matrix.

    Attributes:
        family: of sizes of one model, such as "GPT-2".
        vocab_size: rows of the table as stored, unused ones included.
        tied: whether the output weights are the table itself.
        parameters: of the whole model, counted by building it from its published configuration, tied weights once; None
            for a table without a model.
        source: link for vocab_size and d_model.
    """

    name: str
    family: str
    year: int
    vocab_size: int
    d_model: int
    tied: bool
    parameters: int | None
    source: str

    @property
    def parameters_source(self) -> str:
        """Link to the publication, which states the total as a round number; empty where there is none."""
        return _PAPERS.get(self.family, "")

    @property
    def table_parameters(self) -> int:
        """Numbers of the table: V·d."""
        return self.vocab_size * self.d_model

    @property
    def output_parameters(self) -> int:
        """Numbers of an output matrix of its own; 0 where tied."""
        return 0 if self.tied else self.table_parameters

    @property
    def share(self) -> float | None:
        """Share of the model that the table is, in [0, 1]; None without a model."""
        return None if self.parameters is None else self.table_parameters / self.parameters

    def table_bytes(self, kind: str) -> int:
        """Return the table's bytes by one of BYTES_PER_NUMBER; int8 without its scales."""
        if kind not in BYTES_PER_NUMBER:
            raise ValueError(f"kind={kind!r} is unknown: choose among {', '.join(BYTES_PER_NUMBER)}")
        return BYTES_PER_NUMBER[kind] * self.table_parameters


_PAPERS = {
    "BERT": "https://arxiv.org/abs/1810.04805",
    "GPT-2": "https://github.com/openai/gpt-2",
    "T5": "https://arxiv.org/abs/1910.10683",
    "GPT-3": "https://arxiv.org/abs/2005.14165",
    "BLOOM": "https://arxiv.org/abs/2211.05100",
    "Llama 2": "https://arxiv.org/abs/2307.09288",
    "Mistral": "https://arxiv.org/abs/2310.06825",
    "Llama 3": "https://arxiv.org/abs/2407.21783",
    "Gemma": "https://arxiv.org/abs/2403.08295",
    "Phi-3": "https://arxiv.org/abs/2404.14219",
    "Qwen2.5": "https://arxiv.org/abs/2412.15115",
}
_HUB = "https://huggingface.co/{}/blob/main/config.json"
_TUNE = "https://github.com/pytorch/torchtune/blob/main/torchtune/models/{}/_model_builders.py"

MODEL_SIZES: dict[str, ModelSize] = {
    size.name: size
    for size in (
        ModelSize(
            "BERT base", "BERT", 2018, 30_522, 768, True, 110_106_428, _HUB.format("google-bert/bert-base-uncased")
        ),
        ModelSize(
            "BERT large", "BERT", 2018, 30_522, 1_024, True, 336_226_108, _HUB.format("google-bert/bert-large-uncased")
        ),
        ModelSize("GPT-2 small", "GPT-2", 2019, 50_257, 768, True, 124_439_808, _HUB.format("openai-community/gpt2")),
        ModelSize(
            "GPT-2 medium", "GPT-2", 2019, 50_257, 1_024, True, 354_823_168, _HUB.format("openai-community/gpt2-medium")
        ),
        ModelSize(
            "GPT-2 large", "GPT-2", 2019, 50_257, 1_280, True, 774_030_080, _HUB.format("openai-community/gpt2-large")
        ),
        ModelSize(
            "GPT-2 XL", "GPT-2", 2019, 50_257, 1_600, True, 1_557_611_200, _HUB.format("openai-community/gpt2-xl")
        ),
        ModelSize("T5 small", "T5", 2019, 32_128, 512, True, 60_506_624, _HUB.format("google-t5/t5-small")),
        ModelSize("T5 base", "T5", 2019, 32_128, 768, True, 222_903_552, _HUB.format("google-t5/t5-base")),
        ModelSize("T5 11B", "T5", 2019, 32_128, 1_024, True, 11_307_321_344, _HUB.format("google-t5/t5-11b")),
        ModelSize("GPT-3", "GPT-3", 2020, 50_257, 12_288, True, 174_604_259_328, "https://arxiv.org/abs/2005.14165"),
        ModelSize(
            "BLOOM", "BLOOM", 2022, 250_880, 14_336, True, 176_247_271_424, "https://huggingface.co/bigscience/bloom"
        ),
        ModelSize("Llama 2 7B", "Llama 2", 2023, 32_000, 4_096, False, 6_738_415_616, _TUNE.format("llama2")),
        ModelSize("Llama 2 70B", "Llama 2", 2023, 32_000, 8_192, False, 68_976_648_192, _TUNE.format("llama2")),
        ModelSize("Mistral 7B", "Mistral", 2023, 32_000, 4_096, False, 7_241_732_096, _TUNE.format("mistral")),
        ModelSize("Llama 3 8B", "Llama 3", 2024, 128_256, 4_096, False, 8_030_261_248, _TUNE.format("llama3")),
        ModelSize("Llama 3 70B", "Llama 3", 2024, 128_256, 8_192, False, 70_553_706_496, _TUNE.format("llama3")),
        ModelSize("Gemma 2B", "Gemma", 2024, 256_000, 2_048, True, 2_506_172_416, _TUNE.format("gemma")),
        ModelSize("Gemma 7B", "Gemma", 2024, 256_000, 3_072, True, 8_537_680_896, _TUNE.format("gemma")),
        ModelSize("Phi-3 mini", "Phi-3", 2024, 32_064, 3_072, False, 3_821_079_552, _TUNE.format("phi3")),
        ModelSize("Qwen2.5 0.5B", "Qwen2.5", 2024, 151_936, 896, True, 494_032_768, _TUNE.format("qwen2_5")),
        ModelSize("Qwen2.5 7B", "Qwen2.5", 2024, 152_064, 3_584, False, 7_615_616_512, _TUNE.format("qwen2_5")),
    )
}
