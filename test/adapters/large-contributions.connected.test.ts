import { randomBytes, randomUUID } from 'node:crypto';
import { type AttributeValue, paginateQuery } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { longDetailsShard, runKey } from '../../shared/adapters/dynamodb/keys/graph-keys.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import type { EdgeDetail } from '../../shared/domain/lineage/graph/derivation.ts';
import { contentDigest, graphOf, nodeId, scopeId, shardOf, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { micros, runOrder, runToken } from '../../shared/domain/lineage/graph/order.ts';
import type { RunRecord } from '../../shared/domain/lineage/sources/openlineage/run-store.ts';
import { gathered } from '../support/gathered.ts';
import { graphPorts } from '../support/graph-ports.ts';
import { provideStores } from '../support/provide-stores.ts';
import { readDetails } from '../support/read-details.ts';

const stores = provideStores();
let workspace: WorkspaceId;
beforeEach(() => {
  workspace = `w${randomUUID().slice(0, 8)}` as WorkspaceId;
});

/** Text that no compression makes smaller. */
const noise = (bytes: number) => randomBytes(bytes).toString('base64');
async function itemsIn(pk: string): Promise<Record<string, AttributeValue>[]> {
  const query = {
    TableName: process.env['TABLE_NAME'],
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: pk } },
  };
  const pages = await gathered(paginateQuery({ client: stores.client }, query));
  return pages.flatMap(({ Items = [] }) => Items);
}

describe('what an edge maps', () => {
  const scope = scopeId('runs:job');
  const [from, to] = ['a', 'b'].map((name) => urnOf({ kind: 'dataset', namespace: 'n', name })) as [never, never];
  const ids = () => ({ from: nodeId(from), to: nodeId(to), scope });
  const order = (second: number, run = 'one') => runOrder(micros(BigInt(second) * 1_000_000n), runToken(run), []);
  const detail = (columns: string): EdgeDetail => ({
    producer: { namespace: 'jobs', name: 'job' },
    deliveryId: 'd',
    location: '',
    observedAt: '2026-11-01T10:00:00Z',
    statementKind: null,
    principal: null,
    columns: [{ inputColumn: columns, outputColumn: 'x', type: 'DIRECT', subtype: null, masking: false }],
    unresolved: [],
  });
  const [large, larger, small] = [detail(noise(1_000_000)), detail(noise(1_500_000)), detail('x')];
  const put = (one: EdgeDetail, at: ReturnType<typeof order>) =>
    graphPorts(stores.client).claims.claim(graphOf(workspace, 0), {
      ...{ kind: 'snapshot', scope, order: at, edges: [{ from, to }] },
      stated: [{ from, to, detail: one }],
    });
  const got = async () =>
    (await readDetails(graphPorts(stores.client), graphOf(workspace, 0), [ids()])).map((one) => one.detail);
  /** Beside the page: an item, and its parts. */
  const stored = async () => (await itemsIn(longDetailsShard(graphOf(workspace, 0), shardOf(ids().to)))).length;

  it('is kept whole when it is larger than an item, and leaves nothing behind when it is replaced', async () => {
    await put(large, order(1));
    expect(await got()).toEqual([large]);
    expect(await stored()).toBe(4);
    await put(larger, order(2));
    await put(larger, order(2));
    expect(await got()).toEqual([larger]);
    expect(await stored()).toBe(6);
    await put(large, order(1));
    expect(await got()).toEqual([larger]);
    expect(await stored()).toBe(6);
    await put(small, order(3));
    expect(await got()).toEqual([small]);
    expect(await stored()).toBe(2);
  });

  it('is not written again by a run that states the same, which is seen all the same', async () => {
    const { claims } = graphPorts(stores.client);
    const graph = graphOf(workspace, 0);
    const providerInstanceId = randomUUID();
    const identity = {
      scope,
      scopeKey: 'job',
      kind: 'observed',
      providerType: 'openlineage',
      providerInstanceId,
    } as const;
    const observe = (one: EdgeDetail, second: number) =>
      claims.observe(graph, {
        ...{ scope: identity, at: micros(BigInt(second) * 1_000_000n) },
        edges: [{ from, to, stated: { order: order(second), detail: { ...one, deliveryId: `d${second}` } } }],
      });
    const wide = detail(noise(20_000));
    const items = async () => {
      const all = await itemsIn(longDetailsShard(graph, shardOf(ids().to)));
      return { head: all.find(({ m }) => m), parts: all.filter(({ part }) => part) };
    };
    await observe(wide, 1);
    const first = await items();
    await observe(wide, 2);
    const second = await items();
    expect(second.parts).toEqual(first.parts);
    expect([second.head?.['content'], second.head?.['m']]).not.toEqual([first.head?.['content'], first.head?.['m']]);
    expect(second.head?.['content']).toEqual(first.head?.['content']);
    expect((await got()).map(({ deliveryId }) => deliveryId)).toEqual(['d2']);
    await observe(detail(noise(20_000)), 3);
    const third = await items();
    expect(third.parts).toHaveLength(1);
    expect(third.parts).not.toEqual(first.parts);
  });

  it('is forgotten where its run said it last', async () => {
    const { claims } = graphPorts(stores.client);
    await put(large, order(1, 'one'));
    expect(await claims.forgetRun(graphOf(workspace, 0), scope, runToken('two'), [{ from, to }])).toEqual([]);
    expect(await got()).toEqual([large]);
    expect(await claims.forgetRun(graphOf(workspace, 0), scope, runToken('one'), [{ from, to }])).toEqual([
      { from, to },
    ]);
    expect(await got()).toEqual([]);
    expect(await stored()).toBe(0);
  });
});

describe('what a run said', () => {
  const job = scopeId('runs:job');
  const expiresAt = 4_000_000_000;
  const recordOf = (value: unknown, second = 1): [string, RunRecord] => {
    const content = value as RunRecord['content'];
    const at = micros(BigInt(second) * 1_000_000n);
    return [contentDigest(JSON.stringify(content)), { content, first: at, last: at }];
  };
  const runs = () => graphPorts(stores.client).runs;

  it('is known whole however long it is and however much it says', async () => {
    const all = new Map([
      recordOf({ long: noise(1_000_000) }),
      ...Array.from({ length: 300 }, (_, n) => recordOf({ n, some: noise(2_000) }, n)),
    ]);
    const added = await runs().add(graphOf(workspace, 0), job, { runId: 'r', records: all, expiresAt });
    expect(added).toEqual({ records: all, repeated: false });
    expect(await runs().read(graphOf(workspace, 0), job, 'r')).toEqual(all);
    const more = new Map([recordOf('short', 7)]);
    const repeated = await runs().add(graphOf(workspace, 0), job, { runId: 'r', records: more, expiresAt });
    expect(repeated.records).toEqual(new Map([...all, ...more]));
    expect(await gathered(runs().otherRuns(graphOf(workspace, 0), job, 'another'))).toEqual([
      { runId: 'r', records: repeated.records },
    ]);
    expect(await gathered(runs().otherRuns(graphOf(workspace, 0), job, 'r'))).toEqual([]);
    expect((await runs().add(graphOf(workspace, 0), job, { runId: 'r', records: all, expiresAt })).repeated).toBe(true);
  });

  it('stays known for as long as the run goes on', async () => {
    const [long, short] = [recordOf({ long: noise(100_000) }), recordOf('short')];
    await runs().add(graphOf(workspace, 0), job, { runId: 'r', records: new Map([long]), expiresAt });
    const muchLater = expiresAt + 100 * 86_400;
    const { records } = await runs().add(graphOf(workspace, 0), job, {
      runId: 'r',
      records: new Map([short]),
      expiresAt: muchLater,
    });
    expect(records).toEqual(new Map([long, short]));
    const times = (await itemsIn(runKey(graphOf(workspace, 0), job, 'r').pk)).map((item) => Number(item['ttl']?.N));
    expect(Math.min(...times)).toBeGreaterThanOrEqual(muchLater);
  });
});
