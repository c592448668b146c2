import { BudgetExceeded } from '../../base/budget.ts';
import { answerOf, factsOf, recordReferences } from './answer.ts';
import { countTokens, tooComplex } from './budget.ts';
import { allReads, joined, noColumns, unresolved } from './join-analyses.ts';
import { type ParsedStatement, parsedScript } from './parse-script.ts';
import { readsOf } from './provenance.ts';
import { recordsFor } from './recorded-statement.ts';
import { wholeOf } from './row.ts';
import { carryValues, setStatus } from './scripts/carry-values.ts';
import { influenceOf, recordConditions } from './scripts/conditions.ts';
import { instructionsIn } from './scripts/find-body.ts';
import type { Instruction } from './scripts/instruction.ts';
import {
  declareVariables,
  frameOf,
  keyOf,
  parsedStatements,
  remember,
  rememberTable,
  type Session,
  sessionFor,
} from './session.ts';
import { effectOf, readsNothing } from './statement.ts';
import { relationKey } from './syntax.ts';
import { type Renaming, renamingOf } from './tokens.ts';
import type { Rest, Row, SqlAnalysis, SqlOptions, SqlParser } from './types.ts';

/** Which columns reach each output, and how, of statements that write one relation. Never throws: reasons say why. */
export function analyseSql(parser: SqlParser, text: string, options: SqlOptions): SqlAnalysis {
  return parser.analysed?.(text, options) ?? freshAnalysis(parser, text, options);
}

function freshAnalysis(parser: SqlParser, text: string, options: SqlOptions): SqlAnalysis {
  const { statements, unsupported } = analysed(parser, text, options);
  const [first] = statements;
  if (first === undefined)
    return unsupported === null ? unresolved(noColumns, []) : unresolved(unsupported.reason, unsupported.reads);
  const reads = unsupported === null ? allReads(statements) : null;
  const known = { ...joined(statements), reads };
  if (known.unresolvedReason !== null) return unresolved(known.unresolvedReason, reads);
  return unsupported === null ? known : unresolved(unsupported.reason, null);
}

/** The same of each relation that a text writes and each query whose result it returns, in their order. */
export function analyseScript(parser: SqlParser, text: string, options: SqlOptions): readonly SqlAnalysis[] {
  const { statements, written, unsupported } = analysed(parser, text, options);
  const failed = unsupported === null ? [] : [unresolved(unsupported.reason, unsupported.reads)];
  return [...written, ...statements, ...failed];
}

/** The same of each relation that a text writes, and of files, as one; none if anything in it is not understood. */
export function analyseTargets(parser: SqlParser, text: string, options: SqlOptions): readonly SqlAnalysis[] {
  const { statements, written, unsupported } = analysed(parser, text, options);
  // UNLOAD is parsed as its query.
  const isUnload = text.trimStart().slice(0, 6).toLowerCase() === 'unload';
  const isWriting = ({ target, statementKind }: SqlAnalysis) => target !== null || statementKind === 'copy' || isUnload;
  const writing = [...written, ...statements].filter(isWriting);
  if (unsupported !== null) return [];
  const byTarget = Map.groupBy(writing, ({ target }) => relationKey(target ?? []));
  return [...byTarget.values()].map((own) => ({ ...joined(own), reads: allReads(own) }));
}

function analysed(parser: SqlParser, text: string, options: SqlOptions): ScriptAnalysis {
  const body = countTokens(text) === null ? null : instructionsIn(text, options.dialect);
  if (body !== null) return bodyAnalysis(sessionFor(parser, options, [frameOf(null, 'routine')]), body);
  const script = parsedScript(parser, text, options.dialect, options.budget ? [options.budget] : []);
  if (!script.ok) return { statements: [], written: [], unsupported: { reason: script.reason, reads: null } };
  const found = noAnswers();
  const session = sessionFor(parser, options, null);
  for (const statement of script.statements) addAnswers(session, found, statement);
  return lastingAnswers(found);
}

type ScriptAnalysis = {
  /** Of each statement that gives columns, without those that only make temporary tables for others. */
  readonly statements: readonly SqlAnalysis[];
  /** Writes besides a statement's main effect, such as an INSERT in WITH. */
  readonly written: readonly SqlAnalysis[];
  readonly unsupported: { readonly reason: string; readonly reads: SqlAnalysis['reads'] } | null;
};

type Answer = { readonly analysis: SqlAnalysis; readonly temporary: boolean };

type Answers = {
  readonly answers: Answer[];
  readonly written: SqlAnalysis[];
  unsupported: ScriptAnalysis['unsupported'];
};

const noAnswers = (): Answers => ({ answers: [], written: [], unsupported: null });

/** Analyses the statements of a body in their order; what reads a temporary table reads what that consists of. */
function bodyAnalysis(session: Session, instructions: readonly Instruction[]): ScriptAnalysis {
  const { parser, options, undone, budget, parsed, parsing } = session;
  // A first run finds what is undone later.
  if (instructions.some(({ kind }) => kind === 'rollback')) {
    const first = sessionFor(parser, options, [frameOf(null, 'routine')]);
    runBody({ ...first, undone, budget, parsed, parsing }, instructions);
  }
  const found = runBody(session, instructions);
  // What a body only returns is not what it is for, if it writes something.
  const { statements, ...others } = lastingAnswers(found);
  const writing = statements.filter(({ target }) => target !== null);
  return { ...others, statements: writing.length > 0 ? writing : statements };
}

function runBody(session: Session, instructions: readonly Instruction[]): Answers {
  const found = noAnswers();
  let loops = 0;
  for (const [at, one] of instructions.entries()) {
    const isLoop = one.kind === 'enter' && one.part === 'loop';
    // What a loop leaves is what it finds when it runs again.
    if (isLoop && loops === 0) run(session, instructions.slice(at, endOfPart(instructions, at)), noAnswers());
    if (isLoop || (loops > 0 && one.kind === 'enter')) loops++;
    else if (loops > 0 && one.kind === 'leave') loops--;
    run(session, [one], found);
  }
  return found;
}

/** The place behind the LEAVE of the part that is entered at a place. */
function endOfPart(instructions: readonly Instruction[], from: number): number {
  let depth = 0;
  for (let at = from; at < instructions.length; at++) {
    if (instructions[at]?.kind === 'enter') depth++;
    if (instructions[at]?.kind === 'leave' && --depth === 0) return at + 1;
  }
  return instructions.length;
}

function run(session: Session, instructions: readonly Instruction[], found: Answers): void {
  for (const one of instructions) {
    if (one.kind !== 'sql') {
      const reason = carryValues(session, one);
      if (reason !== null) found.unsupported ??= { reason, reads: null };
      continue;
    }
    const script = parsedStatements(session, one.text);
    const undone = session.undone.get(one);
    if (undone !== undefined) session.frames?.push(frameOf(one, 'block', [...undone]));
    if (script.ok) for (const statement of script.statements) addAnswers(session, found, statement);
    else found.unsupported ??= { reason: script.reason, reads: null };
    if (undone !== undefined) session.frames?.pop();
    session.done.push(one);
  }
}

function addAnswers(session: Session, found: Answers, statement: ParsedStatement): void {
  const renaming = renamingOf(statement.node);
  if (renaming !== null && rename(session, found.answers, renaming)) return;
  const copies = renaming?.isSwap ? parsedStatements(session, copiesOf(renaming)) : null;
  if (copies?.ok) {
    for (const copy of copies.statements) addAnswers(session, found, copy);
    return;
  }
  const result = statementAnalysis(session, statement);
  if (result.kind === 'unsupported') found.unsupported ??= result;
  if (result.kind !== 'answered') return;
  found.answers.push(...result.answers);
  found.written.push(...result.written);
}

function lastingAnswers({ answers, written, unsupported }: Answers): ScriptAnalysis {
  const lasting = answers.filter(({ temporary }) => !temporary);
  const shown = lasting.length > 0 ? lasting : answers.slice(-1);
  return { statements: shown.map(({ analysis }) => analysis), written, unsupported };
}

type Result =
  | { readonly kind: 'answered'; readonly answers: readonly Answer[]; readonly written: readonly SqlAnalysis[] }
  | { readonly kind: 'unsupported'; readonly reason: string; readonly reads: SqlAnalysis['reads'] }
  | { readonly kind: 'silent' };

function statementAnalysis(session: Session, statement: ParsedStatement): Result {
  try {
    return withinBudget(session, statement);
  } catch (error) {
    // The stack's limit is reached by nesting that the parser still takes.
    if (error instanceof BudgetExceeded || error instanceof RangeError)
      return { kind: 'unsupported', reason: tooComplex, reads: null };
    throw error;
  }
}

function withinBudget(session: Session, statement: ParsedStatement): Result {
  const { node, nodes } = statement;
  const { records, scope } = recordsFor(session, statement);
  const effects = effectOf(records.analysis, node, scope);
  if (effects.length === 0) {
    declareVariables(session, node);
    rememberTable(session, node);
    if (readsNothing(node)) return { kind: 'silent' };
    return { kind: 'unsupported', reason: 'a statement of this kind is not supported', reads: null };
  }
  if (effects.some(({ kind }) => kind !== null)) recordConditions(session.frames, records);
  // What has no place among the columns of the target is used too.
  const items = [...effects, ...records.effects].flatMap(({ row }) => row);
  const used = [...items, ...items.flatMap((item) => (item.kind === 'rest' ? behind(item) : []))];
  recordReferences(records, used);
  const { carried } = session;
  if (carried.size > 0) {
    for (const { relation } of [...readsOf(wholeOf(used)), ...records.indirect.values()])
      if (carried.has(relationKey(relation))) records.analysis.recordRead(relation);
  }
  const facts = factsOf(nodes, records);
  if (effects.some(({ kind, target }) => writesRelation.has(kind) && target === null))
    return { kind: 'unsupported', reason: 'the relation that is written is not known', reads: facts.reads };
  const answers = effects.map((effect) => ({
    analysis: answerOf(effect, facts),
    temporary: remember(session, effect, records),
  }));
  if (session.frames !== null) setStatus(session, influenceOf(session.frames, records));
  return { kind: 'answered', answers, written: records.effects.map((effect) => answerOf(effect, facts)) };
}

/** What columns consist of whose number is not known: a union by place consists of its branches. */
const behind = ({ of = [], shape }: Rest): Row => [
  ...of,
  ...(shape?.change.kind === 'places' ? shape.change.rows.flat() : []),
];

/** Statements that name the relation they write. Those that write files do not. */
const writesRelation: ReadonlySet<SqlAnalysis['statementKind']> = new Set([
  'create_materialized_view',
  'create_table_as',
  'create_view',
  'delete',
  'insert',
  'merge',
  'update',
]);

/** Gives what earlier statements wrote the name that it gets; false if none wrote it. */
function rename(
  { options, columnsOfTables, temporaries }: Session,
  answers: Answer[],
  { from, to, isSwap }: Renaming,
): boolean {
  const names = new Map([[keyOf(options, from), to], ...(isSwap ? [[keyOf(options, to), from] as const] : [])]);
  const nameOf = ({ analysis: { target } }: Answer) =>
    target === null ? undefined : names.get(keyOf(options, target));
  if (!answers.some((answer) => nameOf(answer) !== undefined)) return false;
  for (const [place, answer] of answers.entries()) {
    const target = nameOf(answer);
    if (target !== undefined) answers[place] = { ...answer, analysis: { ...answer.analysis, target } };
  }
  const keys = new Map([...names].map(([key, name]) => [key, keyOf(options, name)]));
  moveEntries(columnsOfTables, keys);
  moveEntries(temporaries, keys);
  return true;
}

/** Two tables that are swapped, and were not made here, have the rows of each other. */
function copiesOf({ from, to }: Renaming): string {
  const [a, b] = [from, to].map((name) =>
    name.map(({ text, quoted }) => (quoted ? `"${text.replaceAll('"', '""')}"` : text)).join('.'),
  );
  return `INSERT INTO ${a} SELECT * FROM ${b}; INSERT INTO ${b} SELECT * FROM ${a}`;
}

function moveEntries<Value>(tables: Map<string, Value>, keys: ReadonlyMap<string, string>): void {
  const moved = [...keys].flatMap(([key, next]) => {
    const value = tables.get(key);
    return value === undefined ? [] : [[next, value] as const];
  });
  for (const key of keys.keys()) tables.delete(key);
  for (const [key, value] of moved) tables.set(key, value);
}
