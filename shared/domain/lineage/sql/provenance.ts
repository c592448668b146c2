import { beginningOf, storable } from '../../../contract/fields.ts';
import type {
  ColumnRead,
  DirectSubtype,
  Expression,
  Provenance,
  Reach,
  RelationName,
  Row,
  SourceInfluence,
  Subtype,
} from './types.ts';

/** One use of a column by a value. */
export type TracedRead = ColumnRead & SourceInfluence & { readonly expression: Expression | null };

const none: ReadonlySet<Subtype> = new Set();
const identity: ReadonlySet<Subtype> = new Set<Subtype>(['IDENTITY']);

export const nothing: Provenance = { columns: new Map(), reasons: new Map(), fields: null };

export const fromColumn = (relation: RelationName, column: string): Provenance => columnsFrom(relation)(column);

/** The columns of a relation by their names; its own name is written once for all their keys. */
export function columnsFrom(relation: RelationName): (column: string) => Provenance {
  const path = JSON.stringify(relation.map((part) => part.text));
  return (column) => {
    const reach: Reach = { read: { relation, column }, plain: identity, masked: none, expression: null };
    return { columns: new Map<string, Reach>().set(path + column, reach), reasons: nothing.reasons, fields: null };
  };
}

export function unknown(reason: string): Provenance {
  return { ...nothing, reasons: new Map([[reason, { text: reason, options: null }]]) };
}

/** More relations are hardly ever joined, and what is kept of an edge is bounded. */
const mostOptions = 16;

/** One of some values, and it is not known which: each is a column, or one of several itself. */
export function oneOf(reason: string, values: readonly Provenance[]): Provenance {
  const [only, ...others] = values;
  if (only !== undefined && others.length === 0) return only;
  const options = values.flatMap((value) => optionsOf(value) ?? []);
  if (options.length > mostOptions || values.some((value) => optionsOf(value) === null)) return unknown(reason);
  const key = JSON.stringify([reason, ...options.flatMap(({ columns }) => [...columns.keys()])]);
  return { ...nothing, reasons: new Map([[key, { text: reason, options }]]) };
}

function optionsOf(value: Provenance): readonly Provenance[] | null {
  if (value.columns.size === 1 && value.reasons.size === 0) return [{ ...value, fields: null }];
  const [reason] = value.reasons.values();
  return value.columns.size === 0 && value.reasons.size === 1 ? (reason?.options ?? null) : null;
}

function hasOptions(reasons: Provenance['reasons']): boolean {
  for (const { options } of reasons.values()) if (options !== null) return true;
  return false;
}

/** The same reasons, of values that something consists of. */
function mappedReasons(reasons: Provenance['reasons'], map: (value: Provenance) => Provenance): Provenance['reasons'] {
  if (!hasOptions(reasons)) return reasons;
  return new Map(
    [...reasons].map(([key, { text, options }]) => [key, { text, options: options?.map(map) ?? null }] as const),
  );
}

export function merge(parts: readonly Provenance[]): Provenance {
  if (parts.length < 2) return parts[0] ?? nothing;
  const some = parts.filter((part) => part.columns.size > 0 || part.reasons.size > 0);
  const [only] = some;
  if (only === undefined) return nothing;
  if (some.length === 1) return only;
  const columns = new Map<string, Reach>();
  for (const part of some) for (const [key, reach] of part.columns) columns.set(key, joined(columns.get(key), reach));
  return { columns, reasons: new Map(some.flatMap((part) => [...part.reasons])), fields: null };
}

export const withFields = (value: Provenance, fields: Row | null): Provenance => ({ ...value, fields });

export function computedBy(value: Provenance, expression: Expression): Provenance {
  const columns = new Map([...value.columns].map(([key, reach]) => [key, { ...reach, expression }] as const));
  return { ...value, columns, reasons: mappedReasons(value.reasons, (option) => computedBy(option, expression)) };
}

/** The provenance of an operation's result. */
export function through(value: Provenance, subtype: Subtype, masking = false): Provenance {
  const reasons = reasonsThrough(value, subtype, masking);
  if (value.columns.size === 0)
    return value.fields === null && reasons === value.reasons ? value : { ...value, reasons, fields: null };
  const columns = new Map<string, Reach>();
  for (const [key, reach] of value.columns) {
    const retained = composed(subtype, reach.plain);
    const hidden = composed(subtype, reach.masked);
    const ways = masking ? { plain: none, masked: union(retained, hidden) } : { plain: retained, masked: hidden };
    columns.set(key, { ...reach, ...ways });
  }
  return { columns, reasons, fields: null };
}

/** A field of a value: it is read of each column that passes the value on. */
export function fieldWithin(value: Provenance, path: readonly string[]): Provenance {
  if (path.length === 0 || value.columns.size === 0) return value;
  const columns = [...value.columns].map(([key, reach]): [string, Reach] => {
    if (![...reach.plain, ...reach.masked].every(isDirect)) return [key, reach];
    const field = [...(reach.read.field === undefined ? [] : [reach.read.field]), ...path].join('.');
    return [[key, ...path].join('\0'), { ...reach, read: { ...reach.read, field } }];
  });
  return { ...value, columns: new Map(columns) };
}

/** The reasons of an operation's result. */
export function reasonsThrough(value: Provenance, subtype: Subtype, masking = false): Provenance['reasons'] {
  return mappedReasons(value.reasons, (option) => through(option, subtype, masking));
}

/** Whether two values consist of the same columns, however. */
export function sameColumns(a: Provenance, b: Provenance): boolean {
  return a.columns.size === b.columns.size && includesColumns(a, b);
}

export function includesColumns(whole: Provenance, part: Provenance): boolean {
  return [...part.columns.keys()].every((key) => whole.columns.has(key));
}

/** How much a provenance says: grows with every column, way and reason, so that a fixpoint can be seen. */
export function extentOf(value: Provenance): number {
  let extent = value.reasons.size;
  for (const { plain, masked } of value.columns.values()) extent += plain.size + masked.size;
  return extent;
}

export function readsOf(value: Provenance): readonly ColumnRead[] {
  return [...value.columns.values()].map((reach) => reach.read);
}

export function waysOf(value: Provenance): readonly TracedRead[] {
  return [...value.columns.values()].flatMap(({ read, plain, masked, expression }) => [
    ...[...plain].map((subtype) => ({ ...read, ...influenceOf(subtype, false), expression })),
    ...[...masked].map((subtype) => ({ ...read, ...influenceOf(subtype, true), expression })),
  ]);
}

/** A reason quotes names, and stands on every column that it holds for. */
const longestReason = 500;

export function reasonOf(value: Provenance): string | null {
  const texts = [...new Set([...value.reasons.values()].map(({ text }) => text))];
  return texts.length === 0 ? null : boundedReason(texts.sort().join('; '));
}

/** A reason as it is kept: a statement may name what it reads at any length. */
export const boundedReason = (text: string): string => storable(beginningOf(text, longestReason));

const strength: Readonly<Record<DirectSubtype, number>> = { IDENTITY: 0, TRANSFORMATION: 1, AGGREGATION: 2 };

function joined(known: Reach | undefined, more: Reach): Reach {
  if (known === undefined || known === more) return more;
  return {
    read: known.read,
    plain: union(known.plain, more.plain),
    masked: union(known.masked, more.masked),
    expression: known.expression ?? more.expression,
  };
}

/** An indirect step makes the whole way indirect; of direct steps the strongest counts. */
function composed(outer: Subtype, inner: ReadonlySet<Subtype>): ReadonlySet<Subtype> {
  if (inner.size === 0) return none;
  // What has come only by this way comes by it again.
  if (inner.size === 1 && inner.has(outer)) return inner;
  return new Set([...inner].map((before) => stronger(outer, before)));
}

function stronger(outer: Subtype, before: Subtype): Subtype {
  if (!isDirect(before)) return before;
  return isDirect(outer) && strength[before] > strength[outer] ? before : outer;
}

function union(a: ReadonlySet<Subtype>, b: ReadonlySet<Subtype>): ReadonlySet<Subtype> {
  return b.size === 0 ? a : a.size === 0 ? b : new Set([...a, ...b]);
}

function influenceOf(subtype: Subtype, masking: boolean): SourceInfluence {
  return isDirect(subtype) ? { type: 'DIRECT', subtype, masking } : { type: 'INDIRECT', subtype, masking };
}

const isDirect = (subtype: Subtype): subtype is DirectSubtype => subtype in strength;
