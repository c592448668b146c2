import { unreadDependency } from '../../../../contract/unresolved-reasons.ts';
import { once } from '../../../base/caching.ts';
import type { ColumnMapping, Derivation, Unresolved } from '../../graph/derivation.ts';
import { exposureFacts, exposureWithoutColumns } from '../../graph/exposure.ts';
import { type Node, type Urn, urnOf } from '../../graph/node.ts';
import { boundedSchema, type RelationSchema, type SchemaColumn } from '../../graph/schema.ts';
import { type ColumnPorts, countReasons, type Declared } from '../declared/declared.ts';
import { type BaseColumn, distinctNames, listedStar, type Missing, type ModelColumns } from './base-columns.ts';
import type { Dependencies } from './dependencies.ts';
import { type DerivedModel, type ModelLineage, modelLineage } from './model-lineage.ts';
import type { ExternalRelation, Model, ModelProject, TypedColumn } from './model-project.ts';
import { ownWords } from './own-columns.ts';
import { mayReadUndeclared, readByHooks, undeclaredReads } from './undeclared-reads.ts';

type DerivedProject = Declared & { readonly lineage: ModelLineage };

const unknownDependency = 'dependency_not_in_document';

/**
 * The lineage of a project. Models come after their dependencies, so that known columns expand the `*` of the next. What
 * a statement tells is derived when it is read first.
 */
export function deriveModelProject(ports: ColumnPorts, project: ModelProject, beside?: ModelLineage): DerivedProject {
  const lineage = modelLineage(ports, project, beside);
  const { order, dependencies } = lineage;
  const mayReadMore = (model: Model) => !ports.skimsStatements || mayReadUndeclared(model, dependencies(model));
  const derivations = order.flatMap((model) => [
    ...derivationsOf(project, model, dependencies(model), () => lineage.of(model).found),
    ...(mayReadMore(model) ? undeclaredReads(project, model, lineage.of(model).found) : []),
  ]);
  const relations = [
    ...project.sources.map(({ node }) => ({ node, isMade: false })),
    ...project.models.flatMap(({ node }) => (node ? [{ node, isMade: true }] : [])),
  ];
  const stated = statedSchemas(project, lineage);
  for (const urn of withoutEdges(relations, derivations)) {
    const schema = stated.get(urn);
    stated.set(urn, () => schema?.() ?? noColumns);
  }
  const counted = once(() =>
    countReasons(
      order.flatMap((model) =>
        reasonsOf(project, model, lineage.of(model).found, dependencies(model)).map((reason) => {
          return { reason, asset: model.id };
        }),
      ),
    ),
  );
  const schemas = once(() => new Map([...stated].flatMap(([urn, schema]) => mapEntry(urn, schema()))));
  return {
    derivations,
    get unresolved() {
      return counted();
    },
    relations,
    get reads() {
      return readByHooks(project);
    },
    get schemas() {
      return schemas();
    },
    schemaOf: (urn) => stated.get(urn)?.() ?? null,
    lineage,
  };
}

const mapEntry = <V>(urn: Urn, value: V | null): [Urn, V][] => (value === null ? [] : [[urn, value]]);

/** A relation without readers and known columns is still declared: its schema has no column. */
const noColumns = boundedSchema({ columns: [], stars: [], complete: false });

function withoutEdges(relations: Declared['relations'], derivations: readonly Derivation[]): Urn[] {
  const touched = new Set(derivations.flatMap(({ output, inputs }) => [output, ...inputs].map(urnOf)));
  return relations.flatMap(({ node }) => (node.kind === 'relation' && !touched.has(urnOf(node)) ? [urnOf(node)] : []));
}

/** What the project states of the columns of each relation; of two statements about one the last counts. */
function statedSchemas({ sources, models }: ModelProject, lineage: ModelLineage) {
  const stated = new Map<Urn, () => RelationSchema | null>();
  const add = (node: Node, schema: () => RelationSchema | null) => {
    const [urn, before] = [urnOf(node), stated.get(urnOf(node))];
    stated.set(
      urn,
      once(() => schema() ?? before?.() ?? null),
    );
  };
  for (const source of sources) add(source.node, () => externalSchema(source));
  const known = new Set(models);
  for (const model of lineage.order)
    if (model.node && known.has(model)) add(model.node, () => modelSchema(model, lineage.of(model)));
  return stated;
}

/** What a delivery reports of a model, each reason once. */
function reasonsOf(
  { reasons }: ModelProject,
  model: Model,
  { outputs, reason, unread = [] }: ModelColumns,
  { inlined, unknown }: Dependencies,
): string[] {
  const direct = new Set(model.dependsOn);
  const usesInlined = inlined.some(({ id, isModel }) => isModel && direct.has(id));
  const ofOutputs = outputs.flatMap(({ missing }) => missing.map((one) => one.reason));
  const ofModel = [reason, ...ofOutputs, usesInlined ? reasons.inlinedDependency : null];
  const found = [
    ...(model.isModel ? ofModel : []),
    unknown.length > 0 ? unknownDependency : null,
    unread.length > 0 ? unreadDependency : null,
  ];
  return [...new Set(found.filter((one) => one !== null))];
}

function derivationsOf(
  { namespace, statementOf }: ModelProject,
  model: Model,
  { relations }: Dependencies,
  found: () => ModelColumns,
): Derivation[] {
  const output = model.node;
  const inputs = distinctNodes(relations.flatMap(({ node }) => (node && output && !same(node, output) ? [node] : [])));
  if (!output || inputs.length === 0) return [];
  const { statementKind, location } = model;
  const [columns, unresolved] = [once(() => mappingsOf(found(), output)), once(() => unresolvedOf(found()))];
  const statement = statementOf?.(model.id, model.statement.kind === 'sql' ? model.statement.text : null);
  const derivation = {
    output,
    inputs,
    get columns() {
      return columns();
    },
    get unresolved() {
      return unresolved();
    },
    get unread() {
      return (found().unread ?? []).map(urnOf);
    },
    producer: { namespace, name: model.id },
    ...(statement && { statement }),
    statementKind,
    principal: null,
    ...factsOf(model),
    location,
  };
  return model.statement.kind === 'columns' ? byInput(derivation) : [derivation];
}

/** Of a model only its owners. */
function factsOf({ exposure, owners = [] }: Model): Pick<Derivation, 'exposure'> {
  if (exposure) return { exposure };
  return owners.length > 0 ? { exposure: exposureFacts({ owners }) } : {};
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

/** What a project states of the columns of a relation; null if it names none. */
type Stated = RelationSchema | null;

/** The columns of a relation that the project reads: its list, else what documentation names. */
const externalSchema = ({ columns, documentedColumns }: ExternalRelation): Stated =>
  stated(columns ?? documentedColumns ?? [], [], columns !== null);

function modelSchema(model: Model, derived: DerivedModel): Stated {
  const schema = columnsOfModel(model, derived);
  if (schema === null) return null;
  const words = ownWords(model);
  const own = schema.columns.flatMap(({ name }) => (words.has(name.toLowerCase()) ? name : []));
  return own.length > 0 ? { ...schema, own } : schema;
}

/** The document's list of columns, else the statement's. What relations with unknown columns pass on stays open. */
function columnsOfModel(model: Model, { found: { outputs }, built }: DerivedModel): Stated {
  const types = new Map((model.columns ?? []).concat(model.documentedColumns ?? []).map(typed));
  if (built?.complete) return stated(withTypes(built.names, types), [], true);
  if (model.columns) return stated(model.columns, [], true);
  const open = outputs.filter(({ column }) => column === null);
  const stars = open.flatMap((output) => listedStar(output) ?? []);
  const documented = (model.documentedColumns ?? []).map(({ name }) => name);
  const names = distinctNames([...(built?.names ?? []), ...documented]);
  return stated(withTypes(names, types), stars, built !== null && stars.length === open.length);
}

const typed = ({ name, type }: TypedColumn) => [name.toLowerCase(), type] as const;

const withTypes = (names: readonly string[], types: ReadonlyMap<string, string | null>): SchemaColumn[] =>
  names.map((name) => ({ name, type: types.get(name.toLowerCase()) ?? null }));

function stated(columns: readonly SchemaColumn[], stars: RelationSchema['stars'], complete: boolean): Stated {
  if (columns.length === 0 && stars.length === 0) return null;
  return boundedSchema({ columns: columns.map(({ name, type }) => ({ name, type })), stars, complete });
}
