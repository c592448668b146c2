"""Sends by an installed SDK what its input names: each line has the marks of calls to make at once."""

import importlib
import inspect
import json
import sys

settings = json.loads(sys.argv[1])
module, key, url = settings["module"], settings["key"], settings["url"]


def client(kind, *args, **options):
    """Older releases have fewer options."""
    if not settings["paced"]:
        options = {"host": options["host"]}
    known = inspect.signature(kind.__init__).parameters
    return kind(*args, **{name: value for name, value in options.items() if name in known})


if module == "posthog":
    posthog = importlib.import_module("posthog")
    sdk = client(posthog.Posthog, key, host=url + "/collect", flush_at=5, flush_interval=0.1, gzip=True)
    if "distinct_id" in list(inspect.signature(sdk.capture).parameters)[:1]:
        capture = lambda mark: sdk.capture("u-1", "Order Placed", {"mark": mark})
    else:
        capture = lambda mark: sdk.capture("Order Placed", distinct_id="u-1", properties={"mark": mark})
    calls = [
        capture,
        lambda mark: sdk.set(distinct_id="u-1", properties={"mark": mark}),
        lambda mark: sdk.group_identify("company", "acme", {"mark": mark}),
    ]
else:
    kind = importlib.import_module(module + ".client").Client
    base = url + "/collect/segment"
    sdk = client(kind, key, host=base, upload_size=5, flush_at=5, upload_interval=0.1, flush_interval=0.1, gzip=True)
    calls = [
        lambda mark: sdk.track("u-1", "Order Placed", {"mark": mark}),
        lambda mark: sdk.identify("u-1", {"mark": mark}),
        lambda mark: sdk.page("u-1", None, "Home", {"mark": mark}),
        lambda mark: sdk.screen("u-1", None, "Cart", {"mark": mark}),
        lambda mark: sdk.group("u-1", "acme", {"mark": mark}),
    ]

# The oldest release has no option for it.
if settings["paced"]:
    for consumer in getattr(sdk, "consumers", None) or filter(None, [getattr(sdk, "consumer", None)]):
        consumer.upload_size = consumer.flush_at = 5

at = 0
for line in sys.stdin:
    for mark in line.split():
        calls[at % len(calls)](mark)
        at += 1
sdk.flush()
(getattr(sdk, "shutdown", None) or sdk.join)()
