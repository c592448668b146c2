import { readFileSync } from 'node:fs';
import { dialectNamed, type SqlDialect } from '../../../shared/domain/lineage/sql/dialect.ts';
import type {
  ColumnSource,
  ColumnsOf,
  OutputColumn,
  RelationName,
  SqlAnalysis,
} from '../../../shared/domain/lineage/sql/types.ts';

/** A statement and what is to be found in it, as the lines of `showAnalysis` tell it. */
type Labelled = {
  readonly dialect: SqlDialect;
  readonly sql: string;
  readonly expected: string;
  readonly columnsOf: ColumnsOf;
};

/** The columns of the relations that statements of these tests read; any other relation's are not known. */
const known: Readonly<Record<string, readonly string[]>> = {
  accounts: ['id', 'owner', 'region'],
  payments: ['account_id', 'amount', 'paid_at'],
  regions: ['region', 'country'],
  events: ['id', 'tags', 'payload', 'at'],
  quarters: ['id', 'kind', 'value', 'q1', 'q2'],
  people: ['id', 'boss', 'name'],
  report: ['id', 'total', 'note'],
};

export const columnsOf: ColumnsOf = columnsAmong(known);

function columnsAmong(lists: Readonly<Record<string, readonly string[]>>): ColumnsOf {
  return (relation) => {
    const names = lists[relation.at(-1)?.text.toLowerCase() ?? ''];
    return names === undefined ? null : { names, complete: true };
  };
}

/**
 * Reads a file of statements: `-- dialect`, or `-- dialect | t(a, b) u(c)` with the columns of its relations, the
 * statement, `--` and what is expected, with empty lines between.
 */
export function labelledStatements(name: string): readonly Labelled[] {
  const file = new URL(`../../fixtures/sql/${name}.sql`, import.meta.url);
  return readFileSync(file, 'utf8')
    .split(/\n\s*\n/)
    .map((block) => block.trim().split('\n'))
    .map(([head = '', ...lines]) => {
      const [name = '', lists] = head.slice(3).split(' | ');
      const dialect = name === 'ansi' ? name : dialectNamed(name);
      if (dialect === null) throw new Error(`no dialect is called ${head}`);
      const [sql = [], expected = []] = [
        lines.filter((line) => !line.startsWith('-- ')),
        lines.filter((line) => line.startsWith('-- ')),
      ];
      return {
        dialect,
        sql: sql.join('\n'),
        expected: expected.map((line) => line.slice(3)).join('\n'),
        columnsOf: lists === undefined ? columnsOf : columnsAmong(listsIn(lists)),
      };
    });
}

function listsIn(text: string): Readonly<Record<string, readonly string[]>> {
  const lists = [...text.matchAll(/(\w+)\(([^)]*)\)/g)];
  return Object.fromEntries(
    lists.map(([, name = '', columns = '']) => [name, columns.split(',').map((one) => one.trim())]),
  );
}

/** An analysis in lines: what is written and read, then each output with its sources. */
export function showAnalysis({ statementKind, target, outputs, reads, unresolvedReason }: SqlAnalysis): string {
  const written = statementKind === null ? [] : [`${statementKind} ${target === null ? '?' : dotted(target)}`];
  const reading = [`reads ${reads === null ? '?' : reads.map(dotted).join(', ')}`.trim()];
  return [
    ...written,
    ...reading,
    ...outputs.map(showOutput),
    ...(unresolvedReason === null ? [] : [`? ${unresolvedReason}`]),
  ].join('\n');
}

function showOutput({ column, sources, unresolvedReason }: OutputColumn): string {
  const ways = new Map<string, string[]>();
  for (const source of sources) ways.set(nameOf(source), [...(ways.get(nameOf(source)) ?? []), wayOf(source)]);
  const created = [...ways].map(([name, kinds]) => `${name} ${kinds.sort().join('/')}`);
  const reason = unresolvedReason === null ? [] : [`? ${unresolvedReason}`];
  return `${column ?? '*'}: ${[...created, ...reason].join(', ')}`.trim();
}

const dotted = (relation: RelationName): string => relation.map(({ text }) => text).join('.');
const nameOf = ({ relation, column }: ColumnSource): string => `${dotted(relation)}.${column}`;
const wayOf = ({ subtype, masking }: ColumnSource): string => subtype.toLowerCase() + (masking ? ' masked' : '');
