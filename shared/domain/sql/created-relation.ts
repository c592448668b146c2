import type { Effect } from './effect.ts';
import type { Analysis, NameScope } from './name-scope.ts';
import { nothing, unknown } from './provenance.ts';
import { column, isOpenRow, openRow, relationRow } from './row.ts';
import { mappedRow, relabelled } from './row-change.ts';
import { childOf, fieldsOf, listOf, nameOf, recordsOf, type SyntaxFields, tableNameOf } from './syntax.ts';
import type { SqlName } from './types.ts';
import type { Row } from './values.ts';

/** `CREATE TABLE`; null for one that is empty and lasts. */
export function tableEffect(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Effect | null {
  const target = tablePath(fields['name']);
  const copied = fieldsOf(fields['clone_source']) ?? likeSource(fields);
  const names = recordsOf(fields, 'columns').flatMap((definition) => nameOf(definition['name']) ?? []);
  if (fields['as_select'] !== null && fields['as_select'] !== undefined)
    return {
      kind: 'create_table_as',
      target,
      // MySQL puts the columns of the query beside those of the list, each under its own name.
      row: relabelled(optionalRow(analysis, fields['as_select'], scope), analysis.dialect === 'mysql' ? [] : names),
      temporary: fields['temporary'] === true,
    };
  if (copied === null) return emptyTable(target, fields, names);
  const source = tableNameOf(copied);
  const row = relationRow(source, analysis.columnsOf(source));
  const isEmpty = fieldsOf(fields['clone_source']) === null;
  if (isEmpty && fields['temporary'] === true) {
    analysis.visit(copied);
    return { kind: 'other', target, row: emptied(row), temporary: true };
  }
  analysis.recordRead(source);
  return { kind: isEmpty ? 'other' : 'create_table_as', target, row: isEmpty ? [] : row };
}

/** LIKE copies the shape of a relation, and none of its rows. */
const emptied = (row: Row): Row => (isOpenRow(row) ? [] : mappedRow(row, () => nothing));

/** A temporary table without a query is filled by later statements. */
function emptyTable(target: Effect['target'], fields: SyntaxFields, names: readonly SqlName[]): Effect | null {
  if (fields['temporary'] !== true) return null;
  return { kind: 'other', target, row: names.map((name) => column(name, nothing)), temporary: true };
}

function likeSource(fields: SyntaxFields): SyntaxFields | null {
  const like = listOf(fields['constraints']).map((constraint) => fieldsOf(fieldsOf(constraint)?.['Like']));
  return fieldsOf(like.find((found) => found !== null)?.['source']);
}

/** `CREATE VIEW`. */
export function viewEffect(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Effect {
  const names = recordsOf(fields, 'columns').flatMap((definition) => nameOf(definition['name']) ?? []);
  return {
    kind: fields['materialized'] === true ? 'create_materialized_view' : 'create_view',
    // ClickHouse's materialized view may write another table.
    target: tablePath(fields['to_table'] ?? fields['name']),
    row: relabelled(optionalRow(analysis, fields['query'], scope), names),
    temporary: fields['temporary'] === true,
  };
}

/** `ALTER VIEW v AS SELECT …`. */
export function alteredViewEffect(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Effect | null {
  const query = listOf(fields['actions'])
    .map((action) => fieldsOf(action)?.['AsSelect'])
    .find((found) => found);
  if (query === undefined) return null;
  return { kind: 'create_view', target: tablePath(fields['name']), row: optionalRow(analysis, query, scope) };
}

/** The columns of a query that a statement may hold. */
export function optionalRow(analysis: Analysis, value: unknown, scope: NameScope): Row {
  const fields = { query: value };
  const query = childOf(fields, 'query');
  return query === null ? unknownRow('the statement has no query') : analysis.query(analysis, query, scope);
}

export function unknownRow(reason: string): Row {
  return openRow(reason, unknown(reason));
}

/** The name of what a statement writes. */
export function tablePath(value: unknown): Effect['target'] {
  const fields = fieldsOf(value);
  const path =
    fields === null
      ? []
      : tableNameOf('name' in fields && fieldsOf(fields['name']) !== null ? fields : { name: value });
  return path.length === 0 ? null : path;
}
