import type { SeenSchema } from '../graph/claim-writer.ts';
import type { GraphId } from '../graph/ids.ts';
import { nodeOf } from '../graph/node.ts';
import { isoOfMicros, micros, microsOfOrder } from '../graph/order.ts';
import type { Delivery } from '../ingest/deliveries/delivery.ts';
import type { StaticLineage } from '../sources/openlineage/static-event.ts';
import { schemaScopeOf, scopeOf } from './group-items.ts';
import { loadSnapshot } from './load-snapshot.ts';
import type { SnapshotWriters } from './snapshot-status.ts';

async function observeSchemas(
  writers: SnapshotWriters,
  graph: GraphId,
  delivery: Delivery,
  seen: readonly SeenSchema[],
): Promise<void> {
  const scope = schemaScopeOf(delivery);
  await writers.scopes.register(graph, scope);
  await writers.directory.add(
    graph,
    seen.map(({ node }) => nodeOf(node)),
  );
  await writers.claims.observe(graph, { scope, at: micros(0n), edges: [], schemas: { scope, seen } });
}

export type DeclaredStatics = {
  readonly retracted: number;
  /** When the last statement took effect; null if none did. */
  readonly tookEffectAt: string | null;
  /** How many had no effect, because a newer event of the job or dataset had come before. */
  readonly overtaken: number;
};

/** Loads what one job or dataset declares, in the order of event time. */
export async function declareInOrder(
  writers: SnapshotWriters,
  graph: GraphId,
  delivery: Delivery,
  lineages: readonly StaticLineage[],
): Promise<DeclaredStatics> {
  let [retracted, tookEffectAt]: [number, string | null] = [0, null];
  let [overtaken, hasEffect] = [0, false];
  for (const { scopeKey, order, derivations, aliases, renames, drops, seen } of lineages) {
    if (seen.length > 0) await observeSchemas(writers, graph, delivery, seen);
    for (const { alias, canonical } of aliases) await writers.claims.alias(graph, alias, canonical);
    for (const { from, to, at } of renames) await writers.claims.rename(graph, from, to, at);
    for (const { node, at } of drops) await writers.claims.drop(graph, node, at);
    hasEffect ||= [seen, aliases, renames, drops].some((stated) => stated.length > 0);
    if (derivations === null) continue;
    const outcome = await loadSnapshot(writers, {
      graph,
      scope: scopeOf(delivery, 'static', scopeKey),
      order,
      complete: true,
      deliveryId: delivery.delivery_id,
      receivedAt: isoOfMicros(microsOfOrder(order)),
      derivations,
      shrinkGuard: { mode: 'off', share: 1 },
      released: false,
    });
    // Those before a newer one of the same delivery are included in it.
    [overtaken, hasEffect] = [overtaken + 1, hasEffect || outcome.state === 'projected'];
    retracted += outcome.retracted;
    tookEffectAt = outcome.at ?? tookEffectAt;
  }
  return { retracted, tookEffectAt, overtaken: hasEffect ? 0 : overtaken };
}
