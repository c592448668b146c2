import type { Analysis, NameScope } from './name-scope.ts';
import { fromColumn, merge, through, unknown } from './provenance.ts';
import { listOf, nameOf, type SyntaxFields, stringOf, syntaxOf } from './syntax.ts';
import type { RelationName } from './types.ts';
import type { Provenance } from './values.ts';

/**
 * ClickHouse's `dictGet('dictionary', 'attribute', key)` and `joinGet('table', 'column', key)` read a relation; null for
 * other calls.
 */
export function dictionaryValue(
  analysis: Analysis,
  name: string,
  fields: SyntaxFields,
  scope: NameScope,
): Provenance | null {
  if (analysis.dialect !== 'clickhouse' || !/^(dict(get|has|is)|joinget)/.test(name)) return null;
  const [dictionary, ...operands] = listOf(fields['args']);
  const relation = relationOf(dictionary);
  if (relation === null) return null;
  analysis.recordRead(relation);
  const keys = analysis.expression(analysis, operands, scope);
  const attributes = byKey.test(name) ? [] : attributesIn(operands[0]);
  // Which column has the keys is said where the dictionary is made.
  const read = attributes.length > 0 ? attributes.map((one) => fromColumn(relation, one)) : [unknown(unnamedAttribute)];
  return through(merge([...read, keys]), 'TRANSFORMATION');
}

const byKey = /^dict(has|is|get(hierarchy|children|descendants|keys))/;
const unnamedAttribute = 'the statement does not name the columns of the dictionary';

/** An attribute, or a tuple of several. */
function attributesIn(operand: unknown): readonly string[] {
  const tuple = syntaxOf(operand);
  const listed = tuple?.kind === 'tuple' ? listOf(tuple.fields['expressions']) : [operand];
  const names = listed.flatMap((one) => stringOf(one) ?? []);
  return names.length === listed.length ? names : [];
}

function relationOf(dictionary: unknown): RelationName | null {
  const text = stringOf(dictionary);
  if (text !== null) return text.split('.').map((part) => ({ text: part, quoted: false }));
  const node = syntaxOf(dictionary);
  if (node?.kind !== 'column' && node?.kind !== 'identifier') return null;
  const parts = [nameOf(node.fields['table']), nameOf(node.fields['name'])].filter((part) => part !== null);
  return parts.length > 0 ? parts : null;
}
