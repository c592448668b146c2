import type { Urn } from '../../graph/node.ts';
import { compare } from '../../sorted-by.ts';
import type { KnownRelation } from '../../traversal/known-columns.ts';
import type { ReachedRelation } from '../../traversal/traversal-state.ts';

/** The columns of relations as far as they are known. */
export type KnownNames = (relation: Urn) => KnownRelation | null;

/** Of a relation all of whose columns are affected, all that are known, and `*` where none is (C-IMPACT-8). */
export function affectedNames(
  { urn, columns }: Pick<ReachedRelation, 'urn' | 'columns'>,
  columnsOf: KnownNames,
): string[] {
  if (!columns.every) return [...columns.names.values()].sort(compare);
  const known = columnsOf(urn);
  const names = new Map([
    ...columns.names,
    ...[...(known?.columns ?? [])].map(([key, { name }]) => [key, name] as const),
  ]);
  return names.size === 0 ? ['*'] : [...names.values()].sort(compare);
}
