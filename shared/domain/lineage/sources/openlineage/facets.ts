import * as v from 'valibot';
import { jsonPointer } from '../../../../contract/field-errors.ts';
import type { Urn } from '../../graph/node.ts';
import {
  boundedSchema,
  type Described,
  type RelationSchema,
  type SchemaColumn,
  type SchemaId,
  schemaId,
} from '../../graph/schema.ts';
import type { ColumnLineageFacet, Dataset, Job, Named, Run } from './event.ts';
import { facetChecks } from './generated/validators.js';
import type { UrnOf } from './input-mapping.ts';
import { facetTooMuch } from './name-rules.ts';
import { StarEntry } from './open-columns.ts';

/** A standard facet that broke its own schema: it is dropped, the event is kept. */
export type FacetFinding = { readonly path: string; readonly rule: string };

type FacetHolder = keyof typeof facetChecks;
type Facets = Readonly<Record<string, unknown>>;
type FacetBearer = { readonly facets?: Facets; readonly inputFacets?: Facets; readonly outputFacets?: Facets };
type Bearers = {
  readonly run?: Run;
  readonly job?: Job;
  readonly dataset?: Dataset;
  readonly inputs?: readonly Dataset[];
  readonly outputs?: readonly Dataset[];
};

export function withValidFacets<Event extends Bearers>(
  event: Event,
  entities: readonly (keyof Bearers)[],
): { event: Event; facetFindings: FacetFinding[] } {
  const facetFindings: FacetFinding[] = [];
  const retained: { -readonly [Key in keyof Bearers]: Bearers[Key] } = {};
  const { run, job, dataset, inputs, outputs } = event;
  // Only what the event's kind defines was checked to be an entity at all.
  const has = (key: keyof Bearers) => entities.includes(key);
  if (has('run') && run) retained.run = valid(run, '/run', { facets: 'run' }, facetFindings);
  if (has('job') && job) retained.job = valid(job, '/job', { facets: 'job' }, facetFindings);
  if (has('dataset') && dataset) retained.dataset = valid(dataset, '/dataset', { facets: 'dataset' }, facetFindings);
  if (has('inputs') && inputs)
    retained.inputs = inputs.map((one, i) => valid(one, `/inputs/${i}`, ofInput, facetFindings));
  if (has('outputs') && outputs) {
    retained.outputs = outputs.map((one, i) => valid(one, `/outputs/${i}`, ofOutput, facetFindings));
  }
  return { event: facetFindings.length === 0 ? event : { ...event, ...retained }, facetFindings };
}

type Places = { readonly [Key in keyof FacetBearer]?: FacetHolder };
const ofInput: Places = { facets: 'dataset', inputFacets: 'input' };
const ofOutput: Places = { facets: 'dataset', outputFacets: 'output' };

function valid<Bearer extends FacetBearer>(
  bearer: Bearer,
  path: string,
  places: Places,
  findings: FacetFinding[],
): Bearer {
  const before = findings.length;
  const retained: { -readonly [Key in keyof FacetBearer]: FacetBearer[Key] } = {};
  for (const key of ['facets', 'inputFacets', 'outputFacets'] as const) {
    const [facets, place] = [bearer[key], places[key]];
    if (facets && place) retained[key] = validFacets(facets, `${path}/${key}`, place, findings);
  }
  return findings.length === before ? bearer : { ...bearer, ...retained };
}

function validFacets(facets: Facets, path: string, place: FacetHolder, findings: FacetFinding[]): Facets {
  const remaining = Object.entries(facets).filter(([key, facet]) => {
    const rule = brokenRule(place, key, facet);
    if (rule !== null) findings.push({ path: path + jsonPointer(key), rule });
    return rule === null;
  });
  return Object.fromEntries(remaining);
}

function brokenRule(place: FacetHolder, key: string, facet: unknown): string | null {
  const check = facetChecks[place].get(key);
  if (!check || isTombstone(facet)) return null;
  try {
    if (check(facet)) return facetTooMuch(key, facet);
  } catch (error) {
    // Facets nest without bound (columns within columns), and the check recurses as deep.
    if (error instanceof RangeError) return 'must not nest as deep';
    throw error;
  }
  const found = check.errors?.[0];
  return [found?.instancePath, found?.message ?? 'must follow its schema'].filter(Boolean).join(' ');
}

/** A facet that only says that it is gone has no body to check. */
export const isTombstone = (facet: unknown): boolean =>
  typeof facet === 'object' && facet !== null && '_deleted' in facet && facet._deleted === true;

/** A custom facet for partial or passed-on columns, since readers take the standard schema facet for all there is. */
export const columnsKey = 'tributary_columns';

/** A list of columns with relations by their OpenLineage names. */
type ListedColumns = {
  readonly columns: readonly SchemaColumn[];
  readonly stars: readonly StarEntry[];
  readonly complete: boolean;
};

export const columnsFacet = ({ columns, stars, complete }: ListedColumns, producer: string) => ({
  _producer: producer,
  _schemaURL: 'urn:tributary:facets:ColumnsDatasetFacet:1-0-0',
  fields: columns.map(({ name, type }) => ({ name, ...(type !== null && { type }) })),
  stars,
  complete,
});

const Facet = v.object({
  fields: v.array(v.object({ name: v.string(), type: v.exactOptional(v.string()) })),
  stars: v.array(StarEntry),
  complete: v.boolean(),
});

/** The list; columns without a type take that of their namesakes; null if the facet is another's. */
function listedColumns(facet: unknown, typed: readonly SchemaColumn[], urnOf: UrnOf): RelationSchema | null {
  const read = v.safeParse(Facet, facet);
  if (!read.success) return null;
  const { fields, stars, complete } = read.output;
  const types = new Map(typed.map(({ name, type }) => [name.toLowerCase(), type]));
  const columns = fields.map(({ name, type }) => ({ name, type: type ?? types.get(name.toLowerCase()) ?? null }));
  return boundedSchema({ columns, stars: stars.map((star) => ({ ...star, of: urnOf(star.of) })), complete });
}

/** Producers whose schema facets hold what is documented, which may be a part, by the `jobType` facet. */
const documentingIntegrations: ReadonlySet<string> = new Set(['DBT']);

/** Whether the schema facets of a job's events list all columns. */
export const listsAllColumns = (job: Job | null): boolean =>
  !documentingIntegrations.has(job?.facets?.jobType?.integration?.toUpperCase() ?? '');

export type StatedSchemas = {
  readonly described: readonly Described[];
  readonly contents: ReadonlyMap<SchemaId, RelationSchema>;
};

/** What the facets of datasets say of their columns: the last of a dataset counts. */
export function statedSchemas(
  datasets: readonly Dataset[],
  complete: boolean,
  urnOf: (dataset: Named) => Urn,
): StatedSchemas {
  const described = new Map<Urn, SchemaId>();
  const contents = new Map<SchemaId, RelationSchema>();
  for (const dataset of datasets) {
    const schema = schemaOf(dataset, complete, urnOf);
    if (!schema) continue;
    const id = schemaId(schema);
    contents.set(id, schema);
    described.set(urnOf(dataset), id);
  }
  return { described: [...described].map(([node, schema]) => ({ node, schema })), contents };
}

/** A schema facet that is deleted says that no list holds any more; without one, columns that are mapped are known in part. */
function schemaOf({ facets }: Dataset, complete: boolean, urnOf: (dataset: Named) => Urn): RelationSchema | null {
  const facet = facets?.schema;
  if (facet && isTombstone(facet)) return { columns: [], stars: [], complete };
  const listed = (facet?.fields ?? []).map(({ name, type }) => ({ name, type: type ?? null }));
  if (listed.length > 0 && complete) return boundedSchema({ columns: listed, stars: [], complete });
  const mapped = mappedColumns(facets?.columnLineage);
  const derived = listedColumns(facets?.[columnsKey], listed, urnOf);
  if (derived) return derived;
  if (listed.length > 0) return boundedSchema({ columns: listed, stars: [], complete });
  return mapped.length === 0 ? null : boundedSchema({ columns: mapped, stars: [], complete: false });
}

const mappedColumns = (facet: ColumnLineageFacet | undefined) =>
  facet && !isTombstone(facet) ? Object.keys(facet.fields ?? {}).map((name) => ({ name, type: null })) : [];
