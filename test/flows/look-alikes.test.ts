import { expect, it } from 'vitest';
import { scanGaps } from '../../shared/domain/lineage/gaps/scan-gaps.ts';
import { askForRewrite } from '../../shared/domain/lineage/generations/ask-rewrite.ts';
import { createConnector, updateConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import { projections } from '../../shared/runtime/composition/stores.ts';
import { rewritePorts, sweepPorts } from '../../shared/runtime/composition/workers.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);

type Dataset = { readonly namespace: string; readonly name: string };

const lookAlikes = async ({ workspace }: LineagePlace) => {
  const found = [...(await sweepPorts().survey(workspace, new Date())).values()];
  return found.flatMap(({ lookAlikes: one }) => one?.pairs ?? []);
};
/** All feeds, as an hour's scans look at them. */
const scanned = () => scanGaps(sweepPorts(), { from: null, now: new Date(), hourly: true, timeIsUp: () => false });
/** A run whose input is written in one way, and one whose output is written in the other. */
async function read(place: LineagePlace, input: Dataset, output: Dataset): Promise<void> {
  const owned = { namespace: place.namespace, name: 'crm.core.other' };
  await place.emit({ ...runEvent('', [], [], { job: 'reads' }), inputs: [input], outputs: [owned] });
  await place.emit({ ...runEvent('', [], [], { job: 'writes' }), inputs: [owned], outputs: [output] });
}
async function renamed({ workspace }: LineagePlace): Promise<void> {
  await askForRewrite({ ...rewritePorts(), queue: projections() }, workspace);
  await world.settle();
}
const update = ({ workspace }: LineagePlace, connector: string) =>
  `tributary admin connectors update ${workspace} ${connector}`;

it('names a table under a namespace that no connector owns, and the command that joins it (C-GAP-14)', async () => {
  const place = await world.place();
  const orders = { namespace: place.namespace, name: 'crm.core.orders' };
  const replica = { namespace: 'postgres://replica.test:5432', name: 'CRM.core.Orders' };
  await read(place, replica, orders);
  const [pair, ...more] = await lookAlikes(place);
  expect(more).toEqual([]);
  expect(pair).toEqual({
    name: 'postgres://replica.test:5432/CRM.core.Orders',
    looks_like: 'crm.core.orders',
    command: `${update(place, place.connector.name)} --add-namespace 'postgres://replica.test:5432'`,
    advice: 'If both are one relation, the command joins them.',
  });
  const namespaces = [...place.connector.namespaces, replica.namespace];
  await updateConnector(world.operator, place.workspace, place.connector.id, { namespaces });
  await renamed(place);
  expect(await lookAlikes(place)).toEqual([]);
});

it('says beside a claim which other names look like relations of the answer (C-GAP-14, C-CLAIM-4)', async () => {
  const place = await world.place();
  const named = (name: string) => ({ namespace: place.namespace, name });
  await read(place, { namespace: 'postgres://replica.test', name: 'crm.core.orders' }, named('crm.core.orders'));
  const limits = async (relation: string) => {
    const { json } = await place.ask('/v1/lineage/impact', { relation_ref: relation });
    return json.claim.limits.filter(({ code }: { code: string }) => code === 'names_look_alike');
  };
  expect(await limits('crm.core.orders')).toEqual([]);
  await scanned();
  const command = `${update(place, place.connector.name)} --add-namespace 'postgres://replica.test'`;
  const limit = {
    code: 'names_look_alike',
    text: '1 other name looks like a relation here: what uses it is not counted.',
    subjects: ['postgres://replica.test/crm.core.orders'],
    how_to_lift: `If both are one relation: ${command}`,
    blocks: false,
  };
  expect(await limits('crm.core.orders')).toEqual([limit]);
  expect(await limits('crm.core.unrelated')).toEqual([]);
});

it('says that there are more than an answer is compared with (C-GAP-14, C-CLAIM-4)', async () => {
  const place = await world.place();
  const named = (namespace: string) => Array.from({ length: 23 }, (_, n) => ({ namespace, name: `crm.core.t${n}` }));
  await place.emit({ ...runEvent('', [], [], { job: 'reads' }), inputs: named('postgres://replica.test') });
  await place.emit({ ...runEvent('', [], [], { job: 'writes' }), inputs: named(place.namespace) });
  await scanned();
  const { json } = await place.ask('/v1/lineage/impact', { relation_ref: 'crm.core.t0' });
  expect(json.claim.limits).toContainEqual(
    expect.objectContaining({
      code: 'look_alikes_not_compared',
      text: '3 more names look like another one, and were not compared with this answer.',
      blocks: false,
    }),
  );
});

it('finds a name that only a job without output reads (C-GAP-14, C-OPENLINEAGE-27)', async () => {
  const place = await world.place();
  await place.emit(runEvent(place.namespace, ['crm.core.x'], ['crm.core.orders']));
  const inputs = [{ namespace: 'postgres://replica.test', name: 'crm.core.orders' }];
  await place.emit({ ...runEvent('', [], [], { job: 'dashboard' }), inputs });
  expect(await lookAlikes(place)).toMatchObject([
    { name: 'postgres://replica.test/crm.core.orders', looks_like: 'crm.core.orders' },
  ]);
});

it('takes equal names on another platform for copies (C-GAP-14)', async () => {
  const place = await world.place();
  const orders = { namespace: place.namespace, name: 'crm.core.orders' };
  await read(place, { namespace: 'snowflake://org-acct', name: 'CRM.CORE.ORDERS' }, orders);
  await read(place, { namespace: 'postgres://other.test', name: 'shop.core.orders' }, orders);
  expect(await lookAlikes(place)).toEqual([]);
});

it('completes a name that lacks its database by the default of the connector (C-GAP-14)', async () => {
  const place = await world.place();
  const orders = { namespace: place.namespace, name: 'crm.core.orders' };
  await updateConnector(world.operator, place.workspace, place.connector.id, { default_database: null } as never);
  await read(place, { namespace: place.namespace, name: 'core.orders' }, orders);
  expect(await lookAlikes(place)).toMatchObject([
    {
      name: `${place.namespace}/core.orders`,
      looks_like: 'crm.core.orders',
      command: `${update(place, place.connector.name)} --default-database 'crm'`,
    },
  ]);
});

it('names relations of one connector that differ only in case (C-GAP-14)', async () => {
  const place = await world.place();
  const named = (name: string) => ({ namespace: place.namespace, name });
  await read(place, named('crm.core."Orders"'), named('crm.core.orders'));
  expect(await lookAlikes(place)).toMatchObject([
    { name: 'crm.core.orders', looks_like: 'crm.core."Orders"', command: null },
  ]);
});

it('claims the cluster of a topic that DataHub names without one (C-GAP-14, C-DATAHUB-8)', async () => {
  const place = await world.place();
  const urn = (platform: string, name: string) => `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},PROD)`;
  const topic = { namespace: 'kafka://b1.test:9092', name: 'orders' };
  await place.declare('/v1/lineage/datahub', {
    export: [{ upstreamUrn: urn('kafka', 'main.orders'), downstreamUrn: urn('postgres', 'crm.s.stream') }],
  });
  await read(place, { ...topic, name: 'unrelated' }, topic);
  const claim = `${update(place, 'CONNECTOR')} --add-namespace 'kafka://b1.test:9092' --datahub-platform-instance 'main'`;
  expect(await lookAlikes(place)).toMatchObject([{ name: 'kafka://b1.test:9092/orders', command: claim }]);
  await createConnector(world.operator, place.workspace, {
    ...{ name: 'events', kind: 'other', namespaces: [topic.namespace] },
    datahub_platform_instances: ['main'],
  });
  await renamed(place);
  expect(await lookAlikes(place)).toEqual([]);
});

it('leaves out the platform instance that DataHub puts in front of a name (C-GAP-14)', async () => {
  const place = await world.place();
  const urn = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:postgres,${name},PROD)`;
  await place.declare('/v1/lineage/datahub', {
    export: [{ upstreamUrn: urn('crm.raw.x'), downstreamUrn: urn('main.crm.core.orders') }],
  });
  await place.emit(runEvent(place.namespace, ['crm.core.orders'], ['crm.core.z']));
  const command = `${update(place, place.connector.name)} --datahub-platform-instance 'main'`;
  expect(await lookAlikes(place)).toMatchObject([
    { name: urn('main.crm.core.orders'), looks_like: 'crm.core.orders', command },
  ]);
});

it('names a topic under some of its brokers, and a path under the short name of its host (C-GAP-14)', async () => {
  const place = await world.place();
  const whole = { namespace: 'kafka://b1.test:9092,b2.test:9092', name: 'orders' };
  await read(place, { ...whole, namespace: 'kafka://b2.test:9093' }, whole);
  await read(
    place,
    { namespace: 'hdfs://nn1:9000', name: '/lake/a' },
    { namespace: 'hdfs://nn1.test', name: '/lake/a' },
  );
  await read(place, { namespace: 's3://lake', name: 'b' }, { namespace: 's3://lake-of-tests', name: 'b' });
  expect((await lookAlikes(place)).map(({ name, looks_like }) => [name, looks_like])).toEqual([
    ['hdfs://nn1.test:8020//lake/a', 'hdfs://nn1:9000//lake/a'],
    ['kafka://b2.test:9093/orders', 'kafka://b1.test:9092,b2.test:9092/orders'],
  ]);
});

it('claims both spellings of a host that no connector owns (C-GAP-14)', async () => {
  const place = await world.place();
  const items = { namespace: 'postgres://shop.internal.test:5432', name: 'shop.core.items' };
  await read(place, { ...items, namespace: 'postgres://shop:5432' }, items);
  expect(await lookAlikes(place)).toMatchObject([
    { command: expect.stringContaining("'postgres://shop.internal.test:5432' --add-namespace 'postgres://shop:5432'") },
  ]);
});
