import { isInlined, type Urn } from '../graph/node.ts';
import { activeEdges, type EvaluatedEdge, edgeEvaluator, followed } from './evaluate.ts';
import { admittedOf, type Evidence } from './evidence.ts';
import { expand, type LiveClaim } from './expansion.ts';
import type { GraphView } from './graph-view.ts';

/** What runs read through ephemeral models: integrations that show no text name these as inputs (C-OPENLINEAGE-20). */
export type InlinedReads = {
  readonly relations: ReadonlySet<Urn>;
  /** False if no run says what one of the models reads. */
  readonly isWhole: boolean;
};

export const noInlinedReads: InlinedReads = { relations: new Set(), isWhole: true };

/** No project nests more of them. */
const mostSteps = 10;

/** The reads of relations that runs reach through inlined models, by admitted evidence that `counts`. */
export async function inlinedReads(
  view: GraphView,
  claims: ReadonlyMap<Urn, readonly LiveClaim[]>,
  counts: (one: Evidence) => boolean,
): Promise<ReadonlyMap<Urn, InlinedReads>> {
  const observed = [...claims.values()].flat().filter(({ order }) => order === null);
  await view.nodes.loadNames(observed.map(({ from }) => from));
  const isOfModel = ({ from, order }: LiveClaim) => {
    const urn = view.nodes.urnOf(from);
    return order === null && urn !== undefined && isInlined(urn);
  };
  const readers = [...claims].flatMap(([relation, own]) => (own.some(isOfModel) ? [relation] : []));
  const found = new Map(readers.map((reader) => [reader, { relations: new Set<Urn>(), isWhole: true }]));
  let steps = readers.map((reader) => ({ reader, at: reader }));
  for (let step = 0; steps.length > 0; step++) {
    const inputs = await inputsOf(view, [...new Set(steps.map(({ at }) => at))], counts);
    const next: typeof steps = [];
    for (const { reader, at } of steps) {
      const reads = found.get(reader);
      const own = (inputs.get(at) ?? []).map(({ upstream }) => upstream);
      if (!reads) continue;
      if (own.length === 0 || step === mostSteps) reads.isWhole = false;
      else if (at !== reader) for (const one of own) if (!isInlined(one)) reads.relations.add(one);
      next.push(...own.filter(isInlined).map((one) => ({ reader, at: one })));
    }
    steps = step === mostSteps ? [] : next;
  }
  return found;
}

async function inputsOf(view: GraphView, nodes: readonly Urn[], counts: (one: Evidence) => boolean) {
  const expansion = await expand(view, { side: 'in', nodes });
  const edges = (await expansion.next(Number.POSITIVE_INFINITY)) ?? [];
  const evaluated = await edgeEvaluator(view, activeEdges(view.asOf, { withDetails: false })).evaluate('in', edges);
  const isCounted = ({ evidence }: EvaluatedEdge) => admittedOf(evidence).some(counts);
  return Map.groupBy(followed(evaluated).filter(isCounted), ({ downstream }) => downstream);
}
