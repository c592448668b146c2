import { joinedScope } from './join.ts';
import { type Analysis, type NameScope, scopeWithin } from './name-scope.ts';
import { recordClauses } from './select-clauses.ts';
import { selectList } from './select-list.ts';
import { childrenOf, fieldsOf, recordsOf, type Syntax, type SyntaxFields } from './syntax.ts';
import type { Row } from './values.ts';

/** The columns of one SELECT. */
export function selectRow(analysis: Analysis, { fields }: Syntax, outer: NameScope): Row {
  analysis.visit(fields);
  // FOR UPDATE OF names relations that FROM reads.
  for (const lock of recordsOf(fields, 'locks'))
    for (const relation of childrenOf(lock, 'expressions')) analysis.visit(relation.fields);
  const from = fromScope(analysis, fields, outer);
  const { row, aliases } = selectList(analysis, childrenOf(fields, 'expressions'), from);
  recordClauses(analysis, fields, row, { ...from, aliases });
  return row;
}

function fromScope(analysis: Analysis, fields: SyntaxFields, outer: NameScope): NameScope {
  const start: NameScope = {
    ...scopeWithin(outer, outer.ctes),
    // The depth of a row in a hierarchical query is named like a column.
    parameters: fieldsOf(fields['connect']) === null ? new Set() : new Set(['level', 'LEVEL']),
    aliasUse: analysis.rules.listAliases,
    windows: recordsOf(fields, 'windows'),
  };
  const items = childrenOf(fieldsOf(fields['from']) ?? {}, 'expressions');
  const listed = items.reduce((scope, item) => analysis.source(analysis, item, scope), start);
  const joined = joinedScope(analysis, recordsOf(fields, 'joins'), listed);
  const views = recordsOf(fields, 'lateral_views').map(lateralOf);
  return views.reduce((scope, view) => analysis.source(analysis, view, scope), joined);
}

/** Hive's LATERAL VIEW in the form of LATERAL. */
function lateralOf(view: SyntaxFields): Syntax {
  return { kind: 'lateral', fields: { ...view, alias: view['table_alias'] } };
}
