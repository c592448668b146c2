import { limits } from '../../../contract/limits.ts';
import { type Budget, BudgetExceeded, type Spend, spendFrom } from '../../budget.ts';
import type {
  ColumnRead,
  IndirectSource,
  Influence,
  KnownColumns,
  RelationName,
  SqlAnalysis,
} from '../../sql/types.ts';
import type { ColumnPorts } from '../declared/declared.ts';
import { type BaseColumn, distinctColumns } from './base-column.ts';
import { compose } from './compose.ts';
import type { Dependencies } from './dependencies.ts';
import { type ReadMatcher, readMatcher } from './match-read.ts';
import type { ExternalRelation, Model, ModelProject } from './model-project.ts';

type ModelOutput = {
  readonly column: string | null;
  readonly sources: readonly BaseColumn[];
  readonly reason: string | null;
};

/** What a model's statement says of its columns, in terms of relations alone. */
export type ModelColumns = {
  readonly outputs: readonly ModelOutput[];
  /** Columns that affect every output. */
  readonly indirect: readonly BaseColumn[];
  /** Why columns are missing from `indirect`. */
  readonly indirectReason: string | null;
  /** Why nothing is known of the columns; `outputs` is then empty. */
  readonly reason: string | null;
};

export const nothingKnown = (reason: string | null): ModelColumns => ({
  outputs: [],
  indirect: [],
  indirectReason: null,
  reason,
});

export type ProjectKnowledge = ColumnPorts & {
  readonly project: ModelProject;
  readonly dependencies: (model: Model) => Dependencies;
  /** The columns of a node of the project, where they are known by now. */
  readonly columnsOf: (member: Model | ExternalRelation) => KnownColumns | null;
  /** The answer for an inlined model. */
  readonly inlinedColumns: (model: Model) => ModelColumns;
  /** Steps that are left for the statements of the project. */
  readonly statementSteps: Budget;
  /** How many columns of relations models may yet be said to read. */
  readonly columnReads: Budget;
};

type Reader = {
  readonly knowledge: ProjectKnowledge;
  readonly model: Model;
  readonly memberOf: ReadMatcher<Model | ExternalRelation>;
  readonly spend: Spend;
};

/** Through inlined models a few columns reach many by all of them: more than a person makes sense of. */
const mostReadsOfModel = 250_000;
const tooManyReads = 'too_many_columns_through_inlined_models';

/**
 * The columns of one model: C-SQLMESH-2, C-SQLMESH-3, C-DBT-3, C-COLUMNS-3.
 * A statement is mapped only when every relation it reads is a declared dependency, or the model itself.
 */
export function modelColumns(knowledge: ProjectKnowledge, model: Model): ModelColumns {
  const { statement } = model;
  if (statement.kind === 'none') return nothingKnown(statement.reason);
  const { relations, inlined } = knowledge.dependencies(model);
  const members = [...relations, ...inlined, model];
  const memberOf = readMatcher(members);
  const columnsOf = (read: RelationName) => {
    const member = memberOf(read);
    return member && knowledge.columnsOf(member);
  };
  const budget = knowledge.statementSteps;
  const analyses = statement.dialects.map(
    (dialect) => () => knowledge.analyse(statement.text, { dialect, columnsOf, budget }),
  );
  const analysis = firstParsed(analyses);
  if (!analysis?.reads) return nothingKnown(analysis?.unresolvedReason ?? 'sql_dialect_unknown');
  if (!analysis.reads.every(memberOf)) return nothingKnown(knowledge.project.readsOutside);
  if (analysis.unresolvedReason !== null) return nothingKnown(analysis.unresolvedReason);
  try {
    const spend = spendFrom([{ left: mostReadsOfModel }, knowledge.columnReads]);
    return inBaseTerms({ knowledge, model, memberOf, spend }, analysis);
  } catch (error) {
    if (error instanceof BudgetExceeded) return nothingKnown(tooManyReads);
    throw error;
  }
}

function firstParsed(analyses: readonly (() => SqlAnalysis)[]): SqlAnalysis | null {
  let first: SqlAnalysis | null = null;
  for (const analyse of analyses) {
    const analysis = analyse();
    if (analysis.reads) return analysis;
    first ??= analysis;
  }
  return first;
}

function inBaseTerms(
  reader: Reader,
  { outputs, indirect, indirectUnresolvedReason, reads }: SqlAnalysis,
): ModelColumns {
  const inlined = new Set((reads ?? []).map(reader.memberOf).filter((member) => member !== null && isInlined(member)));
  return {
    outputs: outputs.map(({ column, sources, unresolvedReason }) => {
      reader.spend(1);
      const found = sources.map((source) => baseSources(reader, source));
      const isLong = column !== null && isLongName(column);
      return {
        column: isLong ? null : column,
        sources: distinctColumns(
          reader.spend,
          found.map((one) => one.sources),
        ),
        reason: isLong ? longName : (unresolvedReason ?? found.find(({ reason }) => reason !== null)?.reason ?? null),
      };
    }),
    indirect: distinctColumns(reader.spend, [
      ...indirect.map((source) => baseSources(reader, asInfluence(source)).sources),
      ...[...inlined].map((member) => reader.knowledge.inlinedColumns(member).indirect),
    ]),
    indirectReason: indirectUnresolvedReason,
    reason: null,
  };
}

const longName = 'column_name_too_long';
const isLongName = (name: string): boolean => name.length > 2 * limits.openlineage.name;

const isInlined = (member: Model | ExternalRelation): member is Model => member.node === null;
const asInfluence = (source: IndirectSource): ColumnRead & Influence => ({
  ...source,
  type: 'INDIRECT',
  masking: false,
});

/** A column read in terms of relations: of an inlined model's column, what that is made of; of the model itself, nothing. */
function baseSources(
  { knowledge, model, memberOf, spend }: Reader,
  { relation, column, ...influence }: ColumnRead & Influence,
): { readonly sources: readonly BaseColumn[]; readonly reason: string | null } {
  const member = memberOf(relation);
  if (!member || member.id === model.id) return { sources: [], reason: null };
  if (isLongName(column)) return { sources: [], reason: longName };
  if (!isInlined(member)) return { sources: [{ node: member.node, column, ...influence }], reason: null };
  const columns = knowledge.inlinedColumns(member);
  const output = outputsOf(columns).get(column.toLowerCase());
  if (!output) return { sources: [], reason: columns.reason ?? 'embedded_column_unknown' };
  spend(output.sources.length);
  return {
    sources: output.sources.map((source) => ({ ...source, ...compose(source, influence) })),
    reason: output.reason,
  };
}

/** By the names of columns, as many users of an inlined model ask for them. */
const outputsByName = new WeakMap<ModelColumns, ReadonlyMap<string, ModelOutput>>();

function outputsOf(columns: ModelColumns): ReadonlyMap<string, ModelOutput> {
  const known = outputsByName.get(columns);
  if (known) return known;
  // The first of a name counts, so it is set last.
  const named = columns.outputs
    .toReversed()
    .flatMap((one) => (one.column === null ? [] : [[one.column, one] as const]));
  const byName = new Map(named.map(([name, one]) => [name.toLowerCase(), one]));
  outputsByName.set(columns, byName);
  return byName;
}
