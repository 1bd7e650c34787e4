"""A client of the vrs API (`/v1`). It needs Python 3.9 or newer, and nothing else.

The types of all operations are in `__init__.pyi`, which is generated from the OpenAPI document.
"""

import http.client
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

__all__ = ["ApiError", "VrsClient"]

_TIMEOUT_SECONDS = 30
# The service sends a heartbeat every 15 seconds.
_SILENCE_SECONDS = 50
# Attempts after 429 and 503 responses with a `Retry-After`.
_ATTEMPTS = 4
_MAX_PAUSE_SECONDS = 60
# Attempts to open a stream without any event in between.
_STREAM_ATTEMPTS = 8
# Statuses that a proxy sends for an unreachable service.
_UNREACHABLE = {502, 503, 504}
_ENDED = {"completed", "failed", "canceled"}
# Failures of the connection. A timeout is one of them.
_FAILURES = (OSError, http.client.HTTPException)


class ApiError(Exception):
    """An error response. The message is the service's own, and `code` comes from its error catalogue."""

    def __init__(self, status, code, message, request_id=None):
        super().__init__(message)
        self.status = status
        self.code = code
        # Finds the request in the service's log.
        self.request_id = request_id


class VrsClient:
    """A client of `/v1`. Its methods raise `ApiError` for an error response, and `OSError` if nothing responds.

    `api_key` is a key, or a function that returns a key that is valid now. Reads, and requests with an idempotency
    key, are repeated for `retry_for` seconds while the service is unreachable. All requests are repeated after a
    `Retry-After`.
    """

    def __init__(self, url, api_key, *, timeout=_TIMEOUT_SECONDS, retry_for=0, on_deprecated=None):
        self._url = url.rstrip("/")
        self._api_key = api_key
        self._timeout = timeout
        self._retry_for = retry_for
        self._on_deprecated = on_deprecated

    def call(self, name, *, params=None, query=None, body=None, idempotency_key=None):
        """Sends one request: `client.call("GET /v1/runs/{id}", params={"id": run_id})`."""
        method, template = name.split(" ", 1)
        headers = {}
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        url = self._url + _path_of(template, params or {}) + _query_of(query or {})

        def exchange():
            with self._open(method, url, headers, data, self._timeout) as response:
                self._report_deprecation(name, response.headers)
                return json.loads(response.read() or b"null")

        return self._retry(exchange, method == "GET" or idempotency_key is not None)

    def list(self, name, *, params=None, query=None):
        """Yields all entries of a list, and requests further pages as needed."""
        cursor = None
        while True:
            page = self.call(name, params=params, query={**(query or {}), "cursor": cursor})
            yield from page["data"]
            cursor = page["nextCursor"]
            if cursor is None:
                return

    def follow_run(self, run_id):
        """Yields the states of a run until it ends. A stream that breaks is opened again."""
        for _, state in self._stream(f"/v1/runs/{urllib.parse.quote(run_id, safe='')}/events"):
            yield state
            if state["status"] in _ENDED:
                return

    def wait_for_run(self, run_id):
        """Waits until a run ends, and returns it."""
        for _ in self.follow_run(run_id):
            pass
        return self.call("GET /v1/runs/{id}", params={"id": run_id})

    def follow_team(self):
        """Yields what changes in the team as `(kind, change)`, until you stop reading."""
        for event, change in self._stream("/v1/events"):
            if event in ("runs", "monitors"):
                yield event, change

    def _open(self, method, url, headers, data, timeout):
        key = self._api_key() if callable(self._api_key) else self._api_key
        headers = {"Accept": "application/json", **headers, "Authorization": f"Bearer {key}"}
        request = urllib.request.Request(url, data=data, headers=headers, method=method)
        return _OPENER.open(request, timeout=timeout)

    def _retry(self, exchange, is_repeatable):
        deadline = time.monotonic() + (self._retry_for if is_repeatable else 0)
        attempt = 0
        while True:
            attempt += 1
            try:
                return exchange()
            except urllib.error.HTTPError as error:
                failure = _error_of(error)
                retry_after = _retry_after_of(error.headers)
                is_unreachable = error.code in _UNREACHABLE
            except _FAILURES as error:
                failure, retry_after, is_unreachable = error, None, True
            is_in_time = time.monotonic() < deadline
            if retry_after is not None and (attempt < _ATTEMPTS or is_in_time):
                time.sleep(retry_after)
            elif is_unreachable and is_in_time:
                time.sleep(_backoff(attempt, 0.25, 5))
            else:
                raise failure

    def _stream(self, path):
        attempt = 0
        while True:
            attempt += 1
            failure = None
            try:
                with self._open(
                    "GET", self._url + path, {"Accept": "text/event-stream"}, None, _SILENCE_SECONDS
                ) as response:
                    for event in _events_in(response):
                        attempt = 1
                        yield event
            except urllib.error.HTTPError as error:
                failure = _error_of(error)
                if 400 <= error.code < 500 and error.code != 429:
                    raise failure from None
            except _FAILURES as error:
                failure = error
            if failure is not None and attempt >= _STREAM_ATTEMPTS:
                raise failure
            time.sleep(_backoff(attempt, 0.5, 15))

    def _report_deprecation(self, name, headers):
        deprecation = headers.get("Deprecation")
        if deprecation is None or self._on_deprecated is None:
            return
        seconds = re.fullmatch(r"@(\d+)", deprecation)
        since = datetime.fromtimestamp(int(seconds[1]), timezone.utc) if seconds else None
        sunset = headers.get("Sunset")
        self._on_deprecated(name, since, parsedate_to_datetime(sunset) if sunset else None)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The service never redirects its API. Another server must not get the key."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)


def _path_of(template, params):
    return re.sub(r"\{(\w+)\}", lambda name: urllib.parse.quote(str(params[name[1]]), safe=""), template)


def _query_of(query):
    def text(value):
        return str(value).lower() if isinstance(value, bool) else str(value)

    fields = [(name, text(value)) for name, value in query.items() if value is not None]
    return "?" + urllib.parse.urlencode(fields) if fields else ""


def _error_of(error):
    """Returns the problem (RFC 9457) of an error response. A proxy may have sent something else."""
    with error:
        try:
            text = error.read().decode("utf-8", "replace")
        except _FAILURES:
            text = ""
    try:
        problem = json.loads(text)
        detail = problem["detail"]
        # The detail already contains the first one.
        others = [each["message"] for each in problem.get("errors", []) if each["message"] not in detail]
        return ApiError(error.code, problem["code"], " ".join([detail, *others]), problem["requestId"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return ApiError(error.code, "unknown", f"{error.code} {text[:200]}".strip())


def _retry_after_of(headers):
    """Returns seconds; None without the header, or for a date, which the service doesn't send."""
    text = headers.get("Retry-After", "")
    return min(int(text), _MAX_PAUSE_SECONDS) if text.isascii() and text.isdigit() else None


def _backoff(attempt, first, longest):
    """Returns a random part of a pause that doubles, so that clients don't return at the same time."""
    return random.uniform(0.5, 1) * min(longest, first * 2 ** min(attempt - 1, 10))


def _events_in(response):
    """Yields the events of a stream that have JSON data, as `(event, data)`."""
    event, data = None, []
    for line in response:
        text = line.decode("utf-8", "replace").rstrip("\r\n")
        if text == "":
            if data:
                value = _json_or_none("\n".join(data))
                if value is not None:
                    yield event, value
            event, data = None, []
            continue
        field, _, value = text.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "event":
            event = value
        elif field == "data":
            data.append(value)


def _json_or_none(text):
    try:
        return json.loads(text)
    except ValueError:
        return None
