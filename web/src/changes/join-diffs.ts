import type { Diff } from '../api/queries.ts';

const grades = ['safe', 'risky', 'breaking'] as const;

/** The changes of several connectors as one list; what two of them tell is told once. Undefined of none. */
export function joinDiffs(diffs: readonly Diff[]): Diff | undefined {
  const [first, ...others] = diffs;
  if (first === undefined || others.length === 0) return first;
  const relations = once(diffs, 'relations', ({ relation_ref }) => relation_ref);
  const edges = once(diffs, 'edges', ({ upstream, downstream }) => `${upstream}\n${downstream}`);
  const columns = once(diffs, 'columns', ({ relation_ref, column }) => `${relation_ref}\n${column}`);
  const unlisted = sum(diffs, ({ truncated }) => truncated.unlisted);
  return {
    ...first,
    relations,
    edges,
    columns,
    grade: grades.findLast((grade) => diffs.some((diff) => diff.grade === grade)) ?? 'not_evaluated',
    summary: { ...first.summary, relations: counted(relations), edges: counted(edges), columns: counted(columns) },
    precision: { reasons: diffs.flatMap(({ precision }) => precision.reasons) },
    truncated: {
      any: diffs.some(({ truncated }) => truncated.any),
      by_requests: diffs.some(({ truncated }) => truncated.by_requests),
      by_bytes: diffs.some(({ truncated }) => truncated.by_bytes),
      unlisted,
      unwalked: sum(diffs, ({ truncated }) => truncated.unwalked),
    },
  };
}

const once = <Key extends 'relations' | 'edges' | 'columns'>(
  diffs: readonly Diff[],
  list: Key,
  keyOf: (one: Diff[Key][number]) => string,
): Diff[Key] =>
  [
    ...new Map(diffs.flatMap((diff) => (diff[list] as Diff[Key][number][]).map((one) => [keyOf(one), one]))).values(),
  ] as Diff[Key];

const sum = (diffs: readonly Diff[], of: (diff: Diff) => number): number =>
  diffs.reduce((total, diff) => total + of(diff), 0);

function counted(list: readonly { readonly change: 'added' | 'removed' | 'changed' }[]) {
  const count = (change: string) => list.filter((one) => one.change === change).length;
  return { added: count('added'), removed: count('removed'), changed: count('changed') };
}
