"""Long work: its queue, its turns, who still watches, and how it is shown."""

from ui.jobs.job import Job, Report
from ui.jobs.presence import is_here, new_visitor
from ui.jobs.queue import Jobs, in_turns, jobs
from ui.jobs.view import show_job, this_visitor

__all__ = ["Job", "Jobs", "Report", "in_turns", "is_here", "jobs", "new_visitor", "show_job", "this_visitor"]
