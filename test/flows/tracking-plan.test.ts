import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { collectionProjects } from '../../functions/access/collection-projects.ts';
import { addEventCounts, eventCountReader } from '../../shared/adapters/dynamodb/events/event-ledger.ts';
import { collectionProjectRoutes } from '../../shared/contract/collection-projects.ts';
import type { CollectionProjectId } from '../../shared/contract/ids.ts';
import { createProjectKey } from '../../shared/domain/workspaces/access/collection-keys.ts';
import { createCollectionProject } from '../../shared/domain/workspaces/access/collection-projects.ts';
import { collectPorts, storeEventsPorts } from '../../shared/runtime/composition/collection.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { accessPorts } from '../../shared/runtime/composition/queries.ts';
import { eventTable } from '../../shared/runtime/composition/stores.ts';
import { responder } from '../../shared/runtime/http.ts';
import { request } from '../support/access-world.ts';
import { callCollection } from '../support/collection-call.ts';
import { storeQueued } from '../support/events-worker.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';

const world = provideForAll(startLineageWorld);
let administer: ReturnType<typeof responder>;
let place: LineagePlace;
beforeAll(async () => {
  administer = responder(collectionProjectRoutes, collectionProjects(accessPorts()), httpPorts());
  place = await world.place({ kind: 'athena', namespaces: [`athena://${randomUUID()}`] });
});

const order = { properties: { total: { type: 'number' } }, required: ['total'], additionalProperties: false };
const plan = (mode: string, more: object = {}) => ({
  mode,
  additional_events: false,
  events: { 'Order Placed': order, $identify: { required: ['plan'] } },
  ...more,
});
const secret = 'hush@example.test';

async function project() {
  const workspace_id = place.workspace;
  const input = { name: randomUUID(), environments: ['prod'] };
  const { record } = await createCollectionProject(world.operator, workspace_id, input);
  const ref = { workspace_id, id: record.id };
  const { key } = await createProjectKey(world.operator, ref, { name: 'key', environment: 'prod' });
  const ask = async (method: string, path: string, parts: object, token = place.tokens.admin) => {
    const params = { collection_project_id: record.id };
    const route = `/v1/collection-projects/{collection_project_id}${path}`;
    const { status, body } = await administer(request(method, route, { token, params, ...parts }));
    return { status, json: JSON.parse(String(body)) };
  };
  return {
    id: record.id,
    key: String(key),
    ask,
    patch: (change: object, token?: string) => ask('PATCH', '', { body: { workspace_id, ...change } }, token),
    shapes: async () => (await ask('GET', '/shapes', { query: { workspace_id } })).json,
    counts: async () => {
      await storeQueued(storeEventsPorts(), process.env['EVENTS_QUEUE_URL'] ?? '');
      return (await ask('GET', '/counts', { query: { workspace_id } })).json.items[0];
    },
  };
}

/** What a sender of each format sends for an order, of these properties, and for an identify. */
const formats = {
  native: {
    path: '/collect/v1/batch',
    at: '/events',
    sent: (project_key: string, name: string, properties: object) => ({
      body: {
        project_key,
        events: [
          { ...common(), type: 'identify', user_id: 'u', traits: { plan: 'pro' } },
          { ...common(), type: 'track', user_id: 'u', event: name, properties },
        ],
      },
    }),
  },
  segment: {
    path: '/collect/segment/v1/batch',
    at: '/batch',
    sent: (writeKey: string, event: string, properties: object) => ({
      body: {
        writeKey,
        batch: [
          { type: 'identify', messageId: randomUUID(), userId: 'u', traits: { plan: 'pro' } },
          { type: 'track', userId: 'u', event, properties },
        ],
      },
    }),
  },
  posthog: {
    path: '/collect/batch',
    at: '/batch',
    sent: (api_key: string, event: string, properties: object) => ({
      body: {
        api_key,
        batch: [
          { event: '$identify', distinct_id: 'u', $set: { plan: 'pro' } },
          { event, distinct_id: 'u', properties: { ...properties, $lib: 'node', $current_url: 'https://a.test' } },
        ],
      },
    }),
  },
};
const common = () => ({ id: randomUUID(), timestamp: '2026-11-02T10:00:00Z' });
type Format = keyof typeof formats;
const names = Object.keys(formats) as Format[];

const unwanted = { [secret]: 1, total: secret };
const rules = ['/properties/total must be of type number', '/properties/* is not allowed'];
const counted = Object.fromEntries(rules.map((rule) => [`Order Placed: ${rule}`, 1]));

/** Each in a new process: it has cached nothing, and waits for no pause to count. */
const post = (format: Format, key: string, name: string, properties: object) =>
  callCollection(collectPorts(), formats[format].path, formats[format].sent(key, name, properties));

describe('a project’s tracking plan', () => {
  it.each(names)('counts violations of %s events and accepts them if it warns (C-PLAN-2, C-PLAN-3)', async (format) => {
    const { key, patch, counts } = await project();
    expect(await patch({ tracking_plan: plan('warn') })).toMatchObject({
      status: 200,
      json: { tracking_plan: 'warn' },
    });
    for (const [name, properties] of [
      ['Order Placed', { total: 5 }],
      ['Order Placed', unwanted],
      ['Unplanned', {}],
    ] as const)
      expect((await post(format, key, name, properties)).status).toBeLessThan(203);
    expect(await counts()).toMatchObject({
      accepted: 6,
      rejected: {},
      violations: { ...counted, '/event is not a planned event': 1 },
    });
  });

  it.each(names)(
    'refuses a batch of %s events at the place and by the rule if it blocks (C-PLAN-3)',
    async (format) => {
      const { key, patch, counts } = await project();
      await patch({ tracking_plan: plan('block') });
      expect((await post(format, key, 'Order Placed', { total: 5 })).status).toBeLessThan(203);
      const { status, json } = await post(format, key, 'Order Placed', unwanted);
      expect([status, json.detail.code]).toEqual([422, 'invalid_event']);
      const errors = rules.map((rule) => rule.replace(/^(\S+) (.*)$/, `${formats[format].at}/1$1|$2 (tracking plan)`));
      expect(
        json.detail.errors.map((one: Record<string, string>) => `${one['path']}|${one['message']}`).sort(),
      ).toEqual(errors.sort());
      expect(JSON.stringify(json)).not.toContain(secret);
      const unplanned = await post(format, key, 'Unplanned', {});
      expect(unplanned.json.detail.errors).toEqual([
        { path: `${formats[format].at}/1/event`, message: 'is not a planned event (tracking plan)' },
      ]);
      const after = await counts();
      expect(after).toMatchObject({
        accepted: 2,
        rejected: { invalid_event: 4 },
        violations: { ...counted, '/event is not a planned event': 1 },
      });
      expect(JSON.stringify(after)).not.toContain(secret);
    },
  );

  it('drops single events of Capture V1 if it blocks, and none if it warns (C-PLAN-3, C-POSTHOG-21)', async () => {
    const { key, patch, counts } = await project();
    const [good, bad] = [randomUUID(), randomUUID()];
    const batch = [
      { uuid: good, event: 'Order Placed', distinct_id: 'u', properties: { total: 5 }, options: {} },
      { uuid: bad, event: 'Order Placed', distinct_id: 'u', properties: { total: secret }, options: {} },
    ];
    const send = async () => {
      const headers = { Authorization: `Bearer ${key}` };
      return callCollection(collectPorts(), '/collect/i/v1/analytics/events', { headers, body: { batch } });
    };
    await patch({ tracking_plan: plan('block') });
    expect(await send()).toMatchObject({
      status: 200,
      json: {
        results: {
          [good]: { result: 'ok' },
          [bad]: {
            result: 'drop',
            details: 'invalid_event: /batch/1/properties/total must be of type number (tracking plan)',
          },
        },
      },
    });
    const [rule = ''] = Object.keys(counted);
    expect(await counts()).toMatchObject({ accepted: 1, rejected: { invalid_event: 1 }, violations: { [rule]: 1 } });
    await patch({ tracking_plan: plan('warn') });
    expect((await send()).json).toEqual({ results: { [good]: { result: 'ok' }, [bad]: { result: 'ok' } } });
    expect(await counts()).toMatchObject({ accepted: 2, rejected: { invalid_event: 1 }, violations: { [rule]: 2 } });
  });

  it('checks nothing if its mode is off or it was removed, and is returned with the shapes (C-PLAN-1)', async () => {
    const { key, patch, shapes, counts } = await project();
    expect(await shapes()).toMatchObject({ tracking_plan: null });
    for (const tracking_plan of [plan('off'), null]) {
      expect(await patch({ tracking_plan })).toMatchObject({ json: { tracking_plan: tracking_plan?.mode ?? null } });
      expect((await shapes()).tracking_plan).toEqual(tracking_plan);
      expect((await post('native', key, 'Order Placed', unwanted)).status).toBe(202);
    }
    expect(await counts()).toMatchObject({ accepted: 4, rejected: {}, violations: {} });
    const { events } = plan('warn');
    await patch({ tracking_plan: { mode: 'warn', events } });
    expect((await shapes()).tracking_plan).toEqual({ mode: 'warn', additional_events: true, events });
  });

  it('is changed by administrators only, with an audit entry, and refused at its place (C-PLAN-1, C-PLAN-4)', async () => {
    const { id, patch, shapes } = await project();
    const wrong = plan('warn', { events: { 'Order Placed': { properties: { total: { pattern: secret } } } } });
    const { status, json } = await patch({ tracking_plan: wrong });
    expect([status, json.detail.code]).toEqual([422, 'validation_error']);
    expect(json.detail.errors).toEqual([
      {
        path: '/tracking_plan/events/Order Placed/properties/total/pattern',
        message: 'is not a keyword that tracking plans evaluate',
      },
    ]);
    expect(JSON.stringify(json)).not.toContain(secret);
    expect((await patch({ tracking_plan: plan('warn') }, place.tokens.editor)).status).toBe(403);
    expect((await shapes()).tracking_plan).toBeNull();
    for (let times = 0; times < 2; times++) expect((await patch({ tracking_plan: plan('warn') })).status).toBe(200);
    const entries = await world.operator.registry.audit.latest(place.workspace, 50);
    expect(entries.filter(({ action }) => action === 'collection_project.tracking_plan')).toContainEqual(
      expect.objectContaining({ subject: { id, mode: 'warn', events: 2 } }),
    );
    const own = entries.filter(({ action, subject }) => action.endsWith('tracking_plan') && subject['id'] === id);
    expect(own).toHaveLength(1);
  });

  it('is changed without the lineage of the project, and the lineage without it (C-PLAN-1)', async () => {
    const { key, patch } = await project();
    const lineage = { connector_id: place.connector.id, relations: ['awsdatacatalog.acme.events'] };
    await patch({ lineage });
    expect(await patch({ tracking_plan: plan('block') })).toMatchObject({ json: { lineage, tracking_plan: 'block' } });
    expect(await patch({ lineage: null })).toMatchObject({ json: { lineage: null, tracking_plan: 'block' } });
    expect((await post('native', key, 'Order Placed', unwanted)).status).toBe(422);
  });
});

describe('the violations of a day', () => {
  it('may be more than one write holds; the hundred most frequent are shown (C-COUNT-1)', async () => {
    const { id } = await project();
    const date = '2026-11-02';
    const violations = Object.fromEntries(Array.from({ length: 450 }, (_, n) => [`Order ${n}: is required`, n + 1]));
    const count = { workspace_id: place.workspace, project_id: id as CollectionProjectId, date };
    await addEventCounts(eventTable(), [{ ...count, accepted: 1, repeated: 0, rejected: {}, violations }]);
    const [day] = await eventCountReader(eventTable())(place.workspace, count.project_id, [date]);
    expect(day).toMatchObject({ date, accepted: 1, repeated: 0, rejected: {} });
    expect(Object.values(day?.violations ?? {})).toEqual(Array.from({ length: 100 }, (_, n) => 450 - n));
  });
});
