import { limits } from '../../contract/limits.ts';
import type { Named } from './event.ts';

export const longNameRule = `must be at most ${limits.openlineage.name} characters`;

const parts = ['namespace', 'name'] as const;
const isLong = (value: unknown): boolean => typeof value === 'string' && value.length > limits.openlineage.name;

type Entities = {
  readonly run?: object;
  readonly job?: Named;
  readonly dataset?: Named;
  readonly inputs?: readonly Named[];
  readonly outputs?: readonly Named[];
};

/** Where an event names a job or dataset longer than the graph keeps names, or null. */
export function longNameOf(event: Entities, entities: readonly (keyof Entities)[]): string | null {
  const has = (key: keyof Entities) => entities.includes(key);
  const named: [string, Named][] = [];
  if (has('job') && event.job) named.push(['/job', event.job]);
  if (has('dataset') && event.dataset) named.push(['/dataset', event.dataset]);
  for (const key of ['inputs', 'outputs'] as const) {
    for (const [i, one] of (has(key) ? event[key] : [])?.entries() ?? []) named.push([`/${key}/${i}`, one]);
  }
  for (const [path, one] of named) {
    const part = parts.find((each) => isLong(one[each]));
    if (part) return `${path}/${part}`;
  }
  return null;
}

/** The facets whose body names other datasets. */
const naming = new Set(['columnLineage', 'lineage', 'symlinks', 'lifecycleStateChange']);

/** Why a facet that follows its schema says more than the graph keeps; null where it does not. */
export function facetTooMuch(key: string, facet: unknown): string | null {
  if (!naming.has(key)) return null;
  if (namesLong(facet)) return `names ${longNameRule}`;
  const { identifiers = [] }: { identifiers?: readonly unknown[] } = Object(facet);
  return identifiers.length > limits.openlineage.symlinks ? symlinksRule : null;
}

const symlinksRule = `must not have more than ${limits.openlineage.symlinks} identifiers`;

function namesLong(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const named: Partial<Named> = value;
  return parts.some((part) => isLong(named[part])) || Object.values(value).some(namesLong);
}
