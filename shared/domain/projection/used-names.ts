import type { UnresolvedCount } from '../../contract/deliveries.ts';
import type { Connector } from '../identity/connector.ts';
import { namesRelations } from '../identity/dataset-name.ts';
import { resolveDataset } from '../identity/resolve-dataset.ts';
import { unownedNamespace } from '../ingest/deliveries/finish-delivery.ts';
import type { SaidName } from '../naming/said.ts';
import type { Resolve } from '../sources/openlineage/contribution.ts';

/** The namespaces that a delivery uses, each with the names of its datasets that no connector owns. */
export function usedNames(connectors: readonly Connector[]) {
  const used = new Map<string, Set<string>>();
  const resolve: Resolve = (dataset) => {
    for (const { namespace } of [dataset, ...dataset.symlinks]) used.set(namespace, used.get(namespace) ?? new Set());
    const resolved = resolveDataset(connectors, dataset);
    if (resolved.node.kind === 'dataset') used.get(dataset.namespace)?.add(dataset.name);
    return resolved;
  };
  return {
    resolve,
    said: () => [...used].map(([namespace, unowned]): SaidName => ({ kind: 'namespace', namespace, unowned })),
    unresolved: () => unownedCounts(used),
  };
}

/** The relations that the delivery names and no connector owns (C-IDENTITY-6). */
function unownedCounts(used: ReadonlyMap<string, ReadonlySet<string>>): UnresolvedCount[] {
  const relations = [...used].filter(([namespace]) => namesRelations(namespace));
  const count = relations.reduce((sum, [, unowned]) => sum + unowned.size, 0);
  return count === 0 ? [] : [{ reason: unownedNamespace, count }];
}
