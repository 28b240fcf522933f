"""Long work: its queue, its turns, who still watches, and how it is shown."""

from ui.jobs.cluster import cluster_address, connected, n_at_once
from ui.jobs.job import Job, Report
from ui.jobs.presence import is_here, new_visitor
from ui.jobs.queue import Jobs, downloads, in_turns, jobs, waits
from ui.jobs.times import about, time_written
from ui.jobs.view import SECONDS_RUNNING, SECONDS_WAITING, result_or_progress, show_job, this_visitor

__all__ = [
    "SECONDS_RUNNING",
    "SECONDS_WAITING",
    "Job",
    "Jobs",
    "Report",
    "about",
    "cluster_address",
    "connected",
    "downloads",
    "in_turns",
    "is_here",
    "jobs",
    "n_at_once",
    "new_visitor",
    "result_or_progress",
    "show_job",
    "this_visitor",
    "time_written",
    "waits",
]
