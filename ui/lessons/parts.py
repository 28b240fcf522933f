"""The parts of each page that a stop can highlight, by their keys."""

PARTS: dict[str, str] = {  # by the page's address, with spaces; controls are highlighted by the names of their settings
    "": "title live-text token-chips vector-sum projection norms first-layer "
    "near-rows-projection near-rows-norms near-rows-first-layer near-rows-code own-add",
    "tokens": "title live-text token-rows token-line byte-table merge-player chat languages near-tokens-merges "
    "near-tokens-bytes near-tokens-splitting near-tokens-chat near-tokens-languages near-tokens-questions "
    "near-tokens-code",
    "embedding_layer": "layer-head live-text token-chips embedding-matrix vector-sum one-hot-product model-sizes "
    "row-moves starts start-norms near-layer-product near-layer-linear near-layer-cost near-layer-positions "
    "near-layer-second near-layer-starts near-layer-learning near-layer-models near-layer-questions near-layer-code",
    "batches": "batches-head batch-navigation block tensor-block token-batches window-pairs window-text "
    "near-batches-block near-batches-shapes near-batches-questions near-batches-code",
    "positions": "formula waves vectors columns probe bias buckets by-distance circles turned-circles two-hands "
    "content heads similarity slopes smooth terms unique own-add near-positions-vectors near-positions-circles "
    "near-positions-hands near-positions-buckets near-positions-slopes near-positions-terms near-positions-distances "
    "near-positions-similarity near-positions-conventions near-positions-verdict near-positions-doctor "
    "near-positions-code",
    "word_order": "title first-sentence second-sentence moves order-lost own-add near-order-attention near-order-added "
    "order-read-back near-order-mask near-order-minilm near-order-code",
    "compare": "compare-text live-text token-chips decision-table measures contributions similarity attention past "
    "dials-unscaled dials-scaled by-distance further-measures near-compare-implementers near-compare-similarity "
    "near-compare-attention near-compare-measures near-compare-past near-compare-scaled near-compare-code own-add",
    "extrapolation": "by-length dials length-table near-lengths-why near-lengths-claims near-lengths-published "
    "near-lengths-table near-lengths-questions near-lengths-code own-add",
    "projection": "live-text projection-chips point-cloud projection-panel analogy-words analogy-answers neighbours "
    "scree near-projection-faithfulness near-projection-files near-projection-code",
    "training": "train-cloud train-transport train-loss train-score train-neighbours train-relations train-analogy "
    "train-answers near-training-scores near-training-moved near-training-analogies near-training-questions "
    "near-training-pair near-training-code",
    "models": "title live-text token-chips model-rows model-positions model-lengths position-places alignment "
    "near-models-positions near-models-lengths near-models-untrained near-models-beside near-models-code",
    "context": "title context-top context-chips context-strips context-cloud context-distance context-directions "
    "context-heads context-head-grid context-position-grid context-layers-grid context-positions context-sentences "
    "near-context-lines near-context-uses near-context-layers near-context-attention near-context-what-if "
    "near-context-text near-context-code own-add",
    "lessons": "",
}
