import { jsonPointer } from '../../../../contract/field-errors.ts';
import type { Dataset, Job, Run } from './event.ts';
import { facetChecks } from './generated/validators.js';
import { facetTooMuch } from './name-rules.ts';

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

/** The event without the standard facets of its entities that break their own schema, and what was found of them. */
export function withValidFacets<Event extends Bearers>(
  event: Event,
  entities: readonly (keyof Bearers)[],
): { event: Event; facetFindings: FacetFinding[] } {
  const facetFindings: FacetFinding[] = [];
  const kept: { -readonly [Key in keyof Bearers]: Bearers[Key] } = {};
  const { run, job, dataset, inputs, outputs } = event;
  // Only what the event's kind defines was checked to be an entity at all.
  const has = (key: keyof Bearers) => entities.includes(key);
  if (has('run') && run) kept.run = valid(run, '/run', { facets: 'run' }, facetFindings);
  if (has('job') && job) kept.job = valid(job, '/job', { facets: 'job' }, facetFindings);
  if (has('dataset') && dataset) kept.dataset = valid(dataset, '/dataset', { facets: 'dataset' }, facetFindings);
  if (has('inputs') && inputs) kept.inputs = inputs.map((one, i) => valid(one, `/inputs/${i}`, ofInput, facetFindings));
  if (has('outputs') && outputs) {
    kept.outputs = outputs.map((one, i) => valid(one, `/outputs/${i}`, ofOutput, facetFindings));
  }
  return { event: facetFindings.length === 0 ? event : { ...event, ...kept }, facetFindings };
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
  const kept: { -readonly [Key in keyof FacetBearer]: FacetBearer[Key] } = {};
  for (const key of ['facets', 'inputFacets', 'outputFacets'] as const) {
    const [facets, place] = [bearer[key], places[key]];
    if (facets && place) kept[key] = validFacets(facets, `${path}/${key}`, place, findings);
  }
  return findings.length === before ? bearer : { ...bearer, ...kept };
}

function validFacets(facets: Facets, path: string, place: FacetHolder, findings: FacetFinding[]): Facets {
  const kept = Object.entries(facets).filter(([key, facet]) => {
    const rule = brokenRule(place, key, facet);
    if (rule !== null) findings.push({ path: path + jsonPointer(key), rule });
    return rule === null;
  });
  return Object.fromEntries(kept);
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
