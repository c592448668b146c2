import { foldedName } from './name-rules.ts';
import { nothing, type Provenance } from './provenance.ts';
import type { Row } from './row.ts';
import type { Analysis, Scope } from './scope.ts';
import { type Fields, fieldsOf, listOf } from './syntax.ts';
import type { IndirectSubtype } from './types.ts';

/** Notes what the clauses of a SELECT compare: it decides on rows, not on the value of one column. */
export function noteClauses(analysis: Analysis, fields: Fields, row: Row, scope: Scope): void {
  const afterList: Scope = { ...scope, aliases: aliasesOf(analysis, row, scope), aliasUse: laterUse(scope) };
  const note = (clause: unknown, subtype: IndirectSubtype, within: Scope) =>
    analysis.noteIndirect(analysis.expression(analysis, clause, within), subtype);
  note(fields['where_clause'], 'FILTER', scope);
  note(fields['prewhere'], 'FILTER', scope);
  note(fields['connect'], 'FILTER', scope);
  note(fields['having'], 'FILTER', afterList);
  note(fields['qualify'], 'FILTER', afterList);
  note(fields['distinct_on'], 'GROUP_BY', afterList);
  note(fields['limit_by'], 'GROUP_BY', afterList);
  for (const item of listOf(fieldsOf(fields['group_by'])?.['expressions']))
    analysis.noteIndirect(placedValue(analysis, item, row, afterList), 'GROUP_BY');
  noteOrder(analysis, fields, row, scope);
}

/** Notes an ORDER BY, which names the columns of the result before those of the sources. */
export function noteOrder(analysis: Analysis, fields: Fields, row: Row, scope: Scope): void {
  const within: Scope = { ...scope, aliases: aliasesOf(analysis, row, scope), aliasUse: 'first' };
  for (const key of ['order_by', 'sort_by', 'distribute_by', 'cluster_by'])
    for (const item of listOf(fieldsOf(fields[key])?.['expressions'])) {
      const ordered = fieldsOf(item);
      analysis.noteIndirect(placedValue(analysis, ordered?.['this'] ?? item, row, within), 'SORT');
    }
}

/** A number stands for the column at that place of the result. */
function placedValue(analysis: Analysis, item: unknown, row: Row, scope: Scope): Provenance {
  const literal = fieldsOf(fieldsOf(item)?.['literal']);
  if (literal?.['literal_type'] !== 'number') return analysis.expression(analysis, item, scope);
  const column = row[Number(literal['value']) - 1];
  return column?.kind === 'column' ? column.value : nothing;
}

function aliasesOf({ rules }: Analysis, row: Row, scope: Scope): ReadonlyMap<string, Provenance> {
  const named = row.flatMap((item) =>
    item.kind === 'column' && item.name !== null ? [[foldedName(rules, item.name), item.value] as const] : [],
  );
  return new Map([...named, ...scope.aliases]);
}

function laterUse({ aliasUse }: Scope): Scope['aliasUse'] {
  return aliasUse === 'first' ? 'first' : 'last';
}
