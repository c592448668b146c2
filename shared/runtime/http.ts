import { Readable } from 'node:stream';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { WorkspaceId } from '../contract/ids.ts';
import { Fault, Problem, type ProblemCode } from '../contract/problems.ts';
import type { Body, Reply as DeclaredReply, Route } from '../contract/route.ts';
import { checkBodyHead, checkSize } from '../domain/base/body.ts';
import { authenticate, type Caller } from '../domain/workspaces/access/authenticate.ts';
import { authorize, authorizeSignedIn, type MemberAccess } from '../domain/workspaces/access/authorize.ts';
import {
  decoded,
  type HttpEvent,
  type HttpRequest,
  type HttpResponse,
  proxyResult,
  readHttpEvent,
} from './api-gateway.ts';
import { noteAct, noteRefusal, notingRefusal } from './audit.ts';
import { isLeftOut, type JsonText, readBodyFields, readFields, readFieldsAndBody, readJsonBody } from './body.ts';
import { httpPorts } from './composition/intake.ts';
import type { HttpPorts } from './http-ports.ts';
import { type Implementations, type Reply, type RouteTable, replyOf } from './implementation.ts';
import { instrumented, instrumentedStream } from './instrumented.ts';
import { logger } from './logger.ts';
import { problemOf, problemReply, redactedError } from './problem-reply.ts';
import { type RouteMatch, type RouteMatcher, requestIdOf, requestIds, routeMatcher } from './request-id.ts';

export type HttpHandler = (event: HttpEvent, context: Context) => Promise<APIGatewayProxyResult>;

export function httpFunction<const T extends RouteTable>(
  routes: T,
  implementations: Implementations<T>,
  ports: HttpPorts = httpPorts(),
): HttpHandler {
  const respond = responder(routes, implementations, ports);
  return instrumented(async (event: HttpEvent) => proxyResult(await respond(readHttpEvent(event))));
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
    const { status, headers, body } = problemReply(problem, requestId);
    const metadata = status === 401 && matched?.route.resourceMetadata;
    const challenge = metadata && { 'www-authenticate': `Bearer resource_metadata="${request.base}${metadata}"` };
    return { name: matched?.name ?? null, response: { status, headers: { ...headers, ...challenge }, body } };
  }
}

async function served(
  { ports, implementations }: Serving,
  match: RouteMatch,
  request: HttpRequest,
  requestId: string,
): Promise<HttpResponse> {
  const { name, route } = match;
  const now = ports.clock.now();
  const admitted = await admitRequest(ports, match, request, now);
  const contentType = request.headers['content-type'] ?? null;
  // The table gives route and implementation one name, and `Implementations` holds their types together.
  const implementation = (implementations as Readonly<Record<string, (request: unknown) => Promise<unknown>>>)[name];
  if (implementation === undefined) throw new Fault('route_without_implementation', `no implementation of ${name}`);
  const { bytes, base, headers } = request;
  const authorization = headers['authorization'] ?? null;
  const { caller, workspace } = admitted;
  const act = caller && workspace && { name, route, caller, workspace, now };
  const serve = () =>
    notingRefusal(ports, act, async () =>
      replyOf(route, await implementation({ ...admitted, requestId, now, bytes, contentType, base, authorization })),
    );
  const reader = isRead(route) && act ? { workspace: act.workspace, caller: act.caller.userId } : null;
  const reply = await (reader ? ports.readUnits.counted(reader, now.getTime(), serve) : serve());
  if (act) await noteAct(ports, act, admitted);
  return render(route, requestId, reply);
}

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

type StreamedResult = {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Readable;
};

/** As `httpFunction`, with replies that leave as they are made (Lambda response streaming). */
export function streamingHttpFunction<const T extends RouteTable>(
  routes: T,
  implementations: Implementations<T>,
): (event: APIGatewayProxyEvent, context: Context) => Promise<StreamedResult> {
  const respond = responder(routes, implementations, httpPorts());
  return instrumentedStream(async (event: APIGatewayProxyEvent) => {
    const { status, headers, body } = await respond(readHttpEvent(event));
    return { statusCode: status, headers, body: typeof body === 'string' ? body : streamOf(body) };
  });
}

const streamOf = (body: Uint8Array | AsyncIterable<string | Uint8Array>): Readable =>
  body instanceof Uint8Array ? Readable.from([body]) : Readable.from(redacted(body), { objectMode: false });

async function* redacted(body: AsyncIterable<string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw redactedError(error);
  }
}

/** In the order of C-ERROR-5. The caller is let in before the body is read, unless only the body names the workspace. */
async function admitRequest(ports: HttpPorts, { name, route }: RouteMatch, request: HttpRequest, now: Date) {
  const { access, body } = route;
  const caller = hasBearer(route) ? await authenticate(ports, request.headers['authorization'], now) : null;
  if (decoded(request.path) === null) throw new Problem('not_found');
  const contentEncoding = body && !isLeftOut(body, request.bytes) ? checkHead(body, request) : null;
  const entrance = { ports, name, route, request, caller, now };
  const rest =
    access.kind === 'member' && access.workspace !== 'body'
      ? await admitBeforeBody(entrance, access, contentEncoding)
      : await admitAfterBody(entrance, contentEncoding);
  return { ...rest, caller, contentEncoding };
}

function checkHead(body: Body, request: HttpRequest): 'gzip' | null {
  const encoding = checkBodyHead(body, request);
  if (!/^\d+$/.test(request.headers['content-length'] ?? '0')) throw new Problem('invalid_content_length');
  return encoding;
}

const hasBearer = ({ access: { kind } }: Route): boolean => kind === 'member' || kind === 'signed_in';

type Entrance = {
  readonly ports: HttpPorts;
  readonly name: string;
  readonly route: Route;
  readonly request: HttpRequest;
  readonly caller: Caller | null;
  readonly now: Date;
};

async function admitBeforeBody(entrance: Entrance, access: MemberAccess, encoding: 'gzip' | null) {
  const { route, request } = entrance;
  const fields = readFields(route, request);
  const workspace = await enter(entrance, access, workspaceOf(fields.query));
  if (route.body === undefined) return { ...fields, body: null, documentDigest: null, workspace };
  const { json, documentDigest } = await readBody(route.body, request, encoding);
  return { ...fields, body: readBodyFields(route, json), documentDigest, workspace };
}

async function admitAfterBody(entrance: Entrance, encoding: 'gzip' | null) {
  const { route, request, caller } = entrance;
  const { access } = route;
  const inQuery = workspaceOf(request.query);
  if (inQuery !== undefined && 'scope' in access)
    await enter(entrance, { role: 'viewer', workspace: 'query', ...access, kind: 'member' }, inQuery);
  const { json, documentDigest } = route.body ? await readBody(route.body, request, encoding) : noJson;
  const fields = { ...readFieldsAndBody(route, request, json), documentDigest };
  if (access.kind === 'signed_in' && caller !== null) authorizeSignedIn(access.scope, caller);
  if (access.kind !== 'member') return { ...fields, workspace: null };
  const inBody = workspaceOf(fields.body);
  if (inQuery !== undefined && inQuery !== inBody)
    throw new Problem('validation_error', {
      errors: [{ path: '/query/workspace_id', message: 'must be that of the body' }],
    });
  return { ...fields, workspace: await enter(entrance, access, inBody) };
}

const noJson: JsonText = { json: null, documentDigest: null };

/** Bytes that the implementation reads itself are only weighed here. */
async function readBody(body: Body, { bytes }: HttpRequest, encoding: 'gzip' | null): Promise<JsonText> {
  if (isLeftOut(body, bytes)) return { json: {}, documentDigest: null };
  checkSize(body, bytes);
  return body.kind === 'json' ? readJsonBody(body, bytes, encoding) : noJson;
}

async function enter(
  { ports, name, route, caller, now }: Entrance,
  access: MemberAccess,
  named: string | undefined,
): Promise<WorkspaceId> {
  if (caller === null) throw new Problem('unauthorized');
  const workspaceName = named ?? inferred(access, caller);
  const workspace = await authorize(ports.membership, access, caller, workspaceName, (own, code) =>
    noteRefusal(ports, { name, route, caller, workspace: own, now }, code),
  );
  const at = now.getTime();
  const overdrawn = isRead(route) ? ports.readUnits.wait({ workspace, caller: caller.userId }, at) : null;
  const retryAfterSeconds = overdrawn ?? (await ports.rateGuard(workspace));
  if (retryAfterSeconds !== null) throw new Problem('rate_limited', { retryAfterSeconds });
  return workspace;
}

const isRead = ({ access, readsGraph }: Route): boolean =>
  readsGraph === true || (access.kind === 'member' && access.scope === 'read');

function inferred({ workspace }: MemberAccess, caller: Caller): string {
  if (workspace === 'query_or_token' && caller.kind === 'pat') return caller.workspaceId;
  throw new Problem('openlineage_workspace_required', {
    errors: [{ path: '/query/workspace_id', message: 'is required unless the token is bound to a workspace' }],
  });
}

function workspaceOf(fields: unknown): string | undefined {
  const named =
    typeof fields === 'object' && fields !== null && 'workspace_id' in fields ? fields.workspace_id : undefined;
  return typeof named === 'string' ? named : undefined;
}
