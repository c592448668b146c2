import type { ConnectorId } from '../../shared/contract/ids.ts';
import { inParallel } from '../../shared/domain/base/concurrency.ts';
import type { Edge } from '../../shared/domain/lineage/graph/claim-writer.ts';
import { type Urn, urnOf } from '../../shared/domain/lineage/graph/node.ts';
import { randomFloats } from './random-floats.ts';
import { type ColumnsOf, declareEdges, observeEdges, passedOn, type WrittenGraph } from './state-edges.ts';

const four = passedOn(['a', 'b', 'c', 'd']);
const fourColumns: ColumnsOf = () => four;
const noColumns: ColumnsOf = () => [];

const layers = 10;
const relationsALayer = 100;
const readsARelation = 3;
/** One read in this many crosses to another domain: the neighbourhood of a relation stays bounded while the graph grows. */
const crossings = 50;

/** Domains whose columns are kept: loading a million edges takes long enough without. */
const domainsWithColumns = 20;

type LayeredGraph = {
  /** Adds the next domain, whose relations have some columns; a half of them are declared, the others observed job by job. */
  readonly grow: (columnsOf?: ColumnsOf) => Promise<void>;
  readonly edges: () => number;
  readonly domains: () => number;
  readonly refOf: (domain: number, layer: number, position: number) => string;
};

/** A graph of domains of about 2,700 edges in ten layers, written as projection writes it. */
export function layeredGraph(graph: WrittenGraph, connectorId: ConnectorId): LayeredGraph {
  let [domains, edgesCreated] = [0, 0];
  const jobsOf = layeredJobs(connectorId);

  return {
    refOf,
    edges: () => edgesCreated,
    domains: () => domains,
    grow: async (columnsOf = domains < domainsWithColumns ? fourColumns : noColumns) => {
      const domain = domains;
      const jobs = jobsOf(domain);
      if (domain % 2 === 0) await declareEdges(graph, `declared:${domain}`, { edges: jobs.flat(), columnsOf });
      else
        await inParallel(8, [...jobs.entries()], ([i, edges]) =>
          observeEdges(graph, `job:${domain}/${i}`, { edges, columnsOf }),
        );
      domains++;
      for (const edges of jobs) edgesCreated += new Set(edges.map(({ from }) => from)).size;
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

const broadLayer = 300;
const broadReads = 4;

/** Ten layers whose relations read any of the layer below: five steps both ways reach more than an answer can hold. */
export async function broadDomain(
  graph: WrittenGraph,
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
  await declareEdges(graph, 'declared:broad', { edges: declared.flat(), columnsOf: fourColumns });
  await inParallel(8, [...observed.entries()], ([i, edges]) =>
    observeEdges(graph, `job:broad/${i}`, { edges, columnsOf: fourColumns }),
  );
  return (position) => refOf(4, position % broadLayer);
}

/** One dataset that this many jobs read. Each job writes its own dataset. */
export async function supernode(graph: WrittenGraph, connectorId: ConnectorId, readers: number): Promise<string> {
  const hub = `db.hub.read_by_${readers}`;
  const urn = (ref: string) => urnOf({ kind: 'relation', connectorId, ref });
  const edges = Array.from({ length: readers }, (_, i) => ({ from: urn(hub), to: urn(`db.hub.of_${readers}_${i}`) }));
  await declareEdges(graph, `hub:${readers}`, { edges, columnsOf: noColumns });
  return hub;
}
