import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import * as v from 'valibot';
import type { Sink } from '../lambda/container.ts';
import { awsLimits, remappedHeader } from './aws-rules.ts';

const HeaderValue = v.union([v.string(), v.number(), v.boolean()]);

const ProxyResult = v.object({
  statusCode: v.pipe(v.number(), v.integer(), v.minValue(100), v.maxValue(599)),
  headers: v.nullish(v.record(v.string(), HeaderValue)),
  multiValueHeaders: v.nullish(v.record(v.string(), v.array(HeaderValue))),
  body: v.nullish(v.string()),
  isBase64Encoded: v.nullish(v.boolean()),
});

/** The gateway settles these itself. */
const settled = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);

/** What becomes of an answer on its way through the gateway. */
type ReplyRules = {
  readonly headerName: (name: string) => string;
  /** How much of a streamed reply is passed on. */
  readonly maxStreamedBytes: number;
};

export const relaxedRules: ReplyRules = { headerName: (name) => name, maxStreamedBytes: Number.POSITIVE_INFINITY };
export const strictRules: ReplyRules = { headerName: remappedHeader, maxStreamedBytes: awsLimits.streamed };

/** Writes the result of a Lambda proxy integration; false if it is not one, and nothing was written. */
export function writeProxyResult(response: ServerResponse, result: unknown, { headerName }: ReplyRules): boolean {
  const parsed = v.safeParse(ProxyResult, result);
  if (!parsed.success) return false;
  const { statusCode, headers, multiValueHeaders, body, isBase64Encoded } = parsed.output;
  for (const [name, value] of Object.entries(headers ?? {})) set(response, headerName(name), String(value));
  for (const [name, values] of Object.entries(multiValueHeaders ?? {}))
    set(response, headerName(name), values.map(String));
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > 0 && !response.hasHeader('content-type')) response.setHeader('content-type', 'application/json');
  response.writeHead(statusCode).end(bytes);
  return true;
}

/** Passes a streamed reply on as it is made, no faster than it is read. */
export function streamTo(response: ServerResponse, { headerName, maxStreamedBytes }: ReplyRules): Sink {
  let passed = 0;
  return {
    head: ({ statusCode = 200, headers = {} }) => {
      for (const [name, value] of Object.entries(headers)) set(response, headerName(name), value);
      response.writeHead(statusCode);
    },
    chunk: async (bytes) => {
      passed += bytes.byteLength;
      if (passed > maxStreamedBytes) response.destroy();
      if (response.destroyed) return false;
      if (!response.write(bytes)) await drained(response);
      return !response.destroyed;
    },
  };
}

async function drained(response: ServerResponse): Promise<void> {
  const over = new AbortController();
  await Promise.race(['drain', 'close'].map((name) => once(response, name, { signal: over.signal })));
  over.abort();
}

function set(response: ServerResponse, name: string, value: string | string[]): void {
  if (!settled.has(name.toLowerCase())) response.setHeader(name, value);
}
