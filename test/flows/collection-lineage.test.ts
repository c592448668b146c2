import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { collectionProjects } from '../../functions/access/collection-projects.ts';
import { collectionProjectRoutes } from '../../shared/contract/collection-projects.ts';
import type { ConnectorKind } from '../../shared/contract/vocabulary.ts';
import { createProjectKey } from '../../shared/domain/workspaces/access/collection-keys.ts';
import { createCollectionProject } from '../../shared/domain/workspaces/access/collection-projects.ts';
import { createConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import { collectPorts, storeEventsPorts } from '../../shared/runtime/composition/collection.ts';
import { httpPorts } from '../../shared/runtime/composition/intake.ts';
import { accessPorts } from '../../shared/runtime/composition/queries.ts';
import { responder } from '../../shared/runtime/http.ts';
import { request } from '../support/access-world.ts';
import { callCollection } from '../support/collection-call.ts';
import { storeQueued } from '../support/events-worker.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { storeCallsOf, watchStores } from '../support/store-watch.ts';

const world = provideForAll(startLineageWorld);
const lake = 'awsdatacatalog.tributary_acme.events';

type Respond = ReturnType<typeof responder>;
let administer: Respond;
let collect: ReturnType<typeof collectPorts>;
let store: ReturnType<typeof storeEventsPorts>;
beforeAll(() => {
  administer = responder(collectionProjectRoutes, collectionProjects(accessPorts()), httpPorts());
  [collect, store] = [collectPorts(), storeEventsPorts()];
  return watchStores();
});

/** A workspace with a connector and a collection project, whose days pass as the test says. */
async function project(kind: ConnectorKind = 'athena', name = 'web') {
  const place = await world.place({ kind, namespaces: [`${kind}://${randomUUID()}`] });
  return { place, ...(await projectIn(place, name)) };
}

async function projectIn(place: LineagePlace, name: string) {
  const { operator } = world;
  const { record } = await createCollectionProject(operator, place.workspace, { name, environments: ['prod'] });
  const ref = { workspace_id: place.workspace, id: record.id };
  const { key } = await createProjectKey(operator, ref, { name: 'key', environment: 'prod' });
  const ask = async (method: string, path: string, parts: object) => {
    const params = { collection_project_id: record.id };
    const { status, body } = await administer(
      request(method, `/v1/collection-projects/{collection_project_id}${path}`, {
        token: place.tokens.admin,
        params,
        ...parts,
      }),
    );
    return { status, json: JSON.parse(String(body)) };
  };
  return {
    id: record.id,
    /** Names the connector, or another of its workspace, or none. */
    setLineage: async (lineage: object | null) => {
      const answer = await ask('PATCH', '', { body: { workspace_id: place.workspace, lineage } });
      await world.settle();
      return answer;
    },
    shapes: async () => (await ask('GET', '/shapes', { query: { workspace_id: place.workspace } })).json,
    send: async (events: readonly object[], day = '2026-11-02') => {
      const clock = { now: () => new Date(`${day}T12:00:00Z`) };
      const body = { project_key: key, events: events.map((event) => ({ ...anEvent, id: randomUUID(), ...event })) };
      const { status } = await callCollection({ ...collect, clock }, '/collect/v1/batch', { body });
      expect(status).toBe(202);
      await storeQueued(store, process.env['EVENTS_QUEUE_URL'] ?? '');
      await world.settle();
    },
  };
}

const anEvent = { type: 'track', timestamp: '2026-11-02T10:00:00Z', event: 'Order Placed', user_id: 'u' };
const own = ({ connector }: LineagePlace, relations = [lake]) => ({ connector_id: connector.id, relations });

async function columns(place: LineagePlace, relation_ref = 'awsdatacatalog.tributary_acme.events') {
  const { status, json } = await place.ask('/v1/lineage/relation', { relation_ref });
  if (status === 404) return null;
  return Object.fromEntries(json.columns.map(({ name, type }: { name: string; type: string }) => [name, type]));
}
const properties = async (place: LineagePlace, ref?: string) =>
  Object.keys((await columns(place, ref)) ?? {}).filter((name) => name.startsWith('properties.'));

describe('a project that names a connector', () => {
  it('makes its lake’s tables relations, with the properties of events as columns (C-COLLINEAGE-1, C-COLLINEAGE-2)', async () => {
    const { place, send, setLineage } = await project();
    await send([{ properties: { total: 5, cart: { size: 1, items: [] } } }]);
    expect(await columns(place)).toBeNull();
    const { status, json } = await setLineage(own(place));
    expect([status, json.lineage]).toEqual([200, own(place)]);
    expect(await columns(place)).toMatchObject({
      id: 'string',
      properties: 'string',
      received_at: 'timestamp',
      'properties.total': 'number',
      'properties.cart': 'object',
      'properties.cart.size': 'number',
      'properties.cart.items': 'array',
    });
    await send([
      { properties: { total: 'five', note: null } },
      { type: 'page', event: null, context: { page: { url: 'u' } } },
    ]);
    expect(await columns(place)).toMatchObject({
      'properties.total': 'number | string',
      'properties.note': null,
      'context.page.url': 'string',
    });
    const { items } = (await place.ask('/v1/lineage/relations', {})).json;
    expect(items).toMatchObject([{ relation_ref: lake, columns_known: 27 }]);
  });
});

const source = { resource_type: 'source', database: 'awsdatacatalog', schema: 'tributary_acme', identifier: 'events' };
const model = (compiled_code: string) => ({
  resource_type: 'model',
  database: 'awsdatacatalog',
  schema: 'marts',
  alias: 'orders',
  compiled_code,
  depends_on: { nodes: ['source.shop.events'] },
});
const dashboard = {
  resource_type: 'exposure',
  name: 'Revenue',
  type: 'dashboard',
  owner: { email: 'ann@example.com' },
  depends_on: { nodes: ['model.shop.orders'] },
  meta: { columns: ['total'] },
};
const dbtProject = (sql: string, adapter_type = 'athena', where: object = {}) => ({
  metadata: { adapter_type },
  sources: { 'source.shop.events': { ...source, ...where } },
  nodes: { 'model.shop.orders': { ...model(sql), ...(Object.keys(where).length > 0 && { database: 'lakehouse' }) } },
  exposures: { 'exposure.shop.revenue': dashboard },
});
const athenaSql = `
  select json_extract_scalar(properties, '$.total') as total, json_extract_scalar(e.properties, '$.cart.size') as size, user_id
  from awsdatacatalog.tributary_acme.events e where event = 'Order Placed'`;

async function impact(place: LineagePlace, relation_ref: string, column_ref: string, direction: string) {
  const { status, json } = await place.ask('/v1/lineage/impact', { relation_ref, column_ref, direction });
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
}
const reached = (items: readonly { readonly relation_ref: string; readonly columns: readonly string[] }[]) =>
  Object.fromEntries(items.map(({ relation_ref, columns }) => [relation_ref, columns]));

type Project = Awaited<ReturnType<typeof project>>;
type Step = (one: Project) => Promise<unknown>;
const declared =
  (manifest: object): Step =>
  ({ place }) =>
    place.declare('/v1/lineage/dbt/manifest', { manifest });
const named =
  (relations = [lake]): Step =>
  ({ place, setLineage }) =>
    setLineage(own(place, relations));
const sent: Step = ({ send }) => send([{ properties: { total: 5, note: 'n', cart: { size: 2 } } }]);

describe('a model over the lake (C-COLUMNS-13)', () => {
  it.each([
    ['the model first', [declared(dbtProject(athenaSql)), named(), sent]],
    ['the model last', [sent, named(), declared(dbtProject(athenaSql))]],
  ] as const)('leads back to the event’s property, and from it to what breaks: %s', async (_, steps) => {
    const one = await project();
    for (const step of steps) await step(one);
    const { downstream } = await impact(one.place, lake, 'properties.total', 'downstream');
    expect(reached(downstream)).toEqual({
      'awsdatacatalog.marts.orders': ['total'],
      'exposure.shop.revenue': ['total'],
    });
    const size = await impact(one.place, lake, 'properties.cart.size', 'downstream');
    expect(reached(size.downstream)).toMatchObject({ 'awsdatacatalog.marts.orders': ['size'] });
    const note = await impact(one.place, lake, 'properties.note', 'downstream');
    expect(note.downstream).toEqual([]);
    const whole = await impact(one.place, lake, 'properties', 'downstream');
    expect(reached(whole.downstream)).toMatchObject({ 'awsdatacatalog.marts.orders': ['size', 'total'] });
    const { upstream } = await impact(one.place, 'awsdatacatalog.marts.orders', 'total', 'upstream');
    expect(reached(upstream)).toEqual({ [lake]: ['event', 'properties.total'] });
  });

  it('reads the whole column if no event has the property, and says so until one has', async () => {
    const one = await project();
    for (const step of [declared(dbtProject(athenaSql)), named()]) await step(one);
    const ask = () => impact(one.place, 'awsdatacatalog.marts.orders', 'total', 'upstream');
    expect(reached((await ask()).upstream)).toEqual({ [lake]: ['event', 'properties'] });
    await sent(one);
    expect(reached((await ask()).upstream)).toEqual({ [lake]: ['event', 'properties.total'] });
  });

  it('keeps the properties beside a complete list of the table’s columns', async () => {
    const one = await project();
    const catalog = {
      nodes: {},
      sources: {
        'source.shop.events': {
          columns: { event: { name: 'event', index: 1 }, properties: { name: 'properties', index: 2 } },
        },
      },
    };
    for (const step of [sent, named()]) await step(one);
    await one.place.declare('/v1/lineage/dbt/manifest', { manifest: dbtProject(athenaSql), catalog });
    const { upstream } = await impact(one.place, 'awsdatacatalog.marts.orders', 'total', 'upstream');
    expect(reached(upstream)).toEqual({ [lake]: ['event', 'properties.total'] });
  });

  it.each([
    ['athena', ['awsdatacatalog/tributary_acme/events'], lake],
    ['athena', ['AwsDataCatalog.tributary_acme.EVENTS'], lake],
    ['spark', ['AwsDataCatalog.tributary_acme.events'], 'tributary_acme.events'],
    ['snowflake', ['lake.raw.events'], 'LAKE.RAW.EVENTS'],
    ['duckdb', ['lake.main.events'], 'lake.main.events'],
  ] as const)('is of the same relation that SQL of %s names: %j', async (kind, relations, ref) => {
    const one = await project(kind);
    for (const step of [sent, named([...relations])]) await step(one);
    expect(await properties(one.place, ref)).toEqual([
      'properties.cart',
      'properties.cart.size',
      'properties.note',
      'properties.total',
    ]);
  });
});

describe('a property that disappears (C-COLLINEAGE-4)', () => {
  const day = (n: number) => new Date(Date.UTC(2026, 10, 2 + n)).toISOString().slice(0, 10);
  const total = { properties: { total: 5 } };
  const note = { properties: { note: 'n' } };

  it('is retracted when no stored event of four whole weeks had it', async () => {
    const { place, send, setLineage } = await project();
    await setLineage(own(place));
    await send([total, note], day(0));
    for (let week = 1; week <= 5; week++) await send([note], day(7 * week));
    expect(await properties(place)).toEqual(['properties.note', 'properties.total']);
    await send([note], day(42));
    expect(await properties(place)).toEqual(['properties.note']);
    await send([total], day(43));
    expect(await properties(place)).toEqual(['properties.note', 'properties.total']);
  });

  it('stays if a project sends nothing for months, and if it is rare', async () => {
    const { place, send, setLineage } = await project();
    await setLineage(own(place));
    await send([total, note], day(0));
    await send([note], day(200));
    expect(await properties(place)).toEqual(['properties.note', 'properties.total']);
    for (let week = 0; week < 12; week++) await send(week % 4 === 3 ? [total, note] : [note], day(207 + 7 * week));
    expect(await properties(place)).toEqual(['properties.note', 'properties.total']);
  });
});

describe('the statements of projects', () => {
  it('stay apart: two projects of one lake, and workspaces', async () => {
    const [one, other] = [await project(), await project()];
    const second = await projectIn(one.place, 'app');
    await one.setLineage(own(one.place));
    await second.setLineage(own(one.place));
    await one.send([{ properties: { total: 5 } }]);
    await second.send([{ properties: { total: 5, screen: 's' } }]);
    expect(await properties(one.place)).toEqual(['properties.screen', 'properties.total']);
    await second.setLineage(null);
    expect(await properties(one.place)).toEqual(['properties.total']);
    await other.send([{ properties: { secret: 1 } }]);
    const [{ status }] = [await other.setLineage(own(one.place))];
    expect(status).toBe(404);
    expect(await properties(one.place)).toEqual(['properties.total']);
  });

  it('move with the project to another connector, and end with the setting', async () => {
    const { place, send, setLineage } = await project();
    await send([{ properties: { total: 5 } }]);
    await setLineage(own(place));
    const { record } = await createConnector(world.operator, place.workspace, {
      name: 'spark',
      kind: 'spark',
      namespaces: [],
    });
    await setLineage({ connector_id: record.id, relations: ['tributary_acme.events'] });
    expect(await properties(place)).toEqual([]);
    const moved = await place.ask('/v1/lineage/relation', {
      connector_id: record.id,
      relation_ref: 'tributary_acme.events',
    });
    expect(moved.json.columns.map(({ name }: { name: string }) => name)).toContain('properties.total');
    await setLineage(null);
    const ended = await place.ask('/v1/lineage/relation', {
      connector_id: record.id,
      relation_ref: 'tributary_acme.events',
    });
    expect(ended.json.columns ?? []).toEqual([]);
  });

  it('refuse a name that the connector’s platform has not', async () => {
    const { place, setLineage } = await project();
    const { status, json } = await setLineage(own(place, [lake, 'a.b.c.d']));
    expect([status, json.detail.code, json.detail.errors[0].path]).toEqual([
      422,
      'validation_error',
      '/lineage/relations/1',
    ]);
  });

  it('come from stored events only: the first value of an id counts', async () => {
    const { place, send, setLineage, shapes } = await project();
    await setLineage(own(place));
    const id = randomUUID();
    await send([{ id, properties: { first: 1 } }]);
    await send([{ id, properties: { second: 1 } }]);
    expect(await properties(place)).toEqual(['properties.first']);
    expect(await shapes()).toMatchObject({
      written_on: '2026-11-02',
      items: [
        {
          event: 'Order Placed',
          weeks_ago: 0,
          fields: [{ path: 'properties.first', types: ['number'] }],
        },
      ],
    });
    expect(JSON.stringify(await shapes())).not.toContain(id);
  });
});

describe('what shapes cost (C-COLLINEAGE-3)', () => {
  it('is one read of a process, and nothing for a batch without news', async () => {
    const { place, send, setLineage } = await project();
    await setLineage(own(place));
    const event = { properties: { total: 5 } };
    const requests = async (day: string, events = [event]) => {
      const { calls } = await storeCallsOf(() => send(events, day));
      return calls.filter(({ input }) => input.includes(`S#${place.workspace}`)).map(({ command }) => command);
    };
    const statement = 'GetItemCommand';
    expect(await requests('2026-11-02')).toEqual(['GetItemCommand', 'PutItemCommand', statement, statement]);
    expect(await requests('2026-11-02')).toEqual([]);
    expect(await requests('2026-11-05', [event, event, event])).toEqual([]);
    expect(await requests('2026-11-08')).toEqual([]);
    expect(await requests('2026-11-09')).toEqual(['PutItemCommand', statement, statement]);
    expect(await requests('2026-11-09')).toEqual([]);
  });
});
