"""Asks questions with the official Python client; standard input and output are JSON as bench/agents.ts has them."""

import asyncio
import json
import sys
from datetime import datetime, timedelta, timezone

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client


def server_of(job):
    if "command" in job:
        return StdioServerParameters(command=job["command"], args=job["args"])
    headers = {"authorization": f"Bearer {job['token']}"}
    return streamable_http_client(job["url"], http_client=httpx2.AsyncClient(headers=headers, timeout=120))


def filled(value, cursor):
    if value == "$cursor":
        return cursor
    if value == "$hour":
        return (datetime.now(timezone.utc) - timedelta(hours=1)).isoformat().replace("+00:00", "Z")
    return value


async def main():
    job = json.load(sys.stdin)
    results = []
    async with Client(server_of(job)) as client:
        tools = await client.list_tools()
        for question in job["questions"]:
            texts, cursor, failed = [], None, None
            for index, call in enumerate(question["calls"]):
                if index > 0 and cursor is None:
                    break
                arguments = {name: filled(value, cursor) for name, value in {**job["place"], **call["input"]}.items()}
                try:
                    answer = await client.call_tool(call["tool"], arguments)
                except Exception as error:  # noqa: BLE001 - an error of the protocol is a result too
                    failed = str(error)
                    break
                texts.append(next(block.text for block in answer.content if block.type == "text"))
                cursor = (answer.structured_content or {}).get("next_cursor")
            results.append({"texts": texts, "failed": failed})
    json.dump({"tools": len(tools.tools), "results": results}, sys.stdout)


asyncio.run(main())
