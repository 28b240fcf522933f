"""The public names of every package of the library, which users import from it, and of parts of the interface."""

import ast
import importlib
import pkgutil
from pathlib import Path

import pytest

import embedlib
import ui

# Package -> its names in order. One that is added or taken away is a change for all who use the library.
PUBLIC = {
    "embedlib": """
        Analogy Device InputEmbeddings METRICS Neighbours Pca PositionalScheme SCHEMES SampledFaithfulness
        TOKENIZERS TRAINED Token TokenSpans Tokenizer TrainedTokenizer along analogy continuity embed_text
        embedding_table fit_pca get_tokenizer kept_neighbours lookup make_scheme meaning_axis midpoint
        nearest_neighbours neighbour_distances one_hot_lookup pick_device rank_of row_norms sample_rows
        sampled_faithfulness sliding_windows token_spans train_tokenizer trustworthiness
    """,
    "embedlib.checkpoints": """
        BertInput CHECKPOINT_ERRORS Checkpoint CheckpointError FileTokenizer LengthBands ModelParts QUANTILES
        ROPE_FINDINGS RopeConfig RopeFinding Vocabulary bert_input is_model_id length_bands minilm model_parts
        open_checkpoint open_tokenizer positional_scheme read_rope_config read_vocabulary under_training
    """,
    "embedlib.cluster": """
        CLUSTER_ERRORS Cluster ClusterError TableOnDisk TablePart fit_pca nearest_neighbours run_unit table_on_disk
    """,
    "embedlib.contextual": """
        ContextModel LayerChanges Layers Positions SCHEME_REASONS TextTokens Word WordUse attention_by_distance
        attention_entropy layer_changes open_model order_cosine sentence_vectors uses_of
    """,
    "embedlib.embedding": """
        BYTES_PER_NUMBER INITIALISATIONS Initialisation LookupCost LookupRefused MAX_MEASURED_TOKENS
        MAX_TRAINED_NUMBERS MODEL_SIZES MOVE_REASONS ModelSize NormLaw ROW_OPTIMIZERS RowOptimizer RowStep
        StepRefused TIED_LOGITS UNTIED_LOGITS check_lookup_sizes embedding_table gradient_bytes
        initial_table lookup measure_lookup one_hot_flops one_hot_lookup row_norm_law rows_to_show
        step_texts train_rows
    """,
    "embedlib.extrapolation": """
        Agreement BETAS BackTask DECODER_PARAMETERS Diverged EXPERIMENTS Experiment Extrapolation
        FIRST_SCHEMES FIRST_SEEDS FinishedUnit GROWN HIGHER_IS_BETTER KEPT_SHARE LEARNED LengthScore MANUAL
        Measure Progress Provenance Published Reading Report Run RunFileError SHIPPED SeedSpread Shape Size
        SortTask Standing Task TextTask TextTooShort TrainConfig TrainStep Unit Verdict agreement batch_at
        code_version distinct_groups extrapolation finished_runs length_scores length_state load_run new_run
        published_beside read_line rope_scaling_scores run_unit save_run score_values seed_spread standings
        train units_of write_finished
    """,
    "embedlib.figures": """
        CIRCLE_CELL CONFIG Curve DIVERGING GROUND HEAD_CELL KINDS MatrixPanel
        ProjectionText RankedBar SEQUENTIAL SERIES StepLine Theme all_heads_figure axes_of bars_figure
        by_length_figure circles_figure cloud_figure colour_limit curves_alt curves_figure density_figure
        gradient heads_alt heads_figure heatmap_alt heatmap_figure largest_finite length_bands_figure
        lines_alt lines_figure model_shares_figure moved_points_figure moves_alt moves_figure norm_histogram_figure
        norms_alt norms_figure over_steps_figure panels_figure plain projection_alt
        projection_figure ranked_bars_figure row_moves_figure scree_figure small_steps_figure
        starts_figure step_place sum_figure thinned traces_of
    """,
    "embedlib.grammar": "GROUPS KINDS RELATIONS answer_of grammar_text kinds_of pairs",
    "embedlib.measures": """
        AddedCost MEASURES Measure MeasureContext Rounding Verdict absolute_probe acts_by_logits
        adjacent_distance content_on_rows content_term far_profile has_similarity mean_by_distance named_terms
        pair_period pair_speed paired_columns pairwise_distance pick_head place_of position_planes position_rows
        profile_or_none receptive_fields relative relative_probe relative_similarity score_bias
        similarity_matrix similarity_of_random similarity_profile standard standard_similarity take turned_on
        turned_units verdict
    """,
    "embedlib.neighbours": """
        Alignment Analogy METRICS Neighbours Places Table align_tables along analogy meaning_axis midpoint
        nearest_neighbours neighbour_distances places_around places_of_answers prepared_rows rank_of ranks row_norms
        shared_neighbours similarity_to
    """,
    "embedlib.positional": """
        Agreement AlibiPositions FirePositions FormulaCode FormulaError FormulaPositions HOOKS LearnedPositions
        N_TRAINED PAST_TRAINING Parameter ParameterValue PositionalScheme RotationCandidate RotationDiagnosis
        SCALINGS SCHEMES STARTING_POINTS StartingPoint T5Positions agreements alibi_slopes bucket_starts
        diagnose_rotation formula_latex formula_python geometric_slopes halves_order make_scheme
        relative_buckets remembering rotary_angles rotate_pairs sinusoidal_frequencies sinusoidal_grid
        sinusoidal_table
    """,
    "embedlib.positional.formula": """
        FORMULA_ERRORS FUNCTIONS FormulaCode FormulaError FormulaParameter FormulaPositions LINES NAMES
        STARTING_POINTS StartingPoint formula_latex formula_python read_formula read_parameters
    """,
    "embedlib.programs": """
        Part analogy_part batches_program compare_program context_program embedding_layer_program
        extrapolation_program map_part meaning_part models_program neighbours_part order_program pipeline_program
        principal_part projection_program scheme_program tokens_program training_program
    """,
    "embedlib.projection": """
        Blocks By Cancelled MAX_POINTS METHODS METRICS MissingExtra Pca Progress RowAxes SampledFaithfulness
        SharedProjection Source Window continuity density fit_pca fit_row_axes greatest_share_by_chance
        kept_neighbours largest_perplexity nearest_places place_rows project_together rows_within
        sampled_faithfulness trustworthiness tsne umap umap_available window_around
    """,
    "embedlib.tables": """
        EmbeddingTable LineNames MOST_FOUND ManyNames ManyRowNames NumberNames ProjectorPair READERS RowNames
        SEPARATORS SearchError TABLE_ERRORS TABLE_NOTES TableError TableFile TableNote TextLayout csv_heading
        fill_sentence float32_rows read_array read_table search_names write_columns write_metadata_tsv
        write_projector_pair write_vectors_tsv
    """,
    "embedlib.texts": """
        PlanError TEXT_ERRORS TextFileError WindowPlan WindowUse check_text_size matched_tokens read_text
        reference_manual repeated_share shared_rows sliding_windows window_use words
    """,
    "embedlib.tokenizers": """
        AlignedRow Alignment CHAT_FORMATS CharacterView ChatFormat ChatMessage ChatPiece ChatRole ENCODINGS
        LANGUAGES Language LanguageCount MAX_PIECE_BYTES MergeRules MergeStep REFERENCE_LANGUAGE SCRIPTS
        SENTENCES SplitCharacter TOKENIZERS TOKEN_KINDS Token TokenCounts TokenSpans Tokenizer
        VocabularyUnavailable align all_sentences bert_words byte_view cache_folder character_counts chat_pieces
        download_vocabulary get_tokenizer has_vocabulary merge_rules merge_steps piece_ids pre_tokens
        spaced_words special_tokens split_characters split_specials token_bytes_of token_counts token_kinds
        token_label token_labels token_scripts token_spans tokenize_parts tokenize_typed tokens_by_language
        with_added
    """,
    "embedlib.tokenizers.trained": """
        MAX_UNIGRAM_CHARACTERS MAX_WORD_CHARACTERS Match Split TRAINED TrainedTokenizer TrainingRefused
        UnigramTokenizer WordPieceTokenizer best_splits longest_matches train_tokenizer
    """,
    "embedlib.transformer": """
        Decoder Layer ROUNDING ROW_SPREAD attention_pattern copy_in float64_copy hidden_states pooled pooled_by_scheme
        random_layers random_qk relative_change
    """,
    "embedlib.word2vec": """
        CorpusRefused CountedTable KindScore LEAST_ROWS LEAST_WORDS MOST_KEPT N_SENTENCES RowChanges
        RowHistory SHIPPED SkipGramConfig SkipGramState SkipGramStep TABLE_CONFIG TrainedTable WordCorpus
        analogy_scores cooccurrence_table kept_steps kind_score load_skip_gram look_ahead resume_skip_gram
        root_mean_square row_changes save_skip_gram skip_gram table_corpus trained_rows trained_table
        word_corpus
    """,
}


INTERFACE = {
    "ui.cache": """
        LEARNED_POSITIONS Request by_hand_scheme chips_of device embedded fault_of fitting labels_of limit_of
        picked_rows projected scheme_of schemes shipped_table strip_key table_of tokenizer_for tokens_of
        trained_count trained_of trained_tokens
    """,
    "ui.components": "register",
    "ui.components.browser": """
        BELOW browser browser_part chart_link comes_near narrow reported reported_query reported_right section
    """,
    "ui.components.byte_table": "Character CodePoint LABELS NamedToken byte_table",
    "ui.components.embedding_matrix": "LABELS MatrixRow Strip embedding_matrix matrix_strip",
    "ui.components.lecture": "Asked LABELS lecture qr_code reported",
    "ui.components.live_text": "LiveText live_text reported_text",
    "ui.components.matrix_grid": "LABELS Panel matrix_grid",
    "ui.components.measure_table": "Column LABELS Row as_columns measure_table row_chosen",
    "ui.components.merge_player": "LABELS MAX_PARTS MAX_PIECES Piece State merge_player",
    "ui.components.one_hot_product": "LABELS MAX_COLUMNS MAX_TOKENS one_hot_product rows_to_draw",
    "ui.components.phone": "LABELS",
    "ui.components.point_cloud": "Extent Gradient Kind LABELS PathPoint PointCloud point_cloud point_data",
    "ui.components.point_cloud.motion": "LABELS NONE RowMotion row_motion row_motion_frames",
    "ui.components.tensor_block": "BlockView LABELS drawn_shape tensor_block",
    "ui.components.token_chips": "Chip LABELS token_chips",
    "ui.components.token_line": "LABELS Line LineToken token_line",
    "ui.components.token_rows": "LABELS PackedRows TokenRow packed_rows token_rows",
    "ui.components.vector_sum": "LABELS MAX_ROWS SCORES TURNED vector_sum",
    "ui.components.window_pairs": "LABELS MAX_COLUMNS MAX_ROWS window_pairs",
    "ui.components.window_text": "LABELS reported_place window_text",
    "ui.export": """
        Arrays Cell GRID_STYLE Grid Offer blocks_csv cells_csv chart columns_csv download embeddings_csv lines_csv
        matrices_csv matrix_csv measures_csv notebook offers_in parts_csv points_csv readable show_figure show_program
        shown_table source_is take_along with_ticks_written without_marks
    """,
    "ui.jobs": """
        Job Jobs News Report about cluster_address connected downloads in_turns is_here jobs live
        n_at_once new_visitor present show_job this_visitor time_written waits
    """,
    "ui.settings": """
        ALL_SENTENCES Choice FileName Flag Formulas GREATEST LONGEST_NAME LongText Look MINILM MINILM_WIDTH MOST
        MOST_MODELS Model Names Numbers OWN_ENTRIES OWN_TOKENIZER OptionalChoice OptionalWhole OwnScheme ROOM_CODE
        ROOM_LETTERS Real Rows Setting TOKENIZER_NAMES TRAINED_HERE Text Weights Whole Wholes Window controls in_link
        is_model_name is_packed name_of out_of_link shipped_names state
    """,
}


def test_every_package_is_listed() -> None:
    packages = {module.name for module in pkgutil.walk_packages(embedlib.__path__, "embedlib.") if module.ispkg}
    assert {"embedlib", *packages} == PUBLIC.keys()


def test_every_package_of_the_interface_that_holds_names_is_listed() -> None:
    packages = {module.name for module in pkgutil.walk_packages(ui.__path__, "ui.") if module.ispkg}
    assert {name for name in packages if len(code_of(name).body) > 1} == INTERFACE.keys()


def code_of(package: str) -> ast.Module:
    return ast.parse(Path(str(importlib.import_module(package).__file__)).read_text(encoding="utf-8"))


@pytest.mark.parametrize("package", [*PUBLIC, *INTERFACE])
def test_a_package_has_these_public_names(package: str) -> None:
    module = importlib.import_module(package)
    names = (PUBLIC | INTERFACE)[package].split()
    assert sorted(getattr(module, "__all__", ())) == names
    exec(f"from {package} import {', '.join(names)}", {})  # some are modules, which are read when they are imported
