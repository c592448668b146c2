import type { ImpactAnswer } from '../../../contract/impact.ts';
import { nodeOf, relationRefOf, type Urn } from '../../graph/node.ts';
import { sortedBy } from '../../sorted-by.ts';
import type { ReachedRelation } from '../../traversal/traversal-state.ts';
import { affectedNames, type KnownNames } from './affected-names.ts';

/** How much is reached, by distance and by schema (C-IMPACT-10). */
export function blastRadius(
  reached: readonly ReachedRelation[],
  columnsOf: KnownNames,
): Omit<ImpactAnswer['blast_radius'], 'stale_edges'> {
  const deepest = reached.reduce((depth, one) => Math.max(depth, one.depth), 0);
  const schemas = new Map<string, number>();
  for (const { urn } of reached) {
    const schema = schemaOf(urn);
    schemas.set(schema, (schemas.get(schema) ?? 0) + 1);
  }
  return {
    relations: reached.length,
    columns: reached.reduce((sum, one) => sum + affectedNames(one, columnsOf).filter((name) => name !== '*').length, 0),
    by_depth: Array.from({ length: deepest }, (_, i) => reached.filter(({ depth }) => depth === i + 1).length),
    by_schema: Object.fromEntries(sortedBy(schemas, ([schema]) => schema)),
    max_depth_reached: deepest,
  };
}

/** All leading parts of a relation's name; the namespace of a dataset that no connector owns. */
function schemaOf(urn: Urn): string {
  const node = nodeOf(urn);
  if (node.kind === 'dataset') return node.namespace;
  const ref = relationRefOf(node);
  const last = ref.lastIndexOf('.');
  return last < 0 ? '' : ref.slice(0, last);
}
