"""Every string on the picture of points, in English."""

from embedlib.i18n import N_

# The page passes the same names with translations.
LABELS: dict[str, str] = {
    "figure": N_("{count} points, {dimensions} axes: {axes}."),
    "help": N_("Drag to move, wheel or pinch to zoom, click a point to choose it."),
    "help_space": N_(
        "Drag to turn, Shift and drag or two fingers to move, wheel or pinch to zoom, click a point to choose it."
    ),
    "help_region": N_("Drag around the points that you want to mark; the wheel still zooms."),
    "keys_title": N_("Keys"),
    "keys": N_(
        "Arrows move, + and − zoom, 0 shows everything, N and P go to the next and the previous neighbour,"
        " Enter chooses, S marks all in sight, Esc clears."
    ),
    "keys_space": N_(
        "Arrows turn, Shift and arrows move, + and − zoom, 0 shows everything, N and P go to the next and the"
        " previous neighbour, Enter chooses, S marks all in sight, Esc clears."
    ),
    "tools": N_("What dragging does"),
    "move": N_("Move"),
    "turn": N_("Turn"),
    "box": N_("Mark a box"),
    "lasso": N_("Mark freely"),
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
    "marked": N_("{count} points marked"),
    "clear": N_("Clear the mark"),
    "waiting": N_("The points are on their way."),
    "empty": N_("There are no points to draw."),
    "mix": N_("Between the token and the token with its position"),
    "mix_before": N_("token"),
    "mix_after": N_("token + position"),
}
