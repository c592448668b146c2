import type { FromSource } from './effect.ts';
import { foldedName, type NameRules } from './name-rules.ts';
import { type Analysis, type Merged, type NameScope, sourceNamed } from './name-scope.ts';
import { through } from './provenance.ts';
import { valueNamed } from './resolve-name.ts';
import { column, columnNamed, isOpenRow, openRow, renamedColumns, withoutColumns } from './row.ts';
import { listOf, nameOf, namesOf, recordsOf, type SyntaxFields, splitPath } from './syntax.ts';
import type { Provenance, RelationName, Row, SqlName } from './types.ts';

/** The columns that `*` or `t.*` represents, after its EXCEPT, REPLACE and RENAME. */
export function starRow(analysis: Analysis, star: SyntaxFields, scope: NameScope): Row {
  const { rules } = analysis;
  const qualifier = nameOf(star['table']);
  const names = namesOf(star, 'except').map(({ text, quoted }) => splitPath(text, quoted));
  const without: Exclude = (row, source) => withoutColumns(rules, row, excludedFrom(analysis, names, scope, source));
  const retained =
    qualifier === null ? everything(analysis, scope, without) : rowOf(analysis, qualifier, scope, without);
  analysis.spend(retained.length);
  return renamedColumns(rules, replaced(analysis, retained, star, scope), renamesOf(star));
}

/** The row without the columns that EXCEPT names; of no source if it is the row of a value. */
type Exclude = (row: Row, source: FromSource | null) => Row;

/** `* EXCLUDE (t.a)` names the column of one relation. */
function excludedFrom(
  { rules }: Analysis,
  names: readonly RelationName[],
  scope: NameScope,
  source: FromSource | null,
): readonly SqlName[] {
  return names.flatMap((path) => {
    const named = path.length > 1 ? sourceNamed(rules, scope, path.slice(0, -1)) : null;
    return named === null || named === source ? path.slice(-1) : [];
  });
}

function everything({ rules }: Analysis, { sources, merged }: NameScope, without: Exclude): Row {
  if (sources.length === 0) return openRow('`*` without a relation');
  const front = [...merged.values()].filter(
    (item) => item.first !== null && (rules.mergedColumnsFirst || isOpenRow(item.of[0]?.row ?? [])),
  );
  const inPlace = [...merged.values()].filter((item) => !front.includes(item));
  return sources.flatMap((source) => [
    ...front.flatMap(({ first, column }) => (first === source ? without([column], source) : [])),
    ...qualifiedRow(rules, without(rowBesideMerged(rules, source, front, inPlace), source), source, sources),
  ]);
}

/** A source's columns without those in front; of those in place the first source keeps the one column. */
function rowBesideMerged(
  rules: NameRules,
  source: FromSource,
  front: readonly Merged[],
  inPlace: readonly Merged[],
): Row {
  const mine = inPlace.filter((item) => item.of[0] === source);
  const removed = [...front, ...inPlace].filter((item) => item.of.includes(source) && !mine.includes(item));
  const names = removed.flatMap((item) => item.column.name ?? []);
  return withMerged(rules, withoutColumns(rules, source.row, names), mine);
}

/** The row, with the columns that a join has merged in place of those of the source. */
const withMerged = (rules: NameRules, row: Row, merged: readonly Merged[]): Row =>
  row.map((item) => {
    if (item.kind === 'rest' || item.name === null) return item;
    const folded = foldedName(rules, item.name);
    return merged.find(({ column: { name } }) => name !== null && foldedName(rules, name) === folded)?.column ?? item;
  });

function qualifiedRow(rules: NameRules, row: Row, source: FromSource, sources: readonly FromSource[]): Row {
  if (!rules.qualifiesNames || sources.length < 2) return row;
  return row.map((item) => {
    const name = item.kind === 'column' && item.name !== null ? qualifiedName(item.name, source, sources) : null;
    return name === null ? item : { ...item, name };
  });
}

/** The name of a column in ClickHouse (`qualifiesNames`); null if it stays as it is. */
export function qualifiedName(name: SqlName, source: FromSource, sources: readonly FromSource[]): SqlName | null {
  const isFirst = sources.length === 2 && sources[0] === source;
  const has = ({ row }: FromSource) => row.some((item) => item.kind === 'column' && item.name?.text === name.text);
  if (isFirst || source.alias === null || !sources.some((one) => one !== source && has(one))) return null;
  return joinedName([source.alias, name]);
}

const joinedName = (path: readonly SqlName[]): SqlName => ({
  text: path.map(({ text }) => text).join('.'),
  quoted: true,
});

/** The parser writes the qualifier of `s.t.*` as one name. */
function rowOf(analysis: Analysis, qualifier: SqlName, scope: NameScope, without: Exclude): Row {
  const path = splitPath(qualifier.text, qualifier.quoted);
  const { rules } = analysis;
  const source = sourceNamed(rules, scope, [qualifier]) ?? sourceNamed(rules, scope, path);
  if (source !== null) return rowOfSource(analysis, without(source.row, source), source, scope);
  const fields = without(structRow(valueNamed(analysis, path, scope)), null);
  return rules.qualifiesNames ? fields.map((item) => withPath(path, item)) : fields;
}

/** ClickHouse names a field with its path. */
const withPath = (path: readonly SqlName[], item: Row[number]): Row[number] =>
  item.kind === 'rest' || item.name === null ? item : column(joinedName([...path, item.name]), item.value);

/** In the standard a column of USING is the join's and of no relation; dialects give `t.*` the relation's own. */
function rowOfSource({ rules }: Analysis, row: Row, source: FromSource, { merged, sources }: NameScope): Row {
  const joint = [...merged.values()].filter((item) => item.of.includes(source));
  if (rules.ownMerged === 'joint') return withMerged(rules, row, joint);
  const names = rules.ownMerged === 'own' ? [] : joint.flatMap(({ column: { name } }) => name ?? []);
  const front = (rules.ownMerged === 'front' ? names : []).flatMap((name) => {
    const found = columnNamed(rules, row, name);
    return found === null ? [] : [column(name, found.value)];
  });
  return [...front, ...qualifiedRow(rules, withoutColumns(rules, row, names), source, sources)];
}

/** The fields of a struct, as in `t.address.*` or `f(x).*`. */
export function structRow(value: Provenance): Row {
  if (value.fields !== null) return value.fields;
  return openRow('the fields of a struct are not known', through(value, 'TRANSFORMATION'));
}

/** What is replaced keeps its place; among unknown columns its place is not known, so that it comes last. */
function replaced(analysis: Analysis, row: Row, star: SyntaxFields, scope: NameScope): Row {
  const { rules } = analysis;
  const replacements = new Map(
    recordsOf(star, 'replace').flatMap((replacement) => {
      const name = nameOf(replacement['alias']);
      if (name === null) return [];
      const value = analysis.expression(replacement['this'], scope);
      return [[foldedName(rules, name), column(name, value)] as const];
    }),
  );
  if (replacements.size === 0) return row;
  const placed = new Set<string>();
  const remaining = row.map((item) => {
    const folded = item.kind === 'column' && item.name !== null ? foldedName(rules, item.name) : null;
    const replacement = folded === null ? undefined : replacements.get(folded);
    if (folded === null || replacement === undefined) return item;
    placed.add(folded);
    return replacement;
  });
  const others = [...replacements].flatMap(([folded, item]) => (placed.has(folded) ? [] : [item]));
  const names = others.flatMap(({ name }) => name ?? []);
  return [...withoutColumns(rules, remaining, names), ...others];
}

function renamesOf(star: SyntaxFields): readonly (readonly [SqlName, SqlName])[] {
  return listOf(star['rename']).flatMap((pair) => {
    const [from, to] = listOf(pair).map(nameOf);
    return from && to ? [[lastPart(from), to] as const] : [];
  });
}

/** `* EXCLUDE (t.a)` names the column with its relation. */
const lastPart = ({ text, quoted }: SqlName): SqlName => ({ text: text.split('.').at(-1) ?? text, quoted });
