import * as v from 'valibot';
import { limits } from '../../../../contract/limits.ts';
import type { Derivation } from '../../graph/derivation.ts';
import { exposureFacts, exposureWithoutColumns, toolOfAddress } from '../../graph/exposure.ts';
import { contentDigest, nodeOf, ownerOf, type Urn, urnOf } from '../../graph/node.ts';
import { type Micros, microsOfEventTime, type ParentRun, parentRun } from '../../graph/order.ts';
import type { Described } from '../../graph/schema.ts';
import {
  type ColumnLineageFacet,
  type Dataset,
  type EventType,
  type InputField,
  type JobEvent,
  type Named,
  type RunEvent,
  readKey,
  type Transformation,
} from './event.ts';
import { type Names, namesOf, type Resolve } from './event-names.ts';
import { datasetLineageSources, jobLineageTargets } from './explicit-lineage.ts';
import { isTombstone, listsAllColumns, type StatedSchemas, statedSchemas } from './facets.ts';
import { type InputMapping, leftOutOf, transformationKindsOf, type UrnOf, wholeInput } from './input-mapping.ts';
import { jobPartKey } from './job-scopes.ts';
import { relationsOfJob, statementOfJob, testedInputs } from './model-jobs.ts';
import { engineOf, principalOf, statementKindOf } from './name-rules.ts';
import { unresolvedKey, unresolvedSources } from './open-columns.ts';
import { influenceNotReported, namesValuesOnly } from './settle-column-sources.ts';

/** One facet's sources of one output; empty if the facet was deleted. */
type FacetLineage = {
  readonly output: Urn;
  /** `statement`: nobody reported the columns, and they were derived from the job's statement. */
  readonly facet: 'columnLineage' | 'lineage' | 'statement';
  readonly sources: readonly InputMapping[] | null;
};

export type Lifecycle = { readonly node: Urn; readonly change: string; readonly previous: Urn | null };

/** The lineage in dataset and job facets of any kind of event, without times. */
export type LineageStatement = Pick<Derivation, 'statement' | 'isWhole' | 'statementKind' | 'principal' | 'engine'> & {
  /** Who says so: the job, or the dataset itself. */
  readonly producer: Named;
  readonly inputs: readonly Urn[];
  readonly outputs: readonly Urn[];
  /** The inputs that are only tested. */
  readonly tested?: readonly Urn[];
  readonly aliases: readonly { readonly alias: Urn; readonly canonical: Urn }[];
  readonly facets: readonly FacetLineage[];
  /** The targets of the job's `lineage` facet; null if it has none. */
  readonly targets: readonly { readonly output: Urn; readonly sources: readonly InputMapping[] }[] | null;
  readonly lifecycle: readonly Lifecycle[];
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

const ParentFacet = v.object({ parent: v.object({ run: v.object({ runId: v.string() }) }) });

export function parentRunOf({ run }: RunEvent): ParentRun | undefined {
  const { success, output } = v.safeParse(ParentFacet, run.facets);
  return success ? parentRun(output.parent.run.runId) : undefined;
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
  const tested = testedInputs(event);
  const isPartial = !(jobPartKey in (job.facets ?? {}));
  const isOneOfSeveral = outputs.length > 1 && (job.facets?.sql?.query ?? '').trim() !== '';
  const statement = {
    producer: { namespace: job.namespace, name: job.name },
    inputs: distinct(inputs.map(names.urnOf)),
    outputs: distinct(outputs.map(names.urnOf)),
    ...(tested.length > 0 && { tested: distinct(tested.map(names.urnOf)) }),
    aliases: names.aliases,
    facets: [
      ...outputs.flatMap((output) => facetLineage(output, names, { isPartial, isOneOfSeveral })),
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
    facets: facetLineage(dataset, names, { isPartial: true }),
    targets: null,
    lifecycle: lifecycleOf(dataset, names),
    statementKind: null,
    principal: null,
    ...(described.length > 0 && { described }),
  };
  return { statement, contents };
}

type Facets = {
  /** Whether columns that `columnLineage` leaves out are open: an export lists what it leaves open. */
  readonly isPartial: boolean;
  /** Whether a text of several statements makes it, so that nobody reads what decides its rows. */
  readonly isOneOfSeveral?: boolean;
};

function facetLineage(dataset: Dataset, names: Names, { isPartial, isOneOfSeveral = false }: Facets): FacetLineage[] {
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
    const isReported = dataset[readKey] === undefined && !isDeleted;
    const isOpen = isOneOfSeveral && isReported && namesValuesOnly(columnLineage ?? {});
    const rows = isOpen ? distinct(mapped.map(({ input }) => input)).map(unknownRowsOf) : [];
    const facet = isDerived ? 'statement' : 'columnLineage';
    stated.push({ output, facet, sources: isDeleted ? null : [...mapped, ...unresolved, ...leftOut, ...own, ...rows] });
  }
  if (lineage) {
    const says = lineage.inputs !== undefined || lineage.fields !== undefined;
    const sources = isTombstone(lineage) || !says ? null : datasetLineageSources(lineage, urnOf);
    stated.push({ output, facet: 'lineage', sources });
  }
  return stated;
}

const unknownRowsOf = (input: Urn): InputMapping => ({
  ...wholeInput(input),
  type: 'INDIRECT',
  reason: influenceNotReported,
});

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

function sourcesOf(named: InputField, outputColumn: string | null, { urnOf, isLeftOut, meant }: Names): InputMapping[] {
  const field = meant(named);
  const input = urnOf(field);
  // All columns, or one that the producer does not know.
  const inputColumn = field.field === '*' ? null : field.field;
  const kinds = transformationKindsOf(field.transformations, outputColumn);
  const leftOut = isLeftOut(field) && { isNamed: true as const };
  return kinds.map((kind) => ({ input, inputColumn, outputColumn, ...kind, ...leftOut }));
}

/**
 * The columns that a facet does not list although it lists others: those of the event's own schema, else of whatever list
 * is known. A statement that was read tells by itself what it leaves open.
 */
function leftOutSources({ facets = {}, [readKey]: reading = {} }: Dataset, output: Urn): InputMapping[] {
  const listed = Object.keys(facets.columnLineage?.fields ?? {});
  if (
    listed.length + (facets.columnLineage?.dataset ?? []).length === 0 ||
    reading.isWhole ||
    reading.isDerived ||
    unresolvedKey in facets
  )
    return [];
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
