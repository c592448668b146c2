import type { ColumnMapping, Derivation, Unresolved } from '../../graph/derivation.ts';
import { exposureWithoutColumns } from '../../graph/exposure.ts';
import { type Node, type Urn, urnOf } from '../../graph/node.ts';
import { boundedSchema, type RelationSchema, type SchemaColumn } from '../../graph/schema.ts';
import { documentBudget } from '../../sql/budget.ts';
import type { KnownColumns } from '../../sql/types.ts';
import { type ColumnPorts, countReasons, type Declared } from '../declared/declared.ts';
import {
  type BaseColumn,
  distinctNames,
  listedStar,
  type Missing,
  type ModelColumns,
  nothingKnown,
  type ProjectKnowledge,
} from './base-columns.ts';
import { type Dependencies, dependenciesOf, inDependencyOrder } from './dependencies.ts';
import { modelColumns } from './model-columns.ts';
import type { ExternalRelation, Model, ModelProject, TypedColumn } from './model-project.ts';
import { undeclaredReads } from './undeclared-reads.ts';

const unknownDependency = 'dependency_not_in_document';

/** The lineage of a project. Models come after their dependencies, so that known columns expand the `*` of the next. */
export function deriveModelProject(ports: ColumnPorts, project: ModelProject): Declared {
  const dependencies = dependenciesOf(project);
  const columns = new Map<string, KnownColumns>();
  const inlined = new Map<string, ModelColumns>();
  const knowledge: ProjectKnowledge = {
    ...ports,
    project,
    dependencies,
    columnsOf: (member) => withFormer(ports, member, knownColumns(ports, member, columns.get(member.id) ?? null)),
    statementSteps: documentBudget(charactersOf(project)),
    columnReads: documentBudget(charactersOf(project)),
    inlinedColumns: (model) => inlined.get(model.id) ?? nothingKnown(project.reasons.inlinedColumnUnknown),
  };
  const derivations: Derivation[] = [];
  const schemas = project.sources.flatMap(externalSchema);
  const reasons: { readonly reason: string; readonly asset: string }[] = [];
  for (const model of inDependencyOrder(project.models)) {
    const found = modelColumns(knowledge, model);
    const built = builtColumns(model, found);
    if (built) columns.set(model.id, built);
    schemas.push(...modelSchema(model, found, built));
    if (model.node === null) inlined.set(model.id, found);
    for (const reason of reasonsOf(project, model, found, dependencies(model)))
      reasons.push({ reason, asset: model.id });
    derivations.push(
      ...derivationsOf(project, model, found, dependencies(model)),
      ...undeclaredReads(project, model, found),
    );
  }
  return {
    derivations,
    unresolved: countReasons(reasons),
    relations: [
      ...project.sources.map(({ node }) => ({ node, isMade: false })),
      ...project.models.flatMap(({ node }) => (node ? [{ node, isMade: true }] : [])),
    ],
    schemas: new Map(schemas),
  };
}

const charactersOf = ({ models }: ModelProject): number =>
  models.reduce((sum, { statement }) => sum + (statement.kind === 'sql' ? statement.text.length : 0), 0);

/** What the document reports all columns, else what it is known to make and what documentation names (C-COLUMNS-1). */
function knownColumns(
  ports: ColumnPorts,
  { node, columns, documentedColumns = [] }: Model | ExternalRelation,
  built: KnownColumns | null,
): KnownColumns | null {
  if (built?.complete) return built;
  if (columns) return { names: columns.map(({ name }) => name), complete: true };
  const inGraph = node && (ports.knownColumns?.(node) ?? null);
  if (inGraph?.complete) return inGraph;
  const documented = documentedColumns.map(({ name }) => name);
  const names = distinctNames([...(built?.names ?? []), ...(inGraph?.names ?? []), ...documented]);
  return names.length > 0 ? { names, complete: false } : null;
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

/** The columns that a model was found to make: all of them where each has a name. Null where nothing is known. */
function builtColumns(model: Model, { outputs, reason }: ModelColumns): KnownColumns | null {
  if (reason !== null || outputs.length === 0) return null;
  const names = outputs.flatMap(({ column }) => column ?? []);
  return { names: distinctNames([...names, ...model.addedColumns]), complete: names.length === outputs.length };
}

/** What a delivery reports of a model, each reason once. */
function reasonsOf(
  { reasons }: ModelProject,
  model: Model,
  { outputs, reason }: ModelColumns,
  { inlined, unknown }: Dependencies,
): string[] {
  const direct = new Set(model.dependsOn);
  const usesInlined = inlined.some(({ id, isModel }) => isModel && direct.has(id));
  const ofOutputs = outputs.flatMap(({ missing }) => missing.map((one) => one.reason));
  const ofModel = [reason, ...ofOutputs, usesInlined ? reasons.inlinedDependency : null];
  const found = [...(model.isModel ? ofModel : []), unknown.length > 0 ? unknownDependency : null];
  return [...new Set(found.filter((one) => one !== null))];
}

function derivationsOf(
  { namespace, statementOf }: ModelProject,
  model: Model,
  found: ModelColumns,
  { relations }: Dependencies,
): Derivation[] {
  const output = model.node;
  const inputs = distinctNodes(relations.flatMap(({ node }) => (node && output && !same(node, output) ? [node] : [])));
  if (!output || inputs.length === 0) return [];
  const { statementKind, location } = model;
  const statement = statementOf?.(model.id, model.statement.kind === 'sql' ? model.statement.text : null);
  const derivation = {
    output,
    inputs,
    columns: mappingsOf(found, output),
    unresolved: unresolvedOf(found),
    producer: { namespace, name: model.id },
    ...(statement && { statement }),
    statementKind,
    principal: null,
    ...(model.exposure && { exposure: model.exposure }),
    location,
  };
  return model.statement.kind === 'columns' ? byInput(derivation) : [derivation];
}

/** An exposure that lists columns of some of its inputs may still use any column of the others. */
function byInput({ inputs, ...derivation }: Derivation): Derivation[] {
  const [mapped, others] = [true, false].map((is) =>
    inputs.filter((input) => derivation.columns.some((one) => same(one.input, input)) === is),
  ) as [Node[], Node[]];
  if (others.length === 0 || derivation.unresolved.length > 0) return [{ ...derivation, inputs }];
  const unresolved = [{ outputColumn: null, reason: exposureWithoutColumns }];
  const rest = { ...derivation, inputs: others, columns: [], unresolved };
  return mapped.length === 0 ? [rest] : [{ ...derivation, inputs: mapped }, rest];
}

const same = (a: Node, b: Node): boolean => urnOf(a) === urnOf(b);

function distinctNodes(nodes: readonly Node[]): Node[] {
  return [...new Map(nodes.map((node) => [urnOf(node), node])).values()];
}

function mappingsOf({ outputs, indirect }: ModelColumns, output: Node): ColumnMapping[] {
  const mappings = [
    ...outputs.flatMap(({ column, sources }) =>
      column === null ? [] : sources.map((source) => mapping(source, column)),
    ),
    ...indirect.map((source) => mapping(source, null)),
  ].filter(({ input }) => !same(input, output));
  const distinct = new Map(mappings.map((one) => [JSON.stringify([urnOf(one.input), { ...one, input: null }]), one]));
  return [...distinct.values()];
}

const mapping = (source: BaseColumn, outputColumn: string | null): ColumnMapping => {
  const { node, column, field, type, subtype, masking, expression } = source;
  const written = outputColumn === null || !expression ? {} : { expression };
  const within = field === undefined ? {} : { inputField: field };
  return { input: node, inputColumn: column, ...within, outputColumn, type, subtype, masking, ...written };
};

function unresolvedOf({ outputs, indirectMissing, reason }: ModelColumns): Unresolved[] {
  if (reason !== null) return [{ outputColumn: null, reason }];
  const ofOutputs = outputs.flatMap(({ column, missing }) => missing.map((one) => unresolved(column, one)));
  const isStated = (one: Missing) =>
    ofOutputs.some(({ outputColumn, reason, open }) => outputColumn === null && reason === one.reason && !open);
  const ofRows = indirectMissing
    .filter((one) => one.open || !isStated(one))
    .map((one): Unresolved => ({ ...unresolved(null, one), type: 'INDIRECT' }));
  return [...new Map([...ofOutputs, ...ofRows].map((one) => [JSON.stringify(one), one])).values()];
}

function unresolved(outputColumn: string | null, { reason, open }: Missing): Unresolved {
  return { outputColumn, reason, ...(open && { open }) };
}

/** What a project states of the columns of a relation; nothing if it names none. */
type Stated = readonly (readonly [Urn, RelationSchema])[];

/** The columns of a relation that the project reads: its list, else what documentation names. */
function externalSchema({ node, columns, documentedColumns }: ExternalRelation): Stated {
  return stated(urnOf(node), columns ?? documentedColumns ?? [], [], columns !== null);
}

/** The document's list of columns, else the statement's. What relations with unknown columns pass on stays open. */
function modelSchema(model: Model, { outputs }: ModelColumns, built: KnownColumns | null): Stated {
  if (model.node === null) return [];
  const types = new Map((model.columns ?? []).concat(model.documentedColumns ?? []).map(typed));
  const urn = urnOf(model.node);
  if (built?.complete) return stated(urn, withTypes(built.names, types), [], true);
  if (model.columns) return stated(urn, model.columns, [], true);
  const open = outputs.filter(({ column }) => column === null);
  const stars = open.flatMap((output) => listedStar(output) ?? []);
  const documented = (model.documentedColumns ?? []).map(({ name }) => name);
  const names = distinctNames([...(built?.names ?? []), ...documented]);
  return stated(urn, withTypes(names, types), stars, built !== null && stars.length === open.length);
}

const typed = ({ name, type }: TypedColumn) => [name.toLowerCase(), type] as const;

const withTypes = (names: readonly string[], types: ReadonlyMap<string, string | null>): SchemaColumn[] =>
  names.map((name) => ({ name, type: types.get(name.toLowerCase()) ?? null }));

function stated(urn: Urn, columns: readonly SchemaColumn[], stars: RelationSchema['stars'], complete: boolean): Stated {
  if (columns.length === 0 && stars.length === 0) return [];
  return [[urn, boundedSchema({ columns: columns.map(({ name, type }) => ({ name, type })), stars, complete })]];
}
