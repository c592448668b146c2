import { findOrAdd } from '../../base/collections.ts';
import type { Claim } from '../graph/claim.ts';
import type { NodeId, Urn } from '../graph/node.ts';
import type { RelationSchema, SchemaId, SchemaStore } from '../graph/schema.ts';
import { namesOfNodes } from './expansion.ts';
import { type KnownRelation, knownRelation, type StatedSchema } from './known-columns.ts';
import { eventTimeOf, liveClaim } from './liveness.ts';
import { currentName, isDropped, loadNames } from './names.ts';
import type { ClaimsView } from './node-view.ts';

/** The columns of relations, as all sources together tell them at the moment of a view (C-COLUMNS-7). */
export type ColumnsView = {
  /** Loads what is stated of relations, and of those that they pass columns on of. */
  readonly load: (relations: Iterable<Urn>) => Promise<void>;
  /** Null where nothing is known of its columns. */
  readonly of: (relation: Urn) => KnownRelation | null;
  /** Everything that is stated of a relation that was loaded. */
  readonly statedOf: (relation: Urn) => readonly StatedSchema[];
};

type Contents = Awaited<ReturnType<SchemaStore['get']>>;

/** Relations that select everything of each other are in longer chains only by mistake. */
const longestChain = 50;

export function columnsView(graph: ClaimsView, get: (schemas: readonly SchemaId[]) => Promise<Contents>): ColumnsView {
  const contents = new Map<SchemaId, RelationSchema>();
  const stated = new Map<Urn, readonly StatedSchema[]>();
  const canonical = (relation: Urn) => currentName(relation, null, graph.nodes.factsOf);
  const known = knownRelations(canonical, stated);
  const loadAll = async (relations: readonly Urn[]) => {
    const claims = await schemaClaims(graph, relations);
    const missing = [...claims.values()].flat().flatMap(({ schema }) => (contents.has(schema) ? [] : [schema]));
    if (missing.length > 0) for (const [id, content] of await get(missing)) contents.set(id, content);
    for (const relation of relations) stated.set(relation, withContents(claims.get(relation) ?? [], contents));
  };
  return {
    load: async (relations) => {
      let open = [...relations];
      for (let step = 0; open.length > 0 && step < longestChain; step++) {
        await loadNames(graph, open);
        const fresh = [...new Set(open.map(canonical))].filter((relation) => !stated.has(relation));
        if (fresh.length === 0) return;
        known.clear();
        await loadAll(fresh);
        const passedOn = fresh.flatMap((one) => stated.get(one) ?? []).flatMap(({ content }) => content.stars);
        open = passedOn.map((star) => star.of);
      }
    },
    of: known.of,
    statedOf: (relation) => stated.get(canonical(relation)) ?? [],
  };
}

/** What is known of each relation, kept until more is stated. */
function knownRelations(canonical: (relation: Urn) => Urn, stated: ReadonlyMap<Urn, readonly StatedSchema[]>) {
  const known = new Map<Urn, KnownRelation | null>();
  const of = (name: Urn): KnownRelation | null => {
    const relation = canonical(name);
    const found = known.get(relation);
    if (found !== undefined) return found;
    // What a relation in a circle passes on to itself is nothing new.
    known.set(relation, null);
    const answer = knownRelation(stated.get(relation) ?? [], of);
    known.set(relation, answer);
    return answer;
  };
  return { of, clear: () => known.clear() };
}

type SchemaClaim = Omit<StatedSchema, 'content'>;

const withContents = (claims: readonly SchemaClaim[], contents: Contents): StatedSchema[] =>
  claims.flatMap((claim) => {
    const content = contents.get(claim.schema);
    return content ? [{ ...claim, content }] : [];
  });

/** The live claims about columns of each relation, under any of its names. */
async function schemaClaims(graph: ClaimsView, relations: readonly Urn[]): Promise<ReadonlyMap<Urn, SchemaClaim[]>> {
  const named = await namesOfNodes(graph, relations);
  await graph.nodes.loadSchemas(named.keys());
  const claims = [...named].flatMap(([node, { urn, selves }]) =>
    graph.nodes.schemasOf(node).map((claim) => ({ node, urn, selves, claim })),
  );
  await Promise.all([
    graph.scopes.load(claims.map(({ claim }) => claim)),
    graph.scopes.loadObservers(claims.flatMap(({ claim }) => (claim.kind === 'observed' ? claim.scope : []))),
  ]);
  const found = new Map<Urn, SchemaClaim[]>();
  for (const { node, urn, selves, claim } of claims) {
    const live = liveSchema(graph, { node, urn }, claim);
    if (live && selves.includes(live.self)) findOrAdd(found, live.self, () => []).push(live.stated);
  }
  return found;
}

const rankOf = (claim: Claim): string => (claim.kind === 'observed' ? claim.last : claim.order);

function liveSchema(
  graph: ClaimsView,
  { node, urn }: { readonly node: NodeId; readonly urn: Urn },
  stored: Claim,
): { readonly self: Urn; readonly stated: SchemaClaim } | null {
  const live = liveClaim(graph, { node, side: 'schema' }, stored);
  if (!live) return null;
  const time = eventTimeOf(live.claim);
  if (isDropped(graph.nodes.factsOf(urn), time)) return null;
  const self = currentName(urn, time, graph.nodes.factsOf);
  return {
    self,
    stated: { schema: stored.other as SchemaId, scope: stored.scope, at: live.observedAt, rank: rankOf(live.claim) },
  };
}
