import type { GapDetails, UndeclaredLineage } from '../../../contract/gaps.ts';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { findOrAdd, sortedBy } from '../../base/collections.ts';
import type { Urn } from '../graph/node.ts';
import { statesProject } from '../providers/provider.ts';
import { activeEdges, type EvaluatedEdge, edgeEvaluator, followed } from '../traversal/evaluate.ts';
import { admittedOf } from '../traversal/evidence.ts';
import type { GraphQuery } from '../traversal/graph-view.ts';
import { isUndeclared, type JudgedEdge } from '../traversal/judged-edges.ts';
import { type ScannedPage, scanPages } from '../traversal/scan-graph.ts';
import { silentReaders } from '../traversal/silent-readers.ts';
import { isObserved, verdictOf, verdictsOf } from '../traversal/verdict.ts';
import { lookAlikes } from './look-alikes.ts';

type Query = GraphQuery;

/** Of a larger graph a part is looked at, always the same one. */
const mostRead = 5_000;
const nodesPerPage = 500;
const edgesNamed = 20;

type Part = {
  readonly read: number;
  /** Relations that a project makes of others. */
  readonly made: readonly Urn[];
  readonly undeclared: readonly JudgedEdge[];
  readonly edges: readonly EvaluatedEdge[];
  /** Relations that something reads which feeds none that is known. */
  readonly silent: readonly { readonly relation: Urn; readonly feed: string }[];
};

/** What the edges of a graph show of a feed. */
export type Surveyed = {
  readonly undeclared: UndeclaredLineage | null;
  readonly lookAlikes: NonNullable<GapDetails['look_alikes']> | null;
};

/** Reads a graph once for what its edges show of each feed: C-GAP-11, C-GAP-14. */
export async function surveyGraph(query: Query, workspace: WorkspaceId): Promise<ReadonlyMap<string, Surveyed>> {
  const parts: Omit<Part, 'edges' | 'silent'>[] = [];
  const names = new Map<Urn, Set<string>>();
  for await (const { edges, silent, ...part } of scanPages(
    query,
    { asOf: null, nodesPerPage: () => nodesPerPage },
    partOf,
  )) {
    for (const edge of edges)
      for (const feed of feedsOf(edge))
        for (const urn of [edge.upstream, edge.downstream]) findOrAdd(names, urn, () => new Set()).add(feed);
    for (const { relation, feed } of silent) findOrAdd(names, relation, () => new Set()).add(feed);
    parts.push(part);
    if (parts.reduce((sum, { read }) => sum + read, 0) >= mostRead) break;
  }
  const undeclared = undeclaredLineage(parts);
  const alike = lookAlikes(workspace, [...query.context.connectors.values()], names);
  return new Map(
    [...new Set([...undeclared.keys(), ...alike.keys()])].map((feed) => [
      feed,
      { undeclared: undeclared.get(feed) ?? null, lookAlikes: alike.get(feed) ?? null },
    ]),
  );
}

const feedsOf = ({ evidence }: EvaluatedEdge) =>
  new Set(admittedOf(evidence).map(({ providerInstanceId }) => providerInstanceId));

/** The edges that only runs have from or to relations that a project makes, by the source of the runs: C-GAP-11. */
function undeclaredLineage(
  parts: readonly Pick<Part, 'made' | 'undeclared'>[],
): ReadonlyMap<string, UndeclaredLineage> {
  const made = new Set(parts.flatMap((part) => part.made));
  const found = parts
    .flatMap(({ undeclared }) => undeclared)
    .filter(({ edge }) => made.has(edge.upstream) || made.has(edge.downstream));
  const ofSources = found.flatMap((one) => [...feedsOf(one.edge)].map((source) => [source, one] as const));
  return new Map(
    [...Map.groupBy(ofSources, ([source]) => source)].map(([source, own]) => {
      const edges = own.map(([, { edge, verdict }]) => ({ ...edge.refs, verdict }));
      const named = sortedBy(edges, (one) => JSON.stringify([one.downstream, one.upstream])).slice(0, edgesNamed);
      return [source, { count: edges.length, edges: named }];
    }),
  );
}

async function partOf({ read, nodes, view }: ScannedPage<Query>): Promise<Part> {
  const evaluator = edgeEvaluator(view, activeEdges(null, { withDetails: false }));
  const found = nodes.flatMap((node) => node.edges);
  const edges = followed(await evaluator.evaluate('in', found));
  const isDeclaredBy = ({ evidence }: EvaluatedEdge) =>
    admittedOf(evidence).some(({ providerType }) => statesProject(providerType));
  const silent = await silentReaders(view, read);
  await view.scopes.loadObservers(silent.map(({ scope }) => scope));
  const open = edges.filter(({ evidence }) => admittedOf(evidence).every(isObserved));
  const verdicts = await verdictsOf(view, open);
  const judged = open.map((edge) => ({ edge, ...verdictOf(verdicts, edge) }));
  return {
    read: read.length,
    made: edges.filter(isDeclaredBy).map(({ downstream }) => downstream),
    undeclared: judged.filter(isUndeclared),
    edges,
    silent: silent.map(({ relation, scope }) => ({
      relation,
      feed: view.scopes.get(scope)?.head.providerInstanceId ?? '',
    })),
  };
}
