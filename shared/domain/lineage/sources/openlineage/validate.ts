import type { FieldError } from '../../../../contract/problems.ts';
import { isJsonObject } from '../../../base/json/read-json.ts';
import { isTimestamp } from '../../../base/time/timestamp.ts';
import type { DatasetEvent, JobEvent, RunEvent } from './event.ts';
import { isDatasetEvent, isJobEvent, isRunEvent } from './generated/validators.js';
import { type BrokenName, brokenNameOf } from './name-rules.ts';
import { type FacetFinding, withReadableFacets } from './valid-facets.ts';

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
type JsonObject = Readonly<Record<string, unknown>>;

/** The branches of the root `oneOf` that the presence of keys leaves open. */
function kindsPresent(value: JsonObject): Kind[] {
  const [run, job, dataset] = ['run', 'job', 'dataset'].map((key) => Object.hasOwn(value, key));
  if (run && job) return ['RunEvent'];
  return [...(job ? ['JobEvent' as const] : []), ...(dataset ? ['DatasetEvent' as const] : [])];
}

const entities = {
  RunEvent: ['run', 'job', 'inputs', 'outputs'],
  JobEvent: ['job', 'inputs', 'outputs'],
  DatasetEvent: ['dataset'],
} as const;

const checks = { RunEvent: isRunEvent, JobEvent: isJobEvent, DatasetEvent: isDatasetEvent } as const;

function checked(value: JsonObject, kind: Kind): Validation {
  const { event, facetFindings } = withReadableFacets(value, entities[kind]);
  if (checks[kind](event)) return { valid: true, kind, event, facetFindings } as Validation;
  const findings = facetFindings.map(({ path, rule }) => ({ path, message: rule }));
  return {
    valid: false,
    code: 'invalid_event',
    errors: [...brokenRules(event, kind), ...findings].slice(0, rulesTold),
  };
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

/** How many broken rules are told: a hostile body could break millions. */
const rulesTold = 20;

/** The first rule that each member of an event breaks, and each of its datasets: looked for one at a time. */
function brokenRules(event: JsonObject, kind: Kind): FieldError[] {
  const check = checks[kind];
  const valid: JsonObject = {
    eventTime: '2026-01-01T00:00:00Z',
    producer: 'urn:x',
    schemaURL: 'urn:x#/$defs/X',
    ...filled[kind],
  };
  const broken = (members: JsonObject): FieldError[] => {
    if (check(members)) return [];
    const { instancePath: path = '', message = 'must be an OpenLineage 2-0-2 event' } = check.errors?.[0] ?? {};
    return [{ path, message: inWords(message, path, members) }];
  };
  const missing = Object.keys(valid).filter((key) => !Object.hasOwn(event, key));
  const found = Object.entries(event).flatMap(([key, value]) => {
    const items = (key === 'inputs' || key === 'outputs') && Array.isArray(value) ? value : null;
    if (!items) return broken({ ...valid, [key]: value });
    return broken({ ...valid, [key]: items }).length === 0
      ? []
      : brokenItems(items, (item, i) =>
          broken({ ...valid, [key]: [item] }).map((one) => ({ ...one, path: one.path.replace('/0', `/${i}`) })),
        );
  });
  return [...missing.map((key) => ({ path: '', message: `must have the member ${key}` })), ...found];
}

function brokenItems(
  items: readonly unknown[],
  brokenIn: (item: unknown, index: number) => FieldError[],
): FieldError[] {
  const found: FieldError[] = [];
  for (const [i, item] of items.entries()) {
    if (found.length >= rulesTold) break;
    found.push(...brokenIn(item, i));
  }
  return found;
}

const named = { namespace: 'n', name: 'n' };
const filled: Readonly<Record<Kind, JsonObject>> = {
  RunEvent: { run: { runId: '01890000-0000-7000-8000-000000000000' }, job: named },
  JobEvent: { job: named },
  DatasetEvent: { dataset: named },
};

/** The validator's message as a person says it. */
function inWords(message: string, path: string, event: JsonObject): string {
  const missing = /^must have required property '(.+)'$/.exec(message)?.[1];
  if (missing !== undefined) return `must have the member ${missing}`;
  if (message === 'must match format "uuid"') return 'must be a UUID';
  if (message === 'must match format "uri"') return 'must be a URI';
  if (message !== 'must match format "date-time"') return message;
  const text = String(event[path.slice(1)]);
  return isTimestamp(`${text}Z`)
    ? 'needs a time zone: Z, or an offset such as +02:00'
    : 'must be a date and time of RFC 3339, such as 2026-03-01T10:00:00Z';
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
