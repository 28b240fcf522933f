"""What the link carries of the panels."""

from ui.settings.kinds import Setting, Text

PANEL_SETTINGS: dict[str, Setting] = {
    "train_expected": Text(""),  # what the reader expects of their analogy; "" for what the grammar answers
}
