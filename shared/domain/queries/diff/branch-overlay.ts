import type { Urn } from '../../graph/node.ts';
import { edgeName } from '../../projection/edges.ts';
import type { EvaluatedEdge } from '../../traversal/evaluate.ts';
import type { GraphVersion } from './graph-version.ts';

/** What a change not yet made would make of an edge; null where it would no longer be. */
export type Overlay = (edge: EvaluatedEdge) => EvaluatedEdge | null;

/**
 * The live graph as it would be under a branch: of a relation that the project makes, the branch's word replaces every
 * other about what it reads, and what the branch no longer makes reads nothing.
 */
export function branchOverlay(live: GraphVersion, branch: GraphVersion, madeByBranch: ReadonlySet<Urn>): Overlay {
  const madeNow = new Set([...live.edges.values()].map(({ to }) => to));
  return (edge) => {
    const { upstream: from, downstream: to } = edge;
    if (!madeByBranch.has(to)) return madeNow.has(to) ? null : edge;
    const claimed = branch.edges.get(edgeName({ from, to }));
    if (!claimed) return null;
    const [word] = edge.evidence;
    const detail = claimed.details[0];
    if (!word || !detail) return edge;
    const full = { ...emptyDetail, ...word.detail, columns: detail.columns, unresolved: detail.unresolved };
    return { ...edge, evidence: [{ ...word, disposition: 'admitted', detail: full }] };
  };
}

const emptyDetail = {
  producer: { namespace: '', name: '' },
  deliveryId: '',
  location: '',
  observedAt: '',
  statementKind: null,
  principal: null,
};

/** Only what mappings prove: evidence that leaves columns open is taken to map no more than it does. */
export const provenOnly: Overlay = (edge) => ({
  ...edge,
  evidence: edge.evidence.flatMap((one) => (one.detail ? [{ ...one, detail: { ...one.detail, unresolved: [] } }] : [])),
});
