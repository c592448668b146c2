import { type Urn, urnOf } from '../../graph/node.ts';
import { type Branch, branchVersion } from './branch.ts';
import type { Changes } from './compare.ts';
import type { GraphVersion, VersionEdge } from './graph-version.ts';

/**
 * The branch by what its models read, columns that the branch takes from other models included: a statement that names
 * such a column breaks. What a `*` brought in is no reader: the column goes from its model too, which is a change of its own.
 */
export function readingVersion(
  branch: Branch,
  side: GraphVersion,
  nameOf: (urn: Urn) => Urn,
  { columns }: Changes,
): GraphVersion {
  const removed = columns.filter(({ change }) => change === 'removed');
  if (removed.length === 0) return side;
  const byRelation = Map.groupBy(removed, ({ relation }) => relation);
  const former = branch.withFormerColumns((node) =>
    (byRelation.get(nameOf(urnOf(node))) ?? []).map(({ column }) => column),
  );
  const outputs = outputsOf(side);
  const kept = branchVersion(former, nameOf);
  return { ...side, edges: new Map([...kept.edges].map(([name, edge]) => [name, ofOutputs(edge, outputs)])) };
}

/** The columns that each relation is said to have, known or not what they are made of. */
function outputsOf({ edges }: GraphVersion): Map<Urn, Set<string>> {
  const outputs = new Map<Urn, Set<string>>();
  for (const { to, details } of edges.values()) {
    const names = outputs.get(to) ?? new Set();
    outputs.set(to, names);
    for (const detail of details) {
      for (const { outputColumn } of [...(detail?.columns ?? []), ...(detail?.unresolved ?? [])]) {
        if (outputColumn !== null) names.add(outputColumn.toLowerCase());
      }
    }
  }
  return outputs;
}

const ofOutputs = ({ details, ...edge }: VersionEdge, outputs: ReadonlyMap<Urn, ReadonlySet<string>>): VersionEdge => ({
  ...edge,
  details: details.map(
    (detail) =>
      detail && {
        ...detail,
        columns: detail.columns.filter(
          ({ outputColumn }) => outputColumn === null || outputs.get(edge.to)?.has(outputColumn.toLowerCase()),
        ),
      },
  ),
});
