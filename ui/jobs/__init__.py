"""Background jobs: their queue, fairness, cancellation and progress display."""

from ui.jobs.cluster import cluster_address, connect_cluster, n_at_once
from ui.jobs.job import Job, Report
from ui.jobs.presence import is_here, new_visitor
from ui.jobs.queue import Jobs, downloads, fair_order, is_waiting, jobs
from ui.jobs.times import format_duration, rough_duration
from ui.jobs.view import SECONDS_RUNNING, SECONDS_WAITING, result_or_progress, show_job, this_visitor

__all__ = [
    "SECONDS_RUNNING",
    "SECONDS_WAITING",
    "Job",
    "Jobs",
    "Report",
    "cluster_address",
    "connect_cluster",
    "downloads",
    "fair_order",
    "format_duration",
    "is_here",
    "is_waiting",
    "jobs",
    "n_at_once",
    "new_visitor",
    "result_or_progress",
    "rough_duration",
    "show_job",
    "this_visitor",
]
