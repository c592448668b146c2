"""Starts the emulator of AWS, and adds what its import of REST APIs lacks: ANY methods, gateway responses, stage variables."""

import re
import sys

from ministack.app import main
from ministack.services import apigateway_v1 as api

import_path, import_api, invoke = api._import_path_item, api._import_rest_api, api._invoke_lambda_proxy_v1


def with_any(api_id, path, item, *rest):
    return import_path(api_id, path, {"any" if "any-method" in key else key: one for key, one in item.items()}, *rest)


def with_gateway_responses(spec, *rest):
    api_id = import_api(spec, *rest)
    for kind, response in spec.get("x-amazon-apigateway-gateway-responses", {}).items():
        api._put_gateway_response(api_id, kind, response)
    return api_id


def with_stage_variables(integration, api_id, stage_name, stage, *rest, **named):
    variables = stage.get("variables") or {}
    uri = re.sub(r"\$\{stageVariables\.(\w+)\}", lambda found: variables[found[1]], integration["uri"])
    return invoke({**integration, "uri": uri}, api_id, stage_name, stage, *rest, **named)


api._OPENAPI_HTTP_METHODS.add("any")
api._import_path_item = with_any
api._import_rest_api = with_gateway_responses
api._invoke_lambda_proxy_v1 = with_stage_variables
sys.exit(main())
