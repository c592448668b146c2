import * as v from 'valibot';
import { limits } from '../../../../contract/limits.ts';
import type { StatementKind } from '../../../../contract/vocabulary.ts';
import { once } from '../../../base/caching.ts';
import type { ProducingStatement } from '../../graph/derivation.ts';
import { exposureFacts, exposureWithoutColumns, toolOfAddress } from '../../graph/exposure.ts';
import { contentDigest, type Node, nodeOf, ownerOf, type Urn, urnOf } from '../../graph/node.ts';
import { type Micros, microsOfEventTime } from '../../graph/order.ts';
import type { Described } from '../../graph/schema.ts';
import { bindingKey } from '../../names/namespace.ts';
import { lastPartOf } from '../../names/relation-ref.ts';
import { isOwnName } from '../../names/resolve-dataset.ts';
import {
  type ColumnLineageFacet,
  type Dataset,
  type EventType,
  type InputField,
  type JobEvent,
  type Named,
  type RunEvent,
  readKey,
  type Symlink,
  type Transformation,
} from './event.ts';
import { datasetLineageSources, jobLineageTargets } from './explicit-lineage.ts';
import { isTombstone, listsAllColumns, type StatedSchemas, statedSchemas } from './facets.ts';
import { type InputMapping, leftOutOf, transformationKindsOf, type UrnOf, wholeInput } from './input-mapping.ts';
import { jobPartKey } from './job-scopes.ts';
import { isEphemeral, relationsOfJob, statementOfJob } from './model-jobs.ts';
import { engineOf, principalOf, statementKindOf } from './name-rules.ts';
import { unresolvedKey, unresolvedSources } from './open-columns.ts';

/** Which node a dataset is, and what other nodes are that same one. */
export type Resolve = (dataset: Named & { readonly symlinks: readonly Symlink[] }) => {
  readonly node: Node;
  readonly aliases: readonly Node[];
  readonly isPart?: true;
};

/** One facet's sources of one output; empty if the facet was deleted. */
type FacetLineage = {
  readonly output: Urn;
  /** `statement`: nobody reported the columns, and they were derived from the job's statement. */
  readonly facet: 'columnLineage' | 'lineage' | 'statement';
  readonly sources: readonly InputMapping[] | null;
};

export type Lifecycle = { readonly node: Urn; readonly change: string; readonly previous: Urn | null };

/** The lineage in dataset and job facets of any kind of event, without times. */
export type LineageStatement = {
  /** Who says so: the job, or the dataset itself. */
  readonly producer: Named;
  readonly inputs: readonly Urn[];
  readonly outputs: readonly Urn[];
  readonly aliases: readonly { readonly alias: Urn; readonly canonical: Urn }[];
  readonly facets: readonly FacetLineage[];
  /** The targets of the job's `lineage` facet; null if it has none. */
  readonly targets: readonly { readonly output: Urn; readonly sources: readonly InputMapping[] }[] | null;
  readonly lifecycle: readonly Lifecycle[];
  /** Absent where the job runs no model of dbt or SQLMesh. */
  readonly statement?: ProducingStatement;
  /** The job's statement was understood whole: an input without mapped columns contributes none. */
  readonly isWhole?: true;
  readonly statementKind: StatementKind | null;
  readonly principal: string | null;
  /** Absent where nothing names one. */
  readonly engine?: string;
  readonly described?: readonly Described[];
};

/** What one run event adds to what is known of its run. */
export type Contribution = LineageStatement & { readonly eventType: EventType; readonly streaming: boolean };

/** The contribution of one run event: events that differ except for their time have the same content and digest. */
export function contributionOf(
  event: RunEvent,
  resolve: Resolve,
): { readonly at: Micros; readonly digest: string; readonly content: Contribution } & Pick<StatedSchemas, 'contents'> {
  const { statement, contents } = lineageStatementOf(event, resolve);
  const content = {
    ...statement,
    eventType: event.eventType ?? 'OTHER',
    streaming: event.job.facets?.jobType?.processingType?.toUpperCase() === 'STREAMING',
  };
  return { at: microsOfEventTime(event.eventTime), digest: contentDigest(JSON.stringify(content)), content, contents };
}

type Stated = { readonly statement: LineageStatement } & Pick<StatedSchemas, 'contents'>;

export function lineageStatementOf(event: RunEvent | JobEvent, resolve: Resolve): Stated {
  const { job } = event;
  const { inputs, outputs } = relationsOfJob(event);
  const names = namesOf([...inputs, ...outputs], resolve, job.facets?.sql?.query);
  const lineage = job.facets?.lineage;
  const engine = engineOf(event);
  const producing = statementOfJob(event);
  const { described, contents } = statedSchemas([...inputs, ...outputs], listsAllColumns(job), names.urnOf);
  const statement = {
    producer: { namespace: job.namespace, name: job.name },
    inputs: distinct(inputs.map(names.urnOf)),
    outputs: distinct(outputs.map(names.urnOf)),
    aliases: names.aliases,
    facets: [
      ...outputs.flatMap((output) => facetLineage(output, names, !(jobPartKey in (job.facets ?? {})))),
      ...exposuresOf([...inputs, ...outputs], names.urnOf),
    ],
    targets:
      lineage && !isTombstone(lineage)
        ? jobLineageTargets(lineage, names.urnOf).map(({ dataset, sources }) => ({
            output: names.urnOf(dataset),
            sources,
          }))
        : null,
    lifecycle: outputs.flatMap((output) => lifecycleOf(output, names)),
    ...(producing && { statement: producing }),
    ...(outputs.some((output) => output[readKey]?.isWhole) && { isWhole: true as const }),
    statementKind: statementKindOf(job.facets?.sql?.query ?? ''),
    principal: principalOf(event),
    ...(engine !== null && { engine }),
    ...(described.length > 0 && { described }),
  };
  return { statement, contents };
}

/** What a dataset's own event says of its lineage. */
export function datasetLineageStatementOf(dataset: Dataset, resolve: Resolve): Stated {
  const names = namesOf([dataset], resolve);
  const { described, contents } = statedSchemas([dataset], listsAllColumns(null), names.urnOf);
  const statement = {
    producer: { namespace: dataset.namespace, name: dataset.name },
    inputs: [],
    outputs: [names.urnOf(dataset)],
    aliases: names.aliases,
    facets: facetLineage(dataset, names, true),
    targets: null,
    lifecycle: lifecycleOf(dataset, names),
    statementKind: null,
    principal: null,
    ...(described.length > 0 && { described }),
  };
  return { statement, contents };
}

/** The nodes of an event's datasets; a facet that names a dataset of the event means it with its symlinks. */
function namesOf(datasets: readonly Dataset[], resolve: Resolve, query = '') {
  const symlinks = new Map<string, readonly Symlink[]>();
  const inlined = new Set(datasets.filter(isEphemeral).map(nameOf));
  const known = new Map<string, Urn>();
  const aliases = new Map<Urn, Urn>();
  const parts = new Set<string>();
  for (const dataset of datasets) {
    const identifiers = dataset.facets?.symlinks?.identifiers;
    if (identifiers) symlinks.set(nameOf(dataset), [...(symlinks.get(nameOf(dataset)) ?? []), ...identifiers]);
  }
  const urnOfDataset: UrnOf = (dataset) => {
    const name = nameOf(dataset);
    const before = known.get(name);
    if (before !== undefined) return before;
    const { namespace, name: local } = dataset;
    if (inlined.has(name)) return urnOf({ kind: 'inlined', namespace, name: local });
    const { node, aliases: others, isPart } = resolve({ namespace, name: local, symlinks: symlinks.get(name) ?? [] });
    const urn = urnOf(node);
    known.set(name, urn);
    if (isPart) parts.add(name);
    for (const alias of others.map(urnOf)) if (alias !== urn) aliases.set(alias, urn);
    return urn;
  };
  // Resolved first, so that every alias is known whatever the facets name.
  datasets.forEach(urnOfDataset);
  const [own, ctes] = [new Set(datasets.map(nameOf)), once(() => cteNames(query))];
  const instances = new Set(datasets.map(({ namespace }) => bindingKey(namespace)));
  return {
    urnOf: urnOfDataset,
    aliases: [...aliases].map(([alias, canonical]) => ({ alias, canonical })),
    isPart: (dataset: Named) => urnOfDataset(dataset) !== undefined && parts.has(nameOf(dataset)),
    /** Whether a facet names a dataset that the event left out. A statement's CTE is none, however it is qualified. */
    isLeftOut: (source: Named) =>
      !own.has(nameOf(source)) &&
      (isOwnName(source) || !instances.has(bindingKey(source.namespace))) &&
      !ctes().has(lastPartOf(source.name).toLowerCase()),
  };
}

type Names = ReturnType<typeof namesOf>;

const cte = /\b(\w+)["`\]]?(?:\s*\([^()]*\))?\s+as\s*(?:(?:not\s+)?materialized\s*)?\(/gi;

/** The names that a statement may define in its WITH clause, in lower case. */
const cteNames = (query: string): ReadonlySet<string> =>
  new Set([...query.matchAll(cte)].map(([, name = '']) => name.toLowerCase()));

/** Of two names that are not the same never the same text. */
const nameOf = ({ namespace, name }: Named) => `${namespace.length} ${namespace}${name}`;

/** @param isPartial whether columns that `columnLineage` leaves out are open: an export lists what it leaves open */
function facetLineage(dataset: Dataset, names: Names, isPartial: boolean): FacetLineage[] {
  const { columnLineage, lineage } = dataset.facets ?? {};
  const { urnOf } = names;
  const output = urnOf(dataset);
  const stated: FacetLineage[] = [];
  const unresolved = unresolvedSources(dataset.facets?.[unresolvedKey], urnOf);
  const { isDerived, ownInputs = [] } = dataset[readKey] ?? {};
  const own = ownInputs.map((input) => wholeInput(urnOf(input)));
  if (columnLineage || unresolved.length + own.length > 0) {
    const isDeleted = columnLineage !== undefined && isTombstone(columnLineage);
    const mapped = columnLineage ? columnLineageSources(columnLineage, names) : [];
    const leftOut = isPartial && !isDeleted ? leftOutSources(dataset, output) : [];
    const facet = isDerived ? 'statement' : 'columnLineage';
    stated.push({ output, facet, sources: isDeleted ? null : [...mapped, ...unresolved, ...leftOut, ...own] });
  }
  if (lineage) {
    const says = lineage.inputs !== undefined || lineage.fields !== undefined;
    const sources = isTombstone(lineage) || !says ? null : datasetLineageSources(lineage, urnOf);
    stated.push({ output, facet: 'lineage', sources });
  }
  return stated;
}

/** What ends or renames a part says nothing of the whole. */
function lifecycleOf(dataset: Dataset, { urnOf, isPart }: Names): Lifecycle[] {
  const { lifecycleStateChange: change, previousIdentifier } = dataset.facets?.lifecycleStateChange ?? {};
  if (change === undefined || isPart(dataset) || (previousIdentifier && isPart(previousIdentifier))) return [];
  return [{ node: urnOf(dataset), change, previous: previousIdentifier ? urnOf(previousIdentifier) : null }];
}

const distinct = <T>(items: readonly T[]): T[] => [...new Set(items)];

/** The sources that a columnLineage facet names, of any published version: 1-0-0 to 1-2-0. */
function columnLineageSources(facet: ColumnLineageFacet, names: Names): InputMapping[] {
  const fields = Object.entries(facet.fields ?? {}).flatMap(([column, { inputFields, ...deprecated }]) =>
    inputFields.flatMap((field) => sourcesOf(withDeprecated(field, deprecated), column, names)),
  );
  const wide = (facet.dataset ?? []).flatMap((field) => sourcesOf(field, null, names));
  return [...fields, ...wide];
}

function sourcesOf(field: InputField, outputColumn: string | null, { urnOf, isLeftOut }: Names): InputMapping[] {
  const input = urnOf(field);
  const kinds = transformationKindsOf(field.transformations, outputColumn);
  const named = isLeftOut(field) && { isNamed: true as const };
  return kinds.map((kind) => ({ input, inputColumn: field.field, outputColumn, ...kind, ...named }));
}

/**
 * The columns that a facet does not list although it lists others: those of the event's own schema, else of whatever list
 * is known. A statement that was read tells by itself what it leaves open.
 */
function leftOutSources({ facets = {}, [readKey]: reading = {} }: Dataset, output: Urn): InputMapping[] {
  const listed = Object.keys(facets.columnLineage?.fields ?? {});
  if (listed.length === 0 || reading.isWhole || reading.isDerived || unresolvedKey in facets) return [];
  const known = new Set(listed.map((column) => column.toLowerCase()));
  const columns = facets.schema?.fields;
  if (!columns || columns.length === 0)
    return [leftOutOf(output, null, { kind: 'rest', star: { of: output, except: listed, renamed: [] } })];
  return columns.flatMap(({ name }) => (known.has(name.toLowerCase()) ? [] : leftOutOf(output, name)));
}

type Deprecated = { readonly transformationType?: string; readonly transformationDescription?: string };

/** Until 1-1-0 a transformation was on the output field, for all its inputs at once. */
function withDeprecated(field: InputField, { transformationType, transformationDescription }: Deprecated): InputField {
  if (transformationType === undefined || (field.transformations?.length ?? 0) > 0) return field;
  const transformation = deprecatedTransformation(transformationType.toUpperCase());
  const description = transformationDescription ? { description: transformationDescription } : {};
  return { ...field, transformations: [{ ...transformation, ...description }] };
}

function deprecatedTransformation(type: string): Transformation {
  if (type === 'MASKED') return { type: 'DIRECT', subtype: 'TRANSFORMATION', masking: true };
  return indirect.has(type)
    ? { type: 'INDIRECT', subtype: type }
    : { type: 'DIRECT', ...(direct.has(type) && { subtype: type }) };
}

const direct = new Set(['IDENTITY', 'TRANSFORMATION', 'AGGREGATION']);
const indirect = new Set(['FILTER', 'JOIN', 'GROUP_BY', 'SORT', 'WINDOW', 'CONDITIONAL']);

const text = v.nullish(v.string());
const name = v.pipe(v.string(), v.startsWith('exposure.'), v.maxLength(limits.openlineage.name));
const Exposure = v.fallback(v.nullable(v.object({ unique_id: name, name: text, type: text, url: text })), null);
const Facet = v.fallback(v.object({ exposures: v.array(Exposure) }), { exposures: [] });

/** The exposures in the `dbt_exposures` facets of datasets, of the connector of the dataset (C-OPENLINEAGE-24). */
function exposuresOf(datasets: readonly Dataset[], urnOfDataset: UrnOf): FacetLineage[] {
  const found = new Map<Urn, InputMapping[]>();
  for (const dataset of datasets) {
    const input = urnOfDataset(dataset);
    const connectorId = ownerOf(nodeOf(input));
    for (const one of v.parse(Facet, dataset.facets?.['dbt_exposures']).exposures) {
      if (one === null || connectorId === null) continue;
      const output = urnOf({ kind: 'exposure', connectorId, name: one.unique_id });
      const exposure = exposureFacts({ title: one.name, tool: toolOfAddress(one.url) ?? one.type });
      const source = { ...wholeInput(input), reason: exposureWithoutColumns, exposure };
      found.set(output, [...(found.get(output) ?? []), source]);
    }
  }
  return [...found].map(([output, sources]) => ({ output, facet: 'lineage', sources }));
}
