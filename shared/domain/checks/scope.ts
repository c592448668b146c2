import type { AgentCheckScope } from '../../contract/agent-checks.ts';
import { inParallel } from '../concurrency/in-parallel.ts';
import { type NodeId, shardCount } from '../graph/ids.ts';
import { nodeOf, relationRefOf, type Urn } from '../graph/node.ts';
import type { PageReader } from '../graph/page-reader.ts';
import { scopeGlobs } from '../policy/glob.ts';
import type { Check } from './check.ts';

type Pages = { readonly pages: Pick<PageReader, 'names' | 'scanNames'> };

/**
 * Whether a relation is in the scope of a check. A pattern matches a whole `relation_ref`, or its last parts: whoever
 * writes `public.*` does not think of the database.
 */
export function inScope({ include, exclude }: AgentCheckScope): (urn: Urn) => boolean {
  const [included, excluded] = [globsOf(include), globsOf(exclude)];
  return (urn) => {
    const ref = relationRefOf(nodeOf(urn));
    return !excluded(ref) && (include.length === 0 || included(ref));
  };
}

const globsOf = (patterns: readonly string[]) => scopeGlobs(patterns.flatMap((one) => [one, `*.${one}`]));

/** Those of the nodes that are in the scope of a check. */
export async function touchedRelations(
  { pages }: Pages,
  { workspace_id, scope }: Check,
  nodes: readonly NodeId[],
): Promise<Urn[]> {
  const named = await pages.names(workspace_id, nodes);
  return named.map(({ urn }) => urn).filter(inScope(scope));
}

/** So many shards are read at once: a scan must not take all of the store's throughput. */
const shardsInFlight = 16;

/** Every relation of the scope that the graph knows, or knew as long as its history is kept. */
export async function relationsInScope({ pages }: Pages, { workspace_id, scope }: Check): Promise<Urn[]> {
  const shards = Array.from({ length: shardCount }, (_, shard) => shard);
  const found = await inParallel(shardsInFlight, shards, (shard) => pages.scanNames(workspace_id, shard));
  return found.flat().filter(inScope(scope));
}
