"""Every string on the pictures of points, in English."""

from embedlib.i18n import N_

# The page passes the same names with translations.
LABELS: dict[str, str] = {
    "figure": N_("{count} points, {dimensions} axes: {axes}."),
    "help": N_("Drag to move, wheel or pinch to zoom, click to choose."),
    "help_space": N_("Drag to turn, Shift or two fingers to move, wheel or pinch to zoom, click to choose."),
    "help_region": N_("Drag around points to select them."),
    "keys_title": N_("Keys"),
    "keys": N_(
        "Arrows move, + and − zoom, 0 shows everything, N and P next and previous neighbour, Enter chooses, S selects "
        "all in sight, Esc clears."
    ),
    "keys_space": N_(
        "Arrows turn, Shift and arrows move, + and − zoom, 0 shows everything, N and P next and previous neighbour, "
        "Enter chooses, S selects all in sight, Esc clears."
    ),
    "tools": N_("Tools"),
    "move": N_("Move"),
    "turn": N_("Turn"),
    "box": N_("Box select"),
    "lasso": N_("Lasso select"),
    "zoom_in": N_("Zoom in"),
    "zoom_out": N_("Zoom out"),
    "reset": N_("Show everything"),
    "full_screen": N_("Full screen"),
    "leave_full_screen": N_("Leave full screen"),
    "save": N_("Save image"),
    "file_name": N_("embedding-map.png"),
    "legend": N_("Colours"),
    "id": N_("id {id}"),
    "about": N_("about {value}"),
    "similarity": N_("similarity {value}"),
    "token_at": N_("token {position}"),
    "chosen": N_("Chosen: {label}, id {id}"),
    "nothing_chosen": N_("Nothing is chosen."),
    "marked": N_("{count} points selected"),
    "clear": N_("Clear selection"),
    "waiting": N_("Loading points…"),
    "empty": N_("No points to draw."),
    "mix": N_("Share of the position"),
    "mix_before": N_("token"),
    "mix_after": N_("token + position"),
}

# On the picture with a time axis.
MOTION_LABELS: dict[str, str] = {
    "figure": N_("{count} words at step {step} of {steps}, drawn along {axes}."),
    "figure_chosen": N_("Chosen: {word}. Nearest: {words}."),
    "step_of": N_("step {step} of {steps}"),
    "replay": N_("Replay"),
    "pause_replay": N_("Pause"),
    "first": N_("To the first step"),
    "last": N_("To the newest step"),
    "timeline": N_("Step shown"),
    "speed": N_("Speed"),
    "speed_times": N_("{factor}×"),
    "search": N_("Find a word"),
    "not_found": N_("No row for ‘{word}’."),
    "kind": N_("Kind of word"),
    "all_kinds": N_("All kinds"),
    "no_kind": N_("no kind"),
    "trails": N_("Trails"),
    "names": N_("Names"),
    "fit": N_("Fit each step"),
    "save": N_("Save image"),
    "full_screen": N_("Full screen"),
    "leave_full_screen": N_("Leave full screen"),
    "file_name": N_("words-at-step-{step}.png"),
    "legend": N_("Groups of words"),
    "similarity": N_("similarity {value}"),
    "chosen": N_("Chosen: {word}."),
    "nothing_chosen": N_("No word is chosen."),
    "emphasised": N_("{kind}: {count} words highlighted."),
    "nothing_emphasised": N_("No kind is highlighted."),
    "help": N_("Click a word, a group or a kind to highlight it; Esc clears."),
    "help_space": N_("Drag or use arrow keys to turn; click a word, a group or a kind to highlight it; Esc clears."),
    "waiting": N_("Loading words…"),
}
