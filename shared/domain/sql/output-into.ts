import type { Effect } from './effect.ts';
import type { FromSource } from './from-source.ts';
import { insertEffect } from './insert.ts';
import { type Analysis, type NameScope, scopeWithin } from './name-scope.ts';
import { pathOf } from './path.ts';
import { relationRow } from './row.ts';
import { withoutColumns } from './row-change.ts';
import { selectList } from './select-list.ts';
import { childOf, childrenOf, fieldsOf, nameOf, type Syntax, type SyntaxFields, syntaxOf } from './syntax.ts';
import type { RelationName, SqlName } from './types.ts';
import type { Row } from './values.ts';

/** SQL Server's `OUTPUT inserted.a INTO t (b)`: the rows that a statement writes or deletes are written to a second relation. */
export function outputEffects(
  analysis: Analysis,
  fields: SyntaxFields,
  effect: Effect,
  scope: NameScope,
): readonly Effect[] {
  const output = outputOf(fields);
  const second = output === null ? null : secondTarget(output.into);
  if (output === null || second === null || effect.target === null) return [];
  const sources = [...changedRows(analysis, effect.target, effect), ...(effect.sources ?? [])];
  const within = { ...scopeWithin(scope, scope.ctes), sources };
  // Which rows there are to give is decided by those of the relation itself, but for an INSERT.
  if (!effect.kind?.startsWith('insert')) analysis.recordRead(effect.target);
  const { row } = selectList(analysis, output.items, within);
  const insert = { table: tableAt(second.path), columns: second.columns.map(syntaxOfName) };
  return [insertEffect(analysis, insert, scope, row)];
}

type Output = { readonly items: readonly Syntax[]; readonly into: Syntax };

/** The parser gives the clause of a MERGE as RETURNING. */
function outputOf(fields: SyntaxFields): Output | null {
  const output = fieldsOf(fields['output']);
  const returning = childOf(fields, 'returning')?.fields;
  const into = childOf(output ?? {}, 'into_table') ?? childOf(returning ?? {}, 'into');
  if (into === null) return null;
  return { items: output ? childrenOf(output, 'columns') : childrenOf(returning ?? {}, 'expressions'), into };
}

type SecondTarget = { readonly path: RelationName; readonly columns: readonly SqlName[] };

const called: ReadonlySet<string> = new Set(['dot', 'method_call']);

/** A name, or a name with columns, which the parser gives as a call: one of its own where it knows such a function. */
function secondTarget(into: Syntax): SecondTarget | null {
  const columns = childrenOf(into.fields, 'args').flatMap((one) => nameOf(one.fields['name']) ?? []);
  const operands = Object.values(into.fields).flatMap((one) => syntaxOf(one) ?? []);
  if (operands.length > 0 && !called.has(into.kind) && operands.every(({ kind }) => kind === 'column'))
    return {
      path: [{ text: into.kind, quoted: false }],
      columns: operands.flatMap(({ fields }) => nameOf(fields['name']) ?? []),
    };
  if (into.kind === 'function') {
    const name = nameOf(into.fields['name']);
    return name === null ? null : { path: [name], columns };
  }
  const before = into.kind === 'method_call' ? childOf(into.fields, 'this') : null;
  const last = into.kind === 'method_call' ? nameOf(into.fields['method']) : null;
  const path = before === null ? pathOf(into) : pathOf(before);
  return path === null ? null : { path: last === null ? path : [...path, last], columns };
}

/** What `inserted` and `deleted` stand for: a column that the statement does not set has the value that it had. */
function changedRows(analysis: Analysis, target: RelationName, { kind, row }: Effect): FromSource[] {
  const old = relationRow(target, analysis.columnsOf(target));
  const set = row.flatMap((item) => (item.kind === 'column' ? (item.name ?? []) : []));
  const kept = kind?.startsWith('insert') ? [] : withoutColumns(analysis.rules, old, set);
  return [sourceOf('inserted', [...row, ...kept]), sourceOf('deleted', old)];
}

const sourceOf = (name: string, row: Row): FromSource => ({
  alias: { text: name, quoted: false },
  relation: null,
  row,
  element: null,
});

function tableAt(path: RelationName): SyntaxFields {
  const [name, schema, catalog] = path.map(syntaxOfName).reverse();
  return { name, schema: schema ?? null, catalog: catalog ?? null };
}

const syntaxOfName = ({ text, quoted }: SqlName) => ({ name: text, quoted });
