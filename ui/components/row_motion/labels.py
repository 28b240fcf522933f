"""Every string on the moving cloud of words, in English."""

from embedlib.i18n import N_

# The page passes the same names with translations.
LABELS: dict[str, str] = {
    "figure": N_("{count} words at step {step} of {steps}, drawn along {axes}."),
    "figure_chosen": N_("Chosen: {word}. Nearest: {words}."),
    "step_of": N_("step {step} of {steps}"),
    "replay": N_("Replay"),
    "pause_replay": N_("Hold"),
    "first": N_("To the first step"),
    "last": N_("To the newest step"),
    "timeline": N_("Step shown"),
    "speed": N_("Speed of the replay"),
    "speed_times": N_("{factor}×"),
    "search": N_("Find a word"),
    "not_found": N_("‘{word}’ is not among these words."),
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
    "emphasised": N_("{kind}: {count} words stand out."),
    "nothing_emphasised": N_("All words stand out alike."),
    "help": N_("Click a word to follow it, a group or a kind to see it alone; Esc clears."),
    "help_space": N_(
        "Drag to turn, or use the arrow keys; click a word to follow it, a group or a kind to see it alone; Esc clears."
    ),
    "waiting": N_("The words are on their way."),
}
