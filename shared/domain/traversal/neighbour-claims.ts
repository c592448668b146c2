import type { NodeId } from '../graph/ids.ts';

/** Which neighbours are wanted. */
export type OfInterest = {
  /** Neighbours that do not count towards a limit. */
  readonly isVisited?: (node: NodeId) => boolean;
  /** The only neighbours of interest; all where absent. */
  readonly neighbours?: ReadonlySet<NodeId> | null;
};

/** The claims of the neighbours that were not returned yet. */
export function neighbourClaims<C extends { readonly other: NodeId }>({
  isVisited = () => false,
  neighbours = null,
}: OfInterest) {
  const claims = new Map<NodeId, C[]>();
  const returned = new Set<NodeId>();
  return {
    add: (found: readonly C[]) => {
      for (const one of found) {
        if ((neighbours && !neighbours.has(one.other)) || returned.has(one.other)) continue;
        const known = claims.get(one.other);
        if (known) known.push(one);
        else claims.set(one.other, [one]);
      }
    },
    waiting: (visited: boolean) => [...claims.keys()].filter((node) => isVisited(node) === visited),
    take: (batch: readonly NodeId[]) => {
      const taken = batch.flatMap((node) => claims.get(node) ?? []);
      for (const node of batch) {
        returned.add(node);
        claims.delete(node);
      }
      return taken;
    },
  };
}
