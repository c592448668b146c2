import { describe, expect, it } from 'vitest';
import { loadSqlParser } from '../../../shared/adapters/sql-parser.ts';
import { analyseScript } from '../../../shared/domain/lineage/sql/analyse-sql.ts';
import type { SqlDialect } from '../../../shared/domain/lineage/sql/dialect.ts';
import { type Token, tokensOf } from '../../../shared/domain/lineage/sql/tokens.ts';
import type { SqlAnalysis } from '../../../shared/domain/lineage/sql/types.ts';
import { labelledStatements, showAnalysis } from './statements.ts';

const parser = await loadSqlParser();

type Statement = ReturnType<typeof labelledStatements>[number] & { readonly analyses: readonly SqlAnalysis[] };

const files = [
  'sources',
  'queries',
  'stars',
  'expressions',
  'fields',
  'names',
  'writes',
  'rewritten',
  'dialects',
  'syntax',
];
const statements = files
  .flatMap(labelledStatements)
  .map((one) => ({ ...one, analyses: analysesOf(one.sql, one) }))
  .filter(({ analyses }) => analyses.every(({ unresolvedReason }) => unresolvedReason === null));

function analysesOf(sql: string, { dialect, columnsOf }: Omit<Statement, 'analyses'>): readonly SqlAnalysis[] {
  return analyseScript(parser, sql, { dialect, columnsOf });
}

/** Without quotes and case: both differ on purpose. */
const shown = (analyses: readonly SqlAnalysis[]): string =>
  analyses
    .map((one) => showAnalysis({ ...one, statementKind: null }))
    .join('\n')
    .toLowerCase();

/** A text with other spaces between its tokens, or with other tokens. */
function rewritten(
  { sql, dialect }: Statement,
  {
    space,
    word,
  }: { readonly space?: string; readonly word?: (token: Token, at: number, all: readonly Token[]) => string },
): string {
  const tokens = tokensOf(sql, dialect);
  const parts = tokens.map((token, at) => {
    const gap = sql.slice(tokens[at - 1]?.end ?? 0, token.start);
    return `${space !== undefined && /^\s+$/.test(gap) ? space : gap}${word?.(token, at, tokens) ?? token.text}`;
  });
  return parts.join('') + sql.slice(tokens.at(-1)?.end);
}

/** One query whose columns all have names and sources. */
const isQuery = ({ sql, analyses: [first, ...others] }: Statement): boolean =>
  first?.statementKind === null &&
  !/\binto\b/i.test(sql) &&
  others.length === 0 &&
  first.outputs.every(({ column, unresolvedReason }) => column !== null && unresolvedReason === null) &&
  /^\s*[(]?\s*(select|with\s+(?!function)|from|values|table|pivot|unpivot)/i.test(sql);

const queryOf = ({ sql }: Statement): string => sql.trim().replace(/;$/, '');

/** What a quote would change: a word of the language, a variable, a part of a type. */
const withWords = [
  'reduce(tags',
  '$v as v',
  'at at time zone',
  'as row(',
  'case when true then amount end, amount',
  'case when paid then amount',
  'payments@v3',
  'with offset n',
  'with ordinality',
  'select rowid',
  '"""a',
];
const withoutFormat = / format json/i;

describe('a statement that is written otherwise has the same lineage', () => {
  it('with comments between its words', () => {
    for (const one of statements) {
      if (/\/\*M?!/.test(one.sql)) continue;
      expect(shown(analysesOf(rewritten(one, { space: ' /* b, c */ -- d; e (\n ' }), one)), one.sql).toBe(
        shown(one.analyses),
      );
    }
  });

  it('with the line ends of Windows', () => {
    for (const one of statements)
      expect(shown(analysesOf(rewritten(one, { space: '\r\n\t' }), one)), one.sql).toBe(shown(one.analyses));
  });

  it('with quotes around the names that it reads and writes', () => {
    for (const one of statements) {
      if (withWords.some((part) => one.sql.includes(part))) continue;
      const names = namesIn(one.analyses);
      const word = ({ kind, text }: Token, at: number, all: readonly Token[]) => {
        const [before, next] = [all[at - 1]?.text ?? '', all[at + 1]?.text];
        const isName = kind === 'word' && names.has(text.toLowerCase()) && next !== '(' && !/^[#@:$]/.test(before);
        return isName ? quoted(text, one.dialect) : text;
      };
      expect(shown(analysesOf(rewritten(one, { word }), one)), one.sql).toBe(shown(one.analyses));
    }
  });

  it('as a query in FROM, as a CTE and as a view in brackets', () => {
    for (const one of statements.filter(isQuery)) {
      const query = queryOf(one);
      const forms = [
        `select * from (${query}\n) united`,
        ...(withoutFormat.test(query) ? [] : [`with united as (${query}\n) select * from united`]),
        `create view created as (${query}\n)`,
      ];
      for (const form of forms) expect(shown(analysesOf(form, one)), form).toBe(shown(one.analyses));
    }
  });
});

function namesIn(analyses: readonly SqlAnalysis[]): ReadonlySet<string> {
  const relations = analyses.flatMap(({ target, reads }) => [target ?? [], ...(reads ?? [])].flat());
  const outputs = analyses.flatMap((one) => one.outputs);
  const columns = [...outputs.flatMap(({ sources }) => sources), ...analyses.flatMap(({ indirect }) => indirect)];
  return new Set(
    [
      ...relations.map(({ text }) => text),
      ...outputs.flatMap(({ column }) => column ?? []),
      ...columns.map(({ column }) => column),
    ].map((name) => name.toLowerCase()),
  );
}

const backquoted: ReadonlySet<SqlDialect> = new Set(['bigquery', 'clickhouse', 'databricks', 'hive', 'mysql', 'spark']);
const bracketed: ReadonlySet<SqlDialect> = new Set(['fabric', 'sqlite', 'tsql']);

/** As the dialect writes the name that it takes the word for. */
function quoted(text: string, dialect: SqlDialect): string {
  if (bracketed.has(dialect)) return `[${text}]`;
  if (backquoted.has(dialect)) return `\`${text}\``;
  return `"${dialect === 'snowflake' || dialect === 'oracle' ? text.toUpperCase() : text.toLowerCase()}"`;
}
