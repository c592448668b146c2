import type { DifferenceKind } from '../../../../contract/diff.ts';
import type { SqlDialect } from '../dialect.ts';
import type { SqlParser } from '../types.ts';
import type { Block, Clause, ClauseKind } from './prints.ts';

/** One clause that differs, as both versions write it. */
export type StatementDifference = {
  readonly kind: DifferenceKind;
  /** The column whose formula it is, if it is one that the statement gives. */
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

/** The clauses that differ between two versions, block by block. */
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
      kind: kindOf[
        (left ?? right)?.kind === 'formula' ? ((right ?? left)?.kind ?? 'formula') : ((left ?? right)?.kind ?? 'other')
      ],
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
    // Columns that come and go are said of the relation.
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
