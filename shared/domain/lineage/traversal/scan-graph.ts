import { sortedBy } from '../../base/collections.ts';
import { readAhead } from '../../base/concurrency.ts';
import { pageCount } from '../graph/claim.ts';
import { type NodeId, shardCount, type Urn } from '../graph/node.ts';
import type { GraphNode, NodeRange } from '../graph/page-reader.ts';
import { type ExpandedEdge, expand } from './expansion.ts';
import { type BareQuery, graphView, type ViewOf } from './graph-view.ts';
import { newViewCache } from './load-once.ts';

/** Where a scan stands: the nodes after `node` in `shard`, then all later shards. */
export type ScanPosition = { readonly shard: number; readonly node: NodeId | null };

export const scanStart: ScanPosition = { shard: 0, node: null };

/** A relation with all live edges to it, and where a scan goes on after it. */
export type ScannedNode<Q = BareQuery> = {
  readonly downstream: Urn;
  readonly edges: readonly ExpandedEdge[];
  /** The view that found them: names and scopes are known to it. */
  readonly view: ViewOf<Q>;
  readonly after: ScanPosition;
};

export type ScannedPage<Q = BareQuery> = {
  /** All of them, also those that nothing feeds. */
  readonly read: readonly Urn[];
  /** Those that something feeds. */
  readonly nodes: readonly ScannedNode<Q>[];
  readonly view: ViewOf<Q>;
};

type Scan = {
  readonly asOf: string | null;
  readonly from?: ScanPosition;
  /** How many nodes are read together: asked before each page. */
  readonly nodesPerPage?: () => number;
  /** How many pages are read before they are requested. */
  readonly ahead?: number;
};

/** Nodes with many neighbours make smaller pages: what a page holds in memory are its claims. */
const claimsPerPage = 4_000;
/** What a page of a wide node holds, about. */
const claimsAFurtherPage = 60;

/** Every live edge once, by downstream relation and ordered by names. Memory is bounded by one page of nodes. */
export async function* scanGraph<Q extends BareQuery>(query: Q, scan: Scan): AsyncGenerator<ScannedNode<Q>> {
  for await (const { nodes } of scanPages(query, scan, async (page) => page)) yield* nodes;
}

/** The same by pages of nodes, each worked on as soon as it is read; memory is bounded by the pages that are under way. */
export async function* scanPages<Q extends BareQuery, R>(
  query: Q,
  scan: Scan,
  work: (page: ScannedPage<Q>) => Promise<R>,
): AsyncGenerator<R> {
  const cache = newViewCache();
  yield* readAhead(scan.ahead ?? 0, pagesOfNodes(query, scan), async (page) => {
    const view = graphView(query, scan.asOf, cache);
    return work(await scanned(scan, view, page));
  });
}

/** A relation at two moments; null if no edge leads to it at that one. */
type NodeAtTimes<Q> = {
  readonly before: ScannedNode<Q> | null;
  readonly after: ScannedNode<Q> | null;
  /** Where a scan goes on after it. */
  readonly next: ScanPosition;
};

/** Two moments side by side. One page after the other for both: at one of them the graph may be empty. */
export async function* scanTimes<Q extends BareQuery>(
  query: Q,
  { from, to, start }: { readonly from: string; readonly to: string; readonly start: ScanPosition },
): AsyncGenerator<NodeAtTimes<Q>> {
  const moments = [from, to].map((asOf) => ({ asOf, cache: newViewCache() }));
  for await (const page of pagesOfNodes(query, { asOf: null, from: start })) {
    const [olds, nows] = await Promise.all(
      moments.map(async ({ asOf, cache }) => {
        const { nodes } = await scanned({ asOf }, graphView(query, asOf, cache), page);
        return new Map(nodes.map((one) => [one.downstream, one]));
      }),
    );
    for (const { urn } of page.nodes) {
      const [before, after] = [olds?.get(urn) ?? null, nows?.get(urn) ?? null];
      const next = (before ?? after)?.after;
      if (next) yield { before, after, next };
    }
  }
}

export type NodePage = { readonly shard: number; readonly nodes: readonly GraphNode[]; readonly range: NodeRange };

/** Shards whose first page is under way before it is requested: one after the other, those of a small graph are mostly waiting. */
const shardsAhead = 4;

/** All nodes by shards, in the order of their ids. */
export async function* pagesOfNodes(
  { reader, context }: BareQuery,
  { from = scanStart, nodesPerPage = () => 100 }: Scan,
): AsyncGenerator<NodePage> {
  const read = async ({ shard, node }: ScanPosition) => ({
    shard,
    found: await reader.pages.scan(context.graph, shard, node, nodesPerPage()),
  });
  for await (let { shard, found } of readAhead(shardsAhead, shardsFrom(from), read))
    for (let last = found.at(-1); last !== undefined; last = found.at(-1)) {
      for (const portion of portions(found)) yield { shard, ...portion };
      ({ found } = await read({ shard, node: last.node }));
    }
}

function* shardsFrom(from: ScanPosition): Generator<ScanPosition> {
  yield from;
  for (let shard = from.shard + 1; shard < shardCount; shard++) yield { shard, node: null };
}

function* portions(found: readonly GraphNode[]): Generator<Omit<NodePage, 'shard'>> {
  let [start, claims] = [0, 0];
  for (const [i, { node, pages, levels }] of found.entries()) {
    claims += pages.in.claims.length + pages.out.claims.length + claimsAFurtherPage * (pageCount(levels.in) - 1);
    if (claims < claimsPerPage && i < found.length - 1) continue;
    const nodes = found.slice(start, i + 1);
    const [first] = nodes;
    if (first) yield { nodes, range: { first: first.node, last: node } };
    [start, claims] = [i + 1, 0];
  }
}

async function scanned<Q extends BareQuery>(
  { asOf }: Scan,
  view: ViewOf<Q>,
  { shard, nodes: read, range }: NodePage,
): Promise<ScannedPage<Q>> {
  view.nodes.add(read, asOf === null ? [] : await view.reader.pages.scanHistory(view.context.graph, range));
  const urns = read.map(({ urn }) => urn);
  const expansion = await expand(view, { side: 'in', nodes: urns });
  const found = (await expansion.next(Number.POSITIVE_INFINITY)) ?? [];
  const edges = Map.groupBy(found, ({ self }) => self);
  const nodes = read.flatMap(({ urn, node }): ScannedNode<Q>[] => {
    const found = edges.get(urn);
    if (!found) return [];
    return [{ downstream: urn, edges: sortedBy(found, ({ other }) => other), view, after: { shard, node } }];
  });
  return { read: urns, nodes, view };
}
