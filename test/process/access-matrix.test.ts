import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { routes } from '../../shared/contract/api/routes.ts';
import { Problem } from '../../shared/contract/problems.ts';
import { type Access, problemsOf, type Route } from '../../shared/contract/route.ts';
import { type Role, roles, type TokenScope, tokenScopes } from '../../shared/contract/vocabulary.ts';
import { authenticate } from '../../shared/domain/workspaces/access/authenticate.ts';
import { admissionRequest } from '../../shared/domain/workspaces/access/authorize.ts';
import { diagnoseAccess } from '../../shared/domain/workspaces/access/diagnosis/diagnose-access.ts';
import { revokeToken } from '../../shared/domain/workspaces/access/tokens.ts';
import { removeMember, setPatsEnabled } from '../../shared/domain/workspaces/access/workspaces.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { accessPorts } from '../../shared/runtime/composition/queries.ts';
import { startAccessWorld } from '../support/access-world.ts';
import { codeOf, deployedFunctions, type Send, type Sent } from '../support/deployed-functions.ts';
import { type FurnishedWorkspace, furnishedWorkspace } from '../support/furnished-workspace.ts';
import { provideForAll } from '../support/provide.ts';
import { exampleOf } from '../support/route-examples.ts';

/** What a caller is to the workspace that is requested: all that C-ERROR-5 and C-ACCESS-3 to C-ACCESS-6 let count. */
type Standing =
  | { readonly authentic: false }
  | { readonly authentic: true; readonly session: true; readonly role: Role | null }
  | {
      readonly authentic: true;
      readonly session: false;
      readonly role: Role | null;
      readonly scopes: readonly TokenScope[];
      readonly ofWorkspace: boolean;
      readonly patsEnabled: boolean;
    };

type Caller = Standing & { readonly authorization: string | null; readonly asks?: string };

const callerNames = [
  'no token',
  'a malformed token',
  'a malformed JWT',
  'a malformed access token',
  'another authentication scheme',
  'an unknown access token',
  'an expired JWT',
  'a JWT within the clock skew',
  'a JWT of another issuer',
  'a JWT for another audience',
  'a JWT by an algorithm that is not pinned',
  'a JWT without a signature',
  'a JWT of an unknown key',
  'an outsider',
  'an administrator of another workspace',
  ...roles,
  ...tokenScopes.map((scope) => `a token with scope ${scope}` as const),
  'a token with every scope',
  'a viewer’s token with every scope',
  'an editor’s token with every scope',
  'a token of a user who was removed',
  'a token of another workspace',
  'an expired token',
  'a revoked token',
  'a token of a workspace that has them off',
] as const;
type CallerName = (typeof callerNames)[number];

const world = provideForAll(startAccessWorld);
let send: Send;
let acme: FurnishedWorkspace;
let callers: Readonly<Record<CallerName, Caller>>;

beforeAll(async () => {
  // The clock stands: what is within the skew stays so, however long the tests take.
  vi.useFakeTimers({ toFake: ['Date'] });
  send = await deployedFunctions();
  acme = await furnishedWorkspace(world, send, 'acme');
  callers = await allCallers();
});
afterAll(() => void vi.useRealTimers());

async function allCallers(): Promise<typeof callers> {
  const { issuer, operator } = world;
  const globex = await world.workspace('globex');
  const initech = await world.workspace('initech');
  const unauthentic = (token: string | null): Caller => ({
    authentic: false,
    authorization: token === null ? null : `Bearer ${token}`,
  });
  const member = async (user: string, role: Role | null, claims = {}): Promise<Caller> => ({
    authentic: true,
    session: true,
    role,
    authorization: `Bearer ${await issuer.sign(user, claims)}`,
  });
  const built = (user: string, granted: readonly TokenScope[], at?: Date) => world.token(acme.id, user, granted, at);
  const pat = async (user: string, role: Role | null, granted: readonly TokenScope[]): Promise<Caller> => ({
    ...tokenStanding,
    role,
    scopes: granted,
    authorization: `Bearer ${(await built(user, granted)).token}`,
  });
  const revoked = await built('acme-admin', tokenScopes);
  await revokeToken(operator, acme.id, revoked.record.id);
  const removed = await pat('acme-leaver', null, tokenScopes);
  await removeMember(operator, acme.id, 'acme-leaver');
  const foreign = await world.token(globex.id, 'globex-admin', tokenScopes);
  const switchedOff = await world.token(initech.id, 'initech-admin', tokenScopes);
  await setPatsEnabled(operator, initech.id, false);
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
  const ago = (seconds: number) => ({ expiresAt: new Date(Date.now() - seconds * 1_000) });
  const signed = async (claims: Parameters<typeof issuer.sign>[1]) =>
    unauthentic(await issuer.sign('acme-admin', claims));
  const [header, payload] = (await issuer.sign('acme-admin')).split('.');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  return {
    'no token': unauthentic(null),
    'a malformed token': unauthentic('nonsense'),
    'a malformed JWT': unauthentic(`${header}.${payload}.AAAA`),
    'a malformed access token': unauthentic('dpt_short'),
    'another authentication scheme': { authentic: false, authorization: 'Basic YWNtZS1hZG1pbjo=' },
    'an unknown access token': unauthentic(`${revoked.token.slice(0, -1)}${revoked.token.endsWith('A') ? 'B' : 'A'}`),
    'an expired JWT': await signed(ago(65)),
    'a JWT within the clock skew': await member('acme-admin', 'admin', ago(20)),
    'a JWT of another issuer': await signed({ issuer: 'https://issuer.other.test' }),
    'a JWT for another audience': await signed({ audience: 'another' }),
    'a JWT by an algorithm that is not pinned': await signed({ algorithm: 'ES384' }),
    'a JWT without a signature': unauthentic(`${none}.${payload}.`),
    'a JWT of an unknown key': await signed({ keyId: 'nobody’s' }),
    'an outsider': await member('outsider', null),
    'an administrator of another workspace': await member('globex-admin', null),
    viewer: await member('acme-viewer', 'viewer'),
    editor: await member('acme-editor', 'editor'),
    admin: await member('acme-admin', 'admin'),
    'a token with scope read': await pat('acme-admin', 'admin', ['read']),
    'a token with scope write': await pat('acme-admin', 'admin', ['write']),
    'a token with scope admin': await pat('acme-admin', 'admin', ['admin']),
    'a token with every scope': await pat('acme-admin', 'admin', tokenScopes),
    'a viewer’s token with every scope': await pat('acme-viewer', 'viewer', tokenScopes),
    'an editor’s token with every scope': await pat('acme-editor', 'editor', tokenScopes),
    'a token of a user who was removed': removed,
    'a token of another workspace': {
      ...tokenStanding,
      ofWorkspace: false,
      role: 'admin',
      scopes: tokenScopes,
      authorization: `Bearer ${foreign.token}`,
    },
    'an expired token': unauthentic((await built('acme-admin', tokenScopes, twoDaysAgo)).token),
    'a revoked token': unauthentic(revoked.token),
    'a token of a workspace that has them off': {
      ...tokenStanding,
      patsEnabled: false,
      role: 'admin',
      scopes: tokenScopes,
      authorization: `Bearer ${switchedOff.token}`,
      asks: initech.id,
    },
  };
}

const tokenStanding = { authentic: true, session: false, ofWorkspace: true, patsEnabled: true } as const;

/** What the matrix says: the refusal of a route for a caller, null if the caller is let in. */
function refusalOf(access: Access, caller: Caller, path = ''): readonly [number, string] | null {
  switch (access.kind) {
    case 'public':
      return null;
    case 'signature':
      // Anyone who calls is known by the signature of the body, and none of these has it.
      return [401, 'unauthorized'];
    case 'project_key':
      // The bearer of Capture V1 is the project key, and none of these is one.
      if (path.includes('/i/v1/')) return [401, 'invalid_project_key'];
      // The bearer of collection is a server key, and none of these is one.
      if (caller.authorization === null) return null;
      // Basic has a second write key there.
      return path.startsWith('/collect/segment/') && caller.authorization.startsWith('Basic')
        ? [401, 'invalid_project_key']
        : [401, 'invalid_server_key'];
    case 'signed_in':
      if (!caller.authentic) return [401, 'unauthorized'];
      return caller.session ? null : patRefusal(access.scope, caller);
    case 'member':
      if (!caller.authentic) return [401, 'unauthorized'];
      return (caller.session ? null : memberPatRefusal(access, caller)) ?? roleRefusal(access.role, caller.role);
  }
}

type Pat = Extract<Caller, { session: false }>;

function memberPatRefusal(access: Extract<Access, { kind: 'member' }>, caller: Pat): readonly [number, string] | null {
  if (!caller.ofWorkspace) return [403, 'workspace_token_mismatch'];
  if (caller.patsEnabled && access.session) return [403, 'session_required'];
  return patRefusal(access.scope, caller);
}

function patRefusal(scope: TokenScope, caller: Pat): readonly [number, string] | null {
  if (!caller.patsEnabled) return [403, 'pats_disabled'];
  return caller.scopes.includes(scope) ? null : [403, 'insufficient_scope'];
}

const rank: Readonly<Record<Role, number>> = { viewer: 1, editor: 2, admin: 3 };

const roleRefusal = (needed: Role, role: Role | null): readonly [number, string] | null =>
  role !== null && rank[role] >= rank[needed] ? null : [403, 'insufficient_workspace_role'];

const event = { id: 'matrix', type: 'track', timestamp: '2026-11-21T12:00:00Z', event: 'Seen', user_id: 'u' };
const posthogEvent = { event: 'Seen', distinct_id: 'u', uuid: '00000000-0000-4000-8000-000000000001' };

/** The request of a route for a caller, under each of the route's paths. */
function requestsOf(route: Route, { authorization, asks = acme.id }: Caller): readonly Sent[] {
  const example = exampleOf(route, {
    ...acme.known,
    workspace_id: asks,
    '/collect/v1/batch': { project_key: acme.projectKey, events: [event] },
    '/collect/batch': { api_key: acme.projectKey, batch: [posthogEvent] },
    '/collect/i/v1/analytics/events': {
      batch: [{ uuid: posthogEvent.uuid, event: 'Order Placed', distinct_id: 'u-1', options: {}, properties: {} }],
    },
    '/collect/segment/v1/batch': {
      writeKey: acme.projectKey,
      batch: [{ type: 'track', userId: 'u-1', event: 'Order Placed' }],
    },
  });
  const headers = { ...example.headers, ...(authorization !== null && { Authorization: authorization }) };
  return [route.path, ...(route.aliases ?? [])].map((path) => ({ ...example, path, headers }));
}

const places = Object.entries(routes as Readonly<Record<string, Route>>);

describe('the access matrix', () => {
  it.each(places)(
    'lets into %s whom the route table lets in, and refuses everyone else by name (C-ACCESS-1, C-ACCESS-3, C-ACCESS-4, C-ACCESS-5)',
    async (_, route) => {
      for (const [name, caller] of Object.entries(callers))
        for (const sent of requestsOf(route, caller)) {
          const answer = await send(sent);
          const refusal = refusalOf(route.access, caller, route.path);
          const place = `${route.method} ${sent.path} for ${name}: ${answer.text}`;
          if (refusal !== null) expect([answer.status, codeOf(answer)], place).toEqual(refusal);
          else expect(isAdmission(route, answer), `${answer.status} of ${place}`).toBe(true);
        }
    },
  );

  it.each(places)('agrees with the diagnosis of %s', async (_, route) => {
    const { access } = route;
    if (access.kind !== 'member') return;
    const ports = { ...httpPorts(), ...accessPorts() };
    for (const [name, one] of Object.entries(callers)) {
      const refusal = refusalOf(access, one);
      const caller = await authenticate(ports, one.authorization ?? undefined, new Date()).catch(codeOfProblem);
      // Who cannot be distinguished from nobody is refused before there is anything to explain.
      if (typeof caller === 'string') expect([401, caller], name).toEqual(refusal);
      else {
        const requested = one.asks ?? acme.id;
        const question = {
          workspace: acme.id,
          connectorId: acme.known.connector_id,
          admission: await admissionRequest(ports.membership, access, caller, requested),
          presentsToken: true,
        };
        const { root_cause, chain } = await diagnoseAccess(ports, question);
        expect(root_cause?.code ?? null, `${route.path} for ${name}`).toBe(refusal?.[1] ?? null);
        const isBroken = chain.map(({ status }) => status).indexOf('broken');
        const after = isBroken < 0 ? [] : chain.slice(isBroken + 1);
        expect(chain.slice(0, isBroken < 0 ? undefined : isBroken).every(({ status }) => status === 'ok')).toBe(true);
        expect(after.every(({ status }) => status === 'skipped')).toBe(true);
      }
    }
  });

  it('is described: the scope and role of every route, and in the contract those that need a session (C-ACCESS-11)', () => {
    const { paths } = JSON.parse(read('docs/openapi/service.json'));
    const page = read('docs/contract/access.md');
    const sessions = [...page.matchAll(/^(?:GET|POST|PUT|PATCH|DELETE) \/\S+$/gm)].map(([route]) => route);
    const members = places.flatMap(([, route]) =>
      route.access.kind === 'member' || route.access.kind === 'signed_in' ? [{ ...route, access: route.access }] : [],
    );
    for (const { method, path, access } of members) {
      const described = paths[path]?.[method.toLowerCase()];
      const role = access.kind === 'member' ? access.role : undefined;
      expect([described?.['x-required-scope'], described?.['x-required-role']], path).toEqual([access.scope, role]);
    }
    const declared = members.filter(({ access }) => access.kind === 'member' && access.session);
    expect(sessions.toSorted()).toEqual(declared.map(({ method, path }) => `${method} ${path}`).toSorted());
  });

  it('leaves no declared route out', async () => {
    const folder = path.resolve(import.meta.dirname, '../../shared/contract');
    const files = globSync('*.ts', { cwd: folder }).map((file) => path.basename(file, '.ts'));
    const modules = await Promise.all(files.map((file) => import(`../../shared/contract/${file}.ts`)));
    const declared = modules.flatMap((module) =>
      Object.entries(module).flatMap(([name, table]) =>
        name.endsWith('Routes') ? Object.values(table as object) : [],
      ),
    );
    expect(declared.length).toBeGreaterThan(0);
    expect(new Set(declared)).toEqual(new Set(Object.values(routes)));
  });

  it('infers the workspace only from a token, and only on the documented routes (C-OPENLINEAGE-2)', async () => {
    for (const [, route] of places) {
      if (route.access.kind !== 'member' || route.access.workspace === 'body') continue;
      const inferred = route.access.workspace === 'query_or_token';
      const [withSession, withToken] = await Promise.all(
        [callers['admin'], callers['a token with every scope']].map(async (caller) => {
          const [sent] = requestsOf(route, caller);
          const { workspace_id: _, ...query } = sent?.query ?? {};
          return send({ ...sent, route, query });
        }),
      );
      const missing = inferred ? 'openlineage_workspace_required' : 'validation_error';
      expect(withSession && codeOf(withSession), route.path).toBe(missing);
      expect(withToken && codeOf(withToken), route.path).toBe(inferred ? null : 'validation_error');
    }
  });

  it('answers a non-member equally whether the workspace exists or not (C-ACCESS-6)', async () => {
    for (const [, route] of places.filter(([, { access }]) => access.kind === 'member')) {
      const answers = ['nowhere', '###', 'w'.repeat(200), acme.id].map(async (workspace) => {
        const [sent] = requestsOf(route, { ...callers['an outsider'], asks: workspace });
        const answer = sent && (await send({ ...sent, headers: { ...sent.headers, 'X-Request-ID': 'same' } }));
        return [answer?.status, answer?.headers, answer?.text];
      });
      const [first, ...others] = await Promise.all(answers);
      expect(first?.[0], route.path).toBe(403);
      for (const other of others) expect(other, route.path).toEqual(first);
    }
  });
});

const read = (file: string): string => readFileSync(path.resolve(import.meta.dirname, '../..', file), 'utf8');

const codeOfProblem = (error: unknown): string => {
  if (error instanceof Problem) return error.code;
  throw error;
};

/** Past every check of who calls: the route's own reply, or a state of the thing that it is about. */
function isAdmission(route: Route, answer: Awaited<ReturnType<Send>>): boolean {
  if (answer.status in route.replies) return true;
  const isState = answer.status === 404 || answer.status === 409 || codeOf(answer) === 'invalid_grant';
  return isState && problemsOf(route).some((code) => code === codeOf(answer));
}
