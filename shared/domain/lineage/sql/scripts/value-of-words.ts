import { foldedName, nameRulesOf } from '../name-rules.ts';
import { merge, nothing, through } from '../provenance.ts';
import { columnNamed, wholeOf } from '../row.ts';
import type { Session } from '../session.ts';
import { unquoted } from '../syntax.ts';
import { isName, isSymbol, isWord, lastOfPath, type Token, tokensOf } from '../tokens.ts';
import type { Provenance } from '../types.ts';

/**
 * The value of an expression that reads no rows: names in it are those of variables, so that it need not be parsed. A
 * condition takes values from all its words, any other expression only if it does nothing but calculate. Null for a query.
 */
export function valueOfWords(session: Session, query: string, isCondition: boolean): Provenance | null {
  const tokens = tokensOf(query, session.options.dialect).slice(1);
  const isPlain = tokens.every((token) => !isSymbol(token, '(', '[', '{') && !isWord(token, 'case'));
  if (tokens.some((token) => isWord(token, 'select', 'from')) || (!isCondition && !isPlain)) return null;
  const values: Provenance[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const isSigned = isSymbol(tokens[at], '@', ':', '$') && isName(tokens[at + 1]);
    const first = isSigned ? at + 1 : at;
    if (!isName(tokens[first])) continue;
    const last = lastOfPath(tokens, first);
    if (!isSymbol(tokens[last + 1], '('))
      values.push(variableAt(session, tokens, isSymbol(tokens[at], '@') ? '@' : '', first));
    at = last;
  }
  return through(merge(values), tokens.length === 1 ? 'IDENTITY' : 'TRANSFORMATION');
}

function variableAt(
  { options, variables, records }: Session,
  tokens: readonly Token[],
  sign: string,
  at: number,
): Provenance {
  const rules = nameRulesOf(options.dialect);
  const text = `${sign}${tokens[at]?.text.replaceAll(/^["`]|["`]$/g, '')}`;
  const field = isSymbol(tokens[at + 1], '.') ? tokens[at + 2]?.text : undefined;
  const record = field === undefined ? undefined : records.get(text.toLowerCase())?.row;
  if (record !== undefined) return columnNamed(rules, record, unquoted(field ?? ''))?.value ?? wholeOf(record);
  return variables.get(foldedName(rules, unquoted(text))) ?? nothing;
}
