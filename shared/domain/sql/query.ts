import { withClause } from './cte.ts';
import { withSetOperation } from './misplaced-set-operation.ts';
import type { Analysis, NameScope } from './name-scope.ts';
import { pathOf } from './path.ts';
import { pivotedRow } from './pivot.ts';
import { merge, unknown } from './provenance.ts';
import { column, openRow } from './row.ts';
import { selectRow } from './select.ts';
import { recordOrder } from './select-clauses.ts';
import { setOperationRow } from './set-operation.ts';
import { childOf, listOf, recordsOf, type Syntax, type SyntaxFields } from './syntax.ts';
import { namedSource } from './table-source.ts';
import type { Row } from './values.ts';

/** The columns that a query gives. `scope` is what surrounds it: its CTEs, and outer columns it may refer to. */
export function queryRow(analysis: Analysis, node: Syntax, scope: NameScope): Row {
  analysis.spend(1);
  const { kind, fields } = node;
  const within = withClause(analysis, fields['with'], scope);
  switch (kind) {
    case 'select':
      return selectOrSetRow(analysis, node, within);
    case 'union':
    case 'intersect':
    case 'except':
      return setOperationRow(analysis, node, within);
    case 'subquery':
    case 'paren':
    case 'cte':
    case 'with':
      return innerRow(analysis, fields, within);
    case 'values':
      return valuesRow(analysis, fields, within);
    case 'pivot':
    case 'unpivot':
      return pivotStatementRow(analysis, node, within);
    default:
      return notSupported(kind);
  }
}

function selectOrSetRow(analysis: Analysis, node: Syntax, within: NameScope): Row {
  const meant = withSetOperation(node);
  if (meant === null) return selectRow(analysis, node, within);
  analysis.visit(node.fields);
  return setOperationRow(analysis, { ...meant, fields: { ...meant.fields, with: null } }, within);
}

function innerRow(analysis: Analysis, fields: SyntaxFields, within: NameScope): Row {
  const inner = childOf(fields, 'this');
  if (inner === null) return notSupported('an empty query');
  const row = queryRow(analysis, inner, within);
  recordOrder(analysis, fields, row, within);
  return row;
}

function valuesRow(analysis: Analysis, fields: SyntaxFields, within: NameScope): Row {
  const rows = recordsOf(fields, 'expressions').map((row) => listOf(row['expressions']));
  const [first] = rows;
  return (first ?? []).map((_, place) => {
    const cells = rows.map((row) => analysis.expression(analysis, row[place], within));
    return column({ text: valuesName(analysis, place), quoted: false }, merge(cells));
  });
}

/** How a dialect names the columns of VALUES. */
function valuesName({ dialect }: Analysis, place: number): string {
  if (dialect === 'duckdb') return `col${place}`;
  if (dialect === 'mysql') return `column_${place}`;
  return dialect === 'spark' || dialect === 'databricks' || dialect === 'hive'
    ? `col${place + 1}`
    : `column${place + 1}`;
}

/** DuckDB's `PIVOT t ON …` as a statement; the parser gives the relation as a column. */
function pivotStatementRow(analysis: Analysis, node: Syntax, within: NameScope): Row {
  const inner = childOf(node.fields, 'this');
  const path = inner === null ? null : pathOf(inner);
  if (inner === null) return notSupported(node.kind);
  const scope = { ...within, sources: [], merged: new Map() };
  const sources =
    path === null
      ? analysis.source(analysis, inner, scope).sources
      : [namedSource(analysis, { path, alias: null, names: [] }, scope)];
  const [source] = sources;
  return source === undefined ? notSupported(node.kind) : pivotedRow(analysis, node, source, within);
}

function notSupported(kind: string): Row {
  const reason = `a query of the kind ${kind} is not supported`;
  return openRow(reason, unknown(reason));
}
