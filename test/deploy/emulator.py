"""Starts the emulator of AWS, and adds what the drills need and it lacks: of API Gateway, CloudFormation and AWS Backup."""

import os
import re
import sys

import recovery_points
from ministack.app import main
from ministack.services import apigateway_v1 as api
from ministack.services import backup
from ministack.services import cloudformation
from ministack.services.cloudformation import changesets, handlers, provisioners, stacks

create_vault = provisioners._backup_vault_create
import_path, import_api, invoke = api._import_path_item, api._import_rest_api, api._invoke_lambda_proxy_v1
resolve_outputs = stacks._resolve_stack_outputs


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


def keeping_used_exports(*args):
    """CloudFormation refuses an update that takes an export away from a stack that imports it."""
    outputs, exports = resolve_outputs(*args)
    stack_name, stack_id = args[-2:]
    gone = {name for name, one in cloudformation._exports.items() if one["StackId"] == stack_id} - set(exports)
    for other, stack in cloudformation._stacks.items():
        used = gone & handlers._imported_export_names(stack, other) if other != stack_name else set()
        if used and not stack.get("StackStatus", "").startswith("DELETE"):
            raise ValueError(f"Cannot delete export {min(used)} as it is in use by {other}")
    return outputs, exports


def named(resource_type):
    """A resource that has a name and does nothing: functions take over at once, and no job is started by a plan."""
    create = lambda logical_id, props, stack: (f"{stack}-{logical_id}", {"Id": logical_id, "Arn": logical_id})
    provisioners._RESOURCE_HANDLERS[resource_type] = {"create": create, "delete": lambda physical_id, props: None}


def new_vault(logical_id, props, stack_name):
    """CloudFormation refuses to create a vault whose name exists, which the emulator takes for the same vault."""
    if props["BackupVaultName"] in backup._vaults:
        raise ValueError(f"{props['BackupVaultName']} already exists")
    return create_vault(logical_id, props, stack_name)


def import_vault(identifier):
    name = identifier["BackupVaultName"]
    return name, {"BackupVaultArn": backup._vault_arn(name), "BackupVaultName": name}


def failing_if_planted(resource_type, handler):
    """A drill writes the type of a resource into a file: the next one of it is not created."""
    create, planted = handler["create"], os.environ["PLANTED"]

    def create_unless_planted(*args):
        if os.path.exists(planted) and open(planted).read() == resource_type:
            os.remove(planted)
            raise ValueError(f"A planted failure of {resource_type}")
        return create(*args)

    handler["create"] = create_unless_planted


VAULT = "AWS::Backup::BackupVault"
missing_vault = lambda name: None if name in backup._vaults else f"{name} does not exist"
changesets._IMPORT_LOOKUPS[VAULT] = (("BackupVaultName",), missing_vault)
provisioners._RESOURCE_HANDLERS[VAULT].update(create=new_vault, **{"import": import_vault})
provisioners._backup_vault_create = new_vault
for kind in ["AWS::Backup::BackupSelection", "AWS::CodeDeploy::Application", "AWS::CodeDeploy::DeploymentGroup", "AWS::Glue::TableOptimizer"]:
    named(kind)
api._OPENAPI_HTTP_METHODS.add("any")
api._import_path_item = with_any
api._import_rest_api = with_gateway_responses
api._invoke_lambda_proxy_v1 = with_stage_variables
stacks._resolve_stack_outputs = keeping_used_exports
backup.handle_request = recovery_points.answering(backup)
for kind in ["AWS::ApiGateway::Account", "AWS::Cognito::UserPoolDomain", "AWS::CloudWatch::Dashboard"]:
    failing_if_planted(kind, provisioners._RESOURCE_HANDLERS[kind])
sys.exit(main())
