import { type Budget, BudgetExceeded } from '../../base/budget.ts';
import { answerOf, factsOf } from './answer.ts';
import { textBudget, tooComplex } from './budget.ts';
import type { Effect } from './effect.ts';
import { expressionTexts } from './expression-text.ts';
import { foldedName, foldedPath, type NameRules, nameRulesOf } from './name-rules.ts';
import { type Analysis, type Cte, scopeWithin } from './name-scope.ts';
import { type ParsedStatement, parsedScript } from './parse-script.ts';
import { fromColumn, merge, nothing, unknown } from './provenance.ts';
import { type ReadRecords, recorderFor } from './recorder.ts';
import { column, mappedRow, mergedByName } from './row.ts';
import { effectOf, readsNothing } from './statement.ts';
import {
  childrenOf,
  distinctRelations,
  fieldsOf,
  listOf,
  nameOf,
  namesOf,
  recordsOf,
  relationKey,
  type Syntax,
  type SyntaxFields,
  tableNameOf,
  textOf,
  unquoted,
} from './syntax.ts';
import { type Renaming, renamingOf } from './tokens.ts';
import type {
  ColumnSource,
  ColumnsOf,
  KnownColumns,
  RelationName,
  Row,
  SqlAnalysis,
  SqlOptions,
  SqlParser,
} from './types.ts';

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
  const script = parsedScript(parser, text, options.dialect, options.budget ? [options.budget] : []);
  if (!script.ok) return { statements: [], written: [], unsupported: { reason: script.reason, reads: null } };
  return analysesOf(parser, script.statements, options);
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

/** The columns of the relations that the statements of a text create, by the folded names of relations. */
type Session = {
  readonly parser: SqlParser;
  readonly options: SqlOptions;
  readonly temporaries: Map<string, Cte & { readonly row: Row }>;
  readonly columnsOfTables: Map<string, KnownColumns>;
  /** Folded names of declared variables. */
  readonly variables: Set<string>;
  readonly budget: Budget;
};

type Answer = { readonly analysis: SqlAnalysis; readonly temporary: boolean };

/** Analyses the statements of a text in their order; what reads a temporary table reads what that consists of. */
function analysesOf(parser: SqlParser, statements: readonly ParsedStatement[], options: SqlOptions): ScriptAnalysis {
  const session: Session = {
    parser,
    options,
    temporaries: new Map(),
    columnsOfTables: new Map(),
    variables: new Set(),
    budget: textBudget(),
  };
  const answers: Answer[] = [];
  const written: SqlAnalysis[] = [];
  let unsupported: ScriptAnalysis['unsupported'] = null;
  for (const statement of statements) {
    const renaming = renamingOf(statement.node);
    if (renaming !== null && rename(session, answers, renaming)) continue;
    const result = statementAnalysis(session, statement);
    if (result.kind === 'unsupported') unsupported ??= result;
    if (result.kind !== 'answered') continue;
    answers.push(...result.answers);
    written.push(...result.written);
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

function withinBudget(session: Session, { node, nodes, text }: ParsedStatement): Result {
  const options = { ...session.options, columnsOf: columnsSoFar(session) };
  const records = recorderFor(options, session.budget, {
    expressionOf: expressionTexts(text, options),
    embedded: (literal) => embeddedQuery(session.parser, literal),
  });
  const scope = { ...scopeWithin(null, session.temporaries), parameters: session.variables };
  const effects = effectOf(records.analysis, node, scope);
  if (effects.length === 0) {
    declareVariables(session, node);
    rememberTable(session, node);
    if (readsNothing(node)) return { kind: 'silent' };
    return { kind: 'unsupported', reason: 'a statement of this kind is not supported', reads: null };
  }
  const facts = factsOf(nodes, records);
  const answers = effects.map((effect) => ({
    analysis: answerOf(effect, facts),
    temporary: remember(session, effect, records),
  }));
  return { kind: 'answered', answers, written: records.effects.map((effect) => answerOf(effect, facts)) };
}

/** `DECLARE x, y INT64`, and SQL Server's `DECLARE @t TABLE (a INT)`, a temporary table. */
function declareVariables(session: Session, { kind, fields }: Syntax): void {
  const rules = nameRulesOf(session.options.dialect);
  for (const { fields: item } of kind === 'declare' ? childrenOf(fields, 'expressions') : []) {
    const names = [nameOf(item['this']) ?? [], namesOf(item, 'additional_names')].flat();
    const row = tableVariable(session, textOf(item, 'kind') ?? '');
    for (const name of names)
      if (row === null) session.variables.add(foldedName(rules, name));
      else session.temporaries.set(keyOf(session.options, [name]), { row, value: null });
  }
}

function tableVariable({ parser, options }: Session, type: string): Row | null {
  if (!/^table\b/i.test(type)) return null;
  const definition = parsedScript(parser, `create ${type.slice(0, 5)} t ${type.slice(5)}`, options.dialect);
  const node = definition.ok ? definition.statements[0]?.node : undefined;
  return (node && definedColumns(options, node)?.insertable?.map((name) => column(unquoted(name), nothing))) ?? null;
}

/** The text of a query in another dialect, which the statement does not name. */
function embeddedQuery(parser: SqlParser, text: string): Syntax | null {
  const parsed = parsedScript(parser, text, 'ansi');
  if (!parsed.ok || parsed.statements.length !== 1) return null;
  return parsed.statements[0]?.node ?? null;
}

function columnsSoFar({ options, columnsOfTables, temporaries }: Session): ColumnsOf {
  return (relation) => {
    if (columnsOfTables.size === 0 && temporaries.size === 0) return options.columnsOf(relation);
    const key = keyOf(options, relation);
    const temporary = temporaries.get(key);
    const known = columnsOfTables.get(key) ?? (temporary === undefined ? null : knownOfRow(temporary.row));
    return known ?? options.columnsOf(relation);
  };
}

/** Null where not every column has a name. */
function knownOfRow(row: Row): KnownColumns | null {
  const names = row.flatMap((item) => (item.kind === 'column' ? (item.name?.text ?? []) : []));
  return names.length === row.length ? { names, complete: true } : null;
}

/** The columns of a table that a text makes empty, until it changes or drops them. */
function rememberTable({ options, columnsOfTables }: Session, node: Syntax): void {
  const relations =
    node.kind === 'drop_table' ? recordsOf(node.fields, 'names') : [fieldsOf(node.fields['name']) ?? {}];
  if (!/^(create|alter|drop)_table$/.test(node.kind)) return;
  for (const relation of relations) {
    const name = tableNameOf(relation);
    const known = definedColumns(options, node);
    const isNew = node.fields['if_not_exists'] !== true || options.columnsOf(name) === null;
    if (known === null) columnsOfTables.delete(keyOf(options, name));
    else if (isNew) columnsOfTables.set(keyOf(options, name), known);
  }
}

/** The columns that a definition lists; nobody inserts those that are computed, nor SQL Server's identities. */
function definedColumns({ dialect }: SqlOptions, { fields }: Syntax): KnownColumns | null {
  const definitions = recordsOf(fields, 'columns');
  const names = namesOf(fields, 'columns').map(({ text }) => text);
  if (names.length === 0 || names.length < definitions.length) return null;
  const isComputed = (one: SyntaxFields) =>
    listOf(one['constraints']).some((constraint) => fieldsOf(constraint)?.['ComputedColumn'] !== undefined) ||
    ['materialized_expr', 'alias_expr'].some((key) => (one[key] ?? null) !== null) ||
    (['tsql', 'fabric'].includes(dialect) && one['auto_increment'] === true);
  const insertable = names.filter((_, place) => !isComputed(definitions[place] ?? {}));
  return { names, complete: true, insertable };
}

/** Keeps what later statements may read; answers whether the target is temporary. */
function remember(session: Session, effect: Effect, records: ReadRecords): boolean {
  const { target, row } = effect;
  if (target === null) return false;
  const key = keyOf(session.options, target);
  const before = session.temporaries.get(key);
  if (effect.temporary === true || before !== undefined || isTemporaryName(target)) {
    const rules = nameRulesOf(session.options.dialect);
    const filled = before === undefined || effect.temporary === true ? row : filledRow(rules, before.row, row);
    const used = (analysis: Analysis) => {
      before?.used?.(analysis);
      repeatRecords(records, analysis);
    };
    session.temporaries.set(key, { row: filled, value: null, used });
    return true;
  }
  const creates = effect.kind?.startsWith('create') === true || effect.kind === 'select_into';
  const known = creates ? knownOfRow(row) : null;
  if (known !== null) session.columnsOfTables.set(key, known);
  return false;
}

/** The columns of a table with more rows: if it is not known which of them are given, each may be. */
function filledRow(rules: NameRules, before: Row, added: Row): Row {
  const rest = added.find((item) => item.kind === 'rest');
  const changed = rest === undefined ? before : mappedRow(before, (value) => merge([value, unknown(rest.reason)]));
  return mergedByName(rules, [changed, added]);
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

/** SQL Server's `#t` and `@t`. */
function isTemporaryName(target: RelationName): boolean {
  const first = target.at(-1)?.text.charAt(0);
  return first === '#' || first === '@';
}

function repeatRecords({ reads, indirect, indirectReasons }: ReadRecords, analysis: Analysis): void {
  analysis.spend(reads.length + indirect.size);
  for (const read of reads) analysis.recordRead(read);
  for (const { relation, column, subtype } of indirect.values())
    analysis.recordIndirect(fromColumn(relation, column), subtype);
  analysis.recordIndirect({ ...nothing, reasons: indirectReasons }, 'FILTER');
}

const keyOf = ({ dialect }: SqlOptions, relation: RelationName): string => foldedPath(nameRulesOf(dialect), relation);
