import { composedStar, type Star } from '../graph/schema.ts';
import type { SqlDialect } from './dialect.ts';
import { tokensOf } from './tokens.ts';
import type { RelationName } from './types.ts';
import type { Row, Shape, ShapeChange } from './values.ts';

export function shapeOf(relation: RelationName): Shape {
  return { base: null, change: { kind: 'relation', relation }, key: JSON.stringify(relation.map(({ text }) => text)) };
}

/** The columns of several rows by their places. */
export const shapeOfPlaces = (rows: readonly Row[]): Shape => ({
  base: null,
  change: { kind: 'places', rows },
  key: 'places',
});

/** The same run after a change, told apart from others by the names as the dialect folds them. */
export function changedShape(base: Shape | null, change: ShapeChange, folded: unknown): Shape | null {
  return base === null ? null : { base, change, key: JSON.stringify([change.kind, folded]) };
}

export function isSameShape(a: Shape | null, b: Shape | null): boolean {
  let [left, right] = [a, b];
  while (left !== null && right !== null) {
    if (left === right) return true;
    // Rows are the same by nothing but being the same.
    if (left.key !== right.key || left.change.kind === 'places') return false;
    [left, right] = [left.base, right.base];
  }
  return a !== null && left === right;
}

/** The columns as those of one relation; null where it cannot be said. */
export function starOf(shape: Shape | null): (Star & { readonly relation: RelationName }) | null {
  if (shape === null) return null;
  const { base, change } = shape;
  if (change.kind === 'relation') return { relation: change.relation, except: [], renamed: [] };
  if (change.kind === 'places') return null;
  const inner = starOf(base);
  if (inner === null) return null;
  const outer =
    change.kind === 'without' ? { except: change.names, renamed: [] } : { except: [], renamed: change.pairs };
  return { relation: inner.relation, ...composedStar(inner, outer) };
}

/** SQL with `?` for its texts and numbers, on one line and without its comments, which may hold what literals do. */
export function maskedLiterals(text: string, dialect: SqlDialect): string {
  const tokens = tokensOf(text, dialect);
  return tokens
    .map(({ kind, text, start }, place) => {
      const space = place === 0 || tokens[place - 1]?.end === start ? '' : ' ';
      return space + (kind === 'string' || kind === 'number' ? '?' : text);
    })
    .join('');
}
