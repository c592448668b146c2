import type { FromSource } from './effect.ts';
import { foldedName, partsOf } from './name-rules.ts';
import {
  type Analysis,
  copyingSteps,
  isPseudoColumn,
  isValue,
  type NameScope,
  scopesFrom,
  sourceNamed,
} from './name-scope.ts';
import { includesColumns, nothing, oneOf, sameColumns, through, unknown, withFields } from './provenance.ts';
import { column, columnAt, columnNamed, columnsNamed, type Match, oneOfRelations, wholeOf } from './row.ts';
import { fieldOf } from './struct.ts';
import type { Provenance, Row, SqlName } from './types.ts';

/** A column, a qualified column, a field, an alias or a whole row. What could be two things is unknown. */
export function valueNamed(analysis: Analysis, written: readonly SqlName[], scope: NameScope): Provenance {
  const path = partsOf(analysis.rules, written);
  const [first, ...fields] = path;
  if (first === undefined) return unknown('a name without parts');
  for (const { sources } of scopesFrom(scope)) analysis.spend(copyingSteps(sources));
  for (let parts = Math.min(fields.length, 4); parts > 0; parts--) {
    const found = qualifiedValue(analysis, path, parts, scope);
    if (found !== null) return found;
  }
  const value = unqualifiedValue(analysis, first, scope);
  if (value !== null) return fieldWithin(analysis, value, fields);
  if ([first, path.at(-1)].some((name) => isPseudoColumn(analysis.dialect, name))) return nothing;
  if (fields.length === 0 && isOnlyVariable(scope)) return nothing;
  if (fields.length === 0) return unknown(`no relation in scope has a column ${first.text}`);
  return unknown(`${first.text} names no relation in scope`);
}

/** Whether a name is not within a query of relations, along a body whose variables need not be declared in it. */
function isOnlyVariable(scope: NameScope): boolean {
  const scopes = [...scopesFrom(scope)];
  return scopes.some(({ isBody }) => isBody) && scopes.every(({ sources, isBody }) => isBody || sources.length === 0);
}

function fieldWithin({ rules }: Analysis, value: Provenance, path: readonly SqlName[]): Provenance {
  return path.reduce((current, name) => fieldOf(rules, current, name), value);
}

/** Whether a name is that of a column, or begins with one, that is there whatever unknown columns there are. */
export function isCertain(analysis: Analysis, [first, second]: readonly SqlName[], scope: NameScope): boolean {
  const sources = [...scopesFrom(scope)].flatMap((at) => at.sources);
  if (first === undefined) return false;
  if (columnInSources(analysis, first, sources)?.certainty === 'has') return true;
  return second !== undefined && sourceNamed(analysis.rules, scope, [first]) !== null;
}

/** Whether an unqualified name has a meaning in scope: for certain, only if a relation has unknown columns, or not at all. */
export function presenceOf(analysis: Analysis, name: SqlName, scope: NameScope): 'has' | 'may' | 'no' {
  const found = [...scopesFrom(scope)].flatMap((at) => valueInScope(analysis, name, at) ?? []);
  if (found.some(({ certainty }) => certainty === 'has')) return 'has';
  return found.length > 0 ? 'may' : 'no';
}

/** `parts` of the path are the qualifier. */
function qualifiedValue(
  analysis: Analysis,
  path: readonly SqlName[],
  parts: number,
  scope: NameScope,
): Provenance | null {
  const qualifier = path.slice(0, parts);
  const [name, ...fields] = path.slice(parts);
  const { rules } = analysis;
  const source = sourceNamed(rules, scope, qualifier);
  if (source === null || name === undefined) return null;
  const place = name.quoted ? undefined : /^\$(\d{1,4})$/.exec(name.text)?.[1];
  const match = place === undefined ? columnNamed(rules, source.row, name) : columnAt(source.row, Number(place));
  const value = match?.value ?? nestedValue(analysis, name, { sources: [source] }) ?? source.element;
  if (value === null && isPseudoColumn(analysis.dialect, name)) return nothing;
  if (value === null) return unknown(`${qualifier.at(-1)?.text ?? ''} has no column ${name.text}`);
  return fieldWithin(analysis, value, fields);
}

function unqualifiedValue(analysis: Analysis, name: SqlName, scope: NameScope): Provenance | null {
  let fieldOfInner: Provenance | null = null;
  let isNameless = false;
  for (const at of scopesFrom(scope)) {
    const found = valueInScope(analysis, name, at);
    if (found === null) continue;
    if (found.certainty === 'field') {
      isNameless ||= fieldOfInner === null && at.sources.every(({ alias }) => alias === null);
      fieldOfInner ??= found.value;
      continue;
    }
    // The fields of an element without a name can only be meant by bare names.
    if (fieldOfInner !== null && isNameless && found.certainty === 'may') return fieldOfInner;
    if (fieldOfInner !== null) return unknown(`${name.text} may be a field of a table function or an outer column`);
    const variable = found.certainty === 'may' ? variableNamed(analysis, name, at) : null;
    if (variable === null) return found.value;
    // PL/pgSQL refuses a name that is both.
    if (analysis.dialect === 'postgres' || analysis.dialect === 'redshift') return variable;
    return unknown(`${name.text} is a variable, or a column of a relation with unknown columns`);
  }
  return fieldOfInner;
}

/** The value of a parameter or declared variable that a scope names so; null if none does. */
export function variableNamed({ rules }: Analysis, name: SqlName, scope: NameScope): Provenance | null {
  const folded = foldedName(rules, name);
  for (const { parameters } of scopesFrom(scope)) {
    const value = parameters.get(folded);
    if (value !== undefined) return value;
  }
  return null;
}

function valueInScope(analysis: Analysis, name: SqlName, scope: NameScope): Match | null {
  const { rules } = analysis;
  const folded = foldedName(rules, name);
  const parameter = scope.parameters.get(folded);
  if (parameter !== undefined) return { value: parameter, certainty: 'has' };
  const alias = scope.aliases.get(folded);
  if (alias !== undefined && (scope.aliasUse === 'first' || scope.aliasUse === 'outsideAggregates'))
    return { value: alias, certainty: 'has' };
  const own = scope.ownValues?.has(folded) ? namedValue(analysis, folded, scope) : null;
  if (own !== null) return { value: own, certainty: 'has' };
  const merged = scope.merged.get(folded);
  if (merged !== undefined) return { value: merged.column.value, certainty: 'has' };
  const column = columnInSources(analysis, name, scope.sources);
  if (alias !== undefined) return aliasOrColumn(name, alias, column, scope.aliasUse);
  if (column === null) return rowOrNamedValue(analysis, name, scope);
  if (column.certainty === 'may' && !scope.ownValues?.has(folded) && isValue(scope.ctes.get(folded)))
    return {
      value: unknown(`${name.text} is in WITH, or a column of a relation with unknown columns`),
      certainty: 'may',
    };
  const row = column.certainty === 'may' && rules.rowValues ? sourceCalled(analysis, name, scope.sources) : undefined;
  if (row === undefined) return column;
  const reason = `${name.text} is a row, or a column of a relation with unknown columns`;
  return { value: row.element ? oneOf(reason, [row.element, column.value]) : unknown(reason), certainty: 'may' };
}

function sourceCalled({ rules }: Analysis, name: SqlName, sources: readonly FromSource[]): FromSource | undefined {
  const folded = foldedName(rules, name);
  return sources.find(({ alias }) => alias !== null && foldedName(rules, alias) === folded);
}

/** The one source that has the column for certain, else the one that may have it: a valid statement is not ambiguous. */
export function columnInSources(analysis: Analysis, name: SqlName, sources: readonly FromSource[]): Match | null {
  const { rules, dialect } = analysis;
  analysis.spend(sources.length);
  const matches = sources.flatMap(({ row }) => columnNamed(rules, row, name) ?? []);
  const certain = matches.filter((match) => match.certainty === 'has');
  const possible = matches.filter((match) => match.certainty === 'may');
  const fields = matches.filter((match) => match.certainty === 'field');
  // ClickHouse's setting `single_join_prefer_left_table`, which is on.
  if (dialect === 'clickhouse' && sources.length === 2 && certain.length === 2) return certain[0] ?? null;
  if (certain.length > 0) return single(certain, `column ${name.text} is of several relations`);
  if (possible.length > 0 && fields.length > 0 && dialect === 'bigquery')
    return { value: unknown(`${name.text} may be a column or a field of an unnested element`), certainty: 'may' };
  if (possible.length > 0) return { value: oneOfRelations(name, possible), certainty: 'may' };
  return fields.length > 0 ? single(fields, `${name.text} may be a field of several values`) : null;
}

function single(matches: readonly Match[], reason: string): Match | null {
  const [first] = matches;
  if (first === undefined) return null;
  return matches.length === 1 ? first : { value: unknown(reason), certainty: first.certainty };
}

function aliasOrColumn(
  name: SqlName,
  alias: Provenance,
  column: Match | null,
  use: NameScope['aliasUse'],
): Match | null {
  const asAlias: Match = { value: alias, certainty: 'has' };
  if (use === 'never') return column;
  if (column === null || column.certainty === 'field') return asAlias;
  if (column.certainty === 'has' || use === 'guess') return column;
  // An alias that uses a column of the same name shows that the source has such a column, which then wins.
  if (column.value.columns.size > 0 && includesColumns(alias, column.value)) return column;
  if (sameColumns(alias, column.value)) return asAlias;
  const reason = `${name.text} is an alias, or a column of a relation with unknown columns`;
  return { value: unknown(reason), certainty: 'may' };
}

const rowValue = (row: Row): Provenance => withFields(through(wholeOf(row), 'TRANSFORMATION'), row);

/** A relation's name used as a value is its row; ClickHouse also names values in WITH. */
function rowOrNamedValue(analysis: Analysis, name: SqlName, scope: NameScope): Match | null {
  const { rules } = analysis;
  const folded = foldedName(rules, name);
  const source = sourceCalled(analysis, name, scope.sources);
  if (source !== undefined) return { value: source.element ?? rowValue(source.row), certainty: 'has' };
  const value = namedValue(analysis, folded, scope) ?? nestedValue(analysis, name, scope);
  return value === null ? null : { value, certainty: 'has' };
}

/** ClickHouse's `Nested`: `n` is what the columns `n.a` and `n.b` hold. */
function nestedValue(
  { dialect }: Analysis,
  { text }: SqlName,
  { sources }: Pick<NameScope, 'sources'>,
): Provenance | null {
  const columns = dialect === 'clickhouse' ? sources.flatMap(({ row }) => columnsNamed(row)) : [];
  const fields = columns.flatMap(({ name, value }) =>
    name?.text.startsWith(`${text}.`) ? [column({ ...name, text: name.text.slice(text.length + 1) }, value)] : [],
  );
  return fields.length === 0 ? null : rowValue(fields);
}

function namedValue(analysis: Analysis, folded: string, scope: NameScope): Provenance | null {
  const named = scope.ctes.get(folded);
  return named?.valueIn?.(analysis, scope) ?? named?.value ?? null;
}
