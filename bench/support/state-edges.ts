import { randomUUID } from 'node:crypto';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import type { Edge, Observation } from '../../shared/domain/lineage/graph/claim-writer.ts';
import type { Derivation, EdgeColumn } from '../../shared/domain/lineage/graph/derivation.ts';
import { graphOf, nodeOf, scopeId, type Urn } from '../../shared/domain/lineage/graph/node.ts';
import { microsOfIso, snapshotOrder } from '../../shared/domain/lineage/graph/order.ts';
import type { ScopeIdentity } from '../../shared/domain/lineage/graph/scope-store.ts';
import { connectorDefaults } from '../../shared/domain/lineage/names/connector.ts';
import { loadSnapshot } from '../../shared/domain/lineage/projection/load-snapshot.ts';
import type { GraphWriters } from '../../shared/domain/lineage/projection/ports.ts';

/** The columns that a relation takes from each that it reads. */
export type ColumnsOf = (relation: Urn) => readonly EdgeColumn[];

/** What one source states: edges, with the columns of each. */
export type StatedEdges = { readonly edges: readonly Edge[]; readonly columnsOf: ColumnsOf };

/** The graph of a workspace, by the ports that projection writes it with. */
export type WrittenGraph = { readonly ports: GraphWriters; readonly workspace: WorkspaceId };

/** A complete snapshot as a declared delivery loads it: an order that is not recorded would be missing from every past moment. */
export async function declareEdges(
  { ports, workspace }: WrittenGraph,
  name: string,
  stated: StatedEdges,
): Promise<void> {
  const { state } = await loadSnapshot(ports, {
    graph: graphOf(workspace, 0),
    scope: scopeOf(name, 'snapshot'),
    order: snapshotOrder(1),
    complete: true,
    deliveryId: name,
    receivedAt: new Date().toISOString(),
    derivations: derivationsOf(stated),
    shrinkGuard: connectorDefaults.shrink_guard,
    released: false,
  });
  if (state !== 'projected') throw new Error('a snapshot was not projected');
}

/** One model a relation that reads anything. */
const derivationsOf = ({ edges, columnsOf }: StatedEdges): Derivation[] =>
  [...Map.groupBy(edges, ({ to }) => to)].map(([to, reads]) => {
    const inputs = [...new Set(reads.map(({ from }) => from))].map(nodeOf);
    return {
      output: nodeOf(to),
      inputs,
      columns: inputs.flatMap((input) => columnsOf(to).map((mapping) => ({ ...mapping, input }))),
      unresolved: [],
      producer: { namespace: 'bench', name: to },
      statementKind: null,
      principal: null,
      location: '',
    };
  });

/** Columns that are passed on as they are. */
export const passedOn = (names: readonly string[]): EdgeColumn[] =>
  names.map((column) => ({
    inputColumn: column,
    outputColumn: column,
    type: 'DIRECT',
    subtype: 'IDENTITY',
    masking: false,
  }));

/** The runs of a job, as projection writes what they observe. */
export async function observeEdges(
  { ports, workspace }: WrittenGraph,
  name: string,
  stated: StatedEdges,
): Promise<void> {
  const scope = scopeOf(name, 'observed');
  await ports.scopes.register(graphOf(workspace, 0), scope);
  const at = microsOfIso(new Date().toISOString());
  await ports.claims.observe(graphOf(workspace, 0), { scope, at, edges: withDetails(stated) });
}

function withDetails({ edges, columnsOf }: StatedEdges): Observation['edges'] {
  const detail = {
    producer: { namespace: 'bench', name: 'job' },
    deliveryId: '',
    location: '',
    observedAt: new Date().toISOString(),
    statementKind: null,
    principal: null,
    unresolved: [],
  };
  return edges.map((edge) => {
    const columns = columnsOf(edge.to);
    return columns.length === 0
      ? edge
      : { ...edge, stated: { order: snapshotOrder(1), detail: { ...detail, columns } } };
  });
}

const provider = randomUUID();

const scopeOf = <K extends 'snapshot' | 'observed'>(name: string, kind: K): ScopeIdentity & { readonly kind: K } => ({
  scope: scopeId(name),
  scopeKey: name,
  kind,
  providerType: kind === 'snapshot' ? 'dbt_manifest' : 'openlineage',
  providerInstanceId: provider,
});
