import type { ColumnRead, ColumnSource, DirectSubtype, IndirectSubtype, RelationName } from './types.ts';

type Subtype = DirectSubtype | IndirectSubtype;

/** The ways in which one column reaches a value; `masked` are those that do not let the value itself be seen. */
type Reach = {
  readonly read: ColumnRead;
  readonly plain: ReadonlySet<Subtype>;
  readonly masked: ReadonlySet<Subtype>;
};

/** What a value is made of: the columns that reach it and how, and the reasons why there may be more. */
export type Provenance = {
  readonly columns: ReadonlyMap<string, Reach>;
  readonly reasons: ReadonlySet<string>;
};

const none: ReadonlySet<Subtype> = new Set();

export const nothing: Provenance = { columns: new Map(), reasons: new Set() };

export function fromColumn(relation: RelationName, column: string): Provenance {
  const key = JSON.stringify([relation.map((part) => part.text), column]);
  const reach: Reach = { read: { relation, column }, plain: new Set<Subtype>(['IDENTITY']), masked: none };
  return { columns: new Map([[key, reach]]), reasons: new Set() };
}

export function unknown(reason: string): Provenance {
  return { columns: new Map(), reasons: new Set([reason]) };
}

export function merge(parts: readonly Provenance[]): Provenance {
  const some = parts.filter((part) => part.columns.size > 0 || part.reasons.size > 0);
  const [only] = some;
  if (only === undefined) return nothing;
  if (some.length === 1) return only;
  const columns = new Map<string, Reach>();
  for (const part of some) for (const [key, reach] of part.columns) columns.set(key, joined(columns.get(key), reach));
  return { columns, reasons: new Set(some.flatMap((part) => [...part.reasons])) };
}

/** The provenance of what an operation makes of a value. */
export function through(value: Provenance, subtype: Subtype, masking = false): Provenance {
  if (value.columns.size === 0) return value;
  const columns = new Map<string, Reach>();
  for (const [key, { read, plain, masked }] of value.columns) {
    const kept = composed(subtype, plain);
    const hidden = composed(subtype, masked);
    columns.set(
      key,
      masking ? { read, plain: none, masked: union(kept, hidden) } : { read, plain: kept, masked: hidden },
    );
  }
  return { columns, reasons: value.reasons };
}

/** Whether two values are made of the same columns, however. */
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

export function sourcesOf(value: Provenance): readonly ColumnSource[] {
  return [...value.columns.values()].flatMap(({ read, plain, masked }) => [
    ...[...plain].map((subtype) => sourceOf(read, subtype, false)),
    ...[...masked].map((subtype) => sourceOf(read, subtype, true)),
  ]);
}

export function reasonOf(value: Provenance): string | null {
  return value.reasons.size === 0 ? null : [...value.reasons].sort().join('; ');
}

const strength: Readonly<Record<DirectSubtype, number>> = { IDENTITY: 0, TRANSFORMATION: 1, AGGREGATION: 2 };

function joined(known: Reach | undefined, more: Reach): Reach {
  if (known === undefined || known === more) return more;
  return { read: known.read, plain: union(known.plain, more.plain), masked: union(known.masked, more.masked) };
}

/** An indirect step makes the whole way indirect; of direct steps the strongest counts. */
function composed(outer: Subtype, inner: ReadonlySet<Subtype>): ReadonlySet<Subtype> {
  if (inner.size === 0) return none;
  return new Set(
    [...inner].map((before) => {
      if (!isDirect(before)) return before;
      return isDirect(outer) && strength[before] > strength[outer] ? before : outer;
    }),
  );
}

function union(a: ReadonlySet<Subtype>, b: ReadonlySet<Subtype>): ReadonlySet<Subtype> {
  return b.size === 0 ? a : a.size === 0 ? b : new Set([...a, ...b]);
}

function sourceOf(read: ColumnRead, subtype: Subtype, masking: boolean): ColumnSource {
  return isDirect(subtype)
    ? { ...read, type: 'DIRECT', subtype, masking }
    : { ...read, type: 'INDIRECT', subtype, masking };
}

function isDirect(subtype: Subtype): subtype is DirectSubtype {
  return subtype in strength;
}
