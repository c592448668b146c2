import * as v from 'valibot';
import { unnamedColumn } from '../shared/domain/lineage/sql/answer.ts';
import { dialectNamed } from '../shared/domain/lineage/sql/dialect.ts';
import type { ColumnsOf, RelationName, SqlAnalysis } from '../shared/domain/lineage/sql/types.ts';

// Labelled cases, and results in the form of their scorers. Scorers outside of this repository import it by this name.

/** A labelled statement: the columns of known relations, and the columns that each output comes from. */
const SqlCase = v.object({
  id: v.string(),
  dialect: v.pipe(
    v.string(),
    v.transform((name) => dialectNamed(name) ?? 'ansi'),
  ),
  sql: v.string(),
  schema: v.nullable(v.record(v.string(), v.array(v.string()))),
});
type SqlCase = v.InferOutput<typeof SqlCase>;

export function casesIn(lines: string): readonly SqlCase[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => v.parse(SqlCase, JSON.parse(line)));
}

/** Relations by their exact path, else by the only one that the path is a suffix of, or that is a suffix of it. */
export function knownColumns(schema: SqlCase['schema']): ColumnsOf {
  const known = new Map(Object.entries(schema ?? {}).map(([path, columns]) => [path.toLowerCase(), columns]));
  return (relation) => {
    const path = dotted(relation).toLowerCase();
    const suffixes = [...known.keys()].filter((key) => key.endsWith(`.${path}`) || path.endsWith(`.${key}`));
    const names = known.get(path) ?? (suffixes.length === 1 ? known.get(suffixes[0] ?? '') : undefined);
    return names === undefined ? null : { names, complete: true };
  };
}

/** The result of a text, which may write several relations: its columns are those of all. */
export function resultOf(id: string, analyses: readonly SqlAnalysis[]) {
  const failed = analyses.find(({ unresolvedReason }) => unresolvedReason !== null);
  const outputs = analyses.flatMap((analysis) => analysis.outputs);
  return {
    id,
    status: failed === undefined ? 'ok' : 'error',
    error: failed?.unresolvedReason ?? null,
    reads: analyses.some(({ reads }) => reads === null)
      ? null
      : analyses.flatMap(({ reads }) => reads ?? []).map(dotted),
    columns: outputs.map(({ column, sources, unresolvedReason }) => ({
      // Columns whose names are not known, unlike those of a star, have sources.
      name: column ?? (sources.length > 0 || unresolvedReason?.includes(unnamedColumn) ? '?' : '*'),
      edges: sources.map((source) => [dotted(source.relation), source.column]),
      unresolved: unresolvedReason,
    })),
  };
}

function dotted(relation: RelationName): string {
  return relation.map(({ text }) => text).join('.');
}
