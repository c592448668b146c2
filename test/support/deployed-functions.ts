import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { type HttpFunction, httpFunctions, type Route } from '../../shared/contract/route.ts';
import { decoded } from '../../shared/runtime/api-gateway.ts';

/** What is sent to a route; `path` is one of its aliases, if that is meant. */
export type Sent = {
  readonly route: Route;
  readonly path?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string | null;
  /** JSON, or the bytes themselves. */
  readonly body?: unknown;
};

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
};

export type Send = (sent: Sent) => Promise<Answer>;

/** Loads the handlers as they are deployed, from the environment that is set, and calls each as API Gateway does. */
export async function deployedFunctions(): Promise<Send> {
  Object.assign(globalThis, { awslambda: streamingRuntime });
  const handlers = new Map<HttpFunction, Handler>();
  for (const name of httpFunctions) handlers.set(name, (await import(`../../functions/${name}/handler.ts`)).handler);
  return async (sent) => {
    const handler = handlers.get(sent.route.function);
    if (handler === undefined) throw new Error(`no handler serves ${sent.route.path}`);
    return call(handler, gatewayEvent(sent));
  };
}

/** The code of the problem that an answer holds, null if it holds none. OAuth's routes answer as RFC 6749 says. */
export function codeOf({ status, text }: Answer): string | null {
  if (status < 400) return null;
  const { detail, error } = JSON.parse(text);
  return detail?.code ?? error;
}

/** Calls one handler as API Gateway does. */
export const callHandler = (handler: Handler, sent: Sent): Promise<Answer> => call(handler, gatewayEvent(sent));

type Handler = ((event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>) & StreamedHandler;
type StreamedHandler = { readonly streamed?: (event: unknown, reply: Reply, context: Context) => Promise<void> };

async function call(handler: Handler, event: APIGatewayProxyEvent): Promise<Answer> {
  const context = { awsRequestId: 'request', functionName: 'function' } as Context;
  if (handler.streamed) {
    const reply = new Reply();
    await handler.streamed(event, reply, context);
    return { ...reply.head, text: Buffer.concat(reply.chunks).toString() };
  }
  const { statusCode, headers = {}, body, isBase64Encoded = false } = await handler(event, context);
  return { status: statusCode, headers, text: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8').toString() };
}

/** A streamed reply, gathered. */
class Reply extends Writable {
  head: Omit<Answer, 'text'> = { status: 200, headers: {} };
  readonly chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: string, next: () => void): void {
    this.chunks.push(Buffer.from(chunk));
    next();
  }
}

/** What Lambda's runtime gives to handlers that stream. */
const streamingRuntime = {
  streamifyResponse: (streamed: NonNullable<StreamedHandler['streamed']>) =>
    Object.assign(() => undefined, { streamed }),
  HttpResponseStream: {
    from(reply: Reply, { statusCode, headers = {} }: Pick<APIGatewayProxyResult, 'statusCode' | 'headers'>): Reply {
      reply.head = { status: statusCode, headers };
      return reply;
    },
  },
};

/** As a path has it; what is malformed percent-encoding already stays. */
const encoded = (text: string) => (decoded(text) === null ? text : encodeURIComponent(text));

function gatewayEvent({ route, path = route.path, params = {}, query = {}, headers = {}, token, body }: Sent) {
  const isBytes = body instanceof Uint8Array;
  const bytes = isBytes ? body : Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const event: Partial<APIGatewayProxyEvent> = {
    httpMethod: route.method,
    resource: path,
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded((params[name] ?? '').toWellFormed())),
    pathParameters: params,
    multiValueQueryStringParameters: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]])),
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    multiValueHeaders: {},
    body: bytes.toString('base64'),
    isBase64Encoded: true,
  };
  return {
    ...event,
    requestContext: { domainName: 'api.test', path, requestId: randomUUID() },
  } as APIGatewayProxyEvent;
}
