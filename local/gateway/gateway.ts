import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import * as v from 'valibot';
import { Fault, Problem } from '../../shared/contract/problems.ts';
import { InvocationFailure, type Sink } from '../lambda/container.ts';
import type { LocalFunctions } from '../lambda/functions.ts';
import { type Wiring, wired } from '../template/wiring.ts';
import { awsLimits, exceedsPayload, inflateForIntegration, remappedHeader } from './aws-rules.ts';
import { writeRefusal } from './malformed-request.ts';
import { proxyEvent, type Received } from './proxy-event.ts';
import { ApiDocument, endpointsOf, type ResourceMatch, type Router, routerOf, StageProperties } from './route-tree.ts';

export type Gateway = {
  readonly route: Router;
  readonly functions: LocalFunctions;
  readonly eventOf: (received: Received) => object;
  readonly answers: GatewayResponses;
  readonly inflates: boolean;
  readonly limits: BodyLimits;
  readonly strictAws: boolean;
  readonly verbose: boolean;
  readonly onFailure: () => unknown;
  readonly log: (line: string) => void;
};

export type GatewaySettings = Pick<Gateway, 'limits' | 'strictAws' | 'verbose' | 'onFailure' | 'log'>;

export function gatewayOf(wiring: Wiring, functions: LocalFunctions, settings: GatewaySettings): Gateway {
  const [found] = wired(wiring, 'AWS::ApiGateway::Stage', StageProperties);
  const stage = found?.properties.StageName ?? 'local';
  const { strictAws: inflates } = settings;
  return {
    route: routerOf(endpointsOf(wiring)),
    functions,
    eventOf: (received) => proxyEvent({ ...received, stage, inflates }),
    answers: gatewayResponsesOf(wiring),
    inflates,
    ...settings,
  };
}

export const requestListener =
  (gateway: Gateway): RequestListener =>
  (request, response) => {
    const requestId = randomUUID();
    if (gateway.verbose) logAnswer(gateway, request, response);
    response.once('close', () => response.statusCode >= 500 && gateway.onFailure());
    handle(gateway, request, response, requestId).catch((error) => {
      gateway.log(describe(error));
      refuse(gateway, response, requestId, ['DEFAULT_5XX', 502]);
    });
  };

/** Only the path: a query may hold values that must not be logged. */
function logAnswer({ log }: Gateway, { method, url = '/' }: IncomingMessage, response: ServerResponse): void {
  const start = performance.now();
  response.once('close', () => {
    const status = response.writableFinished ? response.statusCode : 'broken off';
    log(`${method} ${url.split('?', 1)[0]} ${status} ${Math.round(performance.now() - start)} ms`);
  });
}

async function handle(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Promise<void> {
  // Two slashes at the start are a path here, and no host.
  const target = request.url?.startsWith('/') ? `http://local${request.url}` : (request.url ?? '');
  const url = request.headers.host === undefined ? null : URL.parse(target);
  if (!url) return refuse(gateway, response, requestId, ['DEFAULT_4XX', 400]);
  const match = gateway.route(request.method ?? 'GET', url.pathname);
  if (match === null) return refuse(gateway, response, requestId, ['MISSING_AUTHENTICATION_TOKEN', 403]);
  const body = await readBody(request, gateway.limits);
  if (body === 'aborted') return;
  const eventOf = (bytes: Buffer) => gateway.eventOf({ request, url, match, body: bytes, requestId });
  const event = typeof body === 'string' ? body : admittedEvent(gateway, request.headers, body, eventOf);
  if (typeof event !== 'string') return integrate(gateway, match, event, { response, requestId });
  if (event === 'timeout') return writeRefusal(response, new Problem('body_timeout'), url.pathname, requestId);
  if (event === 'too_large') closeSoon(request);
  refuse(gateway, response, requestId, bodyRefusals[event]);
}

const bodyRefusals = {
  malformed: ['UNSUPPORTED_MEDIA_TYPE', 415],
  too_large: ['REQUEST_TOO_LARGE', 413],
} as const;

function admittedEvent(
  { strictAws, inflates }: Gateway,
  headers: IncomingHttpHeaders,
  body: Buffer,
  eventOf: (body: Buffer) => object,
): object | keyof typeof bodyRefusals {
  const received = inflates ? inflateForIntegration(headers, body) : body;
  if (typeof received === 'string') return received;
  const event = eventOf(received);
  return strictAws && exceedsPayload(event) ? 'too_large' : event;
}

const restOfBodyMs = 5_000;

/** Takes what is still being sent, so that the answer is read, but not for long. */
function closeSoon(request: IncomingMessage): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.socket.destroy(), restOfBodyMs);
  for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer));
  request.resume();
}

async function integrate(
  gateway: Gateway,
  match: ResourceMatch,
  event: unknown,
  { response, requestId }: { readonly response: ServerResponse; readonly requestId: string },
): Promise<void> {
  const target = gateway.functions.get(match.endpoint.functionId);
  if (!target)
    throw new Fault(
      'route_without_function',
      `The template integrates ${match.endpoint.resource} with no function of the template.`,
    );
  const rules = gateway.strictAws ? strictRules : relaxedRules;
  const exceeds = (result: unknown): boolean => gateway.strictAws && exceedsPayload(result);
  try {
    const result = await target.invoke(event, streamTo(response, rules));
    if (response.headersSent) response.end();
    else if (exceeds(result) || !writeProxyResult(response, result, rules))
      refuse(gateway, response, requestId, ['DEFAULT_5XX', 502]);
  } catch (error) {
    // If the reader of a streamed reply has gone, the function is stopped, and nothing failed.
    if (response.headersSent && response.destroyed) return;
    gateway.log(describe(error));
    refuse(gateway, response, requestId, error instanceof InvocationFailure ? refusals[error.reason] : refusals.crash);
  }
}

const refusals = {
  timeout: ['INTEGRATION_TIMEOUT', 504],
  // What API Gateway makes of a function that Lambda throttles.
  busy: ['API_CONFIGURATION_ERROR', 500],
  crash: ['DEFAULT_5XX', 502],
} as const;

function refuse(
  gateway: Gateway,
  response: ServerResponse,
  requestId: string,
  [type, defaultStatus]: readonly [string, number],
): void {
  // A streamed reply that breaks off must not look complete.
  if (response.headersSent) return void response.destroy();
  const { status, headers, body } = gateway.answers(type, defaultStatus, requestId);
  response.writeHead(status, headers).end(body);
}

const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

type BodyLimits = { readonly maxBytes: number; readonly timeoutMs: number };
type ReadBody = Buffer | 'too_large' | 'timeout' | 'aborted';

/** Reads a request's body within bounds of size and time; a refused rest is not waited for. */
function readBody(request: IncomingMessage, { maxBytes, timeoutMs }: BodyLimits): Promise<ReadBody> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve('too_large');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (outcome: ReadBody): void => {
      clearTimeout(timer);
      request.off('data', take);
      if (!Buffer.isBuffer(outcome)) request.resume();
      resolve(outcome);
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) settle('too_large');
      else chunks.push(chunk);
    };
    const timer = setTimeout(() => settle('timeout'), timeoutMs);
    request.on('data', take);
    request.once('end', () => settle(Buffer.concat(chunks, size)));
    request.once('error', () => settle('aborted'));
    request.once('close', () => settle('aborted'));
  });
}

type GatewayResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

type GatewayResponses = (type: string, defaultStatus: number, requestId: string) => GatewayResponse;

const headerPrefix = 'gatewayresponse.header.';

function gatewayResponsesOf(wiring: Wiring): GatewayResponses {
  const [api] = wired(wiring, 'AWS::ApiGateway::RestApi', v.object({ Body: ApiDocument }));
  const byType = api?.properties.Body['x-amazon-apigateway-gateway-responses'] ?? {};
  return (type, defaultStatus, requestId) => {
    const found = byType[type] ?? byType[defaultStatus < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX'];
    if (!found) return { status: defaultStatus, headers: {}, body: '' };
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    for (const [name, source] of Object.entries(found.responseParameters))
      headers[name.slice(headerPrefix.length)] = headerValue(source, requestId);
    const body = found.responseTemplates['application/json'].replaceAll('$context.requestId', requestId);
    return { status: Number(found.statusCode ?? defaultStatus), headers, body };
  };
}

function headerValue(source: string, requestId: string): string {
  if (source === 'context.requestId') return requestId;
  const literal = /^'(.*)'$/.exec(source)?.[1];
  if (literal === undefined)
    throw new Fault('gateway_response_source', 'A gateway response maps a header from a source that is unknown here.');
  return literal;
}

const HeaderValue = v.union([v.string(), v.number(), v.boolean()]);

const ProxyResult = v.object({
  statusCode: v.pipe(v.number(), v.integer(), v.minValue(100), v.maxValue(599)),
  headers: v.nullish(v.record(v.string(), HeaderValue)),
  multiValueHeaders: v.nullish(v.record(v.string(), v.array(HeaderValue))),
  body: v.nullish(v.string()),
  isBase64Encoded: v.nullish(v.boolean()),
});

const settled = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);

type ReplyRules = {
  readonly headerName: (name: string) => string;
  readonly maxStreamedBytes: number;
};

const relaxedRules: ReplyRules = { headerName: (name) => name, maxStreamedBytes: Number.POSITIVE_INFINITY };
const strictRules: ReplyRules = { headerName: remappedHeader, maxStreamedBytes: awsLimits.streamed };

function writeProxyResult(response: ServerResponse, result: unknown, { headerName }: ReplyRules): boolean {
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

function streamTo(response: ServerResponse, { headerName, maxStreamedBytes }: ReplyRules): Sink {
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
