import type { WorkspaceId } from '../contract/ids.ts';
import { Problem } from '../contract/problems.ts';
import type { Body, Route } from '../contract/route.ts';
import { authenticate } from '../domain/access/authenticate.ts';
import { authorize, authorizeSignedIn, type MemberAccess } from '../domain/access/authorize.ts';
import type { Caller } from '../domain/access/caller.ts';
import type { HttpRequest } from './api-gateway.ts';
import { checkBodyHead, checkSize, isLeftOut, type JsonText, readJsonBody } from './body.ts';
import type { HttpPorts } from './http-ports.ts';
import { type RequestFields, readFields, readFieldsAndBody } from './read-fields.ts';

/** A request that passed the checks of its route; the types of its fields are the route's. */
type Admitted = RequestFields & {
  readonly body: unknown;
  readonly documentDigest: string | null;
  readonly contentEncoding: 'gzip' | null;
  readonly caller: Caller | null;
  readonly workspace: WorkspaceId | null;
};

/**
 * Every check between the route and its implementation, in the order of C-ERROR-5. Where the query names the
 * workspace, the caller is let in before the body is read; where the body does, after.
 */
export async function admitRequest(ports: HttpPorts, route: Route, request: HttpRequest, now: Date): Promise<Admitted> {
  const { access, body } = route;
  const caller = hasBearer(route) ? await authenticate(ports, request.headers['authorization'], now) : null;
  const contentEncoding = body && !isLeftOut(body, request.bytes) ? checkBodyHead(body, request) : null;
  const entrance = { ports, route, request, caller, now };
  const rest =
    access.kind === 'member' && access.workspace !== 'body'
      ? await admitBeforeBody(entrance, access, contentEncoding)
      : await admitAfterBody(entrance, contentEncoding);
  return { ...rest, caller, contentEncoding };
}

const hasBearer = ({ access: { kind } }: Route): boolean => kind === 'member' || kind === 'signed_in';

type Entrance = {
  readonly ports: HttpPorts;
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
  return { ...readFieldsAndBody(route, request, json), documentDigest, workspace };
}

async function admitAfterBody(entrance: Entrance, encoding: 'gzip' | null) {
  const { route, request, caller } = entrance;
  const { json, documentDigest } = route.body ? await readBody(route.body, request, encoding) : noJson;
  const fields = { ...readFieldsAndBody(route, request, json), documentDigest };
  if (route.access.kind === 'signed_in' && caller !== null) authorizeSignedIn(route.access.scope, caller);
  if (route.access.kind !== 'member') return { ...fields, workspace: null };
  return { ...fields, workspace: await enter(entrance, route.access, workspaceOf(fields.body)) };
}

const noJson: JsonText = { json: null, documentDigest: null };

/** Bytes that the implementation reads itself are only weighed here. */
async function readBody(body: Body, { bytes }: HttpRequest, encoding: 'gzip' | null): Promise<JsonText> {
  if (isLeftOut(body, bytes)) return { json: {}, documentDigest: null };
  checkSize(body, bytes);
  return body.kind === 'json' ? readJsonBody(body, [bytes], encoding) : noJson;
}

async function enter(
  { ports, caller, now }: Entrance,
  access: MemberAccess,
  named: string | undefined,
): Promise<WorkspaceId> {
  if (caller === null) throw new Problem('unauthorized');
  const asked = named ?? inferred(access, caller);
  const workspace = await authorize(ports.membership, access, caller, asked);
  const retryAfterSeconds = await ports.rateGuard(workspace, now.getTime());
  if (retryAfterSeconds !== null) throw new Problem('rate_limited', { retryAfterSeconds });
  return workspace;
}

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
