"""Reads entities over DataHub's OpenAPI v3 (`GET /openapi/v3/entity/{name}`), page by page."""

from __future__ import annotations

import json
import time
import typing as t
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

ATTEMPTS = 5
TIMEOUT_SECONDS = 60
LONGEST_WAIT_SECONDS = 30.0
RETRIED = (429, 500, 502, 503, 504)


class ApiError(Exception):
    """DataHub cannot be read; the message says why, and what to do."""


class _SameAddress(HTTPRedirectHandler):
    """The library would send the token wherever it is redirected to."""

    def redirect_request(self, request: Request, *answer: t.Any) -> t.Optional[Request]:
        before, after = (urlsplit(url)[:2] for url in (request.full_url, answer[-1]))
        if before != after:
            place = f"{after[0]}://{after[1]}"
            raise ApiError(f"DataHub redirects to {place}, which gets no token: name that address if you trust it")
        return super().redirect_request(request, *answer)


_opener = build_opener(_SameAddress)


class Datahub:
    """A DataHub's metadata service (GMS) at an address, read with a token where one is given."""

    def __init__(self, url: str, token: str | None, pause: t.Callable[[float], None] = time.sleep) -> None:
        self._url = url.rstrip("/")
        self._token = token
        self._pause = pause

    def entities(self, name: str, aspects: t.Sequence[str], page: int) -> t.Iterator[dict[str, t.Any]]:
        """All entities of a kind that have one of the aspects, by ascending URN; soft-deleted ones are left out."""
        scroll: str | None = None
        while True:
            query = [("count", str(page)), *(("aspects", aspect) for aspect in aspects)]
            answer = self._get(f"/openapi/v3/entity/{name}?{urlencode(query + ([('scrollId', scroll)] if scroll else []))}")
            if not isinstance(answer, dict) or not isinstance(answer.get("entities"), list):
                raise ApiError(f"{self._url} answered something else than entities: {_address_hint}")
            yield from answer["entities"]
            # A page may be empty though more follow: entities without the aspects are left out of it.
            following = answer.get("scrollId")
            if not following:
                return
            if following == scroll:
                raise ApiError("DataHub answered the same page twice: the export would never end")
            scroll = following

    def _get(self, path: str) -> t.Any:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self._once(path)
            except HTTPError as error:
                if error.code not in RETRIED or attempt == ATTEMPTS:
                    raise ApiError(self._refusal(error)) from error
                self._pause(_wait(attempt, error.headers.get("Retry-After")))
            except (URLError, HTTPException, OSError) as error:
                if attempt == ATTEMPTS:
                    reason = getattr(error, "reason", error)
                    raise ApiError(f"{self._url} cannot be reached ({reason}): {_address_hint}") from error
                self._pause(_wait(attempt, None))
        raise AssertionError("the last attempt returns or raises")

    def _once(self, path: str) -> t.Any:
        headers = {"Accept": "application/json", **({"Authorization": f"Bearer {self._token}"} if self._token else {})}
        with _opener.open(Request(self._url + path, headers=headers), timeout=TIMEOUT_SECONDS) as answer:
            body = answer.read()
        try:
            return json.loads(body)
        except ValueError as error:
            raise ApiError(f"{self._url} answered no JSON: {_address_hint}") from error

    def _refusal(self, error: HTTPError) -> str:
        if error.code in (401, 403):
            given = "the token is not allowed to read" if self._token else "it asks for a token"
            return f"{self._url} answered {error.code}, {given}: give one of DataHub's in DATAHUB_GMS_TOKEN"
        if error.code == 404:
            return f"{self._url} has no /openapi/v3: {_address_hint}, and a DataHub that has this API"
        return f"{self._url} answered {error.code} after {ATTEMPTS} attempts"


_address_hint = (
    "name the metadata service, such as http://localhost:8080, or https://NAME.acryl.io/gms, not the pages of DataHub"
)


def _wait(attempt: int, retry_after: str | None) -> float:
    """Seconds until the next attempt: what the service asks for, else twice the time before; never over the bound."""
    return min(LONGEST_WAIT_SECONDS, _asked(retry_after) or 0.5 * 2**attempt)


def _asked(retry_after: str | None) -> float | None:
    if not retry_after:
        return None
    if retry_after.isdigit():
        return float(retry_after)
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
