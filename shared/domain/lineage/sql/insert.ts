import type { SqlDialect } from './dialect.ts';
import { derivedSource, type Effect } from './effect.ts';
import { fromScope } from './join.ts';
import { type Analysis, type NameScope, scopeWithin } from './name-scope.ts';
import { merge } from './provenance.ts';
import {
  column,
  isOpenRow,
  mergedByName,
  openRest,
  openRow,
  relabelled,
  relationRow,
  shapeOfPlaces,
  withoutColumns,
} from './row.ts';
import {
  childOf,
  childrenOf,
  fieldsOf,
  listOf,
  nameOf,
  namesOf,
  recordsOf,
  type Syntax,
  type SyntaxFields,
  syntaxOf,
  tableNameOf,
  textOf,
  unquoted,
} from './syntax.ts';
import { tableSource, withClause } from './table-source.ts';
import type { RelationName, Row, SqlName } from './types.ts';
import { assignedValue } from './update.ts';

export function insertEffect(
  analysis: Analysis,
  fields: SyntaxFields,
  scope: NameScope,
  source: Row | null = null,
): Effect {
  const path = tableNameOf(fieldsOf(fields['table']) ?? {});
  const target = path.length > 0 ? path : null;
  const provided = givenRow(analysis, fields, scope, source);
  const row = namedRow(analysis, fields, target, provided);
  return {
    kind: fields['overwrite'] === true ? 'insert_overwrite' : 'insert',
    target,
    row: target === null ? row : withConflicts(analysis, fields, { target, row }, scope),
  };
}

/** `source` is the row of the enclosing query, for an INSERT without a query. */
function givenRow(analysis: Analysis, fields: SyntaxFields, scope: NameScope, source: Row | null = null): Row {
  const query = childOf(fields, 'query');
  if (query?.kind === 'execute') return procedureRow(analysis, query.fields);
  // MySQL's `REPLACE INTO t SET a = x`; the parser gives that of INSERT as values.
  if (query?.kind === 'set_statement') return setRow(analysis, query.fields, scope);
  if (query !== null) return analysis.query(query, scope);
  const whole = childOf(fields, 'source');
  if (whole?.kind === 'table') return tableSource(analysis, whole.fields, scope).row;
  const rows = listOf(fields['values']).map(listOf);
  const [first] = rows;
  if (first === undefined) return source ?? openRow('the statement has no query');
  return first.map((_, place) => column(null, merge(rows.map((row) => assignedValue(analysis, row[place], scope)))));
}

function setRow(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Row {
  return recordsOf(fields, 'items').map((item) =>
    column(nameOf(item['name']), assignedValue(analysis, item['value'], scope)),
  );
}

/** Its name is no relation. */
function procedureRow(analysis: Analysis, fields: SyntaxFields): Row {
  analysis.visit(childOf(fields, 'this')?.fields ?? {});
  return openRow('what a procedure gives is not known');
}

/** The row under the columns that the statement lists, else those of the target by place; open while they are not known. */
function namedRow(analysis: Analysis, fields: SyntaxFields, target: RelationName | null, provided: Row): Row {
  const listed = namesOf(fields, 'columns');
  const isByName = fields['by_name'] === true || childOf(fields, 'query')?.kind === 'set_statement';
  if (listed.length > 0 || isByName || target === null) return relabelled(provided, listed);
  const names = isOpenRow(provided) ? null : namesByPlace(analysis, fields, target, provided.length);
  if (names !== null) return relabelled(provided, names);
  const named = withoutColumns(analysis.rules, relationRow(analysis, target), staticPartition(fields));
  return [{ ...openRest(unknownTarget), shape: shapeOfPlaces([named, provided]), of: provided }];
}

/** The columns of a partition whose values the statement says, so that the query does not give them. */
const staticPartition = (fields: SyntaxFields): readonly SqlName[] =>
  listOf(fields['partition']).flatMap((item) => {
    const [name, value] = listOf(item);
    return value === null ? [] : (nameOf(name) ?? []);
  });

/** The names of the query are not those of the target. */
const unknownTarget = 'insert_into_unknown_columns';

/** Null where the list is not known whole, or the dialect would not take a row of this length. */
function namesByPlace(
  { columnsOf, dialect }: Analysis,
  fields: SyntaxFields,
  target: RelationName,
  length: number,
): readonly SqlName[] | null {
  const known = columnsOf(target);
  if (known?.complete !== true) return null;
  const partition = listOf(fields['partition']).map(listOf);
  const ofPartition = new Set(partition.map(([name]) => nameOf(name)?.text.toLowerCase()));
  const dynamic = partition.flatMap(([name, value]) => (value === null ? (nameOf(name) ?? []) : []));
  const others = (known.insertable ?? known.names).filter((name) => !ofPartition.has(name.toLowerCase()));
  const names = [...others.map(unquoted), ...dynamic];
  if (names.length === length) return names;
  return names.length > length && takesFewer.has(dialect) ? names.slice(0, length) : null;
}

/** The columns behind those that are given get their defaults. */
const takesFewer: ReadonlySet<SqlDialect> = new Set(['databricks', 'postgres', 'redshift']);

/** `ON CONFLICT … DO UPDATE` and `ON DUPLICATE KEY UPDATE` write more: from the row that was refused, or from the old one. */
type Inserted = { readonly target: RelationName; readonly row: Row };

function withConflicts(analysis: Analysis, fields: SyntaxFields, { target, row }: Inserted, scope: NameScope): Row {
  const refused = derivedSource(nameOf(fields['source_alias']) ?? unquoted('excluded'), row);
  const alias = nameOf(fields['alias']) ?? target.at(-1) ?? null;
  const old = { alias, relation: target, row: relationRow(analysis, target), element: null };
  const conflict = fieldsOf(fieldsOf(fields['on_conflict'])?.['on_conflict']);
  const beside = scopeOfQuery(analysis, conflict?.['duplicate'] ? childOf(fields, 'query') : null, scope);
  // A bare name is a column of the old row: those of the refused row are qualified.
  const outer = { ...scopeWithin(scope, scope.ctes), sources: [refused] };
  const within = { ...beside, sources: [old, ...beside.sources], outer };
  // As in a MERGE, both rows' keys decide which row is written.
  for (const one of [refused, old])
    for (const part of ['conflict_keys', 'index_predicate'])
      analysis.recordIndirect(analysis.expression(conflict?.[part], { ...within, sources: [one] }), 'JOIN');
  analysis.recordIndirect(analysis.expression(conflict?.['where_'], within), 'FILTER');
  const assigned = assignmentsIn(fields['on_conflict']).map(({ name, value }) =>
    column(name, assignedValue(analysis, withRefusedRow(value), within)),
  );
  return mergedByName(analysis.rules, [row, assigned]);
}

/** MySQL's ON DUPLICATE KEY UPDATE also names the relations of the query. */
function scopeOfQuery(analysis: Analysis, query: Syntax | null, scope: NameScope): NameScope {
  if (query?.kind !== 'select') return scopeWithin(scope, scope.ctes);
  const start = withClause(analysis, query.fields['with'], scopeWithin(scope, scope.ctes));
  return fromScope(analysis, query.fields, start);
}

/** MySQL's `VALUES(a)` in the form of `excluded.a`. */
function withRefusedRow(value: unknown): unknown {
  const node = syntaxOf(value);
  const [argument] = node?.kind === 'function' ? childrenOf(node.fields, 'args') : [];
  if (textOf(node?.fields ?? {}, 'name')?.toLowerCase() === 'values' && argument !== undefined)
    return { [argument.kind]: { ...argument.fields, table: { name: 'excluded' } } };
  // Without VALUES, return the same object: visited queries are recognized by identity.
  if (Array.isArray(value)) {
    const items = value.map(withRefusedRow);
    return items.every((item, place) => item === value[place]) ? value : items;
  }
  const fields = fieldsOf(value);
  if (fields === null) return value;
  const parts = Object.entries(fields).map(([key, part]) => [key, withRefusedRow(part)] as const);
  return parts.every(([key, part]) => part === fields[key]) ? value : Object.fromEntries(parts);
}

function assignmentsIn(value: unknown): readonly { readonly name: SqlName; readonly value: unknown }[] {
  const conflict = fieldsOf(fieldsOf(value)?.['on_conflict']) ?? {};
  const assignments = childrenOf(childOf(conflict, 'action')?.fields ?? conflict, 'expressions');
  return assignments.flatMap(({ kind, fields }) => {
    const name = kind === 'eq' ? nameOf(fields['left']) : null;
    return name === null ? [] : [{ name, value: fields['right'] }];
  });
}
