import type { FromSource } from './effect.ts';
import { elementSource } from './function-source.ts';
import { foldedName } from './name-rules.ts';
import type { Analysis, Merged, NameScope } from './name-scope.ts';
import { merge, unknown } from './provenance.ts';
import { columnInSources } from './resolve-name.ts';
import { column, columnNamed, columnsNamed, isOpenRow } from './row.ts';
import { throughWithFields } from './struct.ts';
import { childOf, childrenOf, nameOf, namesOf, type Syntax, type SyntaxFields, textOf } from './syntax.ts';
import type { SqlName } from './types.ts';

/** The scope after a chain of joins; what they compare affects every row. */
export function joinedScope(analysis: Analysis, joins: readonly SyntaxFields[], scope: NameScope): NameScope {
  return joins.reduce((current: NameScope, join) => joinedWith(analysis, join, current), scope);
}

function joinedWith(analysis: Analysis, join: SyntaxFields, scope: NameScope): NameScope {
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
  const shared = kind.startsWith('Natural') ? commonNames(analysis, scope, added.sources) : namesOf(join, 'using');
  const merged = shared.map((name) => mergedColumn(analysis, name, scope, added));
  for (const item of merged) analysis.recordIndirect(item.column.value, 'JOIN');
  const joined = { ...both, merged: new Map([...both.merged, ...merged.flatMap((one) => entryOf(analysis, one))]) };
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

/** ClickHouse's ARRAY JOIN joins each element to its row. */
function withArrays(analysis: Analysis, item: Syntax, scope: NameScope): NameScope {
  const arrays = item.kind === 'tuple' ? childrenOf(item.fields, 'expressions') : [item];
  const added = arrays.map((array) => {
    const alias = nameOf(array.fields['alias']) ?? nameOf(array.fields['name']);
    const elements = analysis.expression({ [array.kind]: array.fields }, scope);
    analysis.recordIndirect(elements, 'JOIN');
    const value = throughWithFields(elements, 'TRANSFORMATION');
    const source = elementSource(value, alias, alias === null ? [] : [alias]);
    return { source, entry: entryOf(analysis, { column: column(alias, value), of: [source] }) };
  });
  return {
    ...scope,
    sources: [...scope.sources, ...added.map(({ source }) => source)],
    merged: new Map([...scope.merged, ...added.flatMap(({ entry }) => entry)]),
  };
}

type Side = Pick<NameScope, 'sources' | 'merged'>;

/** One column of the same name on both sides, as USING makes it. */
function mergedColumn(analysis: Analysis, name: SqlName, left: Side, right: Side): Merged {
  const sides = [left, right].map((side) => sideColumn(analysis, name, side));
  return { column: column(name, merge(sides.map(({ value }) => value))), of: sides.flatMap(({ of }) => of) };
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
function commonNames(analysis: Analysis, left: NameScope, right: readonly FromSource[]): readonly SqlName[] {
  const { rules } = analysis;
  if ([...left.sources, ...right].some(({ row }) => isOpenRow(row)))
    analysis.recordIndirect(unknown('a natural join of relations with unknown columns'), 'JOIN');
  return right.flatMap(({ row }) =>
    columnsNamed(row).flatMap(({ name }) => {
      if (name === null) return [];
      analysis.spend(left.sources.length);
      const known = left.sources.some((source) => columnNamed(rules, source.row, name)?.certainty === 'has');
      return known ? [name] : [];
    }),
  );
}

function entryOf({ rules }: Analysis, merged: Merged): readonly (readonly [string, Merged])[] {
  return merged.column.name === null ? [] : [[foldedName(rules, merged.column.name), merged]];
}
