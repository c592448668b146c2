import { unownedNamespace } from '../../contract/unresolved-reasons.ts';
import type { Connector } from '../identity/connector.ts';
import { namesRelations } from '../identity/dataset-name.ts';
import { resolveDataset } from '../identity/resolve-dataset.ts';
import type { SaidName } from '../naming/said.ts';
import { sortedBy } from '../sorted-by.ts';
import { firstNames, type UnresolvedCount } from '../sources/declared/count-reasons.ts';
import type { Resolve } from '../sources/openlineage/contribution.ts';

/** The namespaces that a delivery uses, each with the names of its datasets that no connector owns. */
export function usedNames(connectors: readonly Connector[]) {
  const used = new Map<string, Set<string>>();
  // A connector owns a dataset, or it needs none: files and topics are nobody's.
  let isPlaced = false;
  const resolve: Resolve = (dataset) => {
    const { namespace, name } = dataset;
    for (const one of [dataset, ...dataset.symlinks]) used.set(one.namespace, used.get(one.namespace) ?? new Set());
    const resolved = resolveDataset(connectors, dataset);
    const isOwned = resolved.node.kind !== 'dataset';
    if (!isOwned) used.get(namespace)?.add(name);
    isPlaced ||= isOwned || !namesRelations(namespace);
    return resolved;
  };
  return {
    resolve,
    said: () => [...used].map(([namespace, unowned]): SaidName => ({ kind: 'namespace', namespace, unowned })),
    unresolved: () => unownedCounts(used),
    onlyUnowned: () => !isPlaced && unownedCounts(used).length > 0,
  };
}

/** How many relations the delivery names that no connector owns, with their namespaces (C-IDENTITY-6). */
function unownedCounts(used: ReadonlyMap<string, ReadonlySet<string>>): UnresolvedCount[] {
  const unowned = sortedBy(
    [...used].filter(([namespace, datasets]) => datasets.size > 0 && namesRelations(namespace)),
    ([, datasets]) => -datasets.size,
    ([namespace]) => namespace,
  );
  const count = unowned.reduce((sum, [, datasets]) => sum + datasets.size, 0);
  const names = firstNames(unowned.map(([namespace]) => namespace));
  return count === 0 ? [] : [{ reason: unownedNamespace, count, ...names }];
}
