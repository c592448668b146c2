"""Compares inputs and outputs of operations with AWS's own models of them: members, lengths, bounds, patterns and values."""

import base64
import json
import re
import sys
from urllib.parse import parse_qsl, unquote, urlsplit

from botocore.session import get_session

session = get_session()
PYTHON_TYPES = {
    "structure": dict,
    "map": dict,
    "list": list,
    "string": str,
    "blob": str,
    "boolean": bool,
    "integer": int,
    "long": int,
    "float": (int, float),
    "double": (int, float),
    "timestamp": (int, float, str),
}


def operation_problems(service, operation, value, side="input"):
    """What of a JSON input, or of an output, the model refuses, without the values."""
    model = session.get_service_model(service).operation_model(operation)
    shape = model.input_shape if side == "input" else model.output_shape
    if service == "s3":
        value = rest_input(model, value)
    return list(problems(shape, value, operation)) if shape else []


# Headers of the signature and of the SDK itself, which no operation has as a member.
SIGNED = {"x-amz-content-sha256", "x-amz-date", "x-amz-security-token", "x-amz-user-agent"}


def rest_input(model, request):
    """The input that an operation of objects has in its path, query and headers. What no member takes keeps its own name."""
    url = urlsplit(request["path"])
    bucket, _, key = unquote(url.path).removeprefix("/").partition("/")
    named = {"uri": {"Bucket": bucket, **({"Key": key} if key else {})}}
    # The query of the operation itself is in no member.
    own = {"x-id", *(name for name, _ in parse_qsl(urlsplit(model.http["requestUri"]).query, True))}
    named["querystring"] = {name: value for name, value in parse_qsl(url.query, True) if name not in own}
    headers = {name.lower(): value for name, value in request["headers"].items()}
    named["header"] = {name: value for name, value in headers.items() if name.startswith("x-amz-") and name not in SIGNED}
    found = {}
    for member, one in model.input_shape.members.items():
        place, name = one.serialization.get("location"), one.serialization.get("name", member)
        name = name.lower() if place == "header" else name
        text = named.get(place, {}).pop(name, headers.get(name) if place == "header" else None)
        if text is not None:
            found[member] = int(text) if one.type_name in ("integer", "long") else text
    return {**found, **{name: text for place in named.values() for name, text in place.items()}}


def problems(shape, value, place):
    if not isinstance(value, PYTHON_TYPES[shape.type_name]) or (isinstance(value, bool) and shape.type_name != "boolean"):
        yield f"{place} is no {shape.type_name}"
        return
    limits = shape.metadata
    size = value if isinstance(value, (int, float)) else len(base64.b64decode(value) if shape.type_name == "blob" else value)
    if "min" in limits and size < limits["min"] or "max" in limits and size > limits["max"]:
        yield f"{place} is not between {limits.get('min')} and {limits.get('max')}"
    if shape.type_name == "string":
        if limits.get("enum") and value not in limits["enum"]:
            yield f"{place} is not one of {limits['enum']}"
        if "pattern" in limits and not re.fullmatch(limits["pattern"], value, re.DOTALL):
            yield f"{place} does not match {limits['pattern']}"
    yield from problems_within(shape, value, place)


def problems_within(shape, value, place):
    if shape.type_name == "structure":
        for name in shape.required_members:
            if name not in value:
                yield f"{place}.{name} is missing"
        for name, one in value.items():
            if name in shape.members:
                yield from problems(shape.members[name], one, f"{place}.{name}")
            else:
                yield f"{place}.{name} is unknown"
    elif shape.type_name == "list":
        for one in value:
            yield from problems(shape.member, one, f"{place}[]")
    elif shape.type_name == "map":
        for name, one in value.items():
            yield from problems(shape.key, name, f"{place} key")
            yield from problems(shape.value, one, f"{place}{{}}")


if __name__ == "__main__":
    calls = json.load(sys.stdin)
    print(json.dumps([operation_problems(*call) for call in calls]))
