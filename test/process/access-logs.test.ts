import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { dynamodb } from '../../shared/adapters/aws.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { metricNames, tenantDimension } from '../../shared/contract/metric-names.ts';
import type { Route } from '../../shared/contract/route.ts';
import { newSecret } from '../../shared/domain/workspaces/access/secret.ts';
import { startAccessWorld } from '../support/access-world.ts';
import { deployedFunctions, type Send, type Sent } from '../support/deployed-functions.ts';
import { type FurnishedWorkspace, furnishedWorkspace } from '../support/furnished-workspace.ts';
import { canary, leakOf, logged } from '../support/log-rules.ts';
import { provideForAll } from '../support/provide.ts';
import { exampleOf } from '../support/route-examples.ts';
import { runEvent } from '../support/run-event.ts';
import { printed } from '../support/watch-log.ts';

const world = provideForAll(startAccessWorld);
let send: Send;
let acme: FurnishedWorkspace;
let admin: string;
let storesFail = false;

beforeAll(async () => {
  send = await deployedFunctions();
  acme = await furnishedWorkspace(world, send, 'logged');
  admin = await world.issuer.sign('logged-admin');
  dynamodb().middlewareStack.add(
    (next) => async (args) => {
      if (storesFail) throw new TypeError(`cannot read ${canary} of ${JSON.stringify(args.input)}`);
      return next(args);
    },
    { step: 'initialize' },
  );
});

/** The lines that were logged while `work` ran. */
async function linesOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = printed().length;
  await work();
  return printed()
    .slice(before)
    .filter((line) => logged(line) !== null);
}

const bodies: Readonly<Record<string, object>> = {
  '/collect/v1/batch': { events: [{ id: canary, type: 'track', event: canary, user_id: canary }] },
  '/collect/batch': { batch: [{ event: canary, distinct_id: canary }] },
  '/collect/i/v1/analytics/events': { batch: [{ uuid: randomUUID(), event: canary, distinct_id: canary }] },
  '/collect/segment/v1/batch': { batch: [{ type: 'track', event: canary, userId: canary }] },
};

const placed = (route: Route): Sent => exampleOf(route, { ...bodies, ...acme.known });

/** The same request with the canary wherever a sender may write. */
function tainted(route: Route): readonly Sent[] {
  const sent = { ...placed(route), token: admin };
  const taint = (fields: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.keys(fields).map((name) => [name, name === 'workspace_id' ? acme.id : canary]));
  const requests: readonly Sent[] = [
    sent,
    { ...sent, token: canary },
    { ...sent, token: `dpt_${canary}` },
    { ...sent, headers: { ...sent.headers, Authorization: `Basic ${canary}` } },
    { ...sent, params: taint(sent.params) },
    { ...sent, query: { ...taint(sent.query), [canary]: canary } },
    { ...sent, query: { workspace_id: canary } },
    { ...sent, headers: { ...sent.headers, 'Content-Type': canary, 'Idempotency-Key': canary, Origin: canary } },
  ];
  if (route.body === undefined) return requests;
  const written = (text: string) => ({ ...sent, body: Buffer.from(text) });
  return [
    ...requests,
    written(`{"${canary}": ${canary}`),
    written(JSON.stringify({ ...(sent.body as object), [canary]: canary })),
    written(JSON.stringify({ workspace_id: acme.id, project_key: canary, api_key: canary, events: [{ id: canary }] })),
    { ...sent, body: undefined, headers: { 'Content-Type': 'application/json', 'Content-Encoding': canary } },
  ];
}

describe('the log', () => {
  it('has one line a request, and no value that was sent, whatever is sent and whatever fails (C-ERROR-3)', async () => {
    for (const route of Object.values<Route>(routes)) {
      const requests = tainted(route);
      for (const failing of [false, true]) {
        storesFail = failing;
        const lines = await linesOf(async () => {
          for (const sent of requests) await send(sent).catch(isRedacted);
        });
        storesFail = false;
        expect(lines.length, route.path).toBeGreaterThanOrEqual(requests.length);
        expect(lines.map(leakOf).filter(Boolean), route.path).toEqual([]);
        const failed = lines.some((line) => line.includes('"request failed"'));
        if (route.access.kind === 'member') expect(failed, route.path).toBe(failing);
      }
    }
  }, 300_000);

  it('has no values of messages that workers cannot read, or of the errors that they throw', async () => {
    const [{ handler: project }, { handler: store }, { handler: sweep }] = await Promise.all([
      import('../../functions/projector/handler.ts'),
      import('../../functions/store-events/handler.ts'),
      import('../../functions/sweep/handler.ts'),
    ]);
    const records = [
      canary,
      JSON.stringify({ version: 1, workspace_id: canary, delivery_id: canary }),
      JSON.stringify({ version: 1, workspace_id: acme.id, delivery_id: acme.known.delivery_id }),
    ].map((body, index) => ({ messageId: `m${index}`, body, attributes: { ApproximateReceiveCount: '1' } }));
    for (storesFail of [false, true]) {
      const lines = await linesOf(async () => {
        for (const handler of [project, store, sweep])
          for (const event of [{ Records: records }, { task: canary }, { task: 'due' }])
            await handler(
              event as never,
              { awsRequestId: 'work', getRemainingTimeInMillis: () => 900_000 } as never,
            ).catch(isRedacted);
      });
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.map(leakOf).filter(Boolean)).toEqual([]);
    }
    storesFail = false;
  });

  it('would be caught with a secret, a sent value, an error’s message or an unknown text', async () => {
    const line = { level: 'INFO', message: 'request', timestamp: '2026-11-21T12:00:00.000Z', service: 'tributary' };
    const leaking = (extra: object) => leakOf(JSON.stringify({ ...line, ...extra }));
    expect(leaking({ request_id: 'r-1', status: 200, route: 'getImpact' })).toBeNull();
    for (const kind of ['token', 'project_key', 'server_key'] as const)
      expect(leaking({ request_id: newSecret(randomBytes, kind) })).toBe('holds a token or a key');
    expect(leaking({ request_id: admin })).toBe('holds a token or a key');
    expect(leaking({ workspace_id: canary })).toBe('holds a value that was sent');
    expect(leaking({ message: 'cannot read "Order Placed"' })).toMatch(/message/);
    expect(leaking({ error: new Error('x').stack })).toMatch(/error/);
    expect(leaking({ error: { name: 'Error', message: 'x' } })).toMatch(/error/);
    expect(leaking({ event: 'seen' })).toMatch(/event/);
    expect(leakOf(`a plain line with ${admin}`)).toBe('holds a token or a key');
    expect(leakOf('a plain line')).toBeNull();
  });
});

const work = { awsRequestId: 'work', getRemainingTimeInMillis: () => 900_000 } as never;

/** The lines of a request that sends an event, and of the worker that projects it. */
async function followed(sent: Partial<Sent>) {
  const { handler: project } = await import('../../functions/projector/handler.ts');
  const route = routes.postOpenLineageEvent;
  const body = runEvent('postgres://db:5432', ['shop.public.a'], ['shop.public.b']);
  const before = printed().length;
  const answer = await send({ route, token: admin, query: { workspace_id: acme.id }, body, ...sent });
  const { delivery_id } = JSON.parse(answer.text);
  const message = JSON.stringify({ version: 1, workspace_id: acme.id, delivery_id });
  const record = { messageId: 'm', body: message, attributes: { ApproximateReceiveCount: '1' } };
  if (answer.status === 202) await project({ Records: [record] } as never, work);
  const lines = printed().slice(before).map(logged);
  return { answer, delivery_id, lines: lines.filter((line) => line !== null) };
}

describe('the id of a request', () => {
  it.each([
    ['gateway’s', {}],
    ['sender’s', { 'X-Request-ID': 'sender-1' }],
  ])('is the %s, and names the delivery from the answer to the projection (G-DELIVERY-9)', async (whose, headers) => {
    const { answer, delivery_id, lines } = await followed({ headers });
    const request_id = answer.headers['x-request-id'];
    const [request, projected, ...others] = lines.filter((line) => line['request_id'] === request_id);
    expect(others).toEqual([]);
    expect(request).toMatchObject({ message: 'request', status: 202 });
    expect(projected).toMatchObject({ message: 'delivery projected', workspace_id: acme.id, delivery_id });
    // The gateway's own log knows the request only by its own id.
    const gatewayId = whose === 'sender’s' ? request?.['gateway_request_id'] : request_id;
    expect(gatewayId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is in the envelope of a refusal and in the line of it', async () => {
    const { answer, lines } = await followed({ body: 'no event' });
    const { request_id } = JSON.parse(answer.text).detail;
    expect(lines.map((line) => [line['request_id'], line['status']])).toEqual([[request_id, answer.status]]);
    expect(answer.headers['x-request-id']).toBe(request_id);
  });

  it('stands beside how late a delivery took effect, which is counted', async () => {
    const { lines } = await followed({});
    const { lag_ms } = lines.find(({ message }) => message === 'delivery projected') ?? {};
    expect(lag_ms).toBeGreaterThanOrEqual(0);
    expect(lines.find((line) => metricNames.projectionLag in line)).toMatchObject({
      [tenantDimension]: expect.any(String),
      [metricNames.projectionLag]: lag_ms,
    });
  });
});

/** What a handler throws is logged by Lambda as it is. */
function isRedacted(error: Error): void {
  expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain(canary);
}
