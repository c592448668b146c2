import { unownedNamespace, unusableName } from '../../../contract/unresolved-reasons.ts';
import { findOrAdd, sortedBy } from '../../base/collections.ts';
import type { UsedName } from '../generations/graph-record.ts';
import type { Connector } from '../names/connector.ts';
import { isOwned, namesRelations, resolveDataset } from '../names/resolve-dataset.ts';
import { firstNames, type UnresolvedCount } from '../sources/declared/declared.ts';
import type { Resolve } from '../sources/openlineage/event-names.ts';

/** The namespaces that a delivery uses, each with the names of its datasets that no connector owns. */
export function usedNames(connectors: readonly Connector[]) {
  const used = new Map<string, Set<string>>();
  // A connector owns a dataset, or it needs none: files and topics are nobody's.
  let isPlaced = false;
  const resolve: Resolve = (dataset) => {
    const { namespace, name } = dataset;
    for (const one of [dataset, ...dataset.symlinks]) findOrAdd(used, one.namespace, () => new Set());
    const resolved = resolveDataset(connectors, dataset);
    const isRelation = resolved.node.kind !== 'dataset';
    if (!isRelation) used.get(namespace)?.add(name);
    isPlaced ||= isRelation || !namesRelations(namespace);
    return resolved;
  };
  return {
    resolve,
    used: () => [...used].map(([namespace, unowned]): UsedName => ({ kind: 'namespace', namespace, unowned })),
    unresolved: () => unresolvedNames(connectors, used),
    onlyUnowned: () => !isPlaced && unresolvedNames(connectors, used).length > 0,
  };
}

/** The relations that the delivery names and no connector has: of unowned namespaces, else of unusable names (C-IDENTITY-6). */
function unresolvedNames(
  connectors: readonly Connector[],
  used: ReadonlyMap<string, ReadonlySet<string>>,
): UnresolvedCount[] {
  const named = sortedBy(
    [...used].filter(([namespace, datasets]) => datasets.size > 0 && namesRelations(namespace)),
    ([, datasets]) => -datasets.size,
    ([namespace]) => namespace,
  );
  const ownedOnes = (owned: boolean) => named.filter(([namespace]) => isOwned(connectors, namespace) === owned);
  const counted = (reason: string, some: typeof named, assets: readonly string[]): UnresolvedCount[] => {
    const count = some.reduce((sum, [, datasets]) => sum + datasets.size, 0);
    return count === 0 ? [] : [{ reason, count, ...firstNames(assets) }];
  };
  const [unowned, unusable] = [ownedOnes(false), ownedOnes(true)];
  const namespaces = unowned.map(([namespace]) => namespace);
  const names = unusable.flatMap(([namespace, datasets]) => [...datasets].map((name) => `${namespace}/${name}`));
  return [...counted(unownedNamespace, unowned, namespaces), ...counted(unusableName, unusable, names)];
}
