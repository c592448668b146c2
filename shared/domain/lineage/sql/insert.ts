import type { Effect, FromSource } from './effect.ts';
import { type Analysis, type NameScope, scopeWithin } from './name-scope.ts';
import { merge, unknown } from './provenance.ts';
import { column, isOpenRow, mergedByName, openRow, relabelled, relationRow } from './row.ts';
import {
  childOf,
  childrenOf,
  fieldsOf,
  listOf,
  nameOf,
  namesOf,
  type SyntaxFields,
  syntaxOf,
  tableNameOf,
  textOf,
} from './syntax.ts';
import { tableSource } from './table-source.ts';
import type { RelationName, SqlName } from './types.ts';
import type { Row } from './values.ts';

export function insertEffect(
  analysis: Analysis,
  fields: SyntaxFields,
  scope: NameScope,
  source: Row | null = null,
): Effect {
  const path = tableNameOf(fieldsOf(fields['table']) ?? {});
  const target = path.length > 0 ? path : null;
  const provided = givenRow(analysis, fields, scope, source);
  const names = targetNames(analysis, fields, target, provided);
  const row = relabelled(provided, names);
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
  if (query !== null) return analysis.query(analysis, query, scope);
  const whole = childOf(fields, 'source');
  if (whole?.kind === 'table') return tableSource(analysis, whole.fields, scope).row;
  const rows = listOf(fields['values']).map(listOf);
  const [first] = rows;
  const reason = 'the statement has no query';
  if (first === undefined) return source ?? openRow(reason, unknown(reason));
  return first.map((_, place) =>
    column(null, merge(rows.map((row) => analysis.expression(analysis, row[place], scope)))),
  );
}

/** What a procedure reads is its own affair; its name is no relation. */
function procedureRow(analysis: Analysis, fields: SyntaxFields): Row {
  analysis.visit(childOf(fields, 'this')?.fields ?? {});
  const reason = 'what a procedure gives is not known';
  return openRow(reason, unknown(reason));
}

/** The columns that the statement lists, else those of the target as far as they are known; none where names decide. */
function targetNames(
  analysis: Analysis,
  fields: SyntaxFields,
  target: RelationName | null,
  provided: Row,
): readonly SqlName[] {
  const listed = namesOf(fields, 'columns');
  if (listed.length > 0 || fields['by_name'] === true || target === null || isOpenRow(provided)) return listed;
  const known = analysis.columnsOf(target);
  if (known?.complete !== true || known.names.length < provided.length) return [];
  return known.names.slice(0, provided.length).map((text) => ({ text, quoted: false }));
}

/** `ON CONFLICT … DO UPDATE` and `ON DUPLICATE KEY UPDATE` write more: from the row that was refused, or from the old one. */
type Inserted = { readonly target: RelationName; readonly row: Row };

function withConflicts(analysis: Analysis, fields: SyntaxFields, { target, row }: Inserted, scope: NameScope): Row {
  const sourceAlias = nameOf(fields['source_alias']) ?? { text: 'excluded', quoted: false };
  const refused: FromSource = { alias: sourceAlias, relation: null, row, element: null };
  const old: FromSource = {
    alias: nameOf(fields['alias']) ?? target.at(-1) ?? null,
    relation: target,
    row: relationRow(target, analysis.columnsOf(target)),
    element: null,
  };
  const within = { ...scopeWithin(scope, scope.ctes), sources: [refused, old] };
  const conflict = fieldsOf(fieldsOf(fields['on_conflict'])?.['on_conflict']);
  analysis.recordIndirect(analysis.expression(analysis, conflict?.['where_'], within), 'FILTER');
  const assigned = assignmentsIn(fields['on_conflict']).map(({ name, value }) =>
    column(name, analysis.expression(analysis, withRefusedRow(value), within)),
  );
  return mergedByName(analysis.rules, [row, assigned]);
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
  const action = childOf(conflict, 'action');
  const assignments = action === null ? childrenOf(conflict, 'expressions') : childrenOf(action.fields, 'expressions');
  return assignments.flatMap(({ kind, fields }) => {
    const name = kind === 'eq' ? nameOf(fields['left']) : null;
    return name === null ? [] : [{ name, value: fields['right'] }];
  });
}
