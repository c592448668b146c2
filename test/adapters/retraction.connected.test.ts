import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { countUnits } from '../../bench/support/units.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import type { Edge } from '../../shared/domain/lineage/graph/claim-writer.ts';
import { graphOf, scopeId, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { micros, microsOfIso } from '../../shared/domain/lineage/graph/order.ts';
import type { RunRecord } from '../../shared/domain/lineage/sources/openlineage/run-store.ts';
import { graphPorts } from '../support/graph-ports.ts';
import { provideStores } from '../support/provide-stores.ts';

provideStores();
const urn = (name: string) => urnOf({ kind: 'dataset', namespace: 'n', name });
const identity = {
  scope: scopeId('job'),
  scopeKey: 'job',
  kind: 'observed',
  providerType: 'openlineage',
  providerInstanceId: 'p',
} as const;
const [early, late] = [microsOfIso('2026-11-20T12:00:00.000Z'), microsOfIso('2026-11-20T13:00:00.000Z')];
const fan = (count: number): Edge[] =>
  Array.from({ length: count }, (_, i) => ({ from: urn(`n${i}`), to: urn('hub') }));

function world() {
  const client = new DynamoDBClient({});
  const units = countUnits(client);
  return { workspace: `w${randomUUID().slice(0, 8)}` as WorkspaceId, units, ...graphPorts(client) };
}

it('narrows and withdraws the observations of a hub together, on both sides', async () => {
  const { workspace, claims, units } = world();
  const edges = fan(100);
  for (const at of [late, early]) await claims.observe(graphOf(workspace, 0), { scope: identity, at, edges });
  units();
  const narrowings = edges.map((edge, i) => ({ edge, remaining: i < 60 ? null : { first: late, last: late } }));
  expect(await claims.narrow(graphOf(workspace, 0), identity.scope, narrowings)).toEqual([]);
  // One write for each of the 100 upstream nodes, and a few for the hub's pages.
  expect(units().requests).toBeLessThan(130);
  const left = await claims.observed(graphOf(workspace, 0), identity.scope, edges);
  expect(left).toEqual(edges.slice(60).map((edge) => ({ edge, span: { first: late, last: late } })));
});

it('leaves what was observed meanwhile as it is, and tells which it was', async () => {
  const { workspace, claims, table } = world();
  const edges = fan(30);
  await claims.observe(graphOf(workspace, 0), { scope: identity, at: early, edges });
  // Another writer comes between the read and the writes.
  const racing = new DynamoDBClient({});
  let reads = 0;
  racing.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const answer = await next(args);
        if (commandName === 'BatchGetItemCommand' && ++reads === 2)
          await claims.observe(graphOf(workspace, 0), { scope: identity, at: late, edges: edges.slice(7, 9) });
        return answer;
      },
    { step: 'initialize' },
  );
  const { claims: slow } = graphPorts(racing);
  const moved = await slow.narrow(
    graphOf(workspace, 0),
    identity.scope,
    edges.map((edge) => ({ edge, remaining: null })),
  );
  expect(moved).toHaveLength(2);
  expect(new Set(moved)).toEqual(new Set(edges.slice(7, 9)));
  expect((await claims.observed(graphOf(workspace, 0), identity.scope, edges)).map(({ edge }) => edge)).toEqual(
    edges.slice(7, 9),
  );
  expect(table.name).not.toBe('');
});

it('reads the runs of a job as they are requested, and not all of them', async () => {
  const { workspace, runs, units } = world();
  const long = Array.from({ length: 20_000 }, () => Math.random().toString(36)).join('');
  for (let i = 0; i < 12; i++) {
    const record: RunRecord = {
      content: { i, long } as unknown as RunRecord['content'],
      first: micros(1n),
      last: micros(2n),
    };
    await runs.add(graphOf(workspace, 0), identity.scope, {
      runId: `r${i}`,
      records: new Map([[`d${i}`, record]]),
      expiresAt: 4e9,
    });
  }
  units();
  for await (const { runId, records } of runs.otherRuns(graphOf(workspace, 0), identity.scope, 'another')) {
    expect(records.get(`d${runId.slice(1)}`)?.content).toMatchObject({ long });
    break;
  }
  expect(units().requests).toBe(2);
});
