import type { GraphId, NodeId } from '../graph/node.ts';
import { listedSchemas } from '../graph/removals.ts';
import { type RelationSchema, readWithoutOutput, type SchemaId, type SchemaStore } from '../graph/schema.ts';
import type { ContentChanges, Listing } from '../graph/scope-store.ts';

/** The maximum number of schemas that a load reads to count removed columns. */
const schemasRead = 500;

type Versions = {
  readonly before: Listing;
  readonly after: Listing;
  /** As `rewrittenNodes` gives them. */
  readonly rewritten: ReadonlySet<NodeId>;
  /** The contents of the schemas of `after`. */
  readonly contents: ReadonlyMap<SchemaId, RelationSchema>;
};

/** Counts the relations that changed since the snapshot before, and the columns that are gone. */
export async function changesBetween(
  { schemas }: { readonly schemas: Pick<SchemaStore, 'get'> },
  graph: GraphId,
  { before, after, rewritten, contents }: Versions,
): Promise<ContentChanges> {
  const [old, now] = [schemasIn(before), schemasIn(after)];
  const altered = differing(old, now);
  const changed = new Set([...rewritten, ...altered]);
  const there = new Set(after.nodes);
  // A relation that remains without a schema may still have its columns.
  const read = [...altered].filter((node) => now.has(node) || !there.has(node)).slice(0, schemasRead);
  const known = await schemas.get(
    graph,
    read.flatMap((node) => old.get(node) ?? []),
  );
  const removed = read.map((node) => {
    const [was, is] = [known.get(old.get(node) ?? ('' as SchemaId)), contents.get(now.get(node) ?? ('' as SchemaId))];
    return was ? columnsGone(was, is) : 0;
  });
  return { relations: changed.size, columns_removed: removed.reduce((sum, count) => sum + count, 0) };
}

/** The nodes whose edges two listings state differently. */
export const rewrittenNodes = (before: Listing, after: Listing): ReadonlySet<NodeId> =>
  differing(digestsOf(before), digestsOf(after));

const digestsOf = ({ nodes, digests = [] }: Listing): Map<NodeId, string> =>
  new Map(digests.flatMap(([place, digest]) => (nodes[place] ? [[nodes[place], digest] as const] : [])));

const schemasIn = (listing: Listing): Map<NodeId, SchemaId> =>
  new Map(listedSchemas(listing).flatMap(({ node, schema }) => (schema === readWithoutOutput ? [] : [[node, schema]])));

/** The keys whose values differ, or that only one of both has. */
const differing = <Key>(a: ReadonlyMap<Key, string>, b: ReadonlyMap<Key, string>): Set<Key> =>
  new Set([...a.keys(), ...b.keys()].filter((key) => a.get(key) !== b.get(key)));

/** Counts the columns that a relation no longer has: none if its column list is incomplete. */
function columnsGone(was: RelationSchema, is: RelationSchema | undefined): number {
  if (is && (!is.complete || is.stars.length > 0)) return 0;
  const names = new Set((is?.columns ?? []).map(({ name }) => name.toLowerCase()));
  return was.columns.filter(({ name }) => !names.has(name.toLowerCase())).length;
}
