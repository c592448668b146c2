import { findOrAdd } from '../../base/collections.ts';
import type { Claim } from '../graph/claim.ts';
import type { NodeId, Urn } from '../graph/node.ts';
import { type RelationSchema, readWithoutOutput, type SchemaId, type SchemaStore } from '../graph/schema.ts';
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
  const live = await liveSchemas(graph, relations, { isWanted: (schema) => schema !== readWithoutOutput });
  await graph.scopes.loadObservers(live.flatMap(({ claim }) => (claim.kind === 'observed' ? claim.scope : [])));
  const found = new Map<Urn, SchemaClaim[]>();
  for (const { self, claim, at } of live)
    findOrAdd(found, self, () => []).push({
      ...{ schema: claim.other as SchemaId, scope: claim.scope, at },
      rank: claim.kind === 'observed' ? claim.last : claim.order,
    });
  return found;
}

/** A claim, as the view sees it, of a schema of the relation `self`; `node` is the name that holds it. */
export type LiveSchema = { readonly self: Urn; readonly node: NodeId; readonly claim: Claim; readonly at: string };

export async function liveSchemas(
  graph: ClaimsView,
  relations: readonly Urn[],
  { isWanted, isMadeAgain = false }: { readonly isWanted: (schema: NodeId) => boolean; readonly isMadeAgain?: boolean },
): Promise<LiveSchema[]> {
  const named = await namesOfNodes(graph, relations);
  await graph.nodes.loadSchemas(named.keys());
  const claims = [...named].flatMap(([node, names]) =>
    graph.nodes.schemasOf(node).flatMap((claim) => (isWanted(claim.other) ? [{ node, names, claim }] : [])),
  );
  await graph.scopes.load(claims.map(({ claim }) => claim));
  return claims.flatMap(({ node, names: { urn, selves }, claim: stored }): LiveSchema[] => {
    const live = liveClaim(graph, { node, side: 'schema' }, stored);
    if (!live) return [];
    const time = eventTimeOf(live.claim);
    if (!isMadeAgain && isDropped(graph.nodes.factsOf(urn), time)) return [];
    const self = currentName(urn, time, graph.nodes.factsOf);
    return selves.includes(self) ? [{ self, node, claim: live.claim, at: live.observedAt }] : [];
  });
}
