"""AWS Backup's recovery points and restore jobs, which the emulator lacks: real copies of tables and of objects.

Inputs are checked against AWS's own model of the service. A job fails for what AWS documents: a table that exists
already, a bucket without versions, a role that is missing. Objects that exist are skipped.
"""

import asyncio
import json
import os
import time
import uuid

import botocore.session
from service_models import operation_problems

points, jobs, tokens = {}, {}, {}
TABLE_FIELDS = ["KeySchema", "AttributeDefinitions"]
INDEX_FIELDS = ["IndexName", "KeySchema", "Projection"]


def client(service):
    endpoint = f"http://127.0.0.1:{os.environ['GATEWAY_PORT']}"
    keys = {"aws_access_key_id": "test", "aws_secret_access_key": "test", "region_name": "us-east-1"}
    return botocore.session.get_session().create_client(service, endpoint_url=endpoint, **keys)


def reply(status, body):
    return status, {"Content-Type": "application/json"}, json.dumps(body).encode()


def refuse(message, code="InvalidParameterValueException"):
    status, headers, body = reply(400, {"Code": code, "message": message, "__type": code})
    return status, {**headers, "x-amzn-errortype": code}, body


def name_in(arn):
    return arn.rsplit(":", 1)[1].removeprefix("table/")


def table_copy(name):
    dynamodb = client("dynamodb")
    table = dynamodb.describe_table(TableName=name)["Table"]
    indexes = [{field: one[field] for field in INDEX_FIELDS} for one in table.get("GlobalSecondaryIndexes", [])]
    made = {field: table[field] for field in TABLE_FIELDS}
    items = [item for page in dynamodb.get_paginator("scan").paginate(TableName=name) for item in page["Items"]]
    return {**made, **({"GlobalSecondaryIndexes": indexes} if indexes else {})}, items


def bucket_copy(name):
    s3 = client("s3")
    keys = [one["Key"] for page in s3.get_paginator("list_objects_v2").paginate(Bucket=name) for one in page.get("Contents", [])]
    return {key: s3.get_object(Bucket=name, Key=key)["Body"].read() for key in keys}


def restore_table(point, metadata):
    name, (made, items) = metadata["targetTableName"], point["content"]
    dynamodb = client("dynamodb")
    dynamodb.create_table(TableName=name, BillingMode="PAY_PER_REQUEST", **made)
    for start in range(0, len(items), 25):
        puts = [{"PutRequest": {"Item": item}} for item in items[start : start + 25]]
        dynamodb.batch_write_item(RequestItems={name: puts})


def restore_bucket(point, metadata):
    bucket, s3 = metadata["DestinationBucketName"], client("s3")
    if metadata["NewBucket"] != "false":
        raise ValueError("The drill restores into the bucket of a stack")
    if s3.get_bucket_versioning(Bucket=bucket).get("Status") != "Enabled":
        raise ValueError("The bucket keeps no versions")
    existing = bucket_copy(bucket)
    for key, body in point["content"].items():
        if key not in existing:
            s3.put_object(Bucket=bucket, Key=key, Body=body)


def start_backup(backup, body):
    arn, vault = body["ResourceArn"], body["BackupVaultName"]
    content = (table_copy if ":dynamodb:" in arn else bucket_copy)(name_in(arn))
    answer = backup._start_job(body)
    point = {"ResourceArn": arn, "BackupVaultName": vault, "IamRoleArn": body["IamRoleArn"], "Status": "COMPLETED"}
    point_arn = json.loads(answer[2])["RecoveryPointArn"]
    points[point_arn] = {"record": {**point, "RecoveryPointArn": point_arn, "CreationDate": time.time()}, "content": content}
    return answer


def run_job(job, point, metadata):
    try:
        (restore_table if isinstance(point["content"], tuple) else restore_bucket)(point, metadata)
        job["Status"] = "COMPLETED"
    except Exception as error:
        job.update({"Status": "FAILED", "StatusMessage": str(error)})


def start_restore(body):
    point, metadata = points.get(body["RecoveryPointArn"]), body["Metadata"]
    if point is None:
        return refuse("There is no such recovery point", "ResourceNotFoundException")
    needed = ["targetTableName"] if isinstance(point["content"], tuple) else ["DestinationBucketName", "NewBucket"]
    missing = [name for name in needed if name not in metadata]
    if missing or "IamRoleArn" not in body:
        return refuse(f"Missing: {missing or 'IamRoleArn'}")
    job_id = tokens.get(body.get("IdempotencyToken")) or str(uuid.uuid4())
    if job_id not in jobs:
        jobs[job_id] = {"RestoreJobId": job_id, "Status": "RUNNING"}
        tokens[body.get("IdempotencyToken", job_id)] = job_id
        asyncio.get_running_loop().run_in_executor(None, run_job, jobs[job_id], point, metadata)
    return reply(200, {"RestoreJobId": job_id})


def read(parts):
    if parts[0] == "restore-jobs":
        return reply(200, jobs[parts[1]])
    if parts[0] == "resources":
        arn = "/".join(parts[1:-1])
        found = [one["record"] for one in points.values() if one["record"]["ResourceArn"] == arn]
        return reply(200, {"RecoveryPoints": found})
    return reply(200, points["/".join(parts[3:])]["record"])


def answering(backup):
    """The emulator's own answers, and those of restores."""
    emulated = backup.handle_request
    calls = {"backup-jobs": "StartBackupJob", "restore-jobs": "StartRestoreJob"}

    async def handle_request(method, path, headers, body_bytes, query_params):
        parts = [part for part in path.strip("/").split("/") if part]
        if method == "PUT" and parts[0] in calls:
            body = json.loads(body_bytes)
            problems = operation_problems("backup", calls[parts[0]], body)
            if problems:
                return refuse("; ".join(problems))
            if parts[0] == "restore-jobs":
                return start_restore(body)
            return await asyncio.to_thread(start_backup, backup, body)
        if method == "GET" and (parts[0] in ("restore-jobs", "resources") or "recovery-points" in parts):
            return read(parts)
        return await emulated(method, path, headers, body_bytes, query_params)

    return handle_request
