import { expect, it } from 'vitest';
import type { WorkspaceId } from '../../../shared/contract/ids.ts';
import { graphOf, type NodeId, scopeId } from '../../../shared/domain/lineage/graph/node.ts';
import { snapshotOrder, zeroOrder } from '../../../shared/domain/lineage/graph/order.ts';
import type { ScopeHead, ScopeStore } from '../../../shared/domain/lineage/graph/scope-store.ts';
import { answeredWhole } from '../../../shared/domain/lineage/traversal/answered-whole.ts';
import { type GraphReader, graphView } from '../../../shared/domain/lineage/traversal/graph-view.ts';
import { unchangedSince } from '../../support/memory-graph.ts';
import { queryOf } from '../../support/query-of.ts';

const graph = graphOf('w' as WorkspaceId, 0);
const scope = scopeId('s');
const [longAgo, justNow, now] = ['2026-11-23T09:00:00.000Z', '2026-11-23T09:59:59.500Z', '2026-11-23T10:00:00.000Z'];

const headAt = (order: number, committedAt: string, started = order): ScopeHead => ({
  scope,
  scopeKey: 's',
  kind: 'snapshot',
  providerType: '',
  providerInstanceId: '',
  order: snapshotOrder(order),
  floor: snapshotOrder(order),
  digest: null,
  committedAt,
  ...unchangedSince(snapshotOrder(order)),
  started: snapshotOrder(started),
});

/** Answers the order that a question saw, how often it was answered, and how many heads were read; the last head stays. */
async function answered(...heads: readonly ScopeHead[]) {
  let [reads, answers] = [0, 0];
  const scopes: Pick<ScopeStore, 'heads'> = {
    heads: async () => [heads[Math.min(reads++, heads.length - 1)] as ScopeHead],
  };
  const seen = await answeredWhole(queryOf({ scopes } as unknown as GraphReader, graph, { now }), async (query) => {
    answers++;
    const view = graphView(query, null);
    await view.scopes.load([{ kind: 'snapshot', scope, order: zeroOrder, other: scope as unknown as NodeId }]);
    return Number(view.scopes.get(scope)?.head.order);
  });
  return { seen, answers, reads };
}

it('answers once, and reads no head more, where every scope rests', async () => {
  expect(await answered(headAt(1, longAgo))).toEqual({ seen: 1, answers: 1, reads: 1 });
});

it('answers once if a snapshot loads, and again where one took effect meanwhile', async () => {
  expect(await answered(headAt(1, longAgo, 2))).toEqual({ seen: 1, answers: 1, reads: 2 });
  const moved = [headAt(1, longAgo, 2), headAt(2, now)];
  expect(await answered(...moved)).toEqual({ seen: 2, answers: 2, reads: 4 });
});

it('answers again if a snapshot took effect so recently that items may have been read before', async () => {
  expect(await answered(headAt(1, justNow))).toEqual({ seen: 1, answers: 2, reads: 4 });
});

it('gives the fourth answer if a scope never rests', async () => {
  const restless = Array.from({ length: 20 }, (_, i) => headAt(i + 1, now));
  expect(await answered(...restless)).toMatchObject({ answers: 4 });
});
