import type { ColumnPath, EdgeOfAnswer, Shown } from './answer.ts';

/** A place on the way from the root, and what leads to it from the place before. */
export type Link = {
  readonly relation: string;
  /** Null: the relation as a whole. */
  readonly column: string | null;
  /** Null of the first place, and where no source says how columns are passed on. */
  readonly by: ColumnPath | null;
};

type Place = Pick<Link, 'relation' | 'column'>;
type Step = { readonly from: Place; readonly to: Place; readonly by: ColumnPath | null };

/**
 * The shortest chain between the columns of the root and a relation, in the direction of the data: by columns if any
 * lead there, else by relations. Empty if nothing of the answer leads there.
 */
export function chainBetween(shown: Shown, columns: readonly string[], relation: string): readonly Link[] {
  const { root, rows, paths, edges } = shown;
  const isUp = rows.find((row) => row.relation === relation)?.direction === 'upstream';
  const turned = (steps: readonly Step[]) =>
    isUp ? steps.map(({ from, to, by }) => ({ from: to, to: from, by })) : steps;
  const starts = columns.map((column) => ({ relation: root, column }));
  const whole = [{ relation: root, column: null }];
  const found =
    shortest(starts, turned(paths.map(ofPath)), relation) ?? shortest(whole, turned(edges.map(ofEdge)), relation) ?? [];
  return isUp ? reversed(found) : found;
}

const ofPath = (path: ColumnPath): Step => ({
  from: { relation: path.upstream.relation_ref, column: path.upstream.column },
  to: { relation: path.downstream.relation_ref, column: path.downstream.column },
  by: path,
});

const ofEdge = ({ upstream, downstream }: EdgeOfAnswer): Step => ({
  from: { relation: upstream, column: null },
  to: { relation: downstream, column: null },
  by: null,
});

function shortest(starts: readonly Place[], steps: readonly Step[], relation: string): readonly Link[] | null {
  const onward = Map.groupBy(steps, ({ from }) => from.relation);
  const chains: (readonly Link[])[] = starts.map((start) => [{ ...start, by: null }]);
  const seen = new Set<string>();
  for (const chain of chains) {
    const last = chain.at(-1);
    if (last === undefined) continue;
    if (last.relation === relation) return chain;
    for (const { from, to, by } of onward.get(last.relation) ?? []) {
      const key = JSON.stringify(to);
      // What decides the rows of a relation concerns all its columns.
      const follows = last.column === null || from.column === null || from.column === last.column;
      if (!follows || seen.has(key)) continue;
      seen.add(key);
      chains.push([...chain, { relation: to.relation, column: to.column, by }]);
    }
  }
  return null;
}

/** The same chain from its other end: what led to a place now leads to the one before it. */
const reversed = (chain: readonly Link[]): Link[] =>
  chain.map((_, index) => {
    const { relation, column } = chain[chain.length - 1 - index] as Link;
    return { relation, column, by: chain[chain.length - index]?.by ?? null };
  });
