// Preloaded with `--import`: appends the signed calls of AWS to a file of the folder that the query of this module's URL
// names, one JSON line each: those of a function's thread, and those of a process whose `CALLER` names a command.
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { threadId, workerData } from 'node:worker_threads';

const url = new URL(import.meta.url);
const file = path.join(fileURLToPath(url.searchParams.get('folder') ?? ''), `${process.pid}-${threadId}.jsonl`);

/** Threads of the emulators have no ARN. */
const { name, arn } = Object(workerData);
const callerNow = (): unknown => (arn === undefined ? process.env['CALLER'] : name);

type Sent = { readonly method: string; readonly path: string; readonly headers: Readonly<Record<string, unknown>> };

/** The service that a signature is for, as its scope names it. */
const signedFor = (authorization: unknown): string | undefined =>
  /Credential=[^/]+\/\d{8}\/[^/]+\/([^/]+)\/aws4_request/.exec(String(authorization))?.[1];

function save(caller: unknown, { method, path, headers }: Sent, chunks: readonly Uint8Array[]): void {
  const service = signedFor(headers['authorization']);
  // No model says anything of an object's content, which need not be text.
  const isText = service !== 's3' || method === 'POST';
  const body = isText ? Buffer.concat(chunks).toString() : '';
  appendFileSync(file, `${JSON.stringify({ caller, service, method, path, headers, body })}\n`);
}

subscribe('http.client.request.created', (message) => recordRequest(Object(message).request));

/** A call of an SDK's client. */
function recordRequest(request: ClientRequest): void {
  const caller = callerNow();
  if (caller === undefined || signedFor(request.getHeader('authorization')) === undefined) return;
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
      save(caller, { method: request.method, path: request.path, headers: request.getHeaders() }, chunks);
      return Reflect.apply(end, request, args);
    },
  });
}

/** Calls of `fetch` that are under way: a script signs those of services whose client the project does not install. */
const fetched = new Map<object, { readonly caller: unknown; readonly sent: Sent; readonly chunks: Uint8Array[] }>();

subscribe('undici:request:create', (message) => {
  const { request } = Object(message);
  const pairs = Array.from({ length: request.headers.length / 2 }, (_, at) =>
    request.headers.slice(2 * at, 2 * at + 2),
  );
  const headers = Object.fromEntries(pairs);
  const caller = callerNow();
  if (caller === undefined || signedFor(headers['authorization']) === undefined) return;
  fetched.set(request, { caller, sent: { method: request.method, path: request.path, headers }, chunks: [] });
});
subscribe('undici:request:bodyChunkSent', (message) => {
  const { request, chunk } = Object(message);
  fetched.get(request)?.chunks.push(Buffer.from(chunk));
});
subscribe('undici:request:headers', (message) => {
  const { request } = Object(message);
  const one = fetched.get(request);
  if (one && fetched.delete(request)) save(one.caller, one.sent, one.chunks);
});
