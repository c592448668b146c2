import { isStorable, storableRule, unstorableAt } from '../../../../contract/fields.ts';
import { limits } from '../../../../contract/limits.ts';
import type { Named } from './event.ts';

/** Which rule a name breaks, and where. */
export type BrokenName = {
  readonly path: string;
  readonly code: 'invalid_event' | 'invalid_unicode';
  readonly rule: string;
};

const parts = ['namespace', 'name'] as const;
const longNameRule = `must be at most ${limits.openlineage.name} characters`;
const blankRule = 'must not be empty or blank';

type Facets = Readonly<Record<string, unknown>>;
type Bearer = Named & { readonly facets?: Facets };
type Entities = {
  readonly run?: object;
  readonly job?: Bearer;
  readonly dataset?: Bearer;
  readonly inputs?: readonly Bearer[];
  readonly outputs?: readonly Bearer[];
};

/** Facets of which texts become names or keys; of others they are kept as they are, or not at all. */
const keyed = new Set([
  'catalog',
  'columnLineage',
  'lifecycleStateChange',
  'lineage',
  'ownership',
  'schema',
  'symlinks',
]);
/** The facets whose body names other datasets. */
const naming = new Set(['columnLineage', 'lineage', 'symlinks', 'lifecycleStateChange']);

/** The first rule that a name of an event breaks beyond its schema (C-OPENLINEAGE-6), or null. */
export function brokenNameOf(event: Entities, entities: readonly (keyof Entities)[]): BrokenName | null {
  for (const [path, one] of named(event, entities)) {
    for (const part of parts) {
      const broken = brokenName(`${path}/${part}`, one[part]);
      if (broken) return broken;
    }
    for (const [key, facet] of Object.entries(one.facets ?? {})) {
      const at = keyed.has(key) ? unstorableAt(facet, `${path}/facets/${key}`) : null;
      if (at !== null) return { path: at, code: 'invalid_unicode', rule: storableRule };
    }
  }
  return null;
}

function* named(event: Entities, entities: readonly (keyof Entities)[]): Generator<readonly [string, Bearer]> {
  if (entities.includes('job') && event.job) yield ['/job', event.job];
  if (entities.includes('dataset') && event.dataset) yield ['/dataset', event.dataset];
  for (const key of ['inputs', 'outputs'] as const) {
    if (!entities.includes(key)) continue;
    for (const [i, one] of event[key]?.entries() ?? []) yield [`/${key}/${i}`, one];
  }
}

function brokenName(path: string, name: string): BrokenName | null {
  if (!isStorable(name)) return { path, code: 'invalid_unicode', rule: storableRule };
  if (isBlank(name)) return { path, code: 'invalid_event', rule: blankRule };
  return isLong(name) ? { path, code: 'invalid_event', rule: longNameRule } : null;
}

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

/** Counted in code points where code units are too many. */
const isLong = (value: unknown): boolean =>
  typeof value === 'string' && value.length > limits.openlineage.name && [...value].length > limits.openlineage.name;

/** Why a facet that follows its schema says more, or less, than the graph keeps; null where it does not. */
export function facetTooMuch(key: string, facet: unknown): string | null {
  if (!naming.has(key)) return null;
  const broken = brokenNameIn(facet);
  if (broken !== null) return `names ${broken}`;
  const { identifiers = [] }: { identifiers?: readonly unknown[] } = Object(facet);
  return identifiers.length > limits.openlineage.symlinks ? symlinksRule : null;
}

const symlinksRule = `must not have more than ${limits.openlineage.symlinks} identifiers`;

/** The rule that a name in a value breaks; where several do, that of a long one. */
function brokenNameIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const { namespace, name }: Partial<Named> = value;
  if (isLong(namespace) || isLong(name)) return longNameRule;
  let broken = isBlank(namespace) || isBlank(name) ? blankRule : null;
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object') broken = brokenNameIn(inner) ?? broken;
    if (broken === longNameRule) break;
  }
  return broken;
}
