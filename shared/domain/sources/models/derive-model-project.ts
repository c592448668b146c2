import type { ColumnMapping, Derivation, Unresolved } from '../../graph/derivation.ts';
import { type Node, urnOf } from '../../graph/node.ts';
import { documentBudget } from '../../sql/budget.ts';
import type { KnownColumns } from '../../sql/types.ts';
import { countReasons } from '../declared/count-reasons.ts';
import type { ColumnPorts, Declared, RelationColumns } from '../declared/declared.ts';
import type { BaseColumn } from './base-column.ts';
import { type Dependencies, dependenciesOf, inDependencyOrder } from './dependencies.ts';
import { type ModelColumns, modelColumns, nothingKnown, type ProjectKnowledge } from './model-columns.ts';
import type { ExternalRelation, Model, ModelProject } from './model-project.ts';

const embeddedDependency = 'embedded_dependency_has_no_relation';
const unknownDependency = 'dependency_not_in_document';

/**
 * The table and column lineage that a project declares. Models are worked in the order of their dependencies, so that
 * the columns that one is found to have expand the `*` of the next.
 */
export function deriveModelProject(ports: ColumnPorts, project: ModelProject): Declared {
  const dependencies = dependenciesOf(project);
  const columns = new Map<string, readonly string[]>();
  const inlined = new Map<string, ModelColumns>();
  const knowledge: ProjectKnowledge = {
    ...ports,
    project,
    dependencies,
    columnsOf: (member) =>
      withFormer(ports, member, knownColumns(ports, member, columns.get(member.id) ?? promisedColumns(member))),
    statementSteps: documentBudget(charactersOf(project)),
    columnReads: documentBudget(charactersOf(project)),
    inlinedColumns: (model) => inlined.get(model.id) ?? nothingKnown('embedded_column_unknown'),
  };
  const derivations: Derivation[] = [];
  const reasons: string[] = [];
  for (const model of inDependencyOrder(project.models)) {
    const found = modelColumns(knowledge, model);
    const made = madeColumns(model, found);
    if (made) columns.set(model.id, made);
    if (model.node === null) inlined.set(model.id, found);
    for (const reason of reasonsOf(model, found, dependencies(model))) reasons.push(reason);
    derivations.push(...derivationsOf(project, model, found, dependencies(model)));
  }
  return {
    derivations,
    unresolved: countReasons(reasons),
    relations: [
      ...project.sources.map(({ node }) => ({ node, isMade: false })),
      ...project.models.flatMap(({ node }) => (node ? [{ node, isMade: true }] : [])),
    ],
    relationColumns: relationColumns(project, columns),
  };
}

const charactersOf = ({ models }: ModelProject): number =>
  models.reduce((sum, { statement }) => sum + (statement.kind === 'sql' ? statement.text.length : 0), 0);

const promisedColumns = (member: Model | ExternalRelation): readonly string[] | null =>
  member.columns?.map((column) => (typeof column === 'string' ? column : column.name)) ?? null;

/** What the document tells of all columns, else what earlier evidence knows, else what documentation names (C-COLUMNS-1). */
function knownColumns(
  ports: ColumnPorts,
  { node, documentedColumns = [] }: Model | ExternalRelation,
  complete: readonly string[] | null,
): KnownColumns | null {
  if (complete) return { names: complete, complete: true };
  const earlier = node && ports.knownColumns(node);
  if (earlier?.complete || documentedColumns.length === 0) return earlier;
  return { names: [...new Set([...(earlier?.names ?? []), ...documentedColumns])], complete: false };
}

function withFormer(
  { formerColumns }: ColumnPorts,
  { node }: Model | ExternalRelation,
  columns: KnownColumns | null,
): KnownColumns | null {
  if (!columns || !node || !formerColumns) return columns;
  const known = new Set(columns.names.map((name) => name.toLowerCase()));
  const former = formerColumns(node).filter((name) => !known.has(name.toLowerCase()));
  return { ...columns, names: [...columns.names, ...former] };
}

/** The columns that a model was found to make; null where one of them has no name yet. */
function madeColumns(model: Model, { outputs, reason }: ModelColumns): readonly string[] | null {
  if (reason !== null || outputs.length === 0) return null;
  const names = outputs.flatMap(({ column }) => column ?? []);
  if (names.length < outputs.length) return null;
  const lower = new Set(names.map((name) => name.toLowerCase()));
  return [...names, ...model.addedColumns.filter((name) => !lower.has(name.toLowerCase()))];
}

/** What a delivery reports of a model, each reason once. */
function reasonsOf(model: Model, { outputs, reason }: ModelColumns, { inlined, unknown }: Dependencies): string[] {
  const direct = new Set(model.dependsOn);
  const usesInlined = inlined.some(({ id, isModel }) => isModel && direct.has(id));
  const ofModel = [reason, ...outputs.map((output) => output.reason), usesInlined ? embeddedDependency : null];
  const found = [...(model.isModel ? ofModel : []), unknown.length > 0 ? unknownDependency : null];
  return [...new Set(found.filter((one) => one !== null))];
}

function derivationsOf(
  { namespace }: ModelProject,
  model: Model,
  found: ModelColumns,
  { relations }: Dependencies,
): Derivation[] {
  const output = model.node;
  const inputs = distinctNodes(relations.flatMap(({ node }) => (node && output && !same(node, output) ? [node] : [])));
  if (!output || inputs.length === 0) return [];
  const { statementKind, location } = model;
  return [
    {
      output,
      inputs,
      columns: mappingsOf(found, output),
      unresolved: unresolvedOf(found),
      producer: { namespace, name: model.id },
      statementKind,
      principal: null,
      location,
    },
  ];
}

const same = (a: Node, b: Node): boolean => urnOf(a) === urnOf(b);

function distinctNodes(nodes: readonly Node[]): Node[] {
  return [...new Map(nodes.map((node) => [urnOf(node), node])).values()];
}

function mappingsOf({ outputs, indirect }: ModelColumns, output: Node): ColumnMapping[] {
  const mappings = [
    ...outputs.flatMap(({ column, sources }) =>
      column === null ? [] : sources.flatMap(inItsExpression).map((source) => mapping(source, column)),
    ),
    ...indirect.map((source) => mapping(source, null)),
  ].filter(({ input }) => !same(input, output));
  const distinct = new Map(mappings.map((one) => [JSON.stringify([urnOf(one.input), { ...one, input: null }]), one]));
  return [...distinct.values()];
}

/**
 * A column in the window or the condition of an output's own expression takes part in computing its value: that is said
 * beside its role, so that who follows values alone does not lose it.
 */
function inItsExpression(source: BaseColumn): BaseColumn[] {
  const takesPart = source.type === 'INDIRECT' && (source.subtype === 'WINDOW' || source.subtype === 'CONDITIONAL');
  return takesPart ? [source, { ...source, type: 'DIRECT', subtype: 'TRANSFORMATION' }] : [source];
}

const mapping = ({ node, column, type, subtype, masking }: BaseColumn, outputColumn: string | null): ColumnMapping => ({
  input: node,
  inputColumn: column,
  outputColumn,
  type,
  subtype,
  masking,
});

function unresolvedOf({ outputs, indirectReason, reason }: ModelColumns): Unresolved[] {
  if (reason !== null) return [{ outputColumn: null, reason }];
  const ofOutputs = outputs.flatMap(({ column, reason }) =>
    reason === null ? [] : [{ outputColumn: column, reason }],
  );
  const isSaid = ofOutputs.some((one) => one.outputColumn === null && one.reason === indirectReason);
  return indirectReason === null || isSaid ? ofOutputs : [...ofOutputs, { outputColumn: null, reason: indirectReason }];
}

function relationColumns(project: ModelProject, made: ReadonlyMap<string, readonly string[]>): RelationColumns[] {
  const models = project.models.flatMap(({ id, node, columns }) => {
    const names = made.get(id) ?? columns;
    return node && names ? [{ node, columns: names.map((name) => ({ name, type: null })) }] : [];
  });
  return [...project.sources.flatMap(({ node, columns }) => (columns ? [{ node, columns }] : [])), ...models];
}
