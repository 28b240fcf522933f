"""What a decoder is trained on: sorting, looking back, and the next character, with the positions that are scored."""

from embedlib.extrapolation.back import BackTask
from embedlib.extrapolation.base import Batch, Task
from embedlib.extrapolation.sort import SortTask
from embedlib.extrapolation.text import TextTask, TextTooShort

__all__ = ["TASKS", "BackTask", "Batch", "SortTask", "Task", "TextTask", "TextTooShort"]

TASKS: dict[str, type[SortTask] | type[BackTask] | type[TextTask]] = {
    task.kind: task for task in (SortTask, BackTask, TextTask)
}
