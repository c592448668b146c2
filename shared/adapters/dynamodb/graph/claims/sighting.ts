import { findOrAdd } from '../../../../domain/base/collections.ts';
import type { PageSide } from '../../../../domain/lineage/graph/claim.ts';
import type { Observation } from '../../../../domain/lineage/graph/claim-writer.ts';
import type { DetailVersion } from '../../../../domain/lineage/graph/derivation.ts';
import { withObserved } from '../../../../domain/lineage/graph/edge-details.ts';
import { type NodeId, nodeId, type Urn } from '../../../../domain/lineage/graph/node.ts';
import { joinedSpans, type Span } from '../../../../domain/lineage/graph/order.ts';
import { readWithoutOutput } from '../../../../domain/lineage/graph/schema.ts';
import type { ScopeIdentity } from '../../../../domain/lineage/graph/scope-store.ts';

/** That a scope saw a neighbour, or a schema, of a node: when first and when last. */
export type Sighting = {
  readonly side: PageSide;
  readonly other: NodeId;
  readonly scope: ScopeIdentity;
  readonly span: Span;
  /** What is known of the edge, if the neighbour is upstream: newest first. */
  readonly stated?: readonly DetailVersion[];
};

export function sightingsOf({
  scope,
  at,
  since = at,
  edges,
  schemas,
  reads = [],
}: Observation): ReadonlyMap<Urn, readonly Sighting[]> {
  const found = new Map<Urn, Sighting[]>();
  const add = (urn: Urn, one: Sighting) => findOrAdd(found, urn, () => []).push(one);
  const span = { first: since, last: at };
  for (const { from, to, stated } of edges) {
    add(from, { side: 'out', other: nodeId(to), scope, span });
    add(to, { side: 'in', other: nodeId(from), scope, span, ...(stated && { stated: [stated] }) });
  }
  for (const { node, schema, at: last, since: first = last } of schemas?.seen ?? [])
    add(node, { side: 'schema', other: schema, scope: schemas?.scope ?? scope, span: { first, last } });
  for (const node of reads) add(node, { side: 'schema', other: readWithoutOutput, scope, span });
  return new Map([...found].map(([urn, sightings]) => [urn, mergedSightings(sightings)]));
}

export function mergedSightings(sightings: readonly Sighting[]): readonly Sighting[] {
  const found = new Map<string, Sighting>();
  for (const one of sightings) {
    const name = `${one.side}${one.other}${one.scope.scope}`;
    const known = found.get(name);
    found.set(name, known ? joinedSightings(known, one) : one);
  }
  return [...found.values()];
}

function joinedSightings(a: Sighting, b: Sighting): Sighting {
  const span = joinedSpans(a.span, b.span);
  const stated = (b.stated ?? []).reduce(withObserved, a.stated ?? []);
  return { ...a, span, ...(stated.length > 0 && { stated }) };
}
