import type { ServerResponse } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import type { LocalFunctions } from '../lambda/functions.ts';
import { relaxedRules, streamTo } from './reply.ts';

const Preflight = v.object({ headers: v.record(v.string(), v.string()) });

/** What a page needs to read an answer; the rest of a preflight's reply is about the request to come. */
const readable = ['access-control-allow-origin', 'access-control-expose-headers', 'vary'];

/** Lets pages of a known origin read what the gateway itself refuses, as the function says in its preflight. */
export async function allowKnownOrigin(
  target: NonNullable<ReturnType<LocalFunctions['get']>> | undefined,
  event: APIGatewayProxyEvent,
  response: ServerResponse,
): Promise<void> {
  if (!event.path.startsWith('/collect/') || !target) return;
  const preflight = { ...event, httpMethod: 'OPTIONS', body: null, isBase64Encoded: false };
  const result = await target.invoke(preflight, streamTo(response, relaxedRules)).catch(() => null);
  const parsed = v.safeParse(Preflight, result);
  if (!parsed.success) return;
  for (const name of readable) {
    const value = parsed.output.headers[name];
    if (value !== undefined) response.setHeader(name, value);
  }
}
