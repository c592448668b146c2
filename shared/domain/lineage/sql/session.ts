import type { Budget } from '../../base/budget.ts';
import { parseBudget, textBudget, tooComplex } from './budget.ts';
import { isTsql } from './dialect.ts';
import type { Effect, FromSource } from './effect.ts';
import { foldedName, foldedPath, type NameRules, nameRulesOf } from './name-rules.ts';
import type { Analysis, Cte } from './name-scope.ts';
import { type ParsedScript, parsedScript } from './parse-script.ts';
import { fromColumn, merge, nothing, readsOf, unknown } from './provenance.ts';
import type { ReadRecords } from './recorder.ts';
import { column, mappedRow, mergedByName } from './row.ts';
import type { Instruction, Part } from './scripts/instruction.ts';
import { throughWithFields } from './struct.ts';
import {
  childrenOf,
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
import type {
  ColumnsOf,
  KnownColumns,
  Provenance,
  RelationName,
  Row,
  SqlName,
  SqlOptions,
  SqlParser,
} from './types.ts';

/** What decides whether something happens: a value, and the rows that it was found in. */
export type Condition = {
  readonly value: Provenance;
  readonly records: ReadRecords | null;
  /** It ends a loop. */
  readonly isExit?: boolean;
};

/** A part of a body with the conditions that hold in it. */
export type Frame = {
  readonly of: Instruction | null;
  readonly part: Part;
  conditions: readonly Condition[];
  /** How many statements ran before each place that ROLLBACK leads back to. */
  readonly savepoints: Map<string, number>;
};

export const frameOf = (of: Instruction | null, part: Part, conditions: readonly Condition[] = []): Frame => ({
  of,
  part,
  conditions,
  savepoints: new Map(),
});

/** The columns of the relations that the statements of a text create, by the folded names of relations. */
export type Session = {
  readonly parser: SqlParser;
  readonly options: SqlOptions;
  readonly temporaries: Map<string, Cte & { readonly row: Row }>;
  readonly columnsOfTables: Map<string, KnownColumns>;
  /** What declared variables consist of, by their folded names. */
  readonly variables: Map<string, Provenance>;
  /** Records whose fields a name qualifies, such as the rows of a loop. */
  readonly records: Map<string, FromSource>;
  /** The relations that variables and records carry values of. */
  readonly carried: Set<string>;
  /** What a statement of a body is within, outermost first; null for a text that is no body. */
  readonly frames: Frame[] | null;
  /** What ends a loop, which decides whether its statements run again, by the instruction that enters it. */
  readonly exits: Map<Instruction | null, readonly Condition[]>;
  /** The statements that ran. */
  readonly done: Instruction[];
  /** The conditions that undo a statement later. */
  readonly undone: Map<Instruction, Set<Condition>>;
  readonly budget: Budget;
  /** Parsed statements of a body by their texts. Loops and dynamic texts repeat some. */
  readonly parsed: Map<string, ParsedScript>;
  readonly parsing: Budget;
};

export const sessionFor = (parser: SqlParser, options: SqlOptions, frames: Frame[] | null): Session => ({
  parser,
  options,
  temporaries: new Map(),
  columnsOfTables: new Map(),
  variables: new Map(),
  records: new Map(),
  carried: new Set(),
  frames,
  exits: new Map(),
  done: [],
  undone: new Map(),
  budget: textBudget(),
  parsed: new Map(),
  parsing: parseBudget(),
});

export const keyOf = ({ dialect }: SqlOptions, relation: RelationName): string =>
  foldedPath(nameRulesOf(dialect), relation);

export function columnsSoFar({ options, columnsOfTables, temporaries }: Session): ColumnsOf {
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

/** What a parse costs besides the words of its text. */
const parseSteps = 50;

/** A statement of a body. */
export function parsedStatements({ parser, options, parsed, parsing }: Session, text: string): ParsedScript {
  const before = parsed.get(text);
  if (before !== undefined) return before;
  parsing.left -= parseSteps;
  const budgets = options.budget ? [options.budget, parsing] : [parsing];
  const script: ParsedScript =
    parsing.left < 0 ? { ok: false, reason: tooComplex } : parsedScript(parser, text, options.dialect, budgets);
  parsed.set(text, script);
  return script;
}

/** The columns of a table that a text makes empty, until it changes or drops them. */
export function rememberTable({ options, columnsOfTables, temporaries }: Session, node: Syntax): void {
  const relations =
    node.kind === 'drop_table' ? recordsOf(node.fields, 'names') : [fieldsOf(node.fields['name']) ?? {}];
  if (!/^(create|alter|drop)_table$/.test(node.kind)) return;
  for (const relation of relations) {
    const name = tableNameOf(relation);
    const known = definedColumns(options, node);
    const temporary = temporaries.get(keyOf(options, name));
    if (temporary?.row)
      temporaries.set(keyOf(options, name), { ...temporary, row: [...temporary.row, ...addedColumns(node)] });
    const isNew = node.fields['if_not_exists'] !== true || options.columnsOf(name) === null;
    if (known === null) columnsOfTables.delete(keyOf(options, name));
    else if (isNew) columnsOfTables.set(keyOf(options, name), known);
  }
}

/** The columns of `ALTER TABLE t ADD a INT`, which hold nothing. */
const addedColumns = ({ fields }: Syntax): Row =>
  recordsOf(fields, 'actions').flatMap((action) => {
    const name = nameOf(fieldsOf(fieldsOf(action['AddColumn'])?.['column'])?.['name']);
    return name === null ? [] : [column(name, nothing)];
  });

/** The columns that a definition lists; nobody inserts those that are computed, nor SQL Server's identities. */
function definedColumns({ dialect }: SqlOptions, { fields }: Syntax): KnownColumns | null {
  const definitions = recordsOf(fields, 'columns');
  const names = namesOf(fields, 'columns').map(({ text }) => text);
  if (names.length === 0 || names.length < definitions.length) return null;
  const isComputed = (one: SyntaxFields) =>
    listOf(one['constraints']).some((constraint) => fieldsOf(constraint)?.['ComputedColumn'] !== undefined) ||
    ['materialized_expr', 'alias_expr'].some((key) => (one[key] ?? null) !== null) ||
    (isTsql(dialect) && one['auto_increment'] === true);
  const insertable = names.filter((_, place) => !isComputed(definitions[place] ?? {}));
  return { names, complete: true, insertable };
}

/** `DECLARE x, y INT64`, and SQL Server's `DECLARE @t TABLE (a INT)`, a temporary table. */
export function declareVariables(session: Session, { kind, fields }: Syntax): void {
  for (const { fields: item } of kind === 'declare' ? childrenOf(fields, 'expressions') : []) {
    const names = [nameOf(item['this']) ?? [], namesOf(item, 'additional_names')].flat();
    const row = tableVariable(session, textOf(item, 'kind') ?? '');
    for (const name of names)
      if (row === null) declareVariable(session, name);
      else session.temporaries.set(keyOf(session.options, [name]), { row, value: null });
  }
}

export function declareVariable({ options, variables }: Session, name: SqlName): void {
  const folded = foldedName(nameRulesOf(options.dialect), name);
  if (!variables.has(folded)) variables.set(folded, nothing);
}

/** A variable may have its former value as well, unless it gets another for certain. */
export function assignVariable(session: Session, name: SqlName, value: Provenance, isCertain: boolean): void {
  const { options, variables } = session;
  const folded = foldedName(nameRulesOf(options.dialect), name);
  const passed = throughWithFields(value, 'TRANSFORMATION');
  variables.set(folded, isCertain ? passed : merge([variables.get(folded) ?? nothing, passed]));
  carry(session, value);
}

/** Remembers that the relations of a value may be read by statements that only name what has the value. */
export function carry({ carried }: Session, value: Provenance): void {
  for (const { relation } of readsOf(value)) carried.add(relationKey(relation));
}

function tableVariable({ parser, options }: Session, type: string): Row | null {
  if (!/^table\b/i.test(type)) return null;
  const definition = parsedScript(parser, `create ${type.slice(0, 5)} t ${type.slice(5)}`, options.dialect);
  const node = definition.ok ? definition.statements[0]?.node : undefined;
  return (node && definedColumns(options, node)?.insertable?.map((name) => column(unquoted(name), nothing))) ?? null;
}

/** Keeps what later statements may read; answers whether the target is temporary. */
export function remember(session: Session, effect: Effect, records: ReadRecords): boolean {
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

/** SQL Server's `#t` and `@t`. */
function isTemporaryName(target: RelationName): boolean {
  const first = target.at(-1)?.text.charAt(0);
  return first === '#' || first === '@';
}

export function repeatRecords({ reads, indirect, indirectReasons, named }: ReadRecords, analysis: Analysis): void {
  analysis.spend(reads.length + indirect.size + named.length);
  for (const value of named) analysis.recordNamed(value);
  for (const read of reads) analysis.recordRead(read);
  for (const { relation, column, subtype } of indirect.values())
    analysis.recordIndirect(fromColumn(relation, column), subtype);
  analysis.recordIndirect({ ...nothing, reasons: indirectReasons }, 'FILTER');
}
