// The column lineage of a project's models, each derived on first use: a question of a few models parses few statements.
import type { Node } from '../../graph/node.ts';
import { documentBudget } from '../../sql/budget.ts';
import type { KnownColumns } from '../../sql/types.ts';
import type { ColumnPorts } from '../declared/declared.ts';
import { distinctNames, type ModelColumns, nothingKnown, type ProjectKnowledge } from './base-columns.ts';
import { type Dependencies, dependenciesOf, inDependencyOrder } from './dependencies.ts';
import { wordsOfIncrementalParts } from './incremental-parts.ts';
import { modelColumns } from './model-columns.ts';
import type { ExternalRelation, Model, ModelProject } from './model-project.ts';

type Member = Model | ExternalRelation;

export type DerivedModel = {
  readonly found: ModelColumns;
  /** The columns that it was found to make; null if nothing is known. */
  readonly built: KnownColumns | null;
};

export type ModelLineage = {
  /** Each model after what it depends on. */
  readonly order: readonly Model[];
  readonly sources: readonly ExternalRelation[];
  readonly dependencies: (model: Model) => Dependencies;
  readonly of: (model: Model) => DerivedModel;
  /** The columns of a source, or of a model that was derived. */
  readonly columnsOf: (member: Member) => KnownColumns | null;
  /** Whether its columns are listed, so that who reads it does not need its statement. */
  readonly isListed: (member: Member) => boolean;
  readonly member: (id: string) => Member | undefined;
  /** Whether its lineage is that of the version beside this one: it reads the same columns in the same way. */
  readonly isSettled: (member: Member) => boolean;
};

/** @param beside another version of the project: what is the same in both is derived once */
export function modelLineage(ports: ColumnPorts, project: ModelProject, beside?: ModelLineage): ModelLineage {
  const dependencies = dependenciesOf(project);
  const order = inDependencyOrder(project.models);
  const ranks = new Map(order.map((model, rank) => [model, rank]));
  const members = new Map<string, Member>([...project.sources, ...project.models].map((one) => [one.id, one]));
  const derived = new Map<string, DerivedModel>();
  const settled = new Set<Member>();
  /** Where the model that is derived now stands: of a circle, what comes after it is not known to it. */
  let place = Number.POSITIVE_INFINITY;
  const rankOf = (member: Member) => ('dependsOn' in member ? (ranks.get(member) ?? 0) : -1);
  const builtOf = (member: Member) => (rankOf(member) < place ? (derived.get(member.id)?.built ?? null) : null);
  const otherOf = (member: Member) => (settled.has(member) ? beside?.member(member.id) : undefined);
  const columnsOf = (member: Member): KnownColumns | null => {
    const other = otherOf(member);
    const known = other && beside ? beside.columnsOf(other) : knownColumns(ports, member, builtOf(member));
    return withFormer(ports, member, known);
  };
  const isListed = (member: Member): boolean => {
    const other = otherOf(member);
    return other && beside ? beside.isListed(other) : hasList(ports, member);
  };
  const knowledge: ProjectKnowledge = {
    ...{ ...ports, project, dependencies, columnsOf },
    ...{ statementSteps: documentBudget(charactersOf(project)), columnReads: documentBudget(charactersOf(project)) },
    inlinedColumns: (model) => derived.get(model.id)?.found ?? nothingKnown(project.reasons.inlinedColumnUnknown),
  };
  const derive = (model: Model): DerivedModel => {
    const other = otherOf(model);
    if (beside && other && 'dependsOn' in other) return beside.of(other);
    place = rankOf(model);
    const found = modelColumns(knowledge, model);
    place = Number.POSITIVE_INFINITY;
    return { found, built: builtColumns(model, found) };
  };
  /** A model and those that have to be derived before it, in their order: columns that are listed need no statement. */
  const neededBy = (model: Model): readonly Model[] => {
    const needed = new Set([model]);
    for (const one of needed)
      for (const id of settled.has(one) ? [] : one.dependsOn) {
        const member = members.get(id);
        if (member === undefined || !('dependsOn' in member) || derived.has(id) || isListed(member)) continue;
        if (rankOf(member) < rankOf(one)) needed.add(member);
      }
    return [...needed].sort((a, b) => rankOf(a) - rankOf(b));
  };
  const of = (model: Model): DerivedModel => {
    const known = derived.get(model.id);
    if (known) return known;
    for (const one of neededBy(model)) derived.set(one.id, derive(one));
    return derived.get(model.id) ?? derive(model);
  };
  const { sources } = project;
  const lineage = { order, sources, dependencies, of, columnsOf, isListed, member: (id: string) => members.get(id) };
  if (beside) settle({ beside, lineage, ports, settled });
  return { ...lineage, isSettled: (member) => settled.has(member) };
}

type Settling = {
  readonly beside: ModelLineage;
  readonly lineage: Omit<ModelLineage, 'isSettled'>;
  readonly ports: ColumnPorts;
  readonly settled: Set<Member>;
};

/** Finds what is derived as in the version beside this one: the same statement, over relations with the same columns. */
function settle({ beside, lineage, ports, settled }: Settling): void {
  const hasSameColumns = (before: Member, now: Member) => sameColumns(beside.columnsOf(before), lineage.columnsOf(now));
  for (const source of lineage.sources) {
    const before = beside.member(source.id);
    if (before && isSame(before, source) && hasSameColumns(before, source)) settled.add(source);
  }
  const isReadAlike = (id: string): boolean => {
    const [before, now] = [beside.member(id), lineage.member(id)];
    if (!before || !now) return before === now;
    const hasFormer = now.node !== null && (ports.formerColumns?.(now.node) ?? []).length > 0;
    if (settled.has(now) && !hasFormer) return true;
    if (!now.node) return false;
    if ('dependsOn' in before) beside.of(before);
    if ('dependsOn' in now) lineage.of(now);
    return hasSameColumns(before, now);
  };
  for (const model of lineage.order) {
    const before = beside.member(model.id);
    if (!before || !isSame(before, model) || !model.dependsOn.every(isReadAlike)) continue;
    // Without SQL, a list is all that is known of the columns.
    const hasSameList = model.statement.kind === 'sql' ? !listsDiffer(before, model) : hasSameColumns(before, model);
    if (hasSameList) settled.add(model);
  }
}

const listsDiffer = ({ columns: a }: Member, { columns: b }: Member): boolean =>
  a !== null && b !== null && namesOf(a) !== namesOf(b);

const namesOf = (columns: NonNullable<Member['columns']>): string =>
  columns.map(({ name }) => name.toLowerCase()).join('\n');

const isSame = (a: Member, b: Member): boolean => a === b || JSON.stringify(partsOf(a)) === JSON.stringify(partsOf(b));

/** What decides the lineage of a member, besides the columns of what it reads. */
function partsOf(member: Member): readonly unknown[] {
  const { node, names, documentedColumns } = member;
  if (!('dependsOn' in member)) return [node, names, member.expression, documentedColumns];
  const { isModel, dependsOn, statement, statementKind, addedColumns, exposure, reported, settings } = member;
  return [
    node,
    names,
    documentedColumns,
    isModel,
    dependsOn,
    statement,
    statementKind,
    addedColumns,
    exposure,
    reported,
    [...wordsOfIncrementalParts(settings?.template)],
  ];
}

function sameColumns(a: KnownColumns | null, b: KnownColumns | null): boolean {
  if (a === null || b === null) return a === b;
  const names = ({ names: all }: KnownColumns) => all.join('\n').toLowerCase();
  return a === b || (a.complete === b.complete && names(a) === names(b));
}

const charactersOf = ({ models }: ModelProject): number =>
  models.reduce((sum, { statement }) => sum + (statement.kind === 'sql' ? statement.text.length : 0), 0);

/** Whether the list of its columns was read from the warehouse after the statement was compiled. */
const hasList = ({ listsAreCurrent = false }: ColumnPorts, { node, columns }: Member): boolean =>
  listsAreCurrent && node !== null && columns !== null;

/** What the document reports all columns, else what it is known to make and what documentation names (C-COLUMNS-1). */
function knownColumns(ports: ColumnPorts, member: Member, built: KnownColumns | null): KnownColumns | null {
  const { node, columns, documentedColumns = [] } = member;
  if (built?.complete && !hasList(ports, member)) return built;
  if (columns) return { names: columns.map(({ name }) => name), complete: true };
  const inGraph = node && (ports.knownColumns?.(node) ?? null);
  if (inGraph?.complete) return inGraph;
  const documented = documentedColumns.map(({ name }) => name);
  const names = distinctNames([...(built?.names ?? []), ...(inGraph?.names ?? []), ...documented]);
  return names.length > 0 ? { names, complete: false } : null;
}

function withFormer(
  { formerColumns }: ColumnPorts,
  { node }: { readonly node: Node | null },
  columns: KnownColumns | null,
): KnownColumns | null {
  if (!columns || !node || !formerColumns) return columns;
  const known = new Set(columns.names.map((name) => name.toLowerCase()));
  const former = formerColumns(node).filter((name) => !known.has(name.toLowerCase()));
  return former.length === 0 ? columns : { ...columns, names: [...columns.names, ...former] };
}

/** The columns that a model was found to make: all of them where each has a name. Null where nothing is known. */
function builtColumns(model: Model, { outputs, reason }: ModelColumns): KnownColumns | null {
  if (reason !== null || outputs.length === 0) return null;
  const names = outputs.flatMap(({ column }) => column ?? []);
  return { names: distinctNames([...names, ...model.addedColumns]), complete: names.length === outputs.length };
}
