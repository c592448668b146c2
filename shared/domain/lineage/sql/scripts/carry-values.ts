import { BudgetExceeded } from '../../../base/budget.ts';
import { derivedSource } from '../effect.ts';
import { foldedName, nameRulesOf } from '../name-rules.ts';
import type { ParsedStatement } from '../parse-script.ts';
import { merge, nothing, through, unknown } from '../provenance.ts';
import { recordsFor } from '../recorded-statement.ts';
import type { ReadRecords } from '../recorder.ts';
import { column, columnAt, columnNamed, mappedRow, wholeOf } from '../row.ts';
import { assignVariable, carry, declareVariable, frameOf, parsedStatements, type Session } from '../session.ts';
import { isQuery, unquoted } from '../syntax.ts';
import { isName, isSymbol, isWord, lastOfPath, type Token, tokensOf } from '../tokens.ts';
import type { Provenance, Row } from '../types.ts';
import { addCondition, influenceOf, isCertain, leaveEarly, rollBack } from './conditions.ts';
import type { Instruction } from './instruction.ts';

const openValue = 'the value of a variable is not known';
const openCondition = 'a condition of the body is not understood';

/** Without records for what reads no rows. */
type Found = { readonly row: Row; readonly records: ReadRecords | null };

/** Does what an instruction does besides statements that write. Returns what is not known; null if all is. */
export function carryValues(session: Session, one: Exclude<Instruction, { readonly kind: 'sql' }>): string | null {
  const frames = session.frames ?? [];
  if (one.kind === 'open') return one.reason;
  if (one.kind === 'enter') frames.push(frameOf(one, one.part, session.exits.get(one)));
  else if (one.kind === 'leave') frames.pop();
  else if (one.kind === 'exit') exitPart(session, one);
  else if (one.kind === 'savepoint') frames.at(-1)?.savepoints.set(one.name, session.done.length);
  else if (one.kind === 'rollback') rollBack(session, one.to);
  else if (one.kind === 'declare') declareVariable(session, unquoted(one.name));
  else if (one.kind === 'unknown') for (const name of one.names) forget(session, name);
  else {
    const found = foundBy(session, one.query, one.kind === 'condition');
    if (found === null) {
      if (one.kind === 'assign') for (const name of one.names) forget(session, name);
      return one.kind === 'condition' ? openCondition : openValue;
    }
    if (one.kind === 'condition') addCondition(frames, { value: wholeOf(found.row), records: found.records });
    else if (one.kind === 'row') loopRow(session, one.name, found);
    else assignAll(session, one, found);
  }
  return null;
}

function exitPart({ frames, exits }: Session, { part, isLast }: Extract<Instruction, { readonly kind: 'exit' }>): void {
  const { frame, inner } = leaveEarly(frames ?? [], part);
  if (frame !== undefined && isLast && inner.length > 0)
    exits.set(frame.of, [...(exits.get(frame.of) ?? []), ...inner.map((one) => ({ ...one, isExit: true }))]);
}

function loopRow(session: Session, name: string, { row, records }: Found): void {
  keepRecord(session, name, row);
  addCondition(session.frames ?? [], { value: nothing, records });
}

function assignAll(
  session: Session,
  { names, isFetch }: Extract<Instruction, { readonly kind: 'assign' }>,
  { row, records }: Found,
): void {
  const influence = influenceOf(session.frames, records, isFetch);
  const certain = isCertain(session.frames);
  const [only, ...more] = names;
  if (only !== undefined && more.length === 0)
    keepRecord(
      session,
      only,
      mappedRow(row, (value) => merge([value, influence])),
    );
  for (const [place, name] of names.entries()) {
    const value = only === name && more.length === 0 && row.length > 1 ? wholeOf(row) : columnAt(row, place + 1).value;
    assignVariable(session, unquoted(plain(name)), merge([value, influence]), certain);
  }
  setStatus(session, influence);
}

/** Variables of the database itself tell how many rows the last statement had. */
export function setStatus(session: Session, influence: Provenance): void {
  for (const name of session.options.dialect === 'postgres' || session.options.dialect === 'redshift'
    ? ['sql_status', 'found']
    : ['sql_status'])
    assignVariable(session, unquoted(name), influence, isCertain(session.frames));
}

function keepRecord(session: Session, name: string, row: Row): void {
  session.records.set(plain(name).toLowerCase(), derivedSource(unquoted(plain(name)), row));
  carry(session, wholeOf(row));
}

function forget(session: Session, name: string): void {
  session.records.delete(plain(name).toLowerCase());
  assignVariable(session, unquoted(plain(name)), unknown(openValue), isCertain(session.frames));
}

const plain = (name: string): string => name.replace(/^:/, '');

/** The columns of a query; null for one that is not understood. */
function foundBy(session: Session, query: string, isCondition: boolean): Found | null {
  const plainValue = valueOfWords(session, query, isCondition);
  if (plainValue !== null) return { row: [column(null, plainValue)], records: null };
  const script = parsedStatements(session, query);
  const [statement, ...more] = script.ok ? script.statements : [];
  if (statement === undefined || more.length > 0 || !isQuery(statement.node)) return null;
  try {
    return foundIn(session, statement);
  } catch (error) {
    if (error instanceof BudgetExceeded || error instanceof RangeError) return null;
    throw error;
  }
}

function foundIn(session: Session, statement: ParsedStatement): Found {
  const { records, scope } = recordsFor(session, statement);
  return { row: records.analysis.query(statement.node, scope), records };
}

/**
 * The value of an expression that reads no rows: names in it are those of variables, so that it need not be parsed. A
 * condition takes values from all its words, any other expression only if it does nothing but calculate. Null for a query.
 */
function valueOfWords(session: Session, query: string, isCondition: boolean): Provenance | null {
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
