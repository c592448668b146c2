import type { ColumnMapping } from '../../graph/derivation.ts';
import { isAggregate, isMasking } from '../../sql/functions.ts';

type Transformation = Pick<ColumnMapping, 'subtype' | 'masking' | 'expression'>;

/** What is read of an operation, and what is kept of its expression. */
const longestRead = 5_000;
const longestExpression = 500;

const masksByName = /^(?:md5|hash|hmac|mask|redact|encrypt|sha\d*$|sha\d_)/i;

/**
 * What DataHub's `transformOperation` says of how a column is made. It is free text; its SQL parser writes
 * `COPY: expression` and `SQL: expression`, and Tableau's source `CalculatedFieldformula: expression`.
 */
export function transformationOf(operation: string): Transformation {
  if (operation === '') return { subtype: null, masking: false };
  const [, label = '', text = operation] = /^(\w+):(.*)$/s.exec(operation.slice(0, longestRead)) ?? [];
  const functions = [...text.matchAll(/\b([a-z_]\w*)\s*\(/gi)].map(([, name = '']) => name.toLowerCase());
  const words = [...(label ? [label] : wordOf(text)), ...functions];
  const masking = words.some((word) => masksByName.test(word) || isMasking(word.toLowerCase()));
  if (/^(?:identity|copy)\b/i.test(operation)) return { subtype: 'IDENTITY', masking };
  const aggregates = /^aggregat/i.test(operation) || (functions.some(isAggregate) && !/\bover\s*\(/i.test(text));
  const expression = wordOf(text).length > 0 ? '' : withoutAlias(text.trim()).slice(0, longestExpression);
  return { subtype: aggregates ? 'AGGREGATION' : 'TRANSFORMATION', masking, ...(expression && { expression }) };
}

/** The text where it is one word, the name of an operation. */
const wordOf = (text: string): string[] => (/^\s*\w+\s*$/.test(text) ? [text.trim()] : []);

/** The expression without the name of its output column, `… AS "total"`. */
function withoutAlias(text: string): string {
  const at = text.lastIndexOf(' AS ');
  return at > 0 && /^(?:"[^"]*"|`[^`]*`|\[[^\]]*\]|\w+)$/.test(text.slice(at + 4)) ? text.slice(0, at) : text;
}
