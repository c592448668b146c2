// A graph in memory: what each file states of each relation. It serves the same queries as the stores of a service.
import * as v from 'valibot';
import { WorkspaceId } from '../../../contract/ids.ts';
import { once } from '../../base/caching.ts';
import { findOrAdd, sortedBy } from '../../base/collections.ts';
import { type Claim, type NodeFacts, noFacts, type Side } from '../graph/claim.ts';
import type { EdgeStatement } from '../graph/claim-writer.ts';
import type { DetailVersion } from '../graph/derivation.ts';
import { nameList } from '../graph/name-list.ts';
import { indexedTails } from '../graph/name-parts.ts';
import {
  type Node,
  type NodeId,
  nodeId,
  nodeOf,
  ownerOf,
  relationRefOf,
  type ScopeId,
  shardOf,
  type Urn,
  urnOf,
} from '../graph/node.ts';
import { type Order, type Span, snapshotOrder } from '../graph/order.ts';
import type { GraphNode } from '../graph/page-reader.ts';
import type { UnfinishedRun } from '../graph/runs.ts';
import { boundedSchema, type RelationSchema, readWithoutOutput, type SchemaId, schemaId } from '../graph/schema.ts';
import type { RecordedOrder, ScopeHead, ScopeIdentity } from '../graph/scope-store.ts';
import { lastPartOf } from '../names/relation-ref.ts';
import { edgeIds, edgeName, statedColumns } from '../projection/edges.ts';
import { listingOfClaims } from '../projection/listing.ts';
import type { NamePair, ProviderRecord } from '../providers/provider.ts';
import { type Declared, schemaOf } from '../sources/declared/declared.ts';
import type { GraphReader } from '../traversal/graph-view.ts';

export const filesWorkspace = v.parse(WorkspaceId, 'files');

/** All that one file states; the columns of a model once they are read. */
export type FileScope = {
  readonly identity: ScopeIdentity;
  /** When the file was made, as ISO time. */
  readonly at: string;
  readonly deliveryId: string;
  /** Of the event that declared it. */
  readonly order?: Order;
  readonly edges: readonly EdgeStatement[];
  /** When runs observed an edge, by its name, or the columns of a relation, by its URN. */
  readonly observed?: ReadonlyMap<string, Span>;
  readonly declared: Pick<Declared, 'relations' | 'schemas' | 'schemaOf'>;
  /** What its job reads, if it reports no output. */
  readonly reads?: ReadonlySet<Urn>;
};

/** The order of every other scope: no file replaces another. */
const orderOfFiles: Order = snapshotOrder(1);

type Contents = Map<SchemaId, RelationSchema>;

/** What events say of relations beside their lineage. */
export type FileFacts = {
  readonly facts: ReadonlyMap<Urn, NodeFacts>;
  readonly unfinished: readonly UnfinishedRun[];
  readonly records: readonly ProviderRecord[];
};

type Known = FileFacts & { readonly lookAlikes: (urns: readonly Urn[]) => readonly NamePair[] };

export function fileGraph(scopes: readonly FileScope[], { facts, unfinished, records, lookAlikes }: Known) {
  // Filled when the schemas of a node are read; queries then read them by their ids.
  const contents: Contents = new Map();
  const nodes = nodesOf(scopes, contents, facts);
  // Few questions search, and the indexes of names and columns are the most work.
  const named = once(() => namesIn([...nodes.values()].map(({ urn }) => urn)));
  const columns = once(() => columnsOf(scopes));
  const alike = once(() => lookAlikes([...nodes.values()].map(({ urn }) => urn)));
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
      longDetails: async () => new Map(),
    },
    scopes: scopesOf(scopes),
    schemas: { get: async (_, ids) => new Map(ids.flatMap((id) => entry(id, contents.get(id)))) },
    directory: {
      named: (...of) => named().directory.named(...of),
      any: async (_, connector) => [...nodes.values()].some(({ urn }) => ownerOf(nodeOf(urn)) === connector),
    },
    names: {
      beginningWith: (...of) => named().names.beginningWith(...of),
      leads: (...of) => named().names.leads(...of),
      wideNodes: async () => [],
    },
    columns: { beginningWith: (...of) => columns().index.beginningWith(...of) },
    nameLists: { read: async () => nameList({ urns: named().urns, columns: columns().names, isCut: false }) },
    providers: {
      async *list() {},
    },
    unfinished: { list: async () => unfinished },
    sources: async () => ({ records, isWhole: true, until: null, waits: false, lookAlikes: alike() }),
  } satisfies Partial<GraphReader>;
}

const entry = <K, V>(key: K, value: V | undefined): (readonly [K, V])[] => (value === undefined ? [] : [[key, value]]);

function inShard(nodes: ReadonlyMap<NodeId, GraphNode>, shard: number, after: NodeId | null): GraphNode[] {
  const all = [...nodes.values()].filter(({ node }) => shardOf(node) === shard && (after === null || node > after));
  return sortedBy(all, ({ node }) => node);
}

/** A node whose lists grow while files are read. */
type GrowingNode = GraphNode & {
  readonly pages: Readonly<Record<Side, { readonly claims: Claim[] }>>;
  readonly details: Map<ScopeId, Map<NodeId, readonly DetailVersion[]>>;
};

function nodesOf(
  scopes: readonly FileScope[],
  contents: Contents,
  facts: FileFacts['facts'],
): ReadonlyMap<NodeId, GraphNode> {
  const nodes = new Map<NodeId, GrowingNode>();
  const nodeAt = (urn: Urn): GrowingNode =>
    findOrAdd(nodes, nodeId(urn), () => emptyNode(urn, facts, () => schemaClaims(scopes, contents, urn)));
  for (const urn of facts.keys()) nodeAt(urn);
  for (const scope of scopes) {
    const { edges, declared, reads = [], order = orderOfFiles } = scope;
    for (const urn of reads) nodeAt(urn);
    for (const edge of edges) {
      const claim = claimOf(scope, edgeName(edge));
      nodeAt(edge.from).pages.out.claims.push({ ...claim, other: nodeId(edge.to) });
      const to = nodeAt(edge.to);
      to.pages.in.claims.push({ ...claim, other: nodeId(edge.from) });
      const ofScope = findOrAdd(to.details, scope.identity.scope, () => new Map());
      ofScope.set(nodeId(edge.from), [{ order, detail: edge.detail }]);
    }
    for (const { node } of declared.relations) {
      const urn = urnOf(node);
      if (!nodes.has(nodeId(urn)) && schemaOf(declared, urn) !== null) nodeAt(urn);
    }
  }
  return nodes;
}

function claimOf({ identity: { kind, scope }, observed, order = orderOfFiles }: FileScope, name: string) {
  const span = observed?.get(name);
  if (span) return { kind: 'observed', scope, ...span } as const;
  return { kind: kind === 'static' ? kind : 'snapshot', scope, order } as const;
}

function schemaClaims(scopes: readonly FileScope[], contents: Contents, urn: Urn): Claim[] {
  return scopes.flatMap((scope): Claim[] => {
    const reading = scope.reads?.has(urn) ? [{ ...claimOf(scope, urn), other: readWithoutOutput }] : [];
    const schema = schemaOf(scope.declared, urn);
    if (schema === null) return reading;
    const content = boundedSchema(schema);
    const id = schemaId(content);
    contents.set(id, content);
    return [...reading, { ...claimOf(scope, urn), other: id }];
  });
}

function emptyNode(urn: Urn, facts: FileFacts['facts'], schemasOf: () => Claim[]): GrowingNode {
  const node = nodeId(urn);
  const pageOf = <S extends Side>(side: S) => ({ node, side, number: 0, claims: [] });
  const pages = { out: pageOf('out'), in: pageOf('in') };
  const schemas = once(schemasOf);
  const details: GrowingNode['details'] = new Map();
  return {
    ...{ node, urn, facts: facts.get(urn) ?? noFacts, levels: { out: 0, in: 0 }, pages, observers: [] },
    details,
    detailsOf: (scope) => {
      const inline = details.get(scope);
      return inline ? { inline } : null;
    },
    get schemas() {
      return schemas();
    },
  };
}

function scopesOf(scopes: readonly FileScope[]): GraphReader['scopes'] {
  const heads = scopes.map(
    ({ identity, at, order = orderOfFiles }): ScopeHead => ({
      ...identity,
      ...{ order, floor: order, started: order, listed: order, digest: null, committedAt: at },
      ...{ restatedBy: null, removedAt: null, version: 0, changes: { orders: 0, removals: 0 } },
    }),
  );
  const recordOf = ({
    edges,
    at,
    deliveryId,
    order = orderOfFiles,
  }: FileScope): RecordedOrder & { readonly floor: Order } => ({
    ...{ order, complete: true, at, deliveryId, retracted: 0, warnings: [], also: [], floor: order },
    listing: listingOfClaims(edges.map(edgeIds)),
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

function namesIn(urns: readonly Urn[]) {
  const named = urns
    .map((urn): readonly [Urn, Node] => [urn, nodeOf(urn)])
    .filter(([, { kind }]) => kind !== 'inlined');
  const tails = named.map(([urn, node]) => ({ urn, ...indexedTails(relationRefOf(node)) }));
  const entries = byPlace(
    tails.flatMap(({ urn, own }) => own.map((tail) => ({ tail, urn, place: `${tail}#${nodeId(urn)}` }))),
  );
  return {
    urns: named.map(([urn]) => urn),
    directory: {
      named: async (_, connectorId, table) =>
        named.flatMap(([, node]) =>
          node.kind === 'relation' &&
          node.connectorId === connectorId &&
          lastPartOf(node.ref).toLowerCase() === table.toLowerCase()
            ? [{ connectorId, ref: node.ref, table }]
            : [],
        ),
    },
    names: {
      beginningWith: async (_, prefix, page) => {
        const { items, next } = pageFrom(
          entries.filter(({ tail }) => tail.startsWith(prefix)),
          page,
        );
        return { entries: items, next };
      },
      leads: async (_, prefix) => tails.some(({ leading }) => leading.some((tail) => tail.startsWith(prefix))),
    },
  } satisfies {
    readonly urns: readonly Urn[];
    readonly directory: Pick<GraphReader['directory'], 'named'>;
    readonly names: Pick<GraphReader['names'], 'beginningWith' | 'leads'>;
  };
}

function describedBy({ schemas }: FileScope['declared']) {
  const stated = [...schemas].map(([node, schema]) => ({ node, content: boundedSchema(schema) }));
  const described = stated.map(({ node, content }) => ({ node, schema: schemaId(content) }));
  return { described, contents: new Map(stated.map(({ content }) => [schemaId(content), content])) };
}

function columnsOf(scopes: readonly FileScope[]) {
  const relations = new Map<string, Set<Urn>>();
  for (const { edges, declared } of scopes)
    for (const [urn, columns] of statedColumns({ edges, ...describedBy(declared) }))
      for (const column of columns) findOrAdd(relations, column, () => new Set()).add(urn);
  const postings = byPlace(
    [...relations].map(([column, urns]) => ({ columns: [column], urns: [...urns], place: column })),
  );
  const index: GraphReader['columns'] = {
    beginningWith: async (_, prefixes, page) => {
      const { items, next } = pageFrom(
        postings.filter(({ place }) => prefixes.some((prefix) => place.startsWith(prefix))),
        page,
      );
      return { postings: items, next };
    },
  };
  return { index, names: postings.map(({ place }) => place) };
}

type Placed = { readonly place: string };

const byPlace = <T extends Placed>(all: readonly T[]): T[] => sortedBy(all, ({ place }) => place);

/** The entries after a place, in the order of places. */
function pageFrom<T extends Placed>(
  all: readonly T[],
  { after, limit }: { readonly after: string | null; readonly limit: number },
): { readonly items: readonly T[]; readonly next: string | null } {
  const rest = all.filter(({ place }) => after === null || place > after);
  return { items: rest.slice(0, limit), next: rest.length > limit ? (rest[limit - 1]?.place ?? null) : null };
}
