import type { FieldError } from '../../../../contract/problems.ts';
import { isJsonObject } from '../../../base/json/read-json.ts';
import type { DatasetEvent, JobEvent, RunEvent } from './event.ts';
import { type FacetFinding, withValidFacets } from './facets.ts';
import { isDatasetEvent, isJobEvent, isRunEvent } from './generated/validators.js';
import { type BrokenName, brokenNameOf } from './name-rules.ts';

type Validation =
  | { readonly valid: false; readonly code: BrokenName['code']; readonly errors: readonly FieldError[] }
  | (ValidEvent & { readonly valid: true; readonly facetFindings: readonly FacetFinding[] });

export type ValidEvent =
  | { readonly kind: 'RunEvent'; readonly event: RunEvent }
  | { readonly kind: 'JobEvent'; readonly event: JobEvent }
  | { readonly kind: 'DatasetEvent'; readonly event: DatasetEvent };

/** Drops and reports standard facets that break their schema. No message has a value; `schemaURL` selects nothing. */
export function validateEvent(value: unknown): Validation {
  if (!isJsonObject(value)) return invalid('', 'must be object');
  const kinds = kindsPresent(value);
  const [kind, other] = kinds;
  if (kind === undefined) return invalid('', 'must have a job, a job and its run, or a dataset');
  if (other === undefined) return bounded(checked(value, kind));
  // A job and a dataset without a run: the root `oneOf` holds where exactly one of the two is well formed.
  const results = kinds.map((one) => checked(value, one));
  const [first, ...more] = results.filter((result) => result.valid);
  if (first && more.length === 0) return bounded(first);
  return first ? invalid('', 'must not have both a job and a dataset unless it has a run') : checked(value, kind);
}

type Kind = ValidEvent['kind'];

/** The branches of the root `oneOf` that the presence of keys leaves open. */
function kindsPresent(value: object): Kind[] {
  const [run, job, dataset] = ['run', 'job', 'dataset'].map((key) => Object.hasOwn(value, key));
  if (run && job) return ['RunEvent'];
  return [...(job ? ['JobEvent' as const] : []), ...(dataset ? ['DatasetEvent' as const] : [])];
}

const entities = {
  RunEvent: ['run', 'job', 'inputs', 'outputs'],
  JobEvent: ['job', 'inputs', 'outputs'],
  DatasetEvent: ['dataset'],
} as const;

function checked(value: object, kind: Kind): Validation {
  switch (kind) {
    case 'RunEvent':
      return isRunEvent(value) ? { valid: true, kind, ...withValidFacets(value, entities[kind]) } : broken(isRunEvent);
    case 'JobEvent':
      return isJobEvent(value) ? { valid: true, kind, ...withValidFacets(value, entities[kind]) } : broken(isJobEvent);
    case 'DatasetEvent':
      return isDatasetEvent(value)
        ? { valid: true, kind, ...withValidFacets(value, entities[kind]) }
        : broken(isDatasetEvent);
  }
}

/** The service's own bounds in addition to the schema's rules; a `lineage` facet that tells the edges is no excuse. */
function bounded(result: Validation): Validation {
  if (!result.valid) return result;
  const broken = brokenNameOf(result.event, entities[result.kind]);
  if (broken !== null) return invalid(broken.path, broken.rule, broken.code);
  if (result.kind === 'DatasetEvent') return result;
  const { inputs = [], outputs = [] } = result.event;
  return exceedsMaxPairs(inputs.length, outputs.length) ? invalid('/outputs', maxPairsRule) : result;
}

/** The first rule that was broken: a hostile body could break millions. */
function broken(check: { readonly errors?: readonly { instancePath: string; message?: string }[] | null }): Validation {
  const error = check.errors?.[0];
  return invalid(error?.instancePath ?? '', error?.message ?? 'must be an OpenLineage 2-0-2 event');
}

const invalid = (path: string, message: string, code: BrokenName['code'] = 'invalid_event'): Validation => ({
  valid: false,
  code,
  errors: [{ path, message }],
});

/** More edges than a person or a store makes sense of: such a product is a mistake, or an attack. */
const maxPairs = 250_000;

export const exceedsMaxPairs = (inputs: number, outputs: number): boolean => inputs * outputs > maxPairs;
const maxPairsRule = `must not make more than ${maxPairs} pairs with inputs`;
