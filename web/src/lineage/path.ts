import { schemaOf } from '../../../shared/contract/layers.ts';
import type { Impact } from '../api/queries.ts';
import type { Address } from './address.ts';
import type { Picture } from './groups.ts';
import { type Step, waysAlong } from './reach.ts';

/** Everything that a part of a graph feeds and that feeds it. */
export function reachOf(id: string, steps: readonly Step[]): Set<string> {
  const { down, up } = waysAlong(steps);
  return down(id).union(up(id));
}

/** The relations on a path from the root to a relation, ignoring edge direction; empty if there is none. */
function waysBetween(root: string, to: string, steps: readonly Step[]): Set<string> {
  const { down, up } = waysAlong(steps);
  return down(root)
    .intersection(up(to))
    .union(up(root).intersection(down(to)));
}

/** Of an answer about the root what lies on the way to a relation; null if it knows no way. */
export function alongPath(answer: Impact, to: string): Impact | null {
  const root = answer.root.relation_ref;
  const steps = answer.edges.map(({ upstream, downstream }) => ({ source: upstream, target: downstream }));
  const way = waysBetween(root, to, steps);
  if (!way.has(root) || !way.has(to)) return null;
  const isOn = ({ relation_ref }: { readonly relation_ref: string }) => way.has(relation_ref);
  return {
    ...answer,
    upstream: answer.upstream.filter(isOn),
    downstream: answer.downstream.filter(isOn),
    edges: answer.edges.filter(({ upstream, downstream }) => way.has(upstream) && way.has(downstream)),
    column_lineage: { ...answer.column_lineage, paths: [] },
  };
}

/** What lies on a way from the root to the chosen relation, else the chosen schema; null if none is chosen. */
export function chosenParts(
  { to, schema }: Pick<Address, 'to' | 'schema'>,
  root: string,
  { lines, relations, groups }: Picture,
): ReadonlySet<string> | null {
  if (to !== null) return waysBetween(root, to, lines);
  if (schema === null) return null;
  const isOf = (relation: string) => relation === root || schemaOf(relation) === schema;
  const grouped = groups.filter(({ members }) => members.some(isOf));
  return new Set([...relations.filter(({ relation }) => isOf(relation)), ...grouped].map(({ id }) => id));
}
