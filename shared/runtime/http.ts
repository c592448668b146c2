import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { Fault } from '../contract/fault.ts';
import { Problem, type ProblemCode } from '../contract/problems.ts';
import type { Reply as DeclaredReply, Route } from '../contract/route.ts';
import { admitRequest } from './admit-request.ts';
import { type HttpRequest, type HttpResponse, proxyResult, readHttpEvent } from './api-gateway.ts';
import { httpPorts } from './composition/intake.ts';
import type { HttpPorts } from './http-ports.ts';
import type { Implementations, RouteTable } from './implementation.ts';
import { instrumented } from './instrumented.ts';
import { logger } from './logger.ts';
import { type RouteMatch, type RouteMatcher, routeMatcher } from './match-route.ts';
import { problemOf, problemReply } from './problem-reply.ts';
import { requestIdOf, requestIds } from './request-id.ts';

export type HttpHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** The Lambda handler that serves the routes of a table, each by its implementation. */
export function httpFunction<const T extends RouteTable>(
  routes: T,
  implementations: Implementations<T>,
  ports: HttpPorts = httpPorts(),
): HttpHandler {
  const respond = responder(routes, implementations, ports);
  return instrumented(async (event: APIGatewayProxyEvent) => proxyResult(await respond(readHttpEvent(event))));
}

/** Answers requests and never throws: a refusal and a failure are replies too. */
export function responder<const T extends RouteTable>(
  routes: T,
  implementations: Implementations<T>,
  ports: HttpPorts,
): (request: HttpRequest) => Promise<HttpResponse> {
  const match = routeMatcher(routes);
  return async (request) => {
    const requestId = requestIdOf(request.headers['x-request-id'], request.gatewayId);
    const { name, response } = await outcome({ ports, match, implementations }, request, requestId);
    const { method } = request;
    logger.info('request', { ...requestIds(requestId, request), route: name, method, status: response.status });
    return request.method === 'HEAD' ? { ...response, body: '' } : response;
  };
}

type Serving = { readonly ports: HttpPorts; readonly match: RouteMatcher; readonly implementations: object };

async function outcome(serving: Serving, request: HttpRequest, requestId: string) {
  let matched: RouteMatch | null = null;
  try {
    matched = serving.match(request);
    return { name: matched.name, response: await served(serving, matched, request, requestId) };
  } catch (error) {
    const problem = inFamily(matched?.route, problemOf(error));
    return { name: matched?.name ?? null, response: problemReply(problem, requestId) };
  }
}

async function served(
  { ports, implementations }: Serving,
  { name, route }: RouteMatch,
  request: HttpRequest,
  requestId: string,
): Promise<HttpResponse> {
  const now = ports.clock.now();
  const admitted = await admitRequest(ports, route, request, now);
  const contentType = request.headers['content-type'] ?? null;
  // The table gives route and implementation one name, and `Implementations` holds their types together.
  const implementation = (implementations as Readonly<Record<string, Serve>>)[name];
  if (implementation === undefined) throw new Fault('route_without_implementation', `no implementation of ${name}`);
  return render(
    route,
    requestId,
    await implementation({ ...admitted, requestId, now, bytes: request.bytes, contentType }),
  );
}

type Reply = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly bytes?: HttpResponse['body'];
};
type Serve = (request: unknown) => Promise<Reply>;

function render(route: Route, requestId: string, { status, headers, body, bytes }: Reply): HttpResponse {
  const type = (bytes !== undefined && mediaTypeOf(route.replies[status])) || 'application/json';
  const content: HttpResponse['body'] = bytes ?? (body === undefined ? '' : JSON.stringify(body));
  return {
    status,
    headers: {
      ...(content !== '' && { 'content-type': type }),
      // Tokens and lineage belong in no cache on the way.
      'cache-control': 'no-store',
      'x-request-id': requestId,
      ...headers,
    },
    body: content,
  };
}

function mediaTypeOf(declared: DeclaredReply | undefined): string | undefined {
  if (declared === undefined) return undefined;
  if ('mediaType' in declared) return declared.mediaType;
  return 'alternative' in declared ? declared.alternative : undefined;
}

/** The problem under the code that the route's family has for it. */
function inFamily(route: Route | undefined, problem: Problem): Problem {
  const codes: Readonly<Partial<Record<ProblemCode, ProblemCode>>> = route?.familyCodes ?? {};
  const code = codes[problem.code];
  return code === undefined ? problem : new Problem(code, { errors: problem.errors, cause: problem.cause });
}
