import type { WorkspaceId } from '../../../contract/ids.ts';
import { collect } from '../../base/concurrency.ts';
import { refOf, type Urn } from '../../lineage/graph/node.ts';
import { nearest } from '../../lineage/names/nearest.ts';
import { namedApart } from '../../lineage/queries/claim/sources.ts';
import { nearestRelations } from '../../lineage/queries/relations/nearest-relations.ts';
import { type GraphQuery, type GraphView, graphView, type Traversal } from '../../lineage/traversal/graph-view.ts';
import { resolveRoot, traverse } from '../../lineage/traversal/traverse.ts';
import type { Violation } from './check.ts';
import type { Rule } from './expectation.ts';

/** A query of a check: rules may ask about the graph, its names and the gaps of its feeds. */
export type RuleQuery = GraphQuery<Traversal | 'names' | 'providers'>;

/** Why a rule cannot be decided: a sentence for the author of the check. */
export class Undecided extends Error {
  /** The reference that means no relation, or several. */
  readonly relationRef: string | undefined;

  constructor(message: string, relationRef?: string) {
    super(message);
    this.relationRef = relationRef;
  }
}

/** As far as an impact question goes. */
const reach = { maxDepth: 10, maxNodes: 10_000 };

/** Whether there is, or is no, path between two relations. Throws Undecided. */
export async function pathViolations(
  query: RuleQuery,
  { from, to, wanted }: Extract<Rule, { readonly kind: 'path' }>,
): Promise<Violation[]> {
  const [start, end] = [await relationNamed(query, from), await relationNamed(query, to)];
  const view = graphView(query, null);
  const options = {
    asOf: null,
    includeStale: false,
    minConfidence: 0,
    root: start,
    columns: null,
    ...reach,
  };
  const { out } = await traverse(view, options, ['out']);
  const isReached = out.reached.has(end);
  if (!isReached && (out.cutByDepth || out.cutByNodes || out.cutByRequests))
    throw new Undecided('The graph between both ends is too large.');
  if (isReached === wanted) return [];
  const message = wanted ? `No path from ${refOf(start)}.` : `There is a path from ${refOf(start)}.`;
  return [{ about: null, relation_ref: refOf(end), message }];
}

export async function relationNamed(query: RuleQuery, relationRef: string): Promise<Urn> {
  const found = new Set<Urn>();
  const view = graphView(query, null);
  for (const connector of query.context.connectors.values()) {
    const { urn, among = [] } = await resolveRoot(view, connector, { relationRef });
    for (const one of urn ? [urn] : among) found.add(one);
  }
  const [first, second] = found;
  if (first === undefined) throw await unknownRelation(view, relationRef);
  if (second !== undefined)
    throw new Undecided('A reference in the expectation matches more than one relation.', relationRef);
  return first;
}

async function unknownRelation(view: GraphView<'names'>, relationRef: string): Promise<Undecided> {
  const ofEach = [...view.context.connectors.values()].map(({ id: connectorId }) =>
    nearestRelations(view, { connectorId, relationRef }),
  );
  const candidates = nearest(relationRef, [...new Set((await Promise.all(ofEach)).flat())]);
  const hint = candidates.length > 0 ? ` The nearest names: ${candidates.join(', ')}.` : '';
  return new Undecided(`A relation in the expectation is not in the graph.${hint}`, relationRef);
}

/** A violation for each open gap of the type, of any where it is null, of every feed. */
export async function gapViolations(
  { reader: { providers }, context }: RuleQuery,
  workspace: WorkspaceId,
  { type }: Extract<Rule, { readonly kind: 'no_open_gap' }>,
): Promise<Violation[]> {
  const records = await collect(providers.list(workspace, null));
  return namedApart(records, context).flatMap(({ provider, counters }) =>
    counters.gaps
      .filter(({ gap_type, status }) => status === 'open' && (type === null || gap_type === type))
      .map(({ gap_type, reason }) => ({
        about: null,
        message: `${provider.display_name} has an open gap ${gap_type}: ${reason}.`,
      })),
  );
}
