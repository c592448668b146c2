import type { FromSource } from './effect.ts';
import { foldedName } from './name-rules.ts';
import type { Analysis, Merged, NameScope } from './name-scope.ts';
import { merge, unknown } from './provenance.ts';
import { columnInSources } from './resolve-name.ts';
import { column, columnNamed, columnsNamed, isOpenRow } from './row.ts';
import { throughWithFields } from './struct.ts';
import {
  childOf,
  childrenOf,
  fieldsOf,
  nameOf,
  namesOf,
  recordsOf,
  type Syntax,
  type SyntaxFields,
  textOf,
} from './syntax.ts';
import type { SqlName } from './types.ts';

/** A scope, and where in its sources the present chain of joins begins: a comma begins another. */
type Chain = { readonly scope: NameScope; readonly start: number };

/** The scope of FROM and its joins; what they compare affects every row. */
export function fromScope(analysis: Analysis, fields: SyntaxFields, scope: NameScope): NameScope {
  const items = childrenOf(fieldsOf(fields['from']) ?? {}, 'expressions');
  const listed = items.map(({ kind, fields: own }) => ({ kind: 'Implicit', this: { [kind]: own } }));
  return joinedScope(analysis, [...listed, ...recordsOf(fields, 'joins')], scope);
}

/** The scope after joins. The sources that it has before are the left side of the first join. */
export function joinedScope(analysis: Analysis, joins: readonly SyntaxFields[], scope: NameScope): NameScope {
  return nested(joins).reduce(
    (chain: Chain, join) => {
      const isNext = join['kind'] === 'Implicit' && !analysis.rules.commaJoins;
      const start = isNext ? chain.scope.sources.length : chain.start;
      return { scope: joinedWith(analysis, join, { scope: chain.scope, start }), start };
    },
    { scope, start: 0 },
  ).scope;
}

/** `a JOIN b JOIN c ON … ON …` joins `a` with the join of `b` and `c`. The parser lists all in order, and marks that `b` waits for its condition. */
function nested(joins: readonly SyntaxFields[]): readonly SyntaxFields[] {
  const place = joins.findIndex((join) => join['deferred_condition'] === true);
  const outer = joins[place];
  if (outer === undefined) return joins;
  const after = joins.slice(place + 1);
  const end = after.findIndex((join) => join['nesting_group'] !== outer['nesting_group']);
  const inner = end < 0 ? after : after.slice(0, end);
  const item = { joined_table: { left: outer['this'], joins: inner } };
  return [...joins.slice(0, place), { ...outer, this: item }, ...nested(after.slice(inner.length))];
}

function joinedWith(analysis: Analysis, join: SyntaxFields, { scope, start }: Chain): NameScope {
  const item = childOf(join, 'this');
  const kind = textOf(join, 'kind') ?? '';
  if (item === null) return scope;
  if (kind === 'Array' || kind === 'LeftArray') return withArrays(analysis, item, scope);
  // Scopes are copied, and names are looked for in every source.
  analysis.spend(scope.sources.length + scope.merged.size);
  const both = analysis.source(pivotsWithin(item, join), scope);
  const added: Side = {
    sources: both.sources.slice(scope.sources.length),
    merged: new Map([...both.merged].filter(([name, one]) => scope.merged.get(name) !== one)),
  };
  const left = leftSide(scope, start);
  const using = namesOf(join, 'using');
  const isNatural = kind.startsWith('Natural');
  // MySQL reads a RIGHT JOIN that merges columns as a LEFT JOIN from the other side.
  const isSwapped = analysis.rules.swapsRightJoin && kind.includes('Right') && (isNatural || using.length > 0);
  const [first, second] = isSwapped ? [added, left] : [left, added];
  const shared = isNatural ? commonNames(analysis, first, second) : orderedNames(analysis, using, first);
  const merged = shared.map((name) => mergedColumn(analysis, name, first, second));
  for (const item of merged) analysis.recordIndirect(item.column.value, 'JOIN');
  const entries = new Map(merged.flatMap((one) => entryOf(analysis, one)));
  // `*` gives the columns of the last join first.
  const sources = isSwapped ? [...scope.sources.slice(0, start), ...first.sources, ...left.sources] : both.sources;
  const joined = {
    ...both,
    sources,
    merged: new Map([...entries, ...[...both.merged].filter(([name]) => !entries.has(name))]),
  };
  analysis.recordIndirect(analysis.expression(join['on'], joined), 'JOIN');
  analysis.recordIndirect(analysis.expression(join['match_condition'], joined), 'JOIN');
  // A semi join only filters: what it reads is out of sight afterwards.
  return /Semi|Anti/.test(kind) ? { ...scope } : joined;
}

/** `JOIN t PIVOT (…)` hangs the pivot on the join. */
function pivotsWithin(item: Syntax, join: SyntaxFields): Syntax {
  return childrenOf(join, 'pivots').reduce(
    (inner: Syntax, { kind, fields }) => ({ kind, fields: { ...fields, this: { [inner.kind]: inner.fields } } }),
    item,
  );
}

/** ClickHouse's ARRAY JOIN joins each element to its row. `*` gives it in place of the array, and not if it has an alias. */
function withArrays(analysis: Analysis, item: Syntax, scope: NameScope): NameScope {
  const arrays = item.kind === 'tuple' ? childrenOf(item.fields, 'expressions') : [item];
  const parameters = new Map(scope.parameters);
  const merged = new Map(scope.merged);
  for (const array of arrays) {
    const elements = analysis.expression({ [array.kind]: array.fields }, scope);
    analysis.recordIndirect(elements, 'JOIN');
    const value = throughWithFields(elements, 'TRANSFORMATION');
    const alias = nameOf(array.fields['alias']);
    const name = alias ?? nameOf(array.fields['name']);
    if (name === null) continue;
    const of = alias === null ? holders(analysis, name, scope.sources) : [];
    const folded = foldedName(analysis.rules, name);
    if (of.length > 0) merged.set(folded, { column: column(name, value), of, first: null });
    else parameters.set(folded, value);
  }
  return { ...scope, parameters, merged };
}

type Side = Pick<NameScope, 'sources' | 'merged'>;

function leftSide({ sources, merged }: NameScope, start: number): Side {
  if (start === 0) return { sources, merged };
  const own = sources.slice(start);
  return { sources: own, merged: new Map([...merged].filter(([, { of }]) => of.every((one) => own.includes(one)))) };
}

/** One column of the same name on both sides, as USING makes it. */
function mergedColumn(analysis: Analysis, name: SqlName, left: Side, right: Side): Merged {
  const sides = [left, right].map((side) => sideColumn(analysis, name, side));
  const value = merge(sides.map((side) => side.value));
  return { column: column(name, value), of: sides.flatMap(({ of }) => of), first: left.sources[0] ?? null };
}

function sideColumn(analysis: Analysis, name: SqlName, { sources, merged }: Side) {
  analysis.spend(sources.length);
  const before = merged.get(foldedName(analysis.rules, name));
  if (before !== undefined) return { value: before.column.value, of: before.of };
  const missing = unknown(`a relation has no column ${name.text} to join by`);
  const value = columnInSources(analysis, name, sources)?.value ?? missing;
  return { value, of: holders(analysis, name, sources) };
}

/** The sources that have a column for certain, else those that may have it. */
function holders({ rules }: Analysis, name: SqlName, sources: readonly FromSource[]): readonly FromSource[] {
  const found = sources.map((source) => ({ source, match: columnNamed(rules, source.row, name) }));
  const certain = found.filter(({ match }) => match?.certainty === 'has');
  return (certain.length > 0 ? certain : found.filter(({ match }) => match !== null)).map(({ source }) => source);
}

/** Columns that both sides are known to have; what a natural join compares is not known of unknown columns. */
function commonNames(analysis: Analysis, first: Side, second: Side): readonly SqlName[] {
  const sides = [first, second].map(({ sources }) => sources);
  if (sides.flat().some(({ row }) => isOpenRow(row)))
    analysis.recordIndirect(unknown('a natural join of relations with unknown columns'), 'JOIN');
  return namesOfSide(analysis, first).filter((name) => {
    analysis.spend(second.sources.length);
    return second.sources.some((source) => columnNamed(analysis.rules, source.row, name)?.certainty === 'has');
  });
}

/** MySQL gives the columns of USING in the order of the first side. */
function orderedNames(analysis: Analysis, using: readonly SqlName[], first: Side): readonly SqlName[] {
  if (!analysis.rules.swapsRightJoin || using.length < 2) return using;
  const places = namesOfSide(analysis, first).map((name) => foldedName(analysis.rules, name));
  return using.toSorted(
    (a, b) => places.indexOf(foldedName(analysis.rules, a)) - places.indexOf(foldedName(analysis.rules, b)),
  );
}

/** The names of a side's known columns in the order of its `*`. */
function namesOfSide({ rules }: Analysis, { sources, merged }: Side): readonly SqlName[] {
  const columns = [
    ...[...merged.values()].map((one) => one.column),
    ...sources.flatMap(({ row }) => columnsNamed(row)),
  ];
  const names = columns.flatMap(({ name }) => (name === null ? [] : [[foldedName(rules, name), name] as const]));
  return [...new Map(names).values()];
}

function entryOf({ rules }: Analysis, merged: Merged): readonly (readonly [string, Merged])[] {
  return merged.column.name === null ? [] : [[foldedName(rules, merged.column.name), merged]];
}
