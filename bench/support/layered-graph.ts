import { randomUUID } from 'node:crypto';
import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import { nodeId, scopeId } from '../../shared/domain/graph/ids.ts';
import { microsOfIso, snapshotOrder } from '../../shared/domain/graph/order.ts';
import type { Edge, ScopeIdentity } from '../../shared/domain/graph/ports.ts';
import { inParallel } from '../../shared/domain/in-parallel.ts';
import { type Urn, urnOf } from '../../shared/domain/lineage/node.ts';
import type { DeliveryWorkPorts } from '../../shared/domain/projection/work-delivery.ts';

const layers = 10;
const relationsALayer = 100;
const readsARelation = 3;
/** One read in so many crosses to another domain: the neighbourhood of a relation stays bounded while the graph grows. */
const crossings = 50;

/** Domains whose columns are kept: loading a million edges takes long enough without. */
export const domainsWithColumns = 20;

const edgesADomain = (layers - 1) * relationsALayer * readsARelation;

export type LayeredGraph = {
  /** Adds the next domain; a half of them are declared, the others observed job by job. */
  readonly grow: () => Promise<void>;
  readonly edges: () => number;
  readonly domains: () => number;
  readonly refOf: (domain: number, layer: number, position: number) => string;
};

/** A graph of domains of 2,700 edges in ten layers, written as projection writes it. */
export function layeredGraph(ports: DeliveryWorkPorts, workspace: WorkspaceId, connectorId: ConnectorId): LayeredGraph {
  let domains = 0;
  const random = mulberry(1);
  const refOf = (domain: number, layer: number, position: number) => `db.d${domain}.l${layer}_${position}`;
  const urn = (domain: number, layer: number, position: number): Urn =>
    urnOf({ kind: 'relation', connectorId, ref: refOf(domain, layer, position) });

  const readsOf = (domain: number, layer: number, position: number): Edge[] =>
    Array.from({ length: readsARelation }, (_, i) => {
      const crosses = random() < 1 / crossings && domain > 0;
      const from = crosses ? Math.floor(random() * domain) : domain;
      const column = (position + i * (1 + Math.floor(random() * 7))) % relationsALayer;
      return { from: urn(from, layer - 1, column), to: urn(domain, layer, position) };
    });

  return {
    refOf,
    edges: () => domains * edgesADomain,
    domains: () => domains,
    grow: async () => {
      const domain = domains;
      const jobs = Array.from({ length: (layers - 1) * relationsALayer }, (_, i) =>
        readsOf(domain, 1 + Math.floor(i / relationsALayer), i % relationsALayer),
      );
      const withColumns = domain < domainsWithColumns;
      if (domain % 2 === 0) await declare(ports, workspace, `declared:${domain}`, jobs.flat(), withColumns);
      else
        await inParallel(8, [...jobs.entries()], ([i, edges]) =>
          observe(ports, workspace, `job:${domain}/${i}`, edges, withColumns),
        );
      domains++;
    },
  };
}

/** One dataset that so many jobs read, each of which writes a dataset of its own. */
export async function supernode(
  ports: DeliveryWorkPorts,
  workspace: WorkspaceId,
  connectorId: ConnectorId,
  readers: number,
): Promise<string> {
  const hub = `db.hub.read_by_${readers}`;
  const urn = (ref: string) => urnOf({ kind: 'relation', connectorId, ref });
  const edges = Array.from({ length: readers }, (_, i) => ({ from: urn(hub), to: urn(`db.hub.of_${readers}_${i}`) }));
  await declare(ports, workspace, `hub:${readers}`, edges, false);
  return hub;
}

async function declare(
  ports: DeliveryWorkPorts,
  workspace: WorkspaceId,
  name: string,
  edges: readonly Edge[],
  withColumns: boolean,
): Promise<void> {
  const scope = scopeOf(name, 'snapshot');
  const order = snapshotOrder(1);
  await ports.scopes.register(workspace, scope);
  await ports.claims.claim(workspace, { kind: 'snapshot', scope: scope.scope, order, edges });
  if (withColumns) await putDetails(ports, workspace, scope, edges);
  const at = new Date().toISOString();
  await ports.scopes.commit(workspace, scope.scope, { order, digest: null, at });
}

async function observe(
  ports: DeliveryWorkPorts,
  workspace: WorkspaceId,
  name: string,
  edges: readonly Edge[],
  withColumns: boolean,
): Promise<void> {
  const scope = scopeOf(name, 'observed');
  await ports.scopes.register(workspace, scope);
  await ports.claims.observe(workspace, { scope: scope.scope, at: microsOfIso(new Date().toISOString()), edges });
  if (withColumns) await putDetails(ports, workspace, scope, edges);
}

async function putDetails(
  ports: DeliveryWorkPorts,
  workspace: WorkspaceId,
  { scope }: ScopeIdentity,
  edges: readonly Edge[],
): Promise<void> {
  const detail = {
    producer: { namespace: 'bench', name: 'job' },
    deliveryId: '',
    location: '',
    observedAt: new Date().toISOString(),
    statementKind: null,
    principal: null,
    columns: ['a', 'b', 'c', 'd'].map((column) => ({
      inputColumn: column,
      outputColumn: column,
      type: 'DIRECT' as const,
      subtype: 'IDENTITY',
      masking: false,
    })),
    unresolved: [],
  };
  await ports.details.put(
    workspace,
    edges.map(({ from, to }) => ({ from: nodeId(from), to: nodeId(to), scope, order: snapshotOrder(1), detail })),
  );
}

const provider = randomUUID();

const scopeOf = <K extends 'snapshot' | 'observed'>(name: string, kind: K): ScopeIdentity & { readonly kind: K } => ({
  scope: scopeId(name),
  scopeKey: name,
  kind,
  providerType: kind === 'snapshot' ? 'dbt_manifest' : 'openlineage',
  providerInstanceId: provider,
});

/** A small seeded generator of floats in [0, 1): the same graph each time. */
function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
