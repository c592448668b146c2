"""Compares inputs and outputs of operations with AWS's own models of them: members, lengths, bounds, patterns and values."""

import base64
import json
import re
import sys

from request_inputs import operation_of, read_request

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
    model = operation_of(service, operation)
    shape = model.input_shape if side == "input" else model.output_shape
    return list(problems(shape, value, operation)) if shape else []


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


def read_and_check(request):
    """The operation of a recorded request, its input, and what the model refuses of it."""
    try:
        operation, value = read_request(request)
    except ValueError as unreadable:
        return {"operation": "", "input": None, "problems": [str(unreadable)]}
    return {"operation": operation, "input": value, "problems": operation_problems(request["service"], operation, value)}


if __name__ == "__main__":
    values = json.load(sys.stdin)
    print(json.dumps([read_and_check(one) if isinstance(one, dict) else operation_problems(*one) for one in values]))
