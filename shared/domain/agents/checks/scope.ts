import type { AgentCheckScope } from '../../../contract/agent-checks.ts';
import { inParallel } from '../../base/concurrency.ts';
import { type NodeId, shardCount } from '../../lineage/graph/ids.ts';
import { nodeOf, relationRefOf, type Urn } from '../../lineage/graph/node.ts';
import type { PageReader } from '../../lineage/graph/page-reader.ts';
import type { Delivery } from '../../lineage/ingest/deliveries/delivery.ts';
import { scopeGlobs } from '../../lineage/policy/glob.ts';
import type { TouchedNodes } from '../../lineage/projection/touched-nodes.ts';
import type { Check } from './check.ts';
import type { CheckQueue, CheckStore } from './ports.ts';

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

/** More nodes do not fit a message: the whole scope is looked at. */
const maxNodes = 10_000;

/** Asks for an evaluation of each enabled check whose scope a delivery touched. What is not sent, the sweep evaluates. */
export async function sendTouchedChecks(
  { checks, queue }: { readonly checks: Pick<CheckStore, 'list'>; readonly queue: CheckQueue },
  { workspace_id, delivery_id }: Delivery,
  touched: TouchedNodes,
): Promise<void> {
  if (touched.size === 0) return;
  for (const check of await checks.list(workspace_id)) {
    const matches = inScope(check.scope);
    const nodes = [...touched].filter(([, urn]) => urn === null || matches(urn)).map(([node]) => node);
    if (!check.enabled || nodes.length === 0) continue;
    await queue.send({
      version: 1,
      kind: 'evaluate_check',
      workspace_id,
      check_id: check.id,
      caused_by: delivery_id,
      nodes: nodes.length > maxNodes ? null : nodes,
    });
  }
}
