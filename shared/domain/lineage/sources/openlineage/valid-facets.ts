import { jsonPointer, keysOf } from '../../../../contract/field-errors.ts';
import { isJsonObject } from '../../../base/json/read-json.ts';
import { isTombstone } from './facets.ts';
import { facetChecks } from './generated/validators.js';
import { facetTooMuch, formats } from './name-rules.ts';

/** A facet that cannot be read, or a member of one: it is dropped, the event is kept (C-OPENLINEAGE-16). */
export type FacetFinding = {
  readonly path: string;
  readonly rule: string;
  readonly isMember?: true;
  readonly isHarmless?: true;
};

type FacetHolder = keyof typeof facetChecks;
type JsonObject = Readonly<Record<string, unknown>>;
type Places = Readonly<Record<string, FacetHolder>>;

const ofInput: Places = { facets: 'dataset', inputFacets: 'input' };
const ofOutput: Places = { facets: 'dataset', outputFacets: 'output' };
const placesOf: Readonly<Record<string, Places>> = {
  run: { facets: 'run' },
  job: { facets: 'job' },
  dataset: { facets: 'dataset' },
};

/** The event without the facets that cannot be read. The rest of it is not checked, and may be anything. */
export function withReadableFacets(event: JsonObject, entities: readonly string[]) {
  const findings: FacetFinding[] = [];
  const readable = Object.entries(event).map(([key, value]): [string, unknown] => {
    if (!entities.includes(key)) return [key, value];
    const listed = key === 'inputs' ? ofInput : key === 'outputs' ? ofOutput : null;
    if (listed === null) return [key, bearerOf(value, `/${key}`, placesOf[key] ?? {}, findings)];
    const items = Array.isArray(value) ? value : null;
    return [key, items?.map((one, i) => bearerOf(one, `/${key}/${i}`, listed, findings)) ?? value];
  });
  return { event: Object.fromEntries(readable), facetFindings: findings };
}

function bearerOf(value: unknown, path: string, places: Places, findings: FacetFinding[]): unknown {
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).flatMap(([key, facets]): [string, unknown][] => {
    const place = Object.hasOwn(places, key) ? places[key] : undefined;
    if (place === undefined) return [[key, facets]];
    if (facets === null) return [];
    if (isJsonObject(facets)) return [[key, readableFacets(facets, `${path}/${key}`, place, findings)]];
    findings.push({ path: `${path}/${key}`, rule: 'must be object' });
    return [];
  });
  return Object.fromEntries(members);
}

function readableFacets(facets: JsonObject, path: string, place: FacetHolder, findings: FacetFinding[]): JsonObject {
  const readable = Object.entries(facets).flatMap(([key, facet]): [string, unknown][] => {
    if (facet === null) return [];
    const { rule, value, ...kind } = readableFacet(place, key, facet);
    if (rule !== null) findings.push({ path: path + jsonPointer(key), rule, ...kind });
    return value === null ? [] : [[key, value]];
  });
  return Object.fromEntries(readable);
}

type Check = NonNullable<ReturnType<(typeof facetChecks)[FacetHolder]['get']>>;
type Reading = { readonly rule: string | null; readonly value: unknown } & Pick<
  FacetFinding,
  'isMember' | 'isHarmless'
>;

const unread = (rule: string): Reading => ({ rule, value: null });

function readableFacet(place: FacetHolder, key: string, facet: unknown): Reading {
  if (!isJsonObject(facet)) return unread('must be object');
  for (const name of ['_producer', '_schemaURL']) {
    const uri = facet[name];
    if (uri === undefined) return unread(`must have required property '${name}'`);
    if (typeof uri !== 'string' || !formats.uri(uri)) return unread(`/${name} must be a URI`);
  }
  const deleted = facet['_deleted'];
  if (deleted !== undefined && deleted !== null && typeof deleted !== 'boolean')
    return unread('/_deleted must be boolean');
  const check = facetChecks[place].get(key);
  if (!check || isTombstone(facet)) return { rule: null, value: facet };
  try {
    return repaired(key, facet, check);
  } catch (error) {
    // Facets nest without bound (columns within columns), and the check recurses as deep.
    if (error instanceof RangeError) return unread('must not nest as deep');
    throw error;
  }
}

/** A facet of more faults than a person corrects is dropped as a whole. */
const mostRepairs = 20;

/** The facet without its members that break its schema; none of it if what is left breaks it, or would say too much. */
function repaired(key: string, facet: JsonObject, check: Check): Reading {
  let value: JsonObject = facet;
  let rule: string | null = null;
  let isHarmless = true;
  for (let repairs = 0; !check(value); repairs++) {
    // An optional member that is null is absent.
    if (repairs === 0) value = withoutNulls(value);
    const error = check(value) ? null : check.errors?.[0];
    if (error === null) break;
    const path = error?.instancePath ?? '';
    isHarmless &&= isOddSource(key, path);
    rule ??= [path, error?.message ?? 'must follow its schema'].filter(Boolean).join(' ');
    if (repairs === mostRepairs || !isOptional(key, path)) return unread(rule ?? 'must follow its schema');
    removeAt(value, path);
  }
  const tooMuch = facetTooMuch(key, value);
  if (tooMuch !== null) return unread(tooMuch);
  return rule === null ? { rule, value } : { rule, value, isMember: true, ...(isHarmless && { isHarmless }) };
}

/** Producers write `file` for a folder: nothing is lost with it. */
const isOddSource = (key: string, path: string): boolean => key === 'dataSource' && path === '/uri';

/** A list without an item, or a complete statement without a part, would be taken for the whole. */
const isOptional = (key: string, path: string): boolean =>
  path !== '' &&
  !/\/\d+$/.test(path) &&
  (key !== 'lineage' || /\/(?:field|transformations|subtype|description|masking)$/.test(path));

const withoutNulls = (value: unknown): JsonObject => {
  const prune = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(prune);
    if (!isJsonObject(one)) return one;
    return Object.fromEntries(Object.entries(one).flatMap(([key, of]) => (of === null ? [] : [[key, prune(of)]])));
  };
  return prune(value) as JsonObject;
};

/** Of a value that `withoutNulls` copied. */
function removeAt(value: JsonObject, pointer: string): void {
  const steps = keysOf(pointer);
  const last = steps.pop() ?? '';
  let holder: unknown = value;
  for (const step of steps) holder = Reflect.get(Object(holder), step);
  Reflect.deleteProperty(Object(holder), last);
}
