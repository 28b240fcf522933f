"""One file over HTTP, with a limit on time and on size."""

import http.client
import time
import urllib.error
import urllib.request

CHUNK = 64 * 2**10  # bytes


def fetch(url: str, *, timeout: float, max_bytes: int) -> bytes:
    """Get the content of a URL.

    Args:
        url: http or https; redirections are followed, and proxies taken from the environment.
        timeout: seconds; it gives up when the server is silent for so long, or when, after so long, not all has come.
            Finding the server's address is left to the system, which has a limit of its own.
        max_bytes: the most that is read.

    Returns:
        The whole content.

    Raises:
        TimeoutError: no answer, or not all of it, in time.
        ConnectionError: no connection, an answer other than success, one cut short, or one of more than max_bytes.
    """
    deadline = time.monotonic() + timeout
    parts: list[bytes] = []
    size = 0
    try:
        with urllib.request.urlopen(url, timeout=timeout) as answer:
            expected = answer.length
            while part := answer.read1(CHUNK):  # read would wait for a full chunk, however slowly it came
                parts.append(part)
                size += len(part)
                if size > max_bytes:
                    raise ConnectionError(f"the server sent more than {max_bytes} bytes")
                if time.monotonic() > deadline:
                    raise TimeoutError
    except urllib.error.HTTPError as error:
        error.close()
        raise ConnectionError(f"the server answered {error.code}") from error
    except TimeoutError as error:
        raise _timeout(timeout) from error
    except urllib.error.URLError as error:
        if isinstance(error.reason, TimeoutError):
            raise _timeout(timeout) from error
        raise ConnectionError("the server cannot be reached") from error
    except ConnectionError:
        raise
    except (OSError, http.client.HTTPException) as error:
        raise ConnectionError("the connection broke") from error
    if expected is not None and size != expected:
        raise ConnectionError("the connection broke")
    return b"".join(parts)


def _timeout(timeout: float) -> TimeoutError:
    return TimeoutError(f"the server did not send it within {timeout:g} s")
