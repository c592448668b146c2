// Preloaded with `--import` into a local service: each thread of a function appends its calls of AWS, one JSON line each,
// to a file of the folder that the query of this module's URL names.
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { threadId, workerData } from 'node:worker_threads';

const url = new URL(import.meta.url);
const file = path.join(fileURLToPath(url.searchParams.get('folder') ?? ''), `${process.pid}-${threadId}.jsonl`);

/** The addresses of the emulators, as the environment of a function names them. */
const hosts = new Set(
  Object.entries(process.env).flatMap(([name, value = '']) =>
    name.startsWith('AWS_ENDPOINT_URL_') ? [new URL(value).host] : [],
  ),
);

/** The name of the function, in its thread. Threads of the emulators have no ARN. */
const { name: caller, arn } = Object(workerData);
if (arn !== undefined) subscribe('http.client.request.created', (message) => record(Object(message).request));

function record(request: ClientRequest): void {
  if (!hosts.has(String(request.getHeader('host')))) return;
  const chunks: Uint8Array[] = [];
  const collect = (chunk: unknown): void => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  const { write, end } = request;
  Object.assign(request, {
    write: (...args: unknown[]) => {
      collect(args[0]);
      return Reflect.apply(write, request, args);
    },
    end: (...args: unknown[]) => {
      collect(args[0]);
      save(request, Buffer.concat(chunks));
      return Reflect.apply(end, request, args);
    },
  });
}

function save(request: ClientRequest, body: Buffer): void {
  const headers = request.getHeaders();
  const target = headers['x-amz-target'];
  // Objects are not JSON, and no model says anything of their content.
  const isText = target !== undefined || request.method === 'POST';
  const { method, path } = request;
  appendFileSync(
    file,
    `${JSON.stringify({ caller, method, path, headers, ...(isText && { body: body.toString() }) })}\n`,
  );
}
