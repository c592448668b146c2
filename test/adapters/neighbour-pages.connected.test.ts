import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { graphOf, nodeId, scopeId, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { microsOfIso } from '../../shared/domain/lineage/graph/order.ts';
import { expand } from '../../shared/domain/lineage/traversal/expansion.ts';
import { graphView } from '../../shared/domain/lineage/traversal/graph-view.ts';
import { graphPorts } from '../support/graph-ports.ts';
import { provideStores } from '../support/provide-stores.ts';
import { queryOf } from '../support/query-of.ts';

const stores = provideStores();
const urn = (name: string) => urnOf({ kind: 'dataset', namespace: 'n', name });
const job = { scopeKey: 'job', kind: 'observed', providerType: 'openlineage', providerInstanceId: 'p' } as const;
const at = microsOfIso('2026-11-20T12:00:00.000Z');

it.each([
  [60, 0],
  [61, 1],
  [121, 2],
  [200, 2],
])('spreads %i neighbours of one statement over pages of at most about sixty', async (count, level) => {
  const graph = graphOf(`w${randomUUID().slice(0, 8)}` as WorkspaceId, 0);
  const { claims, pages, scopes, ...ports } = graphPorts(stores.client);
  const scope = scopeId(job.scopeKey);
  await scopes.register(graph, { ...job, scope });
  const edges = Array.from({ length: count }, (_, i) => ({ from: urn('hub'), to: urn(`reader ${i}`) }));
  await claims.observe(graph, { scope: { ...job, scope }, at, edges });
  const [hub] = await pages.nodes(graph, [nodeId(urn('hub'))]);
  expect(hub?.levels).toEqual({ out: level, in: 0 });
  const view = graphView(queryOf({ ...ports, claims, pages, scopes }, graph), null);
  const expansion = await expand(view, { side: 'out', nodes: [urn('hub')] });
  expect(await expansion.next(1_000)).toHaveLength(count);
});
