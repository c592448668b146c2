"""Runs the contract of PostHog's SDK test harness with its mock relayed to a service.

The harness is imported from its checkout (PYTHONPATH). What its mock would accept, the service answers instead; answers
that a test sets up, such as 503, stay the mock's. `HARNESS_SERVICE` is the address of the collection routes, and
`HARNESS_ANSWERS` a file for one line of JSON a relayed request. The arguments are those of the harness.
"""

import json
import os
import urllib.error
import urllib.parse
import urllib.request

from posthog_test_harness.cli import cli
from posthog_test_harness.mock_server.state import MockServerState

service = os.environ["HARNESS_SERVICE"]
answers = open(os.environ["HARNESS_ANSWERS"], "a", buffering=1)
not_relayed = {"host", "content-length", "connection", "transfer-encoding", "accept-encoding", "origin"}
untaken = ("/flags", "/decide", "/i/v0/ai/")
recorded_alone = MockServerState.record_request


def is_set_up(recorded):
    """Whether the test wrote this answer: an error, or verdicts other than success."""
    body = json.loads(recorded.response_body or "{}")
    verdicts = [one.get("result") for one in body.get("results", {}).values()] if isinstance(body, dict) else []
    return recorded.response_status != 200 or any(verdict != "ok" for verdict in verdicts)


def ask_service(recorded):
    url = f"{service}{recorded.path}?{urllib.parse.urlencode(recorded.query_params)}".rstrip("?")
    headers = {name: value for name, value in recorded.headers.items() if name not in not_relayed}
    request = urllib.request.Request(url, recorded.body_raw, headers, method=recorded.method)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.read().decode(), dict(answer.headers)
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.read().decode(), dict(refusal.headers)


def record_request(self, method, path, headers, query_params, body_raw):
    recorded = recorded_alone(self, method, path, headers, query_params, body_raw)
    if path.startswith(untaken) or is_set_up(recorded):
        return recorded
    status, body, answered = ask_service(recorded)
    events = recorded.parsed_events or []
    ids = [event.get("uuid") for event in events if isinstance(event, dict)]
    code = json.loads(body).get("detail", {}) if status >= 400 else None
    verdicts = json.loads(body).get("results") if status == 200 else None
    answers.write(json.dumps({"path": path, "status": status, "ids": ids, "code": code, "results": verdicts}) + "\n")
    recorded.response_status = status
    recorded.response_body = body
    recorded.response_headers.update(
        {name: value for name, value in answered.items() if name.lower() == "retry-after"}
    )
    return recorded


MockServerState.record_request = record_request
cli()
