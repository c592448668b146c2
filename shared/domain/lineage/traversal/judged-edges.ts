import type { Verdict } from '../../../contract/vocabulary.ts';
import type { Side } from '../graph/claim.ts';
import { isInlined, type Urn } from '../graph/node.ts';
import { activeEdges, type EvaluatedEdge, edgeEvaluator, followed } from './evaluate.ts';
import { expand } from './expansion.ts';
import type { GraphView } from './graph-view.ts';
import { type EdgeVerdict, verdictOf, verdictsOf } from './verdict.ts';

export type JudgedEdge = EdgeVerdict & { readonly edge: EvaluatedEdge };

/** Relations whose edges are read together. */
const relationsPerRead = 100;

/**
 * The active edges on a side of relations with their verdicts, to at most some neighbours of each hundred relations and as
 * far as the limits of reads allow. Inlined models are left out: they are a part of their readers.
 */
export async function judgedEdges(
  view: GraphView,
  side: Side,
  { relations, neighbours }: { readonly relations: readonly Urn[]; readonly neighbours: number },
) {
  const [found, stale]: [JudgedEdge[], EvaluatedEdge[]] = [[], []];
  const nodes = [...new Set(relations)].sort();
  let isWhole = true;
  for (let at = 0; at < nodes.length; at += relationsPerRead) {
    if (view.context.isSpent()) return { found, stale, isWhole: false };
    const expansion = await expand(view, { side, nodes: nodes.slice(at, at + relationsPerRead) });
    const edges = ((await expansion.next(neighbours)) ?? []).filter(({ other }) => !isInlined(other));
    isWhole &&= expansion.remaining() === 0;
    const options = activeEdges(view.asOf, { withDetails: false });
    const all = await edgeEvaluator(view, options).evaluate(side, edges);
    const evaluated = followed(all);
    stale.push(...all.filter(({ status }) => status === 'stale'));
    const verdicts = await verdictsOf(view, evaluated);
    found.push(...evaluated.map((edge) => ({ edge, ...verdictOf(verdicts, edge) })));
  }
  return { found, stale, isWhole };
}

export const shownVerdict = ({ verdict, reason }: EdgeVerdict) => ({ verdict, verdict_reason: reason });

/** Whether runs have an edge and no declaration. */
export const isUndeclared = ({ verdict }: { readonly verdict: Verdict | null }): boolean =>
  verdict === 'observed_only' || verdict === 'contradicted';

export function verdictCounts(judged: readonly { readonly verdict: Verdict | null }[]) {
  const counts = { confirmed: 0, declared_only: 0, observed_only: 0, contradicted: 0 };
  for (const { verdict } of judged) if (verdict !== null) counts[verdict]++;
  return counts;
}
