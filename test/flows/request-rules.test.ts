import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../shared/contract/api/routes.ts';
import type { UserId, WorkspaceId } from '../../shared/contract/ids.ts';
import type { Access, Route } from '../../shared/contract/route.ts';
import { roles } from '../../shared/contract/vocabulary.ts';
import { revokeToken } from '../../shared/domain/workspaces/access/tokens.ts';
import { addMember, removeMember } from '../../shared/domain/workspaces/access/workspaces.ts';
import { startAccessWorld } from '../support/access-world.ts';
import { codeOf, deployedFunctions, type Send, type Sent } from '../support/deployed-functions.ts';
import { describedAnswers } from '../support/described-answers.ts';
import { type FurnishedWorkspace, furnishedWorkspace } from '../support/furnished-workspace.ts';
import { provideForAll } from '../support/provide.ts';
import { entriesOf, exampleOf } from '../support/route-examples.ts';

/** Rules that hold on every route, tried on every route of the table. */
const world = provideForAll(startAccessWorld);
/** Expects that the descriptions have each answer. */
let send: Send;
let sendPlainly: Send;
let acme: FurnishedWorkspace;
let admin: string;

beforeAll(async () => {
  sendPlainly = await deployedFunctions();
  send = describedAnswers(sendPlainly);
  acme = await furnishedWorkspace(world, send, 'ruled');
  admin = await world.issuer.sign('ruled-admin');
});

const all = Object.entries(routes as Readonly<Record<string, Route>>);
type Member = Extract<Access, { kind: 'member' }>;
const ofMembers = all.filter(([, { access }]) => access.kind === 'member');
const ofCallers = all.filter(([, { access }]) => ['member', 'signed_in'].includes(access.kind));
const placeOf = ({ access }: Route) => (access as Member).workspace;
const needsRole = ({ access }: Route) => (access as Member).role !== roles[0];
const withBody = all.filter(([, { body, access }]) => body && access.kind !== 'signature');
const withJson = ofMembers.filter(([, { body }]) => body?.kind === 'json');

const ofCollection = all.filter(([, { access }]) => access.kind === 'project_key').map(([, { path }]) => path);

const example = (route: Route): Sent => ({
  ...exampleOf(route, { ...acme.known, ...Object.fromEntries(ofCollection.map((path) => [path, {}])) }),
  token: admin,
});
const errorsOf = (text: string): readonly { path: string; message: string }[] => JSON.parse(text).detail.errors ?? [];

const codeOfFields = ({ path }: Route) => (path === routes.collectBatch.path ? 'invalid_batch' : 'validation_error');

/** Routes whose path and answers a protocol settles: the Model Context Protocol, and OAuth's RFC 6749 and 7591. */
const ofProtocols: ReadonlySet<string> = new Set(['postMcp', 'registerClient', 'exchangeOAuthCode']);
/** Lists that have their own form in the contract. */
const shaped: ReadonlySet<string> = new Set(['listChecks', 'listAppConfigs', 'listInstallations']);

describe('every route', () => {
  it.each(all)('%s carries X-Request-ID, the sender’s own if it is well-formed (C-ERROR-4)', async (name, route) => {
    const sent = { ...example(route), token: 'nobody' };
    for (const [given, stored] of [
      ['a.B_9-', true],
      ['x'.repeat(128), true],
      ['x'.repeat(129), false],
      ['a b', false],
      ['', false],
    ] as const) {
      const answer = await send({ ...sent, headers: { ...sent.headers, 'X-Request-ID': given } });
      const id = String(answer.headers['x-request-id']);
      if (stored) expect(id).toBe(given);
      else expect(id).toMatch(/^[\w.-]{1,128}$/);
      const holdsId = answer.status >= 400 && !ofProtocols.has(name);
      if (holdsId) expect(JSON.parse(answer.text).detail.request_id).toBe(id);
    }
  });

  it('has its version in its path (C-VERSION-1)', () => {
    for (const [name, { path, access }] of all)
      if (access.kind !== 'public' && !ofProtocols.has(name))
        expect(path, name).toMatch(access.kind === 'project_key' ? /^\/collect\// : /^\/(?:api\/)?v1\//);
  });
});

describe('reads of lineage', () => {
  it('need read scope and the role viewer (C-READ-1)', () => {
    for (const [name, { method, path, access }] of all)
      if (method === 'GET' && path.startsWith('/v1/lineage/') && !/\/(?:payload|scopes)$/.test(path))
        expect(access, name).toMatchObject({ kind: 'member', scope: 'read', role: 'viewer' });
  });
});

describe('resources', () => {
  const ofResources = ofMembers.filter(([, { path }]) => !/^\/(?:api\/)?v1\/(?:lineage|connectors|auth)\b/.test(path));

  it('answer 204 to DELETE, and 200 or what they began to all else (C-RESOURCE-1)', () => {
    for (const [name, { method, replies }] of all.filter(([name]) => !ofProtocols.has(name))) {
      const statuses = Object.keys(replies).map(Number);
      if (method === 'DELETE') expect(statuses, name).toEqual([204]);
      else if (method === 'POST') expect([200, 201, 202], name).toEqual(expect.arrayContaining(statuses));
      else expect(statuses, name).toEqual([200]);
    }
  });

  it('take their workspace in the body if they write, else in the query (C-RESOURCE-2)', () => {
    const decision = /\/(?:approve|reject|deny|dismiss)$/;
    for (const [name, route] of ofResources) {
      const writes = /^(?:POST|PUT|PATCH)$/.test(route.method) && !decision.test(route.path);
      expect(placeOf(route), name).toBe(writes ? 'body' : 'query');
    }
  });

  it('list as workspace, items and the next cursor (C-RESOURCE-3)', () => {
    const lists = ofResources.filter(
      ([name, { method }]) => method === 'GET' && /^list/.test(name) && !shaped.has(name),
    );
    expect(lists).not.toEqual([]);
    for (const [name, { replies }] of lists) {
      const [reply] = Object.values(replies);
      const fields = reply && 'schema' in reply ? Object.keys(entriesOf(reply.schema)) : [];
      expect(fields, name).toEqual(['workspace_id', 'items', 'next_cursor']);
    }
  });
});

describe('a field that breaks a rule', () => {
  it.each(withJson.filter(([, route]) => placeOf(route) === 'body'))(
    'is named by its pointer: %s (C-ERROR-2)',
    async (_, route) => {
      const sent = example(route);
      const answer = await send({ ...sent, body: { ...(sent.body as object), workspace_id: 5 } });
      const [error] = errorsOf(answer.text);
      expect([answer.status, codeOf(answer), error?.path]).toEqual([422, 'validation_error', '/workspace_id']);
      expect(error?.message).not.toBe('');
    },
  );

  it.each(all.filter(([, { body }]) => body?.kind === 'json'))(
    'is another value in the place of the object: %s (C-ERROR-2)',
    async (_, route) => {
      for (const body of [[], null, 'x', 1, true]) {
        const answer = await send({ ...example(route), body });
        expect([answer.status, codeOf(answer)], `for ${JSON.stringify(body)}`).toEqual([422, codeOfFields(route)]);
        // An authorization code tells nobody what is wrong with it.
        if (route !== routes.exchangeAgentCode) expect(errorsOf(answer.text).map(({ path }) => path)).toEqual(['']);
      }
    },
  );

  const closed = withJson.filter(([, { body }]) => body?.kind === 'json' && body.schema.type === 'strict_object');
  it.each(closed)(
    'is not repeated if it is not documented, and its object is named: %s (C-ERROR-2)',
    async (_, route) => {
      const sent = example(route);
      const answer = await send({ ...sent, body: { ...(sent.body as object), 'nobody@example.com': 1 } });
      expect([answer.status, answer.text]).toEqual([422, expect.not.stringContaining('nobody@example.com')]);
      expect(errorsOf(answer.text)).toEqual([{ path: '', message: 'must not have undocumented fields' }]);
    },
  );

  it('is named in the query and in the headers too (C-ERROR-2)', async () => {
    const sent = example(routes.getImpact);
    const response = await send({ ...sent, query: { ...sent.query, max_depth: '11' } });
    expect(errorsOf(response.text).map(({ path }) => path)).toEqual(['/query/max_depth']);
    for (const [given, message] of [
      [{ column_ref: '' }, 'must not be empty'],
      [{ column_ref: 'c'.repeat(501) }, 'must have at most 500 characters'],
      [{ verdict: 'x' }, 'must be one of confirmed, declared_only, observed_only, contradicted'],
      [{ direction: 'x' }, 'must be one of upstream, downstream, both'],
    ] as const) {
      const answer = await send({ ...sent, query: { ...sent.query, ...given } });
      expect(errorsOf(answer.text)).toEqual([{ path: `/query/${Object.keys(given)[0]}`, message }]);
    }
    const event = example(routes.postOpenLineageEvent);
    const keyed = await send({ ...event, headers: { ...event.headers, 'Idempotency-Key': 'k'.repeat(601) } });
    expect(errorsOf(keyed.text).map(({ path }) => path)).toEqual(['/headers/idempotency-key']);
  });
});

describe('a query parameter that a route does not have', () => {
  it.each(ofCallers)('is refused by its name: %s (C-ERROR-14)', async (_, route) => {
    const sent = example(route);
    const answer = await send({ ...sent, query: { ...sent.query, no_such_parameter: '1' } });
    expect([answer.status, codeOf(answer)]).toEqual([422, 'validation_error']);
    expect(errorsOf(answer.text).map(({ path }) => path)).toContain('/query/no_such_parameter');
  });

  it('is refused with a batch of events, and ignored by the compatible routes (C-ERROR-14, C-POSTHOG-5)', async () => {
    const event = { id: 'query', type: 'track', timestamp: '2026-11-21T12:00:00Z', event: 'Seen', user_id: 'u' };
    const query = { no_such_parameter: '1' };
    const body = { project_key: acme.projectKey, events: [event] };
    const native = await send({ route: routes.collectBatch, token: acme.serverKey, query, body });
    expect([native.status, codeOf(native)]).toEqual([422, 'invalid_batch']);
    expect(errorsOf(native.text).map(({ path }) => path)).toEqual(['/query']);
    const single = { api_key: acme.projectKey, batch: [{ event: 'Seen', distinct_id: 'u' }] };
    const compatible = { route: routes.collectCompatible, token: acme.serverKey, query, body: single };
    expect((await send(compatible)).status).toBe(200);
  });

  it('gets the documented name that it resembles (C-ERROR-14)', async () => {
    const sent = example(routes.getImpact);
    const answer = await send({ ...sent, query: { ...sent.query, columns_ref: 'a', xyz: 'b' } });
    expect(errorsOf(answer.text)).toEqual([
      { path: '/query/columns_ref', message: 'is not a parameter of this request; did you mean column_ref?' },
      { path: '/query/xyz', message: 'is not a parameter of this request' },
    ]);
  });
});

describe('a condition of a request', () => {
  it.each(ofMembers.filter(([, { method }]) => method !== 'GET'))(
    'is refused, not ignored: %s (C-ERROR-16)',
    async (_, route) => {
      const sent = example(route);
      const answer = await send({ ...sent, headers: { ...sent.headers, 'If-Match': '"1"' } });
      expect([answer.status, codeOf(answer)]).toEqual([422, 'validation_error']);
      expect(errorsOf(answer.text).map(({ path }) => path)).toContain('/headers/if-match');
    },
  );
});

describe('a body that is not JSON as RFC 8259 has it', () => {
  const ofJson = withBody.filter(([name]) => name !== 'exchangeOAuthCode');

  it.each(ofJson)('is malformed: %s (C-ERROR-12, C-ERROR-15)', async (_, route) => {
    const sent = example(route);
    const json = JSON.stringify(sent.body);
    // The routes of other formats read the last of two keys and a byte order mark, as their services do (C-COLLECT-22).
    const isOfOther = ofCollection.includes(route.path) && route.path !== routes.collectBatch.path;
    const strict = isOfOther ? [''] : ['{"twice":1,"twice":1}', `\uFEFF${json}`];
    for (const body of [...strict, '{', `${json},`, 'NaN', "{'a':1}", '{"a":\n"\n"}']) {
      const answer = await send({ ...sent, body: Buffer.from(body) });
      expect(answer.status, body).toBe(400);
      expect(codeOf(answer)).toMatch(/^(?:openlineage_)?invalid_json$/);
    }
  });

  it.each(withBody)('is refused if the content is not the announced gzip: %s (C-ERROR-5)', async (_, route) => {
    const sent = example(route);
    // As the local service passes the header on; API Gateway refuses it by itself.
    const answer = await send({ ...sent, headers: { ...sent.headers, 'Content-Encoding': 'x-gzip' } });
    const takesGzip = route.body?.gzip === true;
    expect(answer.status).toBe(takesGzip ? 400 : 415);
    expect(codeOf(answer)).toMatch(takesGzip ? /^invalid_compression$/ : /content_encoding/);
  });
});

describe('a path that cannot be decoded', () => {
  /** No sequence, a sequence cut off, a character too long, a half of a pair, and one beyond Unicode. */
  const undecodable = ['%', '%zz', '%c3', '%c0%af', '%ed%a0%80', '%f4%90%80%80'];

  it.each(all.filter(([, { path }]) => path.includes('{')))(
    'is not found, after the token is checked: %s (C-ERROR-17)',
    async (_, route) => {
      const sent = example(route);
      for (const text of undecodable) {
        const params = Object.fromEntries(Object.keys(sent.params ?? {}).map((name) => [name, text]));
        if (route.access.kind !== 'signature')
          expect((await send({ ...sent, params, token: 'nobody' })).status).toBe(401);
        const answer = await send({ ...sent, params });
        expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found']);
        expect(answer.headers).not.toHaveProperty('x-service-collection-status');
      }
    },
  );

  it('is not found by another method of the path either (C-ERROR-17)', async () => {
    const sent = example(routes.getArtifact);
    const route: Route = { ...sent.route, method: 'PUT' };
    const answer = await sendPlainly({ ...sent, route, params: { artifact_id: '%zz' } });
    expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found']);
  });
});

describe('the order of checks', () => {
  it.each(withJson.filter(([, route]) => placeOf(route) === 'body' && needsRole(route)))(
    'is authentication, media type, size, JSON, fields, membership: %s (C-ERROR-5)',
    async (_, route) => {
      const sent = example(route);
      const fields = { ...(sent.body as object) };
      const large = route.body?.kind === 'json' && !route.body.document ? ' '.repeat(route.body.maxBytes) : null;
      const plain = { ...sent.headers, 'Content-Type': 'text/csv' };
      const viewer = await world.issuer.sign('ruled-viewer');
      const steps: [Sent, number][] = [
        [{ ...sent, token: 'nobody', headers: plain, body: Buffer.from(`${large ?? ''}{`) }, 401],
        [{ ...sent, token: viewer, headers: plain, body: Buffer.from(`${large ?? ''}{`) }, 415],
        ...(large === null
          ? []
          : [[{ ...sent, token: viewer, body: Buffer.from(`${large}{`) }, 413] as [Sent, number]]),
        [{ ...sent, token: viewer, body: Buffer.from('{') }, 400],
        [{ ...sent, token: viewer, body: { ...fields, unknown: 1 } }, 422],
        [{ ...sent, token: viewer, body: fields }, 403],
      ];
      for (const [step, status] of steps) expect((await send(step)).status).toBe(status);
    },
  );

  it.each(ofCallers)(
    'has the workspace of the query before the body, wherever its own is: %s (C-ERROR-6)',
    async (_, route) => {
      const sent = example(route);
      const elsewhere = { ...sent, query: { ...sent.query, workspace_id: 'elsewhere' }, body: Buffer.from('{') };
      const answer = await send(elsewhere);
      expect([answer.status, codeOf(answer)]).toEqual([403, 'insufficient_workspace_role']);
    },
  );

  it('has one workspace, also of a caller who may enter another one (C-ERROR-6)', async () => {
    const other = await furnishedWorkspace(world, send, 'ruled-too');
    await addMember(world.operator, other.id as WorkspaceId, { user_id: 'ruled-admin' as UserId, role: 'admin' });
    const sent = example(routes.createCheck);
    const answer = await send({ ...sent, query: { workspace_id: other.id } });
    expect([answer.status, errorsOf(answer.text).map(({ path }) => path)]).toEqual([422, ['/query/workspace_id']]);
    expect((await send({ ...sent, query: { workspace_id: acme.id } })).status).toBe(201);
  });
});

describe('what is taken away', () => {
  const list = (token: string) => send({ ...example(routes.listProviders), token });
  const workspace = () => acme.id as WorkspaceId;

  it('takes effect at once: a role, a token, a provider (C-ACCESS-7)', async () => {
    const user = 'ruled-leaver' as UserId;
    await addMember(world.operator, workspace(), { user_id: user, role: 'viewer' });
    const session = await world.issuer.sign(user);
    expect((await list(session)).status).toBe(200);
    await removeMember(world.operator, workspace(), user);
    expect(codeOf(await list(session))).toBe('insufficient_workspace_role');

    const { token, record } = await world.token(workspace(), 'ruled-admin', ['read']);
    expect((await list(token)).status).toBe(200);
    await revokeToken(world.operator, workspace(), record.id);
    expect(codeOf(await list(token))).toBe('unauthorized');

    const event = () => ({
      ...example(routes.postOpenLineageEvent),
      headers: { 'Idempotency-Key': crypto.randomUUID() },
    });
    const put = (status: string) => {
      const sent = example(routes.patchProvider);
      return send({ ...sent, body: { ...(sent.body as object), status } });
    };
    const query = { ...event().query, connector_id: acme.known.connector_id };
    expect((await send({ ...event(), query })).status).toBe(202);
    expect((await put('paused')).status).toBe(200);
    expect(codeOf(await send({ ...event(), query }))).toBe('lineage_provider_paused');
    await put('active');
  });
});

describe('the keys of collection', () => {
  it.each(all.filter(([, { access }]) => access.kind === 'member' || access.kind === 'signed_in'))(
    'authenticate no user: %s (C-ACCESS-9)',
    async (_, route) => {
      for (const token of [acme.projectKey, acme.serverKey]) {
        const answer = await send({ ...example(route), token, headers: { Origin: 'https://ruled.test' } });
        expect([answer.status, codeOf(answer)]).toEqual([401, 'unauthorized']);
      }
    },
  );
});
