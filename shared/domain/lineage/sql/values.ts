import { namesByPlace } from './dialect.ts';
import type { Analysis, NameScope } from './name-scope.ts';
import { merge } from './provenance.ts';
import { column } from './row.ts';
import { listOf, recordsOf, type SyntaxFields, stringOf, syntaxOf, unquoted } from './syntax.ts';
import type { Row, SqlName } from './types.ts';

/** The columns of VALUES. */
export function valuesRow(analysis: Analysis, fields: SyntaxFields, within: NameScope): Row {
  const listed = recordsOf(fields, 'expressions').map((row) => listOf(row['expressions']));
  const cells = analysis.dialect === 'clickhouse' && listed.length === 1 ? (listed[0] ?? []) : null;
  const isStructure = syntaxOf(cells?.[1])?.kind === 'tuple';
  const names = structureNames(stringOf(cells?.[0]) ?? '', isStructure) ?? [];
  const rows = cells?.slice(names.length > 0 ? 1 : 0).map(tupleItems) ?? listed;
  const [first] = rows;
  return (first ?? []).map((_, place) => {
    const values = rows.map((row) => analysis.expression(row[place], within));
    return column(names[place] ?? unquoted(valuesName(analysis, place)), merge(values));
  });
}

/** ClickHouse's table function `values('a Int32, b String', (1, 'x'), (2, 'y'))`, and `values(1, 2)` of one column. */
function tupleItems(cell: unknown): readonly unknown[] {
  const node = syntaxOf(cell);
  return node?.kind === 'tuple' ? listOf(node.fields['expressions']) : [cell];
}

/** How a dialect names the columns of VALUES. */
function valuesName({ dialect }: Analysis, place: number): string {
  if (dialect === 'duckdb') return `col${place}`;
  if (dialect === 'clickhouse') return `c${place + 1}`;
  if (dialect === 'mysql') return `column_${place}`;
  if (namesByPlace.has(dialect)) return `_col${place}`;
  return `${['spark', 'databricks', 'hive'].includes(dialect) ? 'col' : 'column'}${place + 1}`;
}

/** The names in ClickHouse's `a Int32, b Array(String)`; null for a text that is no structure. */
export function structureNames(text: string, isCertain = false): readonly SqlName[] | null {
  const parts: string[] = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (character === ',' && depth === 0) parts.push('');
    else parts.push(`${parts.pop()}${character}`);
  }
  const pairs = parts.map((part) => part.trim().split(/\s+/));
  // Most types begin with a capital letter, and words of other texts do not.
  const isStructure = pairs.every(([name, type = '']) => name && (isCertain || /^[A-Z]/.test(type)));
  return isStructure ? pairs.map(([name = '']) => ({ text: name.replaceAll('`', ''), quoted: true })) : null;
}
