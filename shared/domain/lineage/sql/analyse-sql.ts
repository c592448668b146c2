import { BudgetExceeded } from '../../base/budget.ts';
import { answerOf, factsOf } from './answer.ts';
import type { BodyStatement } from './body-words.ts';
import { countTokens, textBudget, tooComplex } from './budget.ts';
import { derivedSource } from './effect.ts';
import { expressionTexts } from './expression-text.ts';
import { scopeWithin } from './name-scope.ts';
import { type ParsedStatement, parsedScript } from './parse-script.ts';
import { bodyOf } from './procedural.ts';
import { readsOf } from './provenance.ts';
import { recorderFor } from './recorder.ts';
import { columnAt, wholeOf } from './row.ts';
import {
  assignVariable,
  carriedRelations,
  columnsSoFar,
  declareVariable,
  declareVariables,
  keyOf,
  remember,
  rememberTable,
  type Session,
} from './session.ts';
import { effectOf, readsNothing } from './statement.ts';
import { distinctRelations, isQuery, relationKey, type Syntax, unquoted } from './syntax.ts';
import { type Renaming, renamingOf } from './tokens.ts';
import type { ColumnSource, SqlAnalysis, SqlOptions, SqlParser } from './types.ts';

/** Which columns reach each output, and how, of statements that write one relation. Never throws: reasons say why. */
export function analyseSql(parser: SqlParser, text: string, options: SqlOptions): SqlAnalysis {
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

const noColumns = 'the statement is of a kind that has no columns';

function analysed(parser: SqlParser, text: string, options: SqlOptions): ScriptAnalysis {
  const body = countTokens(text) === null ? null : bodyWithin(text, options.dialect);
  if (body !== null) return analysesOf(parser, body, options);
  const script = parsedScript(parser, text, options.dialect, options.budget ? [options.budget] : []);
  if (!script.ok) return { statements: [], written: [], unsupported: { reason: script.reason, reads: null } };
  return analysesOf(
    parser,
    script.statements.map((parsed) => ({ kind: 'parsed', parsed })),
    options,
  );
}

/** The statements of a body; of one that is too dense to be read, that it is open. */
function bodyWithin(text: string, dialect: SqlOptions['dialect']): ReturnType<typeof bodyOf> {
  try {
    return bodyOf(text, dialect);
  } catch (error) {
    if (error instanceof BudgetExceeded) return [{ kind: 'open', reason: tooComplex }];
    throw error;
  }
}

/** Several statements are one answer where they write one relation. */
function joined(statements: readonly SqlAnalysis[]): SqlAnalysis {
  const [first, ...more] = statements;
  if (first === undefined) return unresolved(noColumns, []);
  if (more.length === 0) return first;
  const writes = new Set(statements.map(({ target }) => relationKey(target ?? [])));
  if (writes.size > 1) return unresolved(`the text writes ${writes.size} relations`, allReads(statements));
  if (first.target === null) return unresolved(`the text holds ${statements.length} statements`, allReads(statements));
  const main = statements.find(({ outputs }) => outputs.length > 0) ?? first;
  return {
    ...main,
    outputs: outputsByName(statements),
    indirect: [...new Set(statements.map(({ indirect }) => indirect))].flat(),
    indirectUnresolvedReason: joinedReasons(statements.map((one) => one.indirectUnresolvedReason)),
    indirectReasons: [...new Set(statements.map((one) => one.indirectReasons))].flat(),
    unresolvedReason: joinedReasons(statements.map((one) => one.unresolvedReason)),
  };
}

function outputsByName(statements: readonly SqlAnalysis[]): SqlAnalysis['outputs'] {
  const groups = Map.groupBy(
    statements.flatMap(({ outputs }) => outputs),
    (output) => output.column?.toLowerCase() ?? output,
  );
  return [...groups.values()].map((outputs) => ({
    column: outputs[0]?.column ?? null,
    sources: distinctSources(outputs.flatMap(({ sources }) => sources)),
    unresolvedReason: joinedReasons(outputs.map((one) => one.unresolvedReason)),
    reasons: outputs.flatMap((one) => one.reasons),
  }));
}

function distinctSources(sources: readonly ColumnSource[]): readonly ColumnSource[] {
  const keyOf = ({ relation, column, field, type, subtype, masking }: ColumnSource) =>
    JSON.stringify([relationKey(relation), column, field, type, subtype, masking]);
  return [...new Map(sources.map((source) => [keyOf(source), source])).values()];
}

function joinedReasons(reasons: readonly (string | null)[]): string | null {
  const provided = new Set(reasons.filter((reason) => reason !== null));
  return provided.size === 0 ? null : [...provided].join('; ');
}

function allReads(statements: readonly SqlAnalysis[]): SqlAnalysis['reads'] {
  // The effects of one statement share their list.
  const known = new Set(statements.map(({ reads }) => reads));
  if (known.has(null)) return null;
  return distinctRelations([...known].flatMap((reads) => reads ?? []));
}

function unresolved(reason: string, reads: SqlAnalysis['reads']): SqlAnalysis {
  return {
    statementKind: null,
    target: null,
    outputs: [],
    reads,
    indirect: [],
    indirectUnresolvedReason: null,
    indirectReasons: [],
    unresolvedReason: reason,
  };
}

type ScriptAnalysis = {
  /** Of each statement that gives columns, without those that only make temporary tables for others. */
  readonly statements: readonly SqlAnalysis[];
  /** Writes besides a statement's main effect, such as an INSERT in WITH. */
  readonly written: readonly SqlAnalysis[];
  readonly unsupported: { readonly reason: string; readonly reads: SqlAnalysis['reads'] } | null;
};

type Answer = { readonly analysis: SqlAnalysis; readonly temporary: boolean };

type Step = BodyStatement | { readonly kind: 'parsed'; readonly parsed: ParsedStatement };

/** Analyses the statements of a text in their order; what reads a temporary table reads what that consists of. */
function analysesOf(parser: SqlParser, steps: readonly Step[], options: SqlOptions): ScriptAnalysis {
  const session: Session = {
    parser,
    options,
    temporaries: new Map(),
    columnsOfTables: new Map(),
    variables: new Map(),
    records: new Map(),
    budget: textBudget(),
  };
  const answers: Answer[] = [];
  const written: SqlAnalysis[] = [];
  let unsupported: ScriptAnalysis['unsupported'] = null;
  const analyse = (statement: ParsedStatement) => {
    const renaming = renamingOf(statement.node);
    if (renaming !== null && rename(session, answers, renaming)) return;
    const result = statementAnalysis(session, statement);
    if (result.kind === 'unsupported') unsupported ??= result;
    if (result.kind !== 'answered') return;
    answers.push(...result.answers);
    written.push(...result.written);
  };
  for (const step of steps) {
    if (step.kind === 'parsed') analyse(step.parsed);
    else if (step.kind === 'declare') declareVariable(session, unquoted(step.name));
    else if (step.kind === 'open') unsupported ??= { reason: step.reason, reads: null };
    else {
      const text = step.kind === 'sql' ? step.text : step.query;
      const script = parsedScript(parser, text, options.dialect, options.budget ? [options.budget] : []);
      if (!script.ok) unsupported ??= { reason: script.reason, reads: null };
      else if (step.kind === 'sql') for (const statement of script.statements) analyse(statement);
      else if (!carryValues(session, step, script.statements)) unsupported ??= { reason: openValue, reads: null };
    }
  }
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

const openValue = 'the value of a variable is not known';

/** Gives variables, by place, or a record the columns of a query; false if it is none. */
function carryValues(
  session: Session,
  step: BodyStatement & { readonly query: string },
  statements: readonly ParsedStatement[],
): boolean {
  const [statement, ...more] = statements;
  if (statement === undefined || more.length > 0 || !isQuery(statement.node)) return false;
  try {
    const { records, scope } = recordsFor(session, statement);
    const row = records.analysis.query(statement.node, scope);
    if (step.kind === 'row') session.records.set(step.name, derivedSource(unquoted(step.name), row));
    else if (step.kind === 'assign')
      for (const [place, name] of step.names.entries())
        assignVariable(session, unquoted(name.replace(/^:/, '')), columnAt(row, place + 1).value);
    return true;
  } catch (error) {
    if (error instanceof BudgetExceeded || error instanceof RangeError) return false;
    throw error;
  }
}

function recordsFor(session: Session, { text }: ParsedStatement) {
  const options = { ...session.options, columnsOf: columnsSoFar(session) };
  const records = recorderFor(options, session.budget, {
    expressionOf: expressionTexts(text, options),
    embedded: (literal) => embeddedQuery(session.parser, literal),
  });
  const around = { ...scopeWithin(null, session.temporaries), sources: [...session.records.values()] };
  const outer = session.records.size === 0 ? null : around;
  return { records, scope: { ...scopeWithin(outer, session.temporaries), parameters: session.variables } };
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
  const carried = carriedRelations(session);
  const used = carried.size === 0 ? [] : effects.flatMap(({ row }) => readsOf(wholeOf(row)));
  for (const { relation } of [...used, ...(carried.size === 0 ? [] : records.indirect.values())])
    if (carried.has(relationKey(relation))) records.analysis.recordRead(relation);
  const facts = factsOf(nodes, records);
  if (effects.some(({ kind, target }) => kind !== null && target === null) && isNamedByExpression(node))
    return {
      kind: 'unsupported',
      reason: 'the relation that is written is named by an expression',
      reads: facts.reads,
    };
  const answers = effects.map((effect) => ({
    analysis: answerOf(effect, facts),
    temporary: remember(session, effect, records),
  }));
  return { kind: 'answered', answers, written: records.effects.map((effect) => answerOf(effect, facts)) };
}

/** `DELETE FROM IDENTIFIER($t)`. */
const isNamedByExpression = ({ fields }: Syntax): boolean =>
  ['table', 'name', 'this'].some((key) => /"identifier_func":\{/.test(JSON.stringify(fields[key] ?? null)));

/** The text of a query in another dialect, which the statement does not name. */
function embeddedQuery(parser: SqlParser, text: string): Syntax | null {
  const parsed = parsedScript(parser, text, 'ansi');
  if (!parsed.ok || parsed.statements.length !== 1) return null;
  return parsed.statements[0]?.node ?? null;
}

/** Gives what earlier statements wrote the name that it gets; false if none wrote it. */
function rename({ options, columnsOfTables }: Session, answers: Answer[], { from, to }: Renaming): boolean {
  const key = keyOf(options, from);
  const isRenamed = ({ analysis: { target } }: Answer) => target !== null && keyOf(options, target) === key;
  if (!answers.some(isRenamed)) return false;
  for (const [place, answer] of answers.entries())
    if (isRenamed(answer)) answers[place] = { ...answer, analysis: { ...answer.analysis, target: to } };
  const known = columnsOfTables.get(key);
  columnsOfTables.delete(key);
  if (known !== undefined) columnsOfTables.set(keyOf(options, to), known);
  return true;
}
