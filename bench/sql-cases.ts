import * as v from 'valibot';
import { unnamedColumn } from '../shared/domain/sql/analyse-sql.ts';
import { dialectNamed } from '../shared/domain/sql/dialect.ts';
import type { ColumnsOf, RelationName, SqlAnalysis } from '../shared/domain/sql/types.ts';

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
export type SqlCase = v.InferOutput<typeof SqlCase>;

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
    return known.get(path) ?? (suffixes.length === 1 ? known.get(suffixes[0] ?? '') : undefined) ?? null;
  };
}

export function resultOf(id: string, analysis: SqlAnalysis) {
  return {
    id,
    status: analysis.unresolvedReason === null ? 'ok' : 'error',
    error: analysis.unresolvedReason,
    reads: analysis.reads?.map(dotted) ?? null,
    columns: analysis.outputs.map(({ column, sources, unresolvedReason }) => ({
      name: column ?? (unresolvedReason?.includes(unnamedColumn) ? '?' : '*'),
      edges: sources.map((source) => [dotted(source.relation), source.column]),
      unresolved: unresolvedReason,
    })),
  };
}

function dotted(relation: RelationName): string {
  return relation.map(({ text }) => text).join('.');
}
