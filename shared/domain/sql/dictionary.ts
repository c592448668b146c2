import type { Analysis, NameScope } from './name-scope.ts';
import { fromColumn, merge, type Provenance, through } from './provenance.ts';
import { listOf, nameOf, type SyntaxFields, stringOf, syntaxOf } from './syntax.ts';
import type { RelationName } from './types.ts';

/** ClickHouse's `dictGet('dictionary', 'attribute', key)` reads a dictionary, which is a relation; null for other calls. */
export function dictionaryValue(
  analysis: Analysis,
  name: string,
  fields: SyntaxFields,
  scope: NameScope,
): Provenance | null {
  if (analysis.dialect !== 'clickhouse' || !/^dict(get|has|is)/.test(name)) return null;
  const [dictionary, ...operands] = listOf(fields['args']);
  const relation = relationOf(dictionary);
  if (relation === null) return null;
  analysis.recordRead(relation);
  const attribute = name.startsWith('dictget') ? stringOf(operands[0]) : null;
  const keys = through(analysis.expression(analysis, operands, scope), 'TRANSFORMATION');
  return attribute === null ? keys : merge([through(fromColumn(relation, attribute), 'TRANSFORMATION'), keys]);
}

function relationOf(dictionary: unknown): RelationName | null {
  const text = stringOf(dictionary);
  if (text !== null) return text.split('.').map((part) => ({ text: part, quoted: false }));
  const node = syntaxOf(dictionary);
  if (node?.kind !== 'column' && node?.kind !== 'identifier') return null;
  const parts = [nameOf(node.fields['table']), nameOf(node.fields['name'])].filter((part) => part !== null);
  return parts.length > 0 ? parts : null;
}
