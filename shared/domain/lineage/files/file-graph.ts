// A graph in memory: what each file states of each relation. It serves the same queries as the stores of a service.
import { noFacts, type Page, type Side } from '../graph/claim.ts';
import { edgeInScopeName, type FoundDetail } from '../graph/derivation.ts';
import { indexedColumn, indexedTails } from '../graph/name-parts.ts';
import { type Node, type NodeId, nodeId, nodeOf, ownerOf, relationRefOf, shardOf, type Urn } from '../graph/node.ts';
import { type Order, snapshotOrder } from '../graph/order.ts';
import type { GraphNode } from '../graph/page-reader.ts';
import { boundedSchema, type RelationSchema, schemaId } from '../graph/schema.ts';
import type { RecordedOrder, ScopeHead, ScopeIdentity } from '../graph/scope-store.ts';
import { lastPartOf } from '../names/relation-ref.ts';
import { type EdgeStatement, edgeIds, statedColumns } from '../projection/edges.ts';
import { listingOf } from '../projection/listing.ts';
import type { GraphReader } from '../traversal/graph-view.ts';

/** All that one file states. */
export type FileScope = {
  readonly identity: ScopeIdentity;
  /** When the file was made, as ISO time. */
  readonly at: string;
  readonly deliveryId: string;
  readonly edges: readonly EdgeStatement[];
  readonly schemas: ReadonlyMap<Urn, RelationSchema>;
};

type GraphStores = Pick<
  GraphReader,
  | 'pages'
  | 'scopes'
  | 'schemas'
  | 'details'
  | 'directory'
  | 'names'
  | 'columns'
  | 'providers'
  | 'sources'
  | 'unfinished'
>;

/** The order of every file: none replaces another. */
const order: Order = snapshotOrder(1);

export function fileGraph(scopes: readonly FileScope[]): GraphStores {
  const nodes = nodesOf(scopes);
  const found = (_: unknown, ids: readonly NodeId[]) => Promise.resolve(ids.flatMap((id) => nodes.get(id) ?? []));
  return {
    pages: {
      nodes: found,
      names: found,
      scan: async (_, shard, after, limit) => inShard(nodes, shard, after).slice(0, limit),
      scanNames: async (_, shard) => inShard(nodes, shard, null),
      morePages: async () => [],
      schemas: async () => new Map(),
      historyNodes: async () => [],
      scanHistory: async () => [],
      historyPages: async () => [],
    },
    scopes: scopesOf(scopes),
    ...detailsOf(scopes),
    ...namesIn([...nodes.values()].map(({ urn }) => urn)),
    columns: columnsOf(scopes),
    providers: {
      async *list() {},
    },
    unfinished: { list: async () => [] },
    sources: async () => ({ records: [], isWhole: true, until: null, waits: false }),
  };
}

function inShard(nodes: ReadonlyMap<NodeId, GraphNode>, shard: number, after: NodeId | null): GraphNode[] {
  const all = [...nodes.values()].filter(({ node }) => shardOf(node) === shard && (after === null || node > after));
  return all.sort((a, b) => (a.node < b.node ? -1 : 1));
}

function nodesOf(scopes: readonly FileScope[]): ReadonlyMap<NodeId, GraphNode> {
  const nodes = new Map<NodeId, GraphNode>();
  const nodeAt = (urn: Urn): GraphNode => {
    const node = nodeId(urn);
    const pageOf = (side: Side): Page => ({ node, side, number: 0, claims: [] });
    const pages = { out: pageOf('out'), in: pageOf('in') };
    const known = nodes.get(node) ?? {
      ...{ node, urn, facts: noFacts, levels: { out: 0, in: 0 }, pages, schemas: [], observers: [] },
    };
    nodes.set(node, known);
    return known;
  };
  const add = (list: readonly Page['claims'][number][], claim: Page['claims'][number]) =>
    (list as Page['claims'][number][]).push(claim);
  for (const { identity, edges, schemas } of scopes) {
    const claim = { kind: 'snapshot', scope: identity.scope, order } as const;
    for (const { from, to } of edges) {
      add(nodeAt(from).pages.out.claims, { ...claim, other: nodeId(to) });
      add(nodeAt(to).pages.in.claims, { ...claim, other: nodeId(from) });
    }
    for (const [urn, schema] of schemas) add(nodeAt(urn).schemas, { ...claim, other: schemaId(boundedSchema(schema)) });
  }
  return nodes;
}

function scopesOf(scopes: readonly FileScope[]): GraphReader['scopes'] {
  const heads = scopes.map(
    ({ identity, at }): ScopeHead => ({
      ...identity,
      ...{ order, floor: order, started: order, listed: order, digest: null, committedAt: at },
      ...{ restatedBy: null, removedAt: null, version: 0, changes: { orders: 0, removals: 0 } },
    }),
  );
  const recordOf = ({ edges, at, deliveryId }: FileScope): RecordedOrder & { readonly floor: Order } => ({
    ...{ order, complete: true, at, deliveryId, retracted: 0, warnings: [], also: [], floor: order },
    listing: listingOf(edges),
  });
  const recorded = (scope: unknown) => scopes.filter(({ identity }) => identity.scope === scope).map(recordOf);
  return {
    heads: async (_, requested) => heads.filter(({ scope }) => requested.includes(scope)),
    ofConnector: async (_, connector, limit) =>
      heads.filter(({ scopeKey }) => scopeKey.startsWith(`connector:${connector}:`)).slice(0, limit),
    orders: async (_, scope) => recorded(scope),
    history: async (_, scope) => recorded(scope),
    partials: async () => new Map(),
    ends: async () => [],
  };
}

function detailsOf(scopes: readonly FileScope[]): Pick<GraphReader, 'details' | 'schemas'> {
  const details = new Map<string, FoundDetail>();
  for (const { identity, edges } of scopes)
    for (const edge of edges) {
      const one = { ...edgeIds(edge), scope: identity.scope, order, detail: edge.detail };
      details.set(edgeInScopeName(one), one);
    }
  const all = scopes.flatMap(({ schemas }) => [...schemas.values()].map(boundedSchema));
  const contents = new Map(all.map((schema) => [schemaId(schema), schema]));
  return {
    details: {
      get: async (_, edges) => edges.flatMap((edge) => details.get(edgeInScopeName(edge)) ?? []),
      ofNodes: async (_, { first, last }) => [...details.values()].filter(({ to }) => to >= first && to <= last),
    },
    schemas: {
      get: async (_, ids) => new Map([...contents].filter(([id]) => ids.includes(id))),
    },
  };
}

function namesIn(urns: readonly Urn[]): Pick<GraphReader, 'directory' | 'names'> {
  const named = urns
    .map((urn): readonly [Urn, Node] => [urn, nodeOf(urn)])
    .filter(([, { kind }]) => kind !== 'inlined');
  const tails = named.map(([urn, node]) => ({ urn, ...indexedTails(relationRefOf(node)) }));
  const entries = tails
    .flatMap(({ urn, own }) => own.map((tail) => ({ tail, urn, place: `${tail}#${nodeId(urn)}` })))
    .sort((a, b) => (a.place < b.place ? -1 : 1));
  return {
    directory: {
      named: async (_, connectorId, table) =>
        named.flatMap(([, node]) =>
          node.kind === 'relation' &&
          node.connectorId === connectorId &&
          lastPartOf(node.ref).toLowerCase() === table.toLowerCase()
            ? [{ connectorId, ref: node.ref, table }]
            : [],
        ),
      any: async (_, connector) => named.some(([, node]) => ownerOf(node) === connector),
    },
    names: {
      beginningWith: async (_, prefix, { after, limit }) => {
        const all = entries.filter(({ tail, place }) => tail.startsWith(prefix) && (after === null || place > after));
        return { entries: all.slice(0, limit), next: all.length > limit ? (all[limit - 1]?.place ?? null) : null };
      },
      leads: async (_, prefix) => tails.some(({ leading }) => leading.some((tail) => tail.startsWith(prefix))),
      wideNodes: async () => [],
    },
  };
}

function columnsOf(scopes: readonly FileScope[]): GraphReader['columns'] {
  const relations = new Map<string, Set<Urn>>();
  for (const { edges, schemas } of scopes) {
    const described = [...schemas].map(([node, schema]) => ({ node, schema: schemaId(schema) }));
    const contents = new Map([...schemas.values()].map((schema) => [schemaId(schema), schema]));
    for (const [urn, columns] of statedColumns({ edges, described, contents }))
      for (const column of columns) relations.set(column, (relations.get(column) ?? new Set()).add(urn));
  }
  const postings = [...relations]
    .map(([column, urns]) => ({ columns: [column], urns: [...urns], place: column }))
    .sort((a, b) => (a.place < b.place ? -1 : 1));
  return {
    beginningWith: async (_, prefix, { after, limit }) => {
      const wanted = indexedColumn(prefix);
      const all = postings.filter(({ place }) => place.startsWith(wanted) && (after === null || place > after));
      return { postings: all.slice(0, limit), next: all.length > limit ? (all[limit - 1]?.place ?? null) : null };
    },
  };
}
