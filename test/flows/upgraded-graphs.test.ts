import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { sweepTasks } from '../../functions/sweep/tasks.ts';
import { graphRecordKey } from '../../shared/adapters/dynamodb/keys/registry-keys.ts';
import { keyAttributes } from '../../shared/adapters/dynamodb/requests/items.ts';
import { table } from '../../shared/runtime/composition/stores.ts';
import { rewritePorts, sweepPorts } from '../../shared/runtime/composition/workers.ts';
import crm from '../fixtures/dbt/crm-manifest.json' with { type: 'json' };
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';

const world = provideForAll(startLineageWorld);

/** A record of the graph as versions wrote it before graphs had a layout. */
async function forgetLayout({ workspace }: LineagePlace) {
  const Key = keyAttributes(graphRecordKey(workspace));
  const { client, name: TableName } = table();
  await client.send(new UpdateItemCommand({ TableName, Key, UpdateExpression: 'REMOVE layout, incomplete' }));
}

async function sweep() {
  await sweepTasks(sweepPorts()).due({ now: new Date(), timeIsUp: () => false });
  await world.settle();
}

const sendBefore = async (place: LineagePlace) => {
  await place.declare('/v1/lineage/dbt/manifest', { manifest: crm });
  await place.emit(runEvent(place.namespace, ['crm.core.accounts'], ['crm.mart.totals']));
};
const sendLater = (place: LineagePlace) =>
  place.emit(runEvent(place.namespace, ['crm.mart.totals'], ['crm.mart.report']));

const impactIn = async (place: LineagePlace, relation_ref = 'crm.core.accounts') =>
  (await place.ask('/v1/lineage/impact', { relation_ref })).json;
/** Without the ids of the workspace's own connector. */
const toldOf = async (place: LineagePlace) => {
  const { downstream, edges, claim } = await impactIn(place);
  const { kind, counts, limits } = claim;
  return JSON.parse(
    JSON.stringify({
      downstream,
      columns: edges.map((one: { columns: object[] }) => one.columns),
      kind,
      counts,
      limits,
    }).replaceAll(place.connector.id, 'ID'),
  );
};
const recordOf = async ({ workspace }: LineagePlace) => (await rewritePorts().graphs.find(workspace))?.record;

it('a graph that an upgrade cannot read permits no all-clear, and is made again from its deliveries', async () => {
  const [place, other] = [await world.place(), await world.place()];
  await sendBefore(place);
  await forgetLayout(place);
  const unread = await impactIn(place);
  expect(unread.edges).toEqual([]);
  expect(unread.claim).toMatchObject({ kind: 'not_evaluated', evidence_until: '1970-01-01T00:00:00.000Z' });
  await sendLater(place);
  const { claim } = await impactIn(place, 'crm.mart.totals');
  expect(claim.limits.map(({ code }: { code: string }) => code)).toContain('evidence_waits');
  await sweep();
  for (const send of [sendBefore, sendLater]) await send(other);
  const made = await toldOf(place);
  expect(made).toEqual(await toldOf(other));
  expect(made.downstream).not.toEqual([]);
  expect(await recordOf(place)).toMatchObject({ incomplete: false, obsolete: [0, 1], generation: 2 });
});

it('a sweep looks for graphs to make again only once after an upgrade', async () => {
  await sweep();
  const place = await world.place();
  await forgetLayout(place);
  await sweep();
  expect(await recordOf(place)).toMatchObject({ incomplete: true, rewrite: null });
});
