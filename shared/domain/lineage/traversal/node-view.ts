import {
  type Claim,
  isWide,
  type NodeFacts,
  noFacts,
  type ObservedClaim,
  type Page,
  pageCount,
  pagesAbout,
  pagesOfClaim,
  type Side,
} from '../graph/claim.ts';
import type { EdgeInScope, FoundDetail } from '../graph/derivation.ts';
import type { GraphId, NodeId, ScopeId, Urn } from '../graph/node.ts';
import { joinedSpans, type Micros, type Order } from '../graph/order.ts';
import type { DetailedPage, GraphNode, HistoryNode, PageDetails, PageReader } from '../graph/page-reader.ts';
import type { ScopeIdentity } from '../graph/scope-store.ts';
import { loadOnce, type NodeName, type ViewCache } from './load-once.ts';
import type { ScopeViews } from './scope-views.ts';

export type PageRef = { readonly node: NodeId; readonly number: number };

export type NodeView = {
  readonly load: (nodes: Iterable<NodeId>) => Promise<void>;
  /** Loads only names if a scan does not need the neighbours; a traversal will expand them and loads the nodes. */
  readonly loadNames: (nodes: Iterable<NodeId>) => Promise<void>;
  readonly add: (found: readonly GraphNode[], history: readonly HistoryNode[]) => void;
  readonly urnOf: (node: NodeId) => Urn | undefined;
  readonly factsOf: (urn: Urn) => NodeFacts | undefined;
  readonly firstPage: (side: Side, node: NodeId) => Page | undefined;
  /** Loads what is stated of the columns of nodes, which were loaded, beyond their items. */
  readonly loadSchemas: (nodes: Iterable<NodeId>) => Promise<void>;
  /** What is stated of the columns of a node that was loaded. */
  readonly schemasOf: (node: NodeId) => readonly Claim[];
  /** The numbers of a wide node's further pages: all, or those that may hold claims of some neighbours. */
  readonly furtherPages: (side: Side, node: NodeId, neighbours: ReadonlySet<NodeId> | null) => number[];
  readonly loadFurther: (side: Side, pages: readonly PageRef[]) => Promise<DetailedPage[]>;
  /** The further pages that may hold the claim of an edge to a node that was loaded. */
  readonly pagesOfEdge: (edge: EdgeInScope) => PageRef[];
  /** What the item of a node that was loaded holds of the edges to it that a scope claims. */
  readonly detailsOf: (node: NodeId, scope: ScopeId) => PageDetails | null;
};

type NodeViewOptions = {
  readonly graph: GraphId;
  /** Whether claims that were pruned from the pages are visible. */
  readonly withHistory: boolean;
  /** Takes the identities of observed scopes that are stored with a node. */
  readonly addObservers: (observers: readonly ScopeIdentity[]) => void;
};

export function nodeView(reader: PageReader, options: NodeViewOptions, cache?: ViewCache): NodeView {
  const nodes = new Map<NodeId, GraphNode>();
  const names = nameIndex(cache);
  const add = (found: readonly GraphNode[], history: readonly HistoryNode[]) => {
    for (const one of withPastClaims(found, history)) {
      nodes.set(one.node, one);
      names.set(one.node, one);
      options.addObservers(one.observers);
    }
  };
  const load = loadOnce<NodeId>(nodes, async (missing) => {
    const found = await reader.nodes(options.graph, missing);
    add(found, options.withHistory ? await reader.historyNodes(options.graph, missing) : []);
  });
  const loadNames = loadOnce<NodeId>(names, async (missing) => {
    for (const one of await reader.names(options.graph, missing)) names.set(one.node, one);
  });
  const schemas = schemaPages(reader, options, nodes);
  return {
    load,
    loadNames: cache ? loadNames : load,
    add,
    urnOf: names.urnOf,
    factsOf: names.factsOf,
    firstPage: (side, node) => nodes.get(node)?.pages[side],
    loadSchemas: schemas.load,
    schemasOf: (node) => inOne([...(nodes.get(node)?.schemas ?? []), ...schemas.of(node)]),
    furtherPages: (side, node, neighbours) => furtherPages(nodes.get(node)?.levels[side] ?? 0, neighbours),
    loadFurther: furtherReader(reader, options),
    pagesOfEdge: ({ from, to, scope }) => {
      const numbers = pagesOfClaim(nodes.get(to)?.levels.in ?? 0, from, scope);
      return numbers.flatMap((number) => (number > 0 ? { node: to, number } : []));
    },
    detailsOf: (node, scope) => nodes.get(node)?.detailsOf(scope) ?? null,
  };
}

/** The schemas of wide nodes, which have their own page. */
function schemaPages(
  reader: PageReader,
  options: NodeViewOptions,
  nodes: ReadonlyMap<NodeId, Pick<GraphNode, 'levels'>>,
) {
  const schemas = new Map<NodeId, readonly Claim[]>();
  const load = loadOnce<NodeId>(schemas, async (wide) => {
    const found = await reader.schemas(options.graph, wide, options);
    for (const node of wide) schemas.set(node, found.get(node) ?? []);
  });
  return {
    load: (requested: Iterable<NodeId>) =>
      load([...requested].filter((node) => isWide(nodes.get(node)?.levels ?? { in: 0, out: 0 }))),
    of: (node: NodeId) => schemas.get(node) ?? [],
  };
}

/** What was observed before and after a node became wide is one observation. */
function inOne(claims: readonly Claim[]): readonly Claim[] {
  const found = new Map<string, ObservedClaim>();
  const others: Claim[] = [];
  for (const claim of claims) {
    if (claim.kind !== 'observed') {
      others.push(claim);
      continue;
    }
    const key = `${claim.other}${claim.scope}`;
    const known = found.get(key);
    found.set(key, { ...claim, ...joinedSpans(known ?? claim, claim) });
  }
  return [...others, ...found.values()];
}

/** Further pages of nodes, each read once: those of an edge hold what is known of it too. */
function furtherReader(reader: PageReader, { graph, withHistory }: NodeViewOptions): NodeView['loadFurther'] {
  type FurtherPage = PageRef & { readonly side: Side };
  const nameOf = ({ side, node, number }: FurtherPage) => `${side} ${node} ${number}`;
  const pages = new Map<string, DetailedPage | null>();
  const read = async (side: Side, refs: readonly FurtherPage[]) => {
    const found = await reader.morePages(graph, side, refs);
    const history = withHistory ? await reader.historyPages(graph, side, refs) : [];
    const known = new Map(history.map((page) => [nameOf(page), page]));
    for (const ref of refs) pages.set(nameOf(ref), null);
    for (const page of found) pages.set(nameOf(page), joined(page, known.get(nameOf(page))));
  };
  const readSides = async (refs: readonly FurtherPage[]) => {
    const bySide = Map.groupBy(refs, ({ side }) => side);
    await Promise.all([...bySide].map(([side, ofSide]) => read(side, ofSide)));
  };
  const load = loadOnce(pages, readSides, nameOf);
  return async (side, refs) => {
    const ofSide = refs.map(({ node, number }) => ({ side, node, number }));
    await load(ofSide);
    return ofSide.flatMap((ref) => pages.get(nameOf(ref)) ?? []);
  };
}

/** The names of nodes by id, and the facts by name. */
function nameIndex(cache?: ViewCache) {
  const urns = new Map<NodeId, Urn>();
  const facts = new Map<Urn, NodeFacts>();
  const add = (node: NodeId, name: NodeName) => {
    urns.set(node, name.urn);
    if (name.facts !== noFacts) facts.set(name.urn, name.facts);
  };
  return {
    set: (node: NodeId, { urn, facts }: NodeName) => {
      add(node, { urn, facts });
      cache?.names.set(node, { urn, facts });
    },
    has: (node: NodeId) => {
      const cached = urns.has(node) ? undefined : cache?.names.get(node);
      if (cached) add(node, cached);
      return urns.has(node);
    },
    urnOf: (node: NodeId) => urns.get(node),
    factsOf: (urn: Urn) => facts.get(urn),
  };
}

function furtherPages(level: number, neighbours: ReadonlySet<NodeId> | null): number[] {
  // The highest level first: a load that knew how many neighbours it had to write wrote no other.
  if (neighbours === null) return Array.from({ length: pageCount(level) - 1 }, (_, i) => pageCount(level) - 1 - i);
  return [...new Set([...neighbours].flatMap((one) => pagesAbout(level, one)))].filter((page) => page > 0);
}

/** Claims that were pruned from a page stand on its history page, which is written before and so read after. */
function withPastClaims(nodes: readonly GraphNode[], history: readonly HistoryNode[]): readonly GraphNode[] {
  if (history.length === 0) return nodes;
  const known = new Map(history.map((one) => [one.node, one]));
  return nodes.map((one) => {
    const past = known.get(one.node);
    if (!past) return one;
    const pages = { out: joined(one.pages.out, past.pages.out), in: joined(one.pages.in, past.pages.in) };
    return { ...one, pages, schemas: [...one.schemas, ...past.schemas] };
  });
}

const joined = <P extends Page>(current: P, past: Page | undefined): P =>
  past ? { ...current, claims: [...current.claims, ...past.claims] } : current;

/** The nodes at one time, the claims in their pages, and the scopes whose heads say which of them are live. */
export type ClaimsView = {
  readonly asOf: string | null;
  /** Observations that began later are not visible; null: all are. */
  readonly observedUntil: Micros | null;
  readonly nodes: NodeView;
  readonly scopes: ScopeViews;
  /** The newest details of edges, whatever the moment of the view; those without are left out. */
  readonly readDetails: (edges: readonly EdgeInScope[]) => Promise<FoundDetail[]>;
  /** The order up to which a scope is forgotten at the view's time. */
  readonly forgottenUntil: (scope: ScopeId) => Order | null;
  /** What relations fed until it was dropped, as far as they were expanded. */
  readonly gone: Set<Urn>;
};
