"""Principal components of any table: exact, deterministic, also of tables larger than memory."""
