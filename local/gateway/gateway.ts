import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import * as v from 'valibot';
import { errorEnvelope } from '../../shared/contract/error-envelope.ts';
import { Problem } from '../../shared/contract/problems.ts';
import type { LocalFunctions } from '../lambda/functions.ts';
import { InvocationFailure } from '../lambda/local-function.ts';
import { type Wiring, wired } from '../template/wiring.ts';
import { type GatewayResponses, gatewayResponsesOf } from './gateway-responses.ts';
import { proxyEvent } from './proxy-event.ts';
import { type BodyLimits, readBody } from './read-body.ts';
import { streamTo, writeProxyResult } from './reply.ts';
import { endpointsOf, type Match, type Router, routerOf } from './route-tree.ts';

export type Gateway = {
  readonly route: Router;
  readonly functions: LocalFunctions;
  readonly answers: GatewayResponses;
  readonly stage: string;
  readonly limits: BodyLimits;
  readonly log: (line: string) => void;
};

/** The template's REST API in front of the functions. */
export function gatewayOf(
  wiring: Wiring,
  functions: LocalFunctions,
  settings: Pick<Gateway, 'limits' | 'log'>,
): Gateway {
  const [stage] = wired(wiring, 'AWS::ApiGateway::Stage', v.object({ StageName: v.string() }));
  return {
    route: routerOf(endpointsOf(wiring)),
    functions,
    answers: gatewayResponsesOf(wiring),
    stage: stage?.properties.StageName ?? 'local',
    ...settings,
  };
}

/** Answers HTTP requests as API Gateway does. */
export const requestListener =
  (gateway: Gateway): RequestListener =>
  (request, response) => {
    const requestId = randomUUID();
    handle(gateway, request, response, requestId).catch((error) => {
      gateway.log(describe(error));
      refuse(gateway, response, requestId, ['DEFAULT_5XX', 502]);
    });
  };

async function handle(
  gateway: Gateway,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Promise<void> {
  const url = URL.parse(request.url ?? '/', 'http://local');
  const match = url && route(gateway, request.method ?? 'GET', url.pathname);
  if (!url || match === undefined) return refuse(gateway, response, requestId, ['BAD_REQUEST_PARAMETERS', 400]);
  if (match === null) return refuse(gateway, response, requestId, ['MISSING_AUTHENTICATION_TOKEN', 403]);
  const body = await readBody(request, gateway.limits);
  if (body === 'aborted') return;
  if (body === 'too_large') return refuse(gateway, response, requestId, ['REQUEST_TOO_LARGE', 413]);
  if (body === 'timeout') return refuseSlowBody(response, url.pathname, requestId);
  const event = proxyEvent({ request, url, match, body, requestId, stage: gateway.stage });
  await integrate(gateway, match, event, response, requestId);
}

/** Undefined where a part of the path is no well-formed percent-encoding. */
function route(gateway: Gateway, method: string, path: string): Match | null | undefined {
  try {
    return gateway.route(method, path);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

async function integrate(
  gateway: Gateway,
  match: Match,
  event: unknown,
  response: ServerResponse,
  requestId: string,
): Promise<void> {
  const target = gateway.functions.get(match.endpoint.functionId);
  if (!target) throw new Error(`The template integrates ${match.endpoint.resource} with no function of its own.`);
  try {
    const result = await target.invoke(event, streamTo(response));
    if (response.headersSent) response.end();
    else if (!writeProxyResult(response, result)) refuse(gateway, response, requestId, ['DEFAULT_5XX', 502]);
  } catch (error) {
    gateway.log(describe(error));
    const late = error instanceof InvocationFailure && error.reason === 'timeout';
    refuse(gateway, response, requestId, late ? ['INTEGRATION_TIMEOUT', 504] : ['DEFAULT_5XX', 502]);
  }
}

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

function refuseSlowBody(response: ServerResponse, path: string, requestId: string): void {
  const problem = new Problem('body_timeout');
  response
    .writeHead(problem.status, {
      'content-type': 'application/json',
      'x-request-id': requestId,
      connection: 'close',
      ...(path.startsWith('/collect/') && { 'x-service-collection-status': 'rejected' }),
    })
    .end(JSON.stringify(errorEnvelope(problem, requestId)));
}

const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
