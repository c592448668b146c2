import type { ImpactAnswer } from './impact.ts';

type Answer = {
  readonly root: Pick<ImpactAnswer['root'], 'relation_ref'>;
  readonly column_lineage: {
    readonly roots: readonly string[];
    readonly paths: readonly Pick<ImpactAnswer['column_lineage']['paths'][number], 'upstream' | 'downstream'>[];
  };
};

/**
 * The relations that mappings of columns lead to all the way from the columns of the question. Whatever else an answer
 * lists downstream was reached as a whole table, and only may break.
 */
export function provenImpact({ root, column_lineage: { roots, paths } }: Answer): ReadonlySet<string> {
  const affected = new Map([[root.relation_ref, new Set(roots.map((column) => column.toLowerCase()))]]);
  for (let isGrown = true; isGrown; ) {
    isGrown = false;
    for (const { upstream, downstream } of paths) {
      const from = affected.get(upstream.relation_ref);
      if (!from || !concerns(from, upstream.column.toLowerCase())) continue;
      const to = affected.get(downstream.relation_ref) ?? new Set<string>();
      const column = downstream.column?.toLowerCase() ?? everyColumn;
      if (to.has(column)) continue;
      affected.set(downstream.relation_ref, to.add(column));
      isGrown = true;
    }
  }
  affected.delete(root.relation_ref);
  return new Set(affected.keys());
}

const everyColumn = '*';

/** What is said of a column concerns its fields, and what is said of a field the columns that hold it (C-IMPACT-17). */
const concerns = (affected: ReadonlySet<string>, column: string): boolean =>
  affected.has(everyColumn) ||
  affected.has(column) ||
  [...affected].some((one) => one.startsWith(`${column}.`) || column.startsWith(`${one}.`));
