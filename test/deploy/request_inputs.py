"""Reads recorded requests: the operation and its input, by the protocol that AWS's model of the service names."""

import json
import re
from urllib.parse import parse_qsl, unquote, urlsplit
from xml.etree import ElementTree

from botocore.session import get_session

session = get_session()
# Services whose signatures name them otherwise.
MODELS = {"monitoring": "cloudwatch"}


def operation_of(service, name):
    return session.get_service_model(MODELS.get(service, service)).operation_model(name)


def read_request(request):
    """The operation's name and its input."""
    service, body = request["service"], request.get("body") or ""
    model = session.get_service_model(MODELS.get(service, service))
    request = {**request, "headers": {name.lower(): str(value) for name, value in request["headers"].items()}}
    target = request["headers"].get("x-amz-target")
    if target:
        prefix, _, name = target.rpartition(".")
        expected = model.metadata.get("targetPrefix")
        if prefix != expected:
            raise ValueError(f"{service} has the target {expected}, not {prefix}")
        return name, json.loads(body)
    if model.metadata["protocol"] == "query":
        form = dict(parse_qsl(body, True))
        name = form.pop("Action")
        if form.pop("Version") != model.metadata["apiVersion"]:
            raise ValueError(f"{service} has the version {model.metadata['apiVersion']}")
        return name, form_value(model.operation_model(name).input_shape, tree_of(form))
    operation = rest_operation(model, request["method"], urlsplit(request["path"]))
    return operation.name, rest_input(operation, request)


def tree_of(form):
    """Names of a form such as Parameters.member.1.ParameterKey, as trees."""
    tree = {}
    for name, value in form.items():
        *parents, last = name.split(".")
        place = tree
        for one in parents:
            place = place.setdefault(one, {})
        place[last] = value
    return tree


def form_value(shape, tree):
    if shape.type_name == "structure":
        names = {one.serialization.get("name", member): (member, one) for member, one in shape.members.items()}
        known = {member: form_value(one, tree[name]) for name, (member, one) in names.items() if name in tree}
        return {**known, **{name: value for name, value in tree.items() if name not in names}}
    if shape.type_name == "list":
        items = tree if shape.serialization.get("flattened") else tree and tree["member"]
        return [form_value(shape.member, items[at]) for at in sorted(items, key=int)] if items else []
    return scalar(shape, tree)


def scalar(shape, text):
    if shape.type_name in ("integer", "long"):
        return int(text)
    return text == "true" if shape.type_name == "boolean" else text


def rest_operation(model, method, url):
    """The operation whose template of an address fits best: by its words, and by the parts of its query."""
    query = dict(parse_qsl(url.query, True))
    if "x-id" in query:
        return model.operation_model(query["x-id"])
    found = []
    for operation in map(model.operation_model, model.operation_names):
        template = urlsplit(operation.http["requestUri"])
        own = dict(parse_qsl(template.query, True))
        pattern = re.sub(r"\\\{\w+(\\\+)?\\\}", lambda name: ".+" if name[1] else "[^/]+", re.escape(template.path.rstrip("/")))
        fits = operation.http["method"] == method and re.fullmatch(pattern, url.path.rstrip("/"))
        if fits and all(query.get(name) == value for name, value in own.items()):
            words = [part for part in template.path.split("/") if "{" not in part]
            found.append((len(own), len(words), operation.name))
    if not found:
        raise ValueError(f"No operation of {model.service_name} has the method {method} and this address")
    return model.operation_model(max(found)[2])


# Headers of the signature and of the SDK itself, which no operation has as a member.
SIGNED = {"x-amz-content-sha256", "x-amz-date", "x-amz-security-token", "x-amz-user-agent"}


def rest_input(operation, request):
    """The input in path, query, headers and body. What no member takes keeps its own name."""
    url, shape = urlsplit(request["path"]), operation.input_shape
    template = urlsplit(operation.http["requestUri"])
    # The query of the operation itself is in no member.
    own = {"x-id", *(name for name, _ in parse_qsl(template.query, True))}
    headers = request["headers"]
    named = {
        "uri": path_members(template.path, url.path),
        "querystring": {name: value for name, value in parse_qsl(url.query, True) if name not in own},
        "header": {name: value for name, value in headers.items() if name.startswith("x-amz-") and name not in SIGNED},
    }
    found = {}
    for member, one in shape.members.items() if shape else ():
        place, name = one.serialization.get("location"), one.serialization.get("name", member)
        name = name.lower() if place == "header" else name
        text = named.get(place, {}).pop(name, headers.get(name) if place == "header" else None)
        if text is not None:
            found[member] = scalar(one, text)
    return {**found, **body_members(shape, request.get("body")), **{name: text for place in named.values() for name, text in place.items()}}


def path_members(template, path):
    names = re.findall(r"\{(\w+)\+?\}", template)
    pattern = re.sub(r"\{\w+(\+?)\}", lambda name: "(.+)" if name[1] else "([^/]+)", template.rstrip("/"))
    found = re.fullmatch(pattern, path.rstrip("/"))
    return dict(zip(names, map(unquote, found.groups()))) if found else {}


def body_members(shape, body):
    if not shape or not body:
        return {}
    payload = shape.serialization.get("payload")
    if not body.startswith("<"):
        return json.loads(body)
    return {payload: xml_value(shape.members[payload], ElementTree.fromstring(body))}


def xml_value(shape, element):
    if shape.type_name != "structure":
        return scalar(shape, element.text or "")
    names = {one.serialization.get("name", member): (member, one) for member, one in shape.members.items()}
    found = {}
    for child in element:
        name = child.tag.rpartition("}")[2]
        member, one = names.get(name, (name, None))
        if one is None:
            found[name] = child.text
        elif one.type_name == "list":
            items = [child] if one.serialization.get("flattened") else list(child)
            found.setdefault(member, []).extend(xml_value(one.member, item) for item in items)
        else:
            found[member] = xml_value(one, child)
    return found
