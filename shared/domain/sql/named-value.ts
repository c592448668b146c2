import type { Analysis, NameScope } from './name-scope.ts';
import { pathOf } from './path.ts';
import { merge, nothing, through, unknown } from './provenance.ts';
import { valueNamed } from './resolve-name.ts';
import { columnAt } from './row.ts';
import { nameOf, type Syntax, type SyntaxFields, syntaxOf } from './syntax.ts';
import type { SqlName } from './types.ts';
import type { Provenance } from './values.ts';

/** A name or a dotted path; `@name`, which the parser gives as a column, is a variable. */
export function namedValue(analysis: Analysis, _fields: SyntaxFields, scope: NameScope, node: Syntax): Provenance {
  const path = pathOf(node) ?? [];
  const [first, ...more] = path;
  if (first === undefined || more.length > 0 || first.quoted) return valueNamed(analysis, path, scope);
  if (first.text.startsWith('@')) return nothing;
  const place = analysis.dialect === 'duckdb' ? /^#(\d{1,4})$/.exec(first.text)?.[1] : undefined;
  return place === undefined ? valueNamed(analysis, path, scope) : placedValue(Number(place), scope);
}

/** `$1` is a column of a staged file or of the only relation; any other parameter is a constant. */
export function parameterValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  if (fields['style'] !== 'Dollar' || typeof fields['index'] !== 'number') return nothing;
  return analysis.dialect === 'snowflake' ? placedValue(fields['index'], scope) : nothing;
}

/** The column at a place, which counts from one: Snowflake's `$1` and DuckDB's `#1`. */
function placedValue(place: number, { sources }: NameScope): Provenance {
  const [source, ...more] = sources;
  const match = source === undefined || more.length > 0 ? null : columnAt(source.row, place);
  return match?.certainty === 'has' ? match.value : unknown('a column is named by its place in a file');
}

/** Hierarchical queries: the value of a column in the root row. */
export function rootValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  return through(wordValue(analysis, fields['this'], scope), 'TRANSFORMATION');
}

/** `a : b` and `KEY a VALUE b` of a JSON object. */
export function keyedValue(analysis: Analysis, fields: SyntaxFields, scope: NameScope): Provenance {
  const value = analysis.expression(analysis, fields['expression'], scope);
  return through(merge([wordValue(analysis, fields['this'], scope), value]), 'TRANSFORMATION');
}

/** The value of a column that the parser gives as a bare word. */
function wordValue(analysis: Analysis, value: unknown, scope: NameScope): Provenance {
  const path = wordPath(syntaxOf(value));
  return path === null ? analysis.expression(analysis, value, scope) : valueNamed(analysis, path, scope);
}

function wordPath(node: Syntax | null): readonly SqlName[] | null {
  const name = nameOf(node?.fields[node.kind === 'dot' ? 'field' : 'this']);
  if (node === null || name === null) return null;
  if (node.kind === 'var') return [name];
  const before = node.kind === 'dot' ? wordPath(syntaxOf(node.fields['this'])) : null;
  return before === null ? null : [...before, name];
}
