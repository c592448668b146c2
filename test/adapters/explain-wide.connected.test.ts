import { expect, it } from 'vitest';
import { countUnits } from '../../bench/support/units.ts';
import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import { graphOf, scopeId, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { snapshotOrder } from '../../shared/domain/lineage/graph/order.ts';
import { type Connector, connectorDefaults } from '../../shared/domain/lineage/names/connector.ts';
import { findEdge } from '../../shared/domain/lineage/queries/explain/find-edge.ts';
import { graphView } from '../../shared/domain/lineage/traversal/graph-view.ts';
import { graphPorts } from '../support/graph-ports.ts';
import { provideStores } from '../support/provide-stores.ts';
import { queryOf } from '../support/query-of.ts';
import { takeEffect } from '../support/take-effect.ts';

const stores = provideStores();

it('finds one edge of a relation with hundreds of inputs without reading them all', async () => {
  const workspace = 'w' as WorkspaceId;
  const connector: Connector = {
    ...connectorDefaults,
    id: 'c1' as ConnectorId,
    workspace_id: workspace,
    kind: 'postgres',
    name: 'c1',
    namespaces: [],
    datahub_platform_instances: [],
    shrink_guard: { ...connectorDefaults.shrink_guard },
  };
  const urn = (name: string) => urnOf({ kind: 'relation', connectorId: connector.id, ref: `d.s.${name}` });
  const ports = graphPorts(stores.client);
  const identity = {
    scope: scopeId('s'),
    scopeKey: 's',
    kind: 'snapshot',
    providerType: 'dbt_manifest',
    providerInstanceId: '',
  } as const;
  await ports.scopes.register(graphOf(workspace, 0), identity);
  const edges = Array.from({ length: 250 }, (_, i) => ({ from: urn(`n${i}`), to: urn('hub') }));
  await ports.claims.claim(graphOf(workspace, 0), {
    kind: 'snapshot',
    scope: identity.scope,
    order: snapshotOrder(1),
    edges,
  });
  await takeEffect(ports.scopes, graphOf(workspace, 0), identity.scope, snapshotOrder(1));
  const units = countUnits(stores.client);
  const query = queryOf(ports, graphOf(workspace, 0), { connectors: new Map([[connector.id, connector]]) });
  const find = (upstream: string) => findEdge(graphView(query, null), connector, { upstream, downstream: 'd.s.hub' });
  expect((await find('d.s.n123')).edge).toMatchObject({ self: urn('hub'), other: urn('n123') });
  expect(units().read_units).toBeLessThan(12);
  expect((await find('d.s.hub')).edge).toBeNull();
});
