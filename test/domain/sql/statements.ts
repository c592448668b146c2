import { readFileSync } from 'node:fs';
import { dialectNamed, type SqlDialect } from '../../../shared/domain/lineage/sql/dialect.ts';
import type {
  ColumnRead,
  ColumnSource,
  ColumnsOf,
  MissingSources,
  OutputColumn,
  PlacedColumns,
  RelationName,
  SqlAnalysis,
} from '../../../shared/domain/lineage/sql/types.ts';

/** A statement and what is to be found in it, as the lines of `showWhole` tell it. */
type Labelled = {
  readonly dialect: SqlDialect;
  readonly sql: string;
  readonly expected: string;
  readonly columnsOf: ColumnsOf;
};

type Star = NonNullable<MissingSources['star']>;

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

/** An analysis in lines: what is written and read, each output with its sources, then what decides on rows. */
export function showWhole(analysis: SqlAnalysis, isRewritten = false): string {
  const { indirect, indirectReasons } = analysis;
  const columns = indirect.map((one) => `${nameOf(one)} ${one.subtype.toLowerCase()}`).sort();
  const rows = [...columns, ...indirectReasons.map(showReason)];
  return [
    showAnalysis(analysis, isRewritten ? showRewritten : showWholeOutput),
    ...(rows.length === 0 ? [] : [`rows ${rows.join(', ')}`]),
  ].join('\n');
}

/** An analysis in lines: what is written and read, then each output with its sources. */
export function showAnalysis(
  { statementKind, target, outputs, reads, unresolvedReason }: SqlAnalysis,
  show = showOutput,
): string {
  const written = statementKind === null ? [] : [`${statementKind} ${target === null ? '?' : dotted(target)}`];
  const reading = [`reads ${reads === null ? '?' : reads.map(dotted).join(', ')}`.trim()];
  return [
    ...written,
    ...reading,
    ...outputs.map((output) => show(output)),
    ...(unresolvedReason === null ? [] : [`? ${unresolvedReason}`]),
  ].join('\n');
}

function showOutput({ column, sources, unresolvedReason }: OutputColumn): string {
  const reason = unresolvedReason === null ? [] : [`? ${unresolvedReason}`];
  return `${column ?? '*'}: ${[...showSources(sources), ...reason].join(', ')}`.trim();
}

/** With the expressions of the sources, and the columns that would resolve a missing one. */
function showWholeOutput(output: OutputColumn): string {
  const expressions = new Set(output.sources.flatMap(({ expression }) => expression?.replaceAll(/\s+/g, ' ') ?? []));
  return [showRewritten(output), ...expressions].join(' = ');
}

/** The expressions of a text that is rewritten before it is parsed are those of the rewritten text. */
const showRewritten = ({ column, sources, reasons }: OutputColumn): string =>
  `${column ?? '*'}: ${[...showSources(sources), ...reasons.map(showReason)].join(', ')}`.trim();

function showSources(sources: readonly ColumnSource[]): string[] {
  const ways = new Map<string, string[]>();
  for (const source of sources) ways.set(nameOf(source), [...(ways.get(nameOf(source)) ?? []), wayOf(source)]);
  return [...ways].map(([name, kinds]) => `${name} ${kinds.sort().join('/')}`);
}

function showReason({ text, star, places, options }: MissingSources): string {
  const columns = (one: PlacedColumns): string =>
    'star' in one ? showStar(one.star) : `${one.column ?? '*'}: ${showSources(one.sources).join(', ')}`;
  const known = [
    ...(star ? [showStar(star)] : []),
    ...(places ?? []).map((branch) => `(${branch.map(columns).join('; ')})`),
    ...(options ? [`one of ${showSources(options).join(', ')}`] : []),
  ];
  return `? ${[text, ...known].join(' | ')}`;
}

function showStar({ relation, except, renamed }: Star): string {
  const changes = [...except.map((name) => `-${name}`), ...renamed.map(([from, to]) => `${from}>${to}`)];
  return [`${dotted(relation)}.*`, ...changes].join(' ');
}

const dotted = (relation: RelationName): string => relation.map(({ text }) => text).join('.');
const nameOf = ({ relation, column, field }: ColumnRead): string =>
  [dotted(relation), column, ...(field === undefined ? [] : [field])].join('.');
const wayOf = ({ subtype, masking }: ColumnSource): string => subtype.toLowerCase() + (masking ? ' masked' : '');
