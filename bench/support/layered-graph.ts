import { randomUUID } from 'node:crypto';
import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import { inParallel } from '../../shared/domain/concurrency/in-parallel.ts';
import type { Edge } from '../../shared/domain/graph/claim-writer.ts';
import type { Derivation } from '../../shared/domain/graph/derivation.ts';
import type { EdgeColumn } from '../../shared/domain/graph/detail-store.ts';
import { nodeId, scopeId } from '../../shared/domain/graph/ids.ts';
import { nodeOf, type Urn, urnOf } from '../../shared/domain/graph/node.ts';
import { microsOfIso, snapshotOrder } from '../../shared/domain/graph/order.ts';
import type { ScopeIdentity } from '../../shared/domain/graph/scope-store.ts';
import { connectorDefaults } from '../../shared/domain/identity/connector.ts';
import { loadSnapshot } from '../../shared/domain/projection/load-snapshot.ts';
import type { ContentPorts } from '../../shared/domain/projection/project-content.ts';
import { randomFloats } from './random-floats.ts';

const layers = 10;
const relationsALayer = 100;
const readsARelation = 3;
/** One read in so many crosses to another domain: the neighbourhood of a relation stays bounded while the graph grows. */
const crossings = 50;

/** Domains whose columns are kept: loading a million edges takes long enough without. */
export const domainsWithColumns = 20;

/** The columns that a relation takes from each that it reads. */
type ColumnsOf = (relation: Urn) => readonly EdgeColumn[];

type LayeredGraph = {
  /** Adds the next domain, whose relations have some columns; a half of them are declared, the others observed job by job. */
  readonly grow: (columnsOf?: ColumnsOf) => Promise<void>;
  readonly edges: () => number;
  /** How many relations read others. */
  readonly readingRelations: () => number;
  readonly domains: () => number;
  readonly refOf: (domain: number, layer: number, position: number) => string;
};

/** A graph of domains of about 2,700 edges in ten layers, written as projection writes it. */
export function layeredGraph(ports: ContentPorts, workspace: WorkspaceId, connectorId: ConnectorId): LayeredGraph {
  let [domains, edgesMade] = [0, 0];
  const jobsOf = layeredJobs(connectorId);

  return {
    refOf,
    edges: () => edgesMade,
    readingRelations: () => domains * (layers - 1) * relationsALayer,
    domains: () => domains,
    grow: async (columnsOf = domains < domainsWithColumns ? fourColumns : noColumns) => {
      const domain = domains;
      const jobs = jobsOf(domain);
      if (domain % 2 === 0) await declare(ports, workspace, `declared:${domain}`, jobs.flat(), columnsOf);
      else
        await inParallel(8, [...jobs.entries()], ([i, edges]) =>
          observe(ports, workspace, `job:${domain}/${i}`, edges, columnsOf),
        );
      domains++;
      for (const edges of jobs) edgesMade += new Set(edges.map(({ from }) => from)).size;
    },
  };
}

/** What the relations of a domain read, a job each; domains are to be asked for in their order. */
function layeredJobs(connectorId: ConnectorId): (domain: number) => Edge[][] {
  const random = randomFloats(1);
  const urn = (domain: number, layer: number, position: number): Urn =>
    urnOf({ kind: 'relation', connectorId, ref: refOf(domain, layer, position) });
  const readsOf = (domain: number, layer: number, position: number): Edge[] =>
    Array.from({ length: readsARelation }, (_, i) => {
      const crosses = random() < 1 / crossings && domain > 0;
      const from = crosses ? Math.floor(random() * domain) : domain;
      const column = (position + i * (1 + Math.floor(random() * 7))) % relationsALayer;
      return { from: urn(from, layer - 1, column), to: urn(domain, layer, position) };
    });
  return (domain) =>
    Array.from({ length: (layers - 1) * relationsALayer }, (_, i) =>
      readsOf(domain, 1 + Math.floor(i / relationsALayer), i % relationsALayer),
    );
}

const refOf = (domain: number, layer: number, position: number): string => `db.d${domain}.l${layer}_${position}`;

/** The same graph as its derivations, a domain after the other, without a store. */
export function* layeredDerivations(connectorId: ConnectorId, domains: number): Generator<readonly Derivation[]> {
  const jobsOf = layeredJobs(connectorId);
  for (let domain = 0; domain < domains; domain++) yield derivationsOf(jobsOf(domain).flat(), fourColumns);
}

const broadLayer = 300;
const broadReads = 4;

/** Ten layers whose relations read any of the layer below: five steps both ways reach more than an answer can hold. */
export async function broadDomain(
  ports: ContentPorts,
  workspace: WorkspaceId,
  connectorId: ConnectorId,
): Promise<(position: number) => string> {
  const random = randomFloats(2);
  const refOf = (layer: number, position: number) => `db.broad.l${layer}_${position}`;
  const urn = (layer: number, position: number) =>
    urnOf({ kind: 'relation', connectorId, ref: refOf(layer, position) });
  const jobs = Array.from({ length: (layers - 1) * broadLayer }, (_, i) => {
    const layer = 1 + Math.floor(i / broadLayer);
    const to = urn(layer, i % broadLayer);
    return Array.from({ length: broadReads }, () => ({
      from: urn(layer - 1, Math.floor(random() * broadLayer)),
      to,
    }));
  });
  const [declared, observed] = [jobs.filter((_, i) => i % 2 === 0), jobs.filter((_, i) => i % 2 === 1)];
  await declare(ports, workspace, 'declared:broad', declared.flat(), fourColumns);
  await inParallel(8, [...observed.entries()], ([i, edges]) =>
    observe(ports, workspace, `job:broad/${i}`, edges, fourColumns),
  );
  return (position) => refOf(4, position % broadLayer);
}

/** One dataset that so many jobs read, each of which writes a dataset of its own. */
export async function supernode(
  ports: ContentPorts,
  workspace: WorkspaceId,
  connectorId: ConnectorId,
  readers: number,
): Promise<string> {
  const hub = `db.hub.read_by_${readers}`;
  const urn = (ref: string) => urnOf({ kind: 'relation', connectorId, ref });
  const edges = Array.from({ length: readers }, (_, i) => ({ from: urn(hub), to: urn(`db.hub.of_${readers}_${i}`) }));
  await declare(ports, workspace, `hub:${readers}`, edges, noColumns);
  return hub;
}

/** A complete snapshot as a declared delivery loads it: an order that is not recorded would be missing from every past moment. */
async function declare(
  ports: ContentPorts,
  workspace: WorkspaceId,
  name: string,
  edges: readonly Edge[],
  columnsOf: ColumnsOf,
): Promise<void> {
  const { state } = await loadSnapshot(ports, workspace, {
    scope: scopeOf(name, 'snapshot'),
    order: snapshotOrder(1),
    complete: true,
    deliveryId: name,
    receivedAt: new Date().toISOString(),
    derivations: derivationsOf(edges, columnsOf),
    shrinkGuard: connectorDefaults.shrink_guard,
    released: false,
  });
  if (state !== 'projected') throw new Error('a snapshot was not projected');
}

/** One model a relation that reads anything. */
const derivationsOf = (edges: readonly Edge[], columnsOf: ColumnsOf): Derivation[] =>
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
const [four, none] = [passedOn(['a', 'b', 'c', 'd']), passedOn([])];
const fourColumns: ColumnsOf = () => four;
const noColumns: ColumnsOf = () => none;

async function observe(
  ports: ContentPorts,
  workspace: WorkspaceId,
  name: string,
  edges: readonly Edge[],
  columnsOf: ColumnsOf,
): Promise<void> {
  const scope = scopeOf(name, 'observed');
  await ports.scopes.register(workspace, scope);
  await ports.claims.observe(workspace, { scope, at: microsOfIso(new Date().toISOString()), edges });
  await putDetails(ports, workspace, { scope: scope.scope, columnsOf }, edges);
}

async function putDetails(
  ports: ContentPorts,
  workspace: WorkspaceId,
  { scope, columnsOf }: Pick<ScopeIdentity, 'scope'> & { readonly columnsOf: ColumnsOf },
  edges: readonly Edge[],
): Promise<void> {
  const described = edges.filter(({ to }) => columnsOf(to).length > 0);
  const detail = {
    producer: { namespace: 'bench', name: 'job' },
    deliveryId: '',
    location: '',
    observedAt: new Date().toISOString(),
    statementKind: null,
    principal: null,
    unresolved: [],
  };
  await ports.details.put(
    workspace,
    described.map(({ from, to }) => ({
      from: nodeId(from),
      to: nodeId(to),
      scope,
      order: snapshotOrder(1),
      detail: { ...detail, columns: columnsOf(to) },
    })),
    null,
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
