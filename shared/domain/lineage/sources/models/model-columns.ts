import type { ProjectCounts } from '../../../../contract/lineage.ts';
import { BudgetExceeded, type Spend, spendFrom } from '../../../base/budget.ts';
import { type Node, urnOf } from '../../graph/node.ts';
import type { OutputColumn, RelationName, SqlAnalysis } from '../../sql/types.ts';
import {
  asInfluence,
  type BaseColumn,
  baseSources,
  distinctColumns,
  distinctNames,
  isInlined,
  isLongName,
  longName,
  type Missing,
  type ModelColumns,
  type ModelOutput,
  memberSources,
  missingOf,
  nothingKnown,
  type ProjectKnowledge,
  type StatementReader,
} from './base-columns.ts';
import { dependenciesOf } from './dependencies.ts';
import { wordsOfIncrementalParts } from './incremental-parts.ts';
import { readMatcher } from './match-read.ts';
import type { ExternalRelation, Model, ModelProject, UsedColumn } from './model-project.ts';
import { itself, readsNamedIn } from './named-reads.ts';

/** Through inlined models a few columns reach many by all of them: more than a person makes sense of. */
const mostReadsOfModel = 250_000;
const tooManyReads = 'too_many_columns_through_inlined_models';

/** The columns by the statement. What it does not tell comes from the lineage that the model's tool found (C-DBT-7). */
export function modelColumns(knowledge: ProjectKnowledge, model: Model): ModelColumns {
  const found = statementColumns(knowledge, model);
  const { reported = [], columns } = model;
  const listed = columns?.map(({ name }) => name) ?? reported.flatMap(({ output }) => output ?? []);
  const named = found.outputs.filter(({ column }) => column !== null);
  const isUnread = found.reason !== null;
  const isOpen = isUnread || named.length < found.outputs.length;
  if (reported.length === 0 || (isOpen && listed.length === 0)) return found;
  const { relations, inlined } = knowledge.dependencies(model);
  const members = new Map([...relations, ...inlined].map((member) => [member.id, member]));
  const rows = Map.groupBy(reported, ({ output }) => output?.toLowerCase() ?? '');
  const read = new Set(reported.map(({ member }) => members.get(member)?.node));
  return withinBudget(knowledge, (spend) => {
    const sourcesOf = (name: string) =>
      (rows.get(name.toLowerCase()) ?? []).flatMap(
        ({ member, output, ...use }) =>
          memberSources({ knowledge, model, spend }, members.get(member) ?? null, use).sources,
      );
    const known = new Set(named.map(({ column }) => column?.toLowerCase()));
    const added = isOpen ? distinctNames(listed).filter((name) => !known.has(name.toLowerCase())) : [];
    const isMissing = isUnread || found.indirectMissing.length > 0;
    const ofRows = isMissing ? sourcesOf('') : [];
    return {
      outputs: [
        ...named.map((output) => {
          const sources = output.missing.length > 0 ? sourcesOf(output.column ?? '') : [];
          return sources.length === 0
            ? output
            : { ...output, sources: distinctColumns(spend, [output.sources, sources]), missing: [] };
        }),
        ...added.map((column) => ({ column, sources: distinctColumns(spend, [sourcesOf(column)]), missing: [] })),
        // Only the list of columns proves that there are no others.
        ...(columns ? [] : unnamedOutputs(found)),
      ],
      indirect: distinctColumns(spend, [found.indirect, ofRows]),
      indirectMissing: ofRows.length > 0 ? [] : found.indirectMissing,
      reason: null,
      ...(found.undeclared && { undeclared: found.undeclared }),
      ...(found.unread && { unread: found.unread.filter((node) => !read.has(node)) }),
    };
  });
}

const unnamedOutputs = ({ outputs, reason }: ModelColumns): readonly ModelOutput[] =>
  reason === null
    ? outputs.filter(({ column }) => column === null)
    : [{ column: null, sources: [], missing: [{ reason, open: null }] }];

/** Only if a statement reads dependencies and itself (C-SQLMESH-2, C-SQLMESH-3, C-DBT-3, C-COLUMNS-3). */
function statementColumns(knowledge: ProjectKnowledge, model: Model): ModelColumns {
  const { statement } = model;
  const { relations, inlined } = knowledge.dependencies(model);
  if (statement.kind === 'none') return { ...nothingKnown(statement.reason), ...namedReads(model, relations) };
  if (statement.kind === 'columns')
    return withinBudget(knowledge, (spend) => usedColumns({ knowledge, model, spend }, statement.columns));
  const members = [...relations, ...inlined, model];
  const memberOf = readMatcher(members);
  const columnsOf = (read: RelationName) => {
    const member = memberOf(read);
    return member && knowledge.columnsOf(member);
  };
  const budget = knowledge.statementSteps;
  const text = textToRead(statement, relations);
  const analyses = statement.dialects.map((dialect) => () => knowledge.analyse(text, { dialect, columnsOf, budget }));
  const analysis = firstParsed(analyses);
  if (!analysis?.reads) return nothingKnown(analysis?.unresolvedReason ?? 'sql_dialect_unknown');
  const undeclared = analysis.reads.filter((read) => memberOf(read) === null);
  if (undeclared.length > 0) return { ...nothingKnown(knowledge.project.reasons.readsOutside), undeclared };
  if (analysis.unresolvedReason !== null) return nothingKnown(analysis.unresolvedReason);
  return withinBudget(knowledge, (spend) => inBaseTerms({ knowledge, model, memberOf, spend }, analysis));
}

/** What code that is no statement names, besides what the model depends on. */
function namedReads(model: Model, relations: readonly (Model | ExternalRelation)[]): Pick<ModelColumns, 'undeclared'> {
  const memberOf = readMatcher([...relations, model]);
  const named = readsNamedIn(model.settings?.template ?? '').filter((read) => read !== itself);
  const undeclared = named.filter((read) => memberOf(read) === null);
  return undeclared.length > 0 ? { undeclared } : {};
}

function withinBudget(knowledge: ProjectKnowledge, find: (spend: Spend) => ModelColumns): ModelColumns {
  try {
    return find(spendFrom([{ left: mostReadsOfModel }, knowledge.columnReads]));
  } catch (error) {
    if (error instanceof BudgetExceeded) return nothingKnown(tooManyReads);
    throw error;
  }
}

/** The columns that an exposure uses. One without a dependency is of the only one, or of the one that has it (C-DBT-8). */
function usedColumns(reader: Omit<StatementReader, 'memberOf'>, columns: readonly UsedColumn[]): ModelColumns {
  const { relations, inlined } = reader.knowledge.dependencies(reader.model);
  const members = new Map([...relations, ...inlined.filter(({ isModel }) => isModel)].map((one) => [one.id, one]));
  const ids = [...members.keys()];
  const memberOf = ([read]: RelationName) => members.get(read?.text ?? '') ?? null;
  const outputs = columns.map(({ of, column }) => {
    reader.spend(ids.length);
    const meant = of === null ? ids : ids.filter((id) => `.${id}`.endsWith(`.${of}`));
    const options = meant.map((text) => ({ ...used, relation: [{ text, quoted: true }], column }));
    const [sources, reasons] =
      options.length === 1 ? [options, []] : [[], [{ text: 'source_column_not_given', options }]];
    return outputOf({ ...reader, memberOf }, { column, sources, reasons, unresolvedReason: null });
  });
  return { ...nothingKnown(null), outputs };
}

const used = { type: 'DIRECT', subtype: 'IDENTITY', masking: false, expression: null } as const;

/** The text of a statement, with the names of relations where it holds expressions that represent them. */
export const textToRead = (
  { text, plain = text }: Extract<Model['statement'], { kind: 'sql' }>,
  relations: readonly (Model | ExternalRelation)[],
): string => relations.reduce(withName, plain);

function withName(text: string, member: Model | ExternalRelation): string {
  const [name] = member.names;
  if (!('expression' in member) || !member.expression || name === undefined) return text;
  const written = name.map((part) => `"${part.replaceAll('"', '""')}"`).join('.');
  return text.replaceAll(member.expression, () => written);
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
  reader: StatementReader,
  { outputs, indirect, indirectReasons, reads }: SqlAnalysis,
): ModelColumns {
  const inlined = new Set((reads ?? []).map(reader.memberOf).filter((member) => member !== null && isInlined(member)));
  const found = outputs.map((output) => outputOf(reader, output));
  const ofRows = distinctColumns(reader.spend, [
    ...indirect.map((source) => baseSources(reader, asInfluence(source)).sources),
    ...[...inlined].map((member) => reader.knowledge.inlinedColumns(member).indirect),
  ]);
  return {
    outputs: found,
    indirect: [...ofRows, ...incrementalReads(reader, [...found.flatMap(({ sources }) => sources), ...ofRows])],
    indirectMissing: [
      ...indirectReasons.flatMap((reason) => missingOf(reader, reason)),
      ...[...inlined].flatMap((member) => missingRows(reader.knowledge.inlinedColumns(member))),
    ],
    reason: null,
    unread: unreadRelations(reader, (reads ?? []).map(reader.memberOf)),
  };
}

/**
 * The columns that only an incremental run reads. A statement that was compiled without its table lacks that part, but the
 * template names them (C-DBT-3).
 */
function incrementalReads(reader: StatementReader, read: readonly BaseColumn[]): readonly BaseColumn[] {
  const { knowledge, model, spend } = reader;
  const words = wordsOfIncrementalParts(model.settings?.template);
  if (words.size === 0) return [];
  const keyOf = ({ node, column }: BaseColumn) => JSON.stringify([urnOf(node), column.toLowerCase()]);
  const known = new Set(read.map(keyOf));
  const { relations, inlined } = knowledge.dependencies(model);
  const named = [...relations, ...inlined].flatMap((member) =>
    (knowledge.columnsOf(member)?.names ?? [])
      .filter((column) => words.has(column.toLowerCase()))
      .map((column) => memberSources(reader, member, { column, ...filter }).sources),
  );
  return distinctColumns(spend, named).filter((one) => !known.has(keyOf(one)));
}

const filter = { type: 'INDIRECT', subtype: 'FILTER', masking: false } as const;

/** The relations that no part of the statement reads, and no model that is inlined into it. */
function unreadRelations(
  { knowledge, model }: StatementReader,
  members: readonly (Model | ExternalRelation | null)[],
): Node[] {
  const read = new Set<unknown>(members);
  for (const member of members) {
    if (member === null || !isInlined(member)) continue;
    const unread = new Set(knowledge.inlinedColumns(member).unread);
    for (const one of knowledge.dependencies(member).relations) if (one.node && !unread.has(one.node)) read.add(one);
  }
  return knowledge.dependencies(model).relations.flatMap((one) => (one.node && !read.has(one) ? [one.node] : []));
}

/** Of a statement that cannot be analysed, the columns that decide its rows are not known either. */
const missingRows = ({ indirectMissing, reason }: ModelColumns): readonly Missing[] =>
  reason === null ? indirectMissing : [{ reason, open: null }];

function outputOf(reader: StatementReader, { column, sources, reasons }: OutputColumn): ModelOutput {
  reader.spend(1);
  const found = sources.map((source) => baseSources(reader, source));
  const sourceLists = found.map((one) => one.sources);
  const missing = [...reasons.flatMap((reason) => missingOf(reader, reason)), ...found.flatMap((one) => one.missing)];
  const isLong = column !== null && isLongName(column);
  return {
    column: isLong ? null : column,
    sources: distinctColumns(reader.spend, sourceLists),
    missing: isLong ? [{ reason: longName, open: null }] : missing,
  };
}

/** The counts of a receipt. Cheap: no SQL is parsed. */
export function countModelProject(project: ModelProject): ProjectCounts {
  const { models, sources } = project;
  const dependencies = dependenciesOf(project);
  const claimed = models.filter(({ node }) => node !== null);
  return {
    models: project.modelCount,
    nodes: sources.length + claimed.filter(({ node }) => node?.kind === 'relation').length,
    dependencies: sum(models.map(({ dependsOn }) => new Set(dependsOn).size)),
    column_maps: claimed.filter(({ statement }) => statement.kind === 'sql').length,
    observations: sum(claimed.map((model) => dependencies(model).relations.length)),
  };
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
