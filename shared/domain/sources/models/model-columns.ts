import type { Node } from '../../graph/node.ts';
import type {
  ColumnRead,
  IndirectSource,
  Influence,
  KnownColumns,
  RelationName,
  SqlAnalysis,
} from '../../sql/types.ts';
import type { ColumnPorts } from '../declared/declared.ts';
import { compose } from './compose.ts';
import type { Dependencies } from './dependencies.ts';
import { matchRead } from './match-read.ts';
import type { ExternalRelation, Model, ModelProject } from './model-project.ts';

/** A column of a relation, read by a model's statement. */
export type BaseColumn = Influence & { readonly node: Node; readonly column: string };

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
};

type Reader = {
  readonly knowledge: ProjectKnowledge;
  readonly model: Model;
  readonly memberOf: (read: RelationName) => Model | ExternalRelation | null;
};

/**
 * The columns of one model: C-SQLMESH-2, C-SQLMESH-3, C-DBT-3, C-COLUMNS-3.
 * A statement is mapped only when every relation it reads is a declared dependency, or the model itself.
 */
export function modelColumns(knowledge: ProjectKnowledge, model: Model): ModelColumns {
  const { statement } = model;
  if (statement.kind === 'none') return nothingKnown(statement.reason);
  const { relations, inlined } = knowledge.dependencies(model);
  const members = [...relations, ...inlined, model];
  const memberOf = (read: RelationName) => matchRead(members, read);
  const columnsOf = (read: RelationName) => {
    const member = memberOf(read);
    return member && knowledge.columnsOf(member);
  };
  const analyses = statement.dialects.map((dialect) => () => knowledge.analyse(statement.text, { dialect, columnsOf }));
  const analysis = firstParsed(analyses);
  if (!analysis?.reads) return nothingKnown(analysis?.unresolvedReason ?? 'sql_dialect_unknown');
  if (!analysis.reads.every(memberOf)) return nothingKnown(knowledge.project.readsOutside);
  if (analysis.unresolvedReason !== null) return nothingKnown(analysis.unresolvedReason);
  return inBaseTerms({ knowledge, model, memberOf }, analysis);
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
      const found = sources.map((source) => baseSources(reader, source));
      return {
        column,
        sources: found.flatMap((one) => one.sources),
        reason: unresolvedReason ?? found.find(({ reason }) => reason !== null)?.reason ?? null,
      };
    }),
    indirect: [
      ...indirect.flatMap((source) => baseSources(reader, asInfluence(source)).sources),
      ...[...inlined].flatMap((member) => reader.knowledge.inlinedColumns(member).indirect),
    ],
    indirectReason: indirectUnresolvedReason,
    reason: null,
  };
}

const isInlined = (member: Model | ExternalRelation): member is Model => member.node === null;
const asInfluence = (source: IndirectSource): ColumnRead & Influence => ({
  ...source,
  type: 'INDIRECT',
  masking: false,
});

/** A column read in terms of relations: of an inlined model's column, what that is made of; of the model itself, nothing. */
function baseSources(
  { knowledge, model, memberOf }: Reader,
  { relation, column, ...influence }: ColumnRead & Influence,
): { readonly sources: readonly BaseColumn[]; readonly reason: string | null } {
  const member = memberOf(relation);
  if (!member || member.id === model.id) return { sources: [], reason: null };
  if (!isInlined(member)) return { sources: [{ node: member.node, column, ...influence }], reason: null };
  const { outputs, reason } = knowledge.inlinedColumns(member);
  const output = outputs.find((one) => one.column?.toLowerCase() === column.toLowerCase());
  if (!output) return { sources: [], reason: reason ?? 'embedded_column_unknown' };
  return {
    sources: output.sources.map((source) => ({ ...source, ...compose(source, influence) })),
    reason: output.reason,
  };
}
