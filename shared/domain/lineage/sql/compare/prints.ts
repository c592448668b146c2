import type { DifferenceKind } from '../../../../contract/diff.ts';
import type { Spend } from '../../../base/budget.ts';
import type { SqlDialect } from '../dialect.ts';
import type { NameRules } from '../name-rules.ts';
import type { Syntax, SyntaxFields } from '../syntax.ts';
import type { RelationName, SqlParser } from '../types.ts';

/** What represents a part of a tree: equal for parts that mean the same, in all statements of one `PrintTable`. */
export type Print = string;

/** Gives equal lists of words the same print. A table instead of a digest: prints stay short, and never collide. */
export type PrintTable = (...words: readonly (string | null)[]) => Print;

/** Each word costs a step: what a comparison does besides printing is proportional to what it prints. */
export function printTable(spend: Spend): PrintTable {
  const known = new Map<string, Print>();
  return (...words) => {
    spend(words.length);
    const key = JSON.stringify(words);
    const found = known.get(key) ?? `#${known.size}`;
    known.set(key, found);
    return found;
  };
}

/** A column of a query, or all columns of a relation that nobody lists (`name` is null). */
export type PrintedColumn = { readonly name: string | null; readonly print: Print; readonly node: unknown };

export type PrintedRelation = {
  /** Which rows it has, and how many of each. */
  readonly rows: Print;
  readonly columns: readonly PrintedColumn[];
  /** A column by its folded name; null if the relation certainly has none of that name. */
  readonly column: (name: string) => Print | null;
  readonly isListed: boolean;
  readonly key?: Key | null;
  /** Columns that it has for sure, although not all are listed. */
  readonly has?: ReadonlyMap<string, string | null>;
};

/** Columns whose values differ between any two rows: of all rows, or of those with one value in the column `among`. Null if that is not proven. */
export type Key = (among?: string) => readonly string[] | null;

export const columnPrints = (columns: readonly PrintedColumn[]): readonly (Print | null)[] =>
  columns.flatMap(({ name, print }) => [name, print]);

/** Everything that a relation gives: two with the same print have the same rows and columns. */
export const wholePrint = (print: PrintTable, { rows, columns }: PrintedRelation): Print =>
  print('relation', rows, ...columnPrints(columns));

/** The effects of clauses, in the order of reporting. */
export type ClauseKind = 'source' | 'join' | 'filter' | 'grouping' | 'window' | 'formula' | 'other';

export type Clause = {
  readonly kind: ClauseKind;
  /** Tells it from others of its block: the name of a column, the place of a join. */
  readonly key: string;
  readonly column: string | null;
  readonly print: Print;
  /** Words and syntax nodes that write it. */
  readonly text: readonly unknown[];
};

export type Add = (kind: ClauseKind, key: string, printed: Print, text: readonly unknown[]) => void;

/** One SELECT or set operation of a statement. */
export type Block = { readonly path: string; readonly clauses: readonly Clause[] };

/** What one version of a relation holds: where both have the same label, they hold the same. */
export type Contents = {
  readonly rows: string;
  /** Null if they are not all known. */
  readonly columns: readonly { readonly name: string; readonly label: string }[] | null;
  readonly key: Key | null;
};

/** A relation whose two versions differ, by what is the same in both. */
export function contentsRelation(print: PrintTable, name: string, { rows, columns, key }: Contents): PrintedRelation {
  const printed = print('relation', name, rows);
  const open: PrintedRelation = {
    rows: printed,
    columns: [{ name: null, print: print('all columns', printed), node: null }],
    column: (column) => print('column', column, rows),
    isListed: false,
  };
  const listed = columns?.map((one) => ({ name: one.name, print: print('column', one.label), node: null }));
  return listed ? { ...listedRelation(printed, listed), key } : open;
}

/** How relations that a statement reads are known: by one name in both versions, or by the statement that is inlined. */
type ReadRelation = (name: RelationName) => PrintedRelation | null;

export type Printing = {
  /** Prints a query; here, because expressions hold queries and queries hold expressions. */
  readonly query: (printing: Printing, node: Syntax, around: PrintScope, path?: string) => PrintedRelation;
  readonly table: (printing: Printing, fields: SyntaxFields, scope: PrintScope) => PrintedRelation;
  readonly print: PrintTable;
  /** Takes steps of the comparison for work that prints nothing. */
  readonly spend: Spend;
  readonly rules: NameRules;
  readonly relation: ReadRelation;
  /** The version, if it is contents that are compared: a left join by a key of its right side then decides no rows. */
  readonly contentsOf: 'before' | 'after' | null;
  /** Orders the branches of UNION ALL, so that their order makes no difference. */
  readonly ordersBranches: boolean;
  /** Receives each block. Derived relations are then known by their place only, so that a difference shows in one block. */
  readonly blocks: Block[] | null;
  /** The name of a CTE in both versions. */
  readonly cteName: (folded: string) => string;
  /** Receives what may make a statement fail, whether or not anything comes of it: columns that are read of a relation outside of it, and names and places that nothing has. */
  readonly columnsRead: Set<Print>;
  readonly ctes: Map<string, Print>;
};

/** The columns of a select list. */
export type Items = {
  readonly columns: readonly PrintedColumn[];
  readonly column: (name: string) => Print | null;
  readonly aliases: ReadonlyMap<string, Print>;
  readonly proven: ReadonlyMap<string, number>;
  /** What each print of a column of the first source is there. */
  readonly passed: ReadonlyMap<Print, Print>;
  readonly isWhole: boolean;
};

/** An item of FROM with the qualifier of its columns. */
export type PrintedSource = { readonly alias: string | null; readonly relation: PrintedRelation };

export type PrintScope = {
  readonly sources: readonly PrintedSource[];
  /** The items of the select list by their aliases, if names may mean them. */
  readonly aliases: ReadonlyMap<string, Print>;
  /** `first`: an alias hides a column of that name. */
  readonly aliasesCome: 'first' | 'last';
  /** Columns that a source must have, because the list computes an alias of the same name with it. */
  readonly proven: ReadonlyMap<string, number>;
  readonly windows: ReadonlyMap<string, SyntaxFields>;
  readonly ctes: ReadonlyMap<string, PrintedRelation>;
  /** Values that WITH names. */
  readonly named: readonly Print[];
  readonly parent: PrintScope | null;
};

/** A place in the scopes around an expression. */
export type Place = { readonly depth: number; readonly place: number };

export const emptyScope: PrintScope = {
  sources: [],
  aliases: new Map(),
  aliasesCome: 'last',
  proven: new Map(),
  windows: new Map(),
  ctes: new Map(),
  named: [],
  parent: null,
};

/** A relation whose columns nobody lists. */
export const openRelation = (print: PrintTable, rows: Print): PrintedRelation => ({
  rows,
  columns: [{ name: null, print: print('all columns', rows), node: null }],
  column: (name) => print('column', name),
  isListed: false,
});

export function listedRelation(rows: Print, columns: readonly PrintedColumn[]): PrintedRelation {
  const named = firstNamed(columns);
  return { rows, columns, column: (name) => named.get(name) ?? null, isListed: true };
}

/** What a column is called that a list gives no name: each database names it in its own way. */
export const nameOfItem = (place: number): string => `item ${place}`;
export const isNameOfItem = (name: string): boolean => name.startsWith('item ');

/** The columns that have names; of two of one name the last. */
export const byName = (columns: readonly PrintedColumn[]): ReadonlyMap<string, Print> =>
  new Map(columns.flatMap(({ name, print }) => (name === null ? [] : [[name, print] as const])));

/** Of two columns of one name the first. */
export const firstNamed = (columns: readonly PrintedColumn[]): ReadonlyMap<string, Print> =>
  byName(columns.toReversed());

/** One clause that differs, as both versions write it. */
export type StatementDifference = {
  readonly kind: DifferenceKind;
  readonly column: string | null;
  /** Null on a side that has no such clause, or that cannot be written. */
  readonly before: string | null;
  readonly after: string | null;
};

const kindOf: Readonly<Record<ClauseKind, DifferenceKind>> = {
  source: 'source_changed',
  join: 'join_changed',
  filter: 'filter_changed',
  grouping: 'grouping_changed',
  window: 'window_changed',
  formula: 'formula_changed',
  other: 'statement_changed',
};

export function differencesOf(
  parser: SqlParser,
  [before, after]: readonly [readonly Block[], readonly Block[]],
  [dialectBefore, dialectAfter]: readonly [SqlDialect, SqlDialect],
): readonly StatementDifference[] {
  const [old, now] = [byPath(before), byPath(after)];
  const paths = [...new Set([...old.keys(), ...now.keys()])];
  return paths.flatMap((path): StatementDifference[] => {
    const [was, is] = [old.get(path), now.get(path)];
    return pairsOf(path, was, is).map(([left, right]) => ({
      kind: kindOf[(left?.kind === 'formula' ? (right ?? left) : (left ?? right))?.kind ?? 'other'],
      column: path.startsWith('with ') ? null : (left?.column ?? right?.column ?? null),
      before: left && written(parser, dialectBefore, left),
      after: right && written(parser, dialectAfter, right),
    }));
  });
}

const byPath = (blocks: readonly Block[]): ReadonlyMap<string, readonly Clause[]> =>
  new Map(
    [...Map.groupBy(blocks, ({ path }) => path)].map(([path, all]) => [path, all.flatMap(({ clauses }) => clauses)]),
  );

type Pair = readonly [Clause | null, Clause | null];

/** What decides rows of a block that only one version has; its sources and formulas show where it is read. */
const decidesRows: ReadonlySet<ClauseKind> = new Set(['join', 'filter', 'grouping']);

function pairsOf(
  path: string,
  before: readonly Clause[] | undefined,
  after: readonly Clause[] | undefined,
): readonly Pair[] {
  if (!before || !after) {
    const own = (before ?? after ?? []).filter(({ kind, key }) => decidesRows.has(kind) && key !== 'set operation');
    return own.map((one): Pair => (before ? [one, null] : [null, one]));
  }
  const [old, now] = [byKey(before), byKey(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key): Pair[] => {
    const [was, is] = [old.get(key) ?? null, now.get(key) ?? null];
    if (was?.print === is?.print) return [];
    // Added and removed columns are reported for the relation.
    if ((was === null || is === null) && (was ?? is)?.column !== null && path !== '') return [];
    return [[was, is]];
  });
}

const byKey = (clauses: readonly Clause[]): ReadonlyMap<string, Clause> =>
  new Map(
    clauses.map((one) => [
      one.kind === 'window' || one.kind === 'formula' ? `output ${one.key}` : `${one.kind} ${one.key}`,
      one,
    ]),
  );

function written({ write }: SqlParser, dialect: SqlDialect, { text }: Clause): string | null {
  const parts: string[] = [];
  let isNode = false;
  for (const one of text) {
    if (one === null || one === undefined) continue;
    const part = typeof one === 'string' ? one : (write?.(one, dialect) ?? null);
    // A part of a tree that is no expression.
    if (part === null) continue;
    const follows = isNode && typeof one !== 'string';
    parts.push(parts.length === 0 ? part : `${follows ? ', ' : ' '}${part}`);
    isNode = typeof one !== 'string';
  }
  return parts.length === 0 ? null : parts.join('');
}

type CtePrints = ReadonlyMap<string, string>;

/** The names of CTEs that only have another name in the second version. */
export function pairedNames(before: CtePrints, after: CtePrints): ReadonlyMap<string, string> {
  const free = new Map([...before].filter(([name]) => !after.has(name)));
  const fresh = [...after].filter(([name]) => !before.has(name));
  const names = new Map<string, string>();
  for (const [name, print] of fresh) {
    const same = [...free].find(([, one]) => one === print)?.[0];
    if (same === undefined) continue;
    names.set(name, same);
    free.delete(same);
  }
  // One that is renamed and changed.
  if (free.size === 1 && fresh.length - names.size === 1)
    for (const [name] of fresh) if (!names.has(name)) names.set(name, [...free.keys()][0] ?? name);
  return names;
}
