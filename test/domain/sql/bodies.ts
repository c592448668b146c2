import { readFileSync } from 'node:fs';
import { analyseScript } from '../../../shared/domain/lineage/sql/analyse-sql.ts';
import type { SqlDialect } from '../../../shared/domain/lineage/sql/dialect.ts';
import {
  type ColumnRead,
  type RelationName,
  reference,
  type SqlParser,
} from '../../../shared/domain/lineage/sql/types.ts';

export type Body = {
  readonly dialect: SqlDialect;
  readonly title: string;
  readonly sql: string;
  readonly expected: readonly string[];
};

/** The dialects whose bodies are labelled by hand. */
export const labelledDialects = ['bigquery', 'oracle', 'postgres', 'redshift', 'snowflake', 'tsql'] as const;

/** Dialects with labels for a few statements that the parser refuses. */
export const otherDialects = ['ansi', 'clickhouse', 'duckdb', 'hive', 'mysql'] as const;

/** The bodies of a file: each after a line with its title, before the lines of its lineage, which begin with `-->`. */
export function bodiesIn(dialect: SqlDialect): readonly Body[] {
  const text = readFileSync(new URL(`../../fixtures/sql/bodies/${dialect}.sql`, import.meta.url), 'utf8');
  return text.split(/^(?=-- .*\n(?!-->))/m).flatMap((part) => {
    const [title = '', ...lines] = part.trim().split('\n');
    const expected = lines.filter((line) => line.startsWith('-->')).map((line) => line.slice(4).trim());
    const sql = lines
      .filter((line) => !line.startsWith('-->'))
      .join('\n')
      .trim();
    return sql === '' ? [] : [{ dialect, title: title.slice(3), sql, expected: joined(expected) }];
  });
}

/** The columns of the relations with these names, in every schema. */
export const columns: Readonly<Record<string, readonly string[]>> = {
  c: ['ok', 'n'],
  s: ['k', 'x', 'y'],
  t: ['a', 'b'],
  u: ['a', 'b'],
  w: ['v'],
};

/** What each statement along a body writes (`target.column < sources`), what decides its rows (`target ~ columns`), and what is open. */
export function lineageOf(parser: SqlParser, { dialect, sql }: Pick<Body, 'dialect' | 'sql'>): string[] {
  const columnsOf = (relation: RelationName) => {
    const names = columns[relation.at(-1)?.text.toLowerCase() ?? ''];
    return names === undefined ? null : { names, complete: true };
  };
  const analyses = analyseScript(parser, sql, { dialect, columnsOf });
  const isBody = analyses.length > 1;
  const lines = analyses.flatMap((one) => {
    if (one.unresolvedReason !== null) return ['incomplete'];
    const target = one.target === null ? '' : dotted(one.target);
    if (target === '' && isBody) return [];
    const deciding = one.indirect.filter(({ subtype }) => subtype !== reference);
    const open = one.indirectUnresolvedReason === null ? '' : '?';
    const rows = deciding.length > 0 || open ? [`${target} ~ ${namesOf(deciding)}${open}`.trim()] : [];
    if (one.outputs.length === 0) return [...rows, target];
    return [
      ...rows,
      ...one.outputs.map(({ column, sources, unresolvedReason }) =>
        `${target === '' ? '' : `${target}.`}${column ?? '*'} < ${namesOf(sources)}${unresolvedReason === null ? '' : '?'}`
          .trim()
          .toLowerCase(),
      ),
    ];
  });
  return joined(lines);
}

/** Lines of one target and column are one; that a relation is written without columns counts only if nothing else says so. */
function joined(lines: readonly string[]): string[] {
  const groups = Map.groupBy(lines, (line) =>
    line
      .split(/ ([<~])/)
      .slice(0, 2)
      .join(' '),
  );
  const told = new Set(
    [...groups.keys()].filter((key) => / [<~]$/.test(key)).map((key) => key.replace(/(\.\w+|\.\*)? <$| ~$/, '')),
  );
  return [...groups]
    .flatMap(([key, same]) => {
      if (!/ [<~]$/.test(key)) return told.has(key) ? [] : [key];
      const names = same
        .flatMap((line) => line.slice(key.length).replace('?', '').split(','))
        .map((name) => name.trim());
      const open = same.some((line) => line.endsWith('?')) ? '?' : '';
      return [`${key} ${[...new Set(names.filter((name) => name !== ''))].sort().join(', ')}${open}`.trim()];
    })
    .sort();
}

const dotted = (relation: RelationName) => relation.map(({ text }) => text.toLowerCase()).join('.');

const namesOf = (reads: readonly ColumnRead[]) =>
  [...new Set(reads.map(({ relation, column }) => `${dotted(relation)}.${column.toLowerCase()}`))].sort().join(', ');
