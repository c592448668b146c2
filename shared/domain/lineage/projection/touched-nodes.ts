import type { ClaimWriter, Edge } from '../graph/claim-writer.ts';
import { type NodeId, nodeId, type ScopeId, type Urn } from '../graph/node.ts';
import type { ScopeStore } from '../graph/scope-store.ts';
import { edgeName } from './edges.ts';
import type { GraphWriters } from './ports.ts';

/** The nodes whose edges a projection wrote or retracted; the name is null if it is not known. */
export type TouchedNodes = ReadonlyMap<NodeId, Urn | null>;

/** What a projection touched, and the edges and described nodes that it observed. */
export type Touched = {
  readonly nodes: TouchedNodes;
  readonly observed: ReadonlySet<string>;
  /** Whether it did nothing to them but observe them. */
  readonly onlyObserved: boolean;
};

type Noting = { nodes: Map<NodeId, Urn | null>; observed: Set<string>; onlyObserved: boolean };

/** The same ports, and what is touched through them. */
export function watchTouched<P extends Pick<GraphWriters, 'claims' | 'scopes'>>(ports: P) {
  const touched: Noting = { nodes: new Map(), observed: new Set(), onlyObserved: true };
  const claims = watchedClaims(ports.claims, touched);
  return { ports: { ...ports, claims, scopes: watchedScopes(ports.scopes, touched) }, touched };
}

function watchedClaims(claims: ClaimWriter, touched: Noting): ClaimWriter {
  const note = (urns: Iterable<Urn>) => {
    for (const urn of urns) touched.nodes.set(nodeId(urn), urn);
  };
  const watched =
    <A extends readonly unknown[], R>(write: (...args: A) => R, nodesOf: (...args: A) => Iterable<Urn>) =>
    (...args: A): R => {
      note(nodesOf(...args));
      touched.onlyObserved = false;
      return write(...args);
    };
  return {
    ...claims,
    observe: (graph, observation) => {
      const seen = observation.schemas?.seen ?? [];
      note(nodesIn(observation.edges, seen));
      for (const name of [...observation.edges.map(edgeName), ...seen.map(({ node }) => node)])
        touched.observed.add(name);
      return claims.observe(graph, observation);
    },
    // The statements about an edge may change while the edge stays.
    claim: watched(claims.claim, (_, { edges, described = [], stated = [] }) =>
      nodesIn([...edges, ...stated], described),
    ),
    narrow: watched(claims.narrow, (_, _scope, narrowings) => nodesIn(narrowings.map(({ edge }) => edge))),
    alias: watched(claims.alias, (_, alias, canonical) => [alias, canonical]),
    rename: watched(claims.rename, (_, from, to) => [from, to]),
    drop: watched(claims.drop, (_, node) => [node]),
  };
}

const nodesIn = (edges: readonly Edge[], described: readonly { readonly node: Urn }[] = []): Urn[] => [
  ...edges.flatMap(({ from, to }) => [from, to]),
  ...described.map(({ node }) => node),
];

function watchedScopes(scopes: ScopeStore, touched: Noting): ScopeStore {
  const listed = new Map<ScopeId, Set<NodeId>>();
  return {
    ...scopes,
    // A complete snapshot asks for the orders that it retracts.
    orders: async (graph, scope, from) => {
      const orders = await scopes.orders(graph, scope, from);
      const listings = orders.flatMap(({ listing, also }) => [listing, ...also]);
      listed.set(scope, new Set(listings.flatMap(({ nodes }) => nodes)));
      touched.onlyObserved = false;
      return orders;
    },
    commit: (graph, scope, commit) => {
      for (const node of commit.end?.removed?.nodes ?? listed.get(scope) ?? [])
        touched.nodes.set(node, touched.nodes.get(node) ?? null);
      return scopes.commit(graph, scope, commit);
    },
  };
}
