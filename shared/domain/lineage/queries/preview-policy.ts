import type { WorkspaceId } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import type { PolicyFilters, PolicyPreview, WeightChange } from '../../../contract/policy.ts';
import { readCursor, writeCursor } from '../../base/paging/cursor.ts';
import type { Connector } from '../names/connector.ts';
import { normalizeFilters } from '../policy/normalize.ts';
import { defaultPolicy, type Policy } from '../policy/policy.ts';
import { changedWeights } from '../policy/revision.ts';
import { requireKnownTypes } from '../providers/feed.ts';
import { type EvaluatedEdge, edgeEvaluator } from '../traversal/evaluate.ts';
import { touches } from '../traversal/expansion.ts';
import type { GraphQuery, IsSpent } from '../traversal/graph-view.ts';
import { type ScannedNode, type ScanPosition, scanGraph, scanStart } from '../traversal/scan-graph.ts';
import { ScanPlace } from './diff/cursor.ts';

type Proposed = {
  readonly workspace: WorkspaceId;
  readonly filters: PolicyFilters;
  /** Weights that are left out stay. */
  readonly weights: WeightChange;
  readonly cursor: string | undefined;
};

type Change = PolicyPreview['items'][number];
type Scanned = ScannedNode<GraphQuery>;
type Comparison = { readonly before: EvaluatedEdge; readonly after: EvaluatedEdge };

/** A page ends after this many relations, long before its caller's time does. */
const relationsPerPage = 2_000;
const listed = limits.page.max;

/** What a policy of a connector would change of its edges, a part of the graph at a time: C-POLICY-15. */
export async function previewPolicy(
  query: GraphQuery,
  connector: Connector,
  { workspace, filters, weights, cursor }: Proposed,
): Promise<Omit<PolicyPreview, 'cost'>> {
  requireKnownTypes(query.context.feeds, weights);
  const current = query.context.policies.get(connector.id) ?? defaultPolicy;
  const proposed = {
    ...current,
    filters: normalizeFilters(filters),
    weights: changedWeights(current.weights, weights),
  };
  const list = [
    'policy-preview',
    workspace,
    connector.id,
    current.revision,
    proposed.filters,
    proposed.weights,
  ] as const;
  const from = readCursor(list, ScanPlace, cursor) ?? scanStart;
  const scanned = scanGraph(query, { asOf: null, from });
  const { isSpent } = query.context;
  const { changes, edges, next } = await comparePage(scanned, comparison(connector, proposed), isSpent);
  const count = (change: Change['change']) => changes.filter((one) => one.change === change).length;
  return {
    workspace_id: workspace,
    connector_id: connector.id,
    revision: current.revision,
    edges_compared: edges,
    hidden: count('hidden'),
    shown: count('shown'),
    weighed: count('weighed'),
    items: changes.slice(0, listed),
    unlisted: Math.max(0, changes.length - listed),
    truncated: { any: next !== null || changes.length > listed, by_requests: next !== null && isSpent() },
    next_cursor: next && writeCursor(list, next),
  };
}

/** The changes of the relations of one page; `next` is null at the end of the graph. */
async function comparePage(
  scanned: AsyncIterable<Scanned>,
  compare: (node: Scanned) => Promise<Comparison[]>,
  isSpent: IsSpent,
): Promise<{ changes: Change[]; edges: number; next: ScanPosition | null }> {
  const changes: Change[] = [];
  let [edges, relations] = [0, 0];
  for await (const node of scanned) {
    const compared = await compare(node);
    edges += compared.length;
    changes.push(...compared.flatMap(changeOf));
    if (++relations >= relationsPerPage || isSpent()) return { changes, edges, next: node.after };
  }
  return { changes, edges, next: null };
}

function comparison(connector: Connector, proposed: Policy) {
  const options = { asOf: null, includeStale: true, minConfidence: 0, withDetails: false };
  return async ({ edges, view }: Scanned): Promise<Comparison[]> => {
    const own = edges.filter((edge) => touches(edge, connector.id));
    const evaluated = await edgeEvaluator(view, options).evaluate('in', own);
    const policies = new Map([...view.context.policies, [connector.id, proposed]]);
    const after = { ...view, context: { ...view.context, policies } };
    const would = new Map((await edgeEvaluator(after, options).evaluate('in', own)).map((edge) => [edge.other, edge]));
    return evaluated.flatMap((one) => {
      const other = would.get(one.other);
      return other ? [{ before: one, after: other }] : [];
    });
  };
}

function changeOf({ before, after }: Comparison): Change[] {
  if (before.status === after.status && before.confidence === after.confidence) return [];
  const change = before.status === after.status ? 'weighed' : after.status === 'stale' ? 'hidden' : 'shown';
  return [
    {
      change,
      ...before.refs,
      before: { status: before.status, confidence: before.confidence },
      after: { status: after.status, confidence: after.confidence },
      dispositions: [...new Set(after.evidence.map(({ disposition }) => disposition))],
    },
  ];
}
