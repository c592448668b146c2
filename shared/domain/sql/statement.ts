import { withClause } from './cte.ts';
import { deleteEffect, updateEffect } from './dml.ts';
import type { Effect } from './effect.ts';
import { pathOf } from './expression.ts';
import { insertEffect } from './insert.ts';
import { mergeEffect } from './merge.ts';
import { unknown } from './provenance.ts';
import { openRow, type Row, relabelled, relationRow } from './row.ts';
import type { Analysis, Scope } from './scope.ts';
import {
  childOf,
  childrenOf,
  type Fields,
  fieldsOf,
  isQuery,
  listOf,
  nameOf,
  recordsOf,
  type Syntax,
  tableNameOf,
} from './syntax.ts';
import type { SqlName } from './types.ts';

/** What a statement writes; null for a statement that has no columns to speak of. */
export function effectOf(analysis: Analysis, statement: Syntax, scope: Scope): Effect | null {
  const { kind, fields } = statement;
  if (isQuery(statement)) return queryEffect(analysis, statement, scope);
  const within = withClause(analysis, fields['with'] ?? fields['with_cte'] ?? fields['with_'], scope);
  switch (kind) {
    case 'insert':
      return insertEffect(analysis, fields, within);
    case 'create_table':
      return tableEffect(analysis, fields, within);
    case 'create_view':
      return viewEffect(analysis, fields, within);
    case 'merge':
      return mergeEffect(analysis, fields, within);
    case 'update':
      return updateEffect(analysis, fields, within);
    case 'delete':
      return deleteEffect(analysis, fields, within);
    case 'copy':
      return copyEffect(analysis, fields, within);
    case 'cache':
      return { kind: 'other', target: tablePath(fields['table']), row: optionalRow(analysis, fields['query'], within) };
    case 'multitable_inserts':
      optionalRow(analysis, fields['source'], within);
      return { kind: 'insert', target: null, row: unknownRow('one statement writes several relations') };
    default:
      return null;
  }
}

function queryEffect(analysis: Analysis, query: Syntax, scope: Scope): Effect {
  const row = analysis.query(analysis, query, scope);
  const into = intoOf(query);
  const target = into === null ? null : tableNameOf(into.fields);
  if (into !== null) analysis.visit(into.fields);
  return { kind: target === null ? null : 'select_into', target, row };
}

/** `SELECT … INTO t`, also in the first SELECT of a set operation. */
function intoOf({ fields }: Syntax): Syntax | null {
  const into = fieldsOf(fields['into']);
  if (into !== null) return childOf(into, 'this');
  const first = childOf(fields, 'left') ?? childOf(fields, 'this');
  return first !== null && isQuery(first) ? intoOf(first) : null;
}

function tableEffect(analysis: Analysis, fields: Fields, scope: Scope): Effect | null {
  const target = tablePath(fields['name']);
  const copied = fieldsOf(fields['clone_source']) ?? likeSource(fields);
  const names = recordsOf(fields, 'columns').flatMap((definition) => nameOf(definition['name']) ?? []);
  if (fields['as_select'] !== null && fields['as_select'] !== undefined)
    return {
      kind: 'create_table_as',
      target,
      row: relabelled(optionalRow(analysis, fields['as_select'], scope), names),
    };
  if (copied === null) return null;
  const source = tableNameOf(copied);
  analysis.noteRead(source);
  // LIKE copies the shape of a relation; only a clone has its rows.
  const row = fieldsOf(fields['clone_source']) === null ? [] : relationRow(source, analysis.columnsOf(source));
  return { kind: fieldsOf(fields['clone_source']) === null ? 'other' : 'create_table_as', target, row };
}

function likeSource(fields: Fields): Fields | null {
  const like = listOf(fields['constraints']).map((constraint) => fieldsOf(fieldsOf(constraint)?.['Like']));
  return fieldsOf(like.find((found) => found !== null)?.['source']);
}

function viewEffect(analysis: Analysis, fields: Fields, scope: Scope): Effect {
  const names = recordsOf(fields, 'columns').flatMap((definition) => nameOf(definition['name']) ?? []);
  return {
    kind: fields['materialized'] === true ? 'create_materialized_view' : 'create_view',
    // ClickHouse's materialized view may write another table.
    target: tablePath(fields['to_table'] ?? fields['name']),
    row: relabelled(optionalRow(analysis, fields['query'], scope), names),
  };
}

function copyEffect(analysis: Analysis, fields: Fields, scope: Scope): Effect {
  const { item, names } = copiedItem(fields);
  const into = fields['is_into'] === true || fields['kind'] === true;
  if (item !== null && isQuery(item)) return { kind: 'copy', target: null, row: analysis.query(analysis, item, scope) };
  if (item !== null) analysis.visit(item.fields);
  const [query] = childrenOf(fields, 'files').filter(isQuery);
  const row =
    query === undefined ? unknownRow('the columns of a file are not known') : analysis.query(analysis, query, scope);
  if (into && item?.kind === 'literal') return unloadEffect(analysis, fields, row);
  if (into) return { kind: 'copy', target: item === null ? null : tablePath(item.fields), row: relabelled(row, names) };
  const read = item === null ? [] : tableNameOf(item.fields);
  if (item !== null && read.length > 0) analysis.noteRead(read);
  return { kind: 'copy', target: null, row: relationRow(read, analysis.columnsOf(read)) };
}

/** `COPY INTO t (a, b)`. */
function copiedItem(fields: Fields): { readonly item: Syntax | null; readonly names: readonly SqlName[] } {
  const item = childOf(fields, 'this');
  if (item?.kind !== 'schema') return { item, names: [] };
  const names = childrenOf(item.fields, 'expressions').flatMap((one) => nameOf(one.fields['name']) ?? []);
  return { item: childOf(item.fields, 'this'), names };
}

/** `COPY INTO @stage FROM t`, whose relation the parser gives as a column. */
function unloadEffect(analysis: Analysis, fields: Fields, row: Row): Effect {
  const [from] = childrenOf(fields, 'files');
  const path = from === undefined ? null : pathOf(from);
  if (path === null) return { kind: 'copy', target: null, row };
  analysis.noteRead(path);
  return { kind: 'copy', target: null, row: relationRow(path, analysis.columnsOf(path)) };
}

function optionalRow(analysis: Analysis, value: unknown, scope: Scope): Row {
  const fields = { query: value };
  const query = childOf(fields, 'query');
  return query === null ? unknownRow('the statement has no query') : analysis.query(analysis, query, scope);
}

function unknownRow(reason: string): Row {
  return openRow(reason, unknown(reason));
}

function tablePath(value: unknown): Effect['target'] {
  const fields = fieldsOf(value);
  const path =
    fields === null
      ? []
      : tableNameOf('name' in fields && fieldsOf(fields['name']) !== null ? fields : { name: value });
  return path.length === 0 ? null : path;
}
