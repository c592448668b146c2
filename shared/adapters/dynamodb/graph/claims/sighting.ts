import type { PageSide } from '../../../../domain/graph/claim.ts';
import type { Observation, Span } from '../../../../domain/graph/claim-writer.ts';
import { type NodeId, nodeId } from '../../../../domain/graph/ids.ts';
import type { Urn } from '../../../../domain/graph/node.ts';
import type { Micros } from '../../../../domain/graph/order.ts';
import type { ScopeIdentity } from '../../../../domain/graph/scope-store.ts';

/** That a scope saw a neighbour, or a schema, of a node: when first and when last. */
export type Sighting = {
  readonly side: PageSide;
  readonly other: NodeId;
  readonly scope: ScopeIdentity;
  readonly span: Span;
};

/** What an observation says of each node, each sighting once. */
export function sightingsOf({ scope, at, edges, schemas }: Observation): ReadonlyMap<Urn, readonly Sighting[]> {
  const found = new Map<Urn, Sighting[]>();
  const add = (urn: Urn, { at: seen, ...one }: Omit<Sighting, 'span'> & { readonly at: Micros }) => {
    const known = found.get(urn) ?? [];
    known.push({ ...one, span: { first: seen, last: seen } });
    found.set(urn, known);
  };
  for (const { from, to } of edges) {
    add(from, { side: 'out', other: nodeId(to), scope, at });
    add(to, { side: 'in', other: nodeId(from), scope, at });
  }
  for (const { node, schema, at: seen } of schemas?.seen ?? [])
    add(node, { side: 'schema', other: schema, scope: schemas?.scope ?? scope, at: seen });
  return new Map([...found].map(([urn, sightings]) => [urn, mergedSightings(sightings)]));
}

/** Each sighting once, from the earliest to the latest time of those that are alike. */
export function mergedSightings(sightings: readonly Sighting[]): readonly Sighting[] {
  const found = new Map<string, Sighting>();
  for (const one of sightings) {
    const name = `${one.side}${one.other}${one.scope.scope}`;
    const known = found.get(name);
    found.set(name, known ? { ...one, span: joined(known.span, one.span) } : one);
  }
  return [...found.values()];
}

/** Times compare as text. */
const joined = (a: Span, b: Span): Span => {
  const times = [a.first, a.last, b.first, b.last].sort();
  return { first: times.at(0) ?? a.first, last: times.at(-1) ?? a.last };
};
