import { Problem, type RelationCandidate } from '../../../../contract/problems.ts';
import { sortedBy } from '../../../base/collections.ts';
import { nodeOf, relationRefOf, type Urn } from '../../graph/node.ts';
import type { Connector } from '../../names/connector.ts';
import type { GraphView, QueryContext } from '../../traversal/graph-view.ts';
import { type ResolvedRoot, resolved, resolveRoot } from '../../traversal/traverse.ts';
import { neighbourhoodsOf } from './neighbourhood.ts';

type NameQuestion = { readonly relationRef: string };

/** The connectors of a workspace, in one order for all questions. */
export const connectorsInOrder = ({ connectors }: Pick<QueryContext, 'connectors'>): Connector[] =>
  sortedBy([...connectors.values()], ({ id }) => id);

export async function rootsOn(
  view: GraphView<'directory'>,
  connectors: readonly Connector[],
  question: NameQuestion,
): Promise<ResolvedRoot[]> {
  const roots: ResolvedRoot[] = [];
  for (const connector of connectors) roots.push(await resolveRoot(view, connector, question));
  return roots;
}

/** A name on any connector (C-IDENTITY-16): `urn` is null if unknown. Throws `ambiguous_relation` for several. */
export async function resolveNamedRelation(
  view: GraphView<'directory'>,
  question: NameQuestion,
): Promise<ResolvedRoot> {
  const roots = await rootsOn(view, connectorsInOrder(view.context), question);
  return onlyRelation(view, roots);
}

/** The one relation that some roots mean. Throws `ambiguous_relation` if they mean several. */
export async function onlyRelation(view: GraphView, roots: readonly ResolvedRoot[]): Promise<ResolvedRoot> {
  const found = new Map<Urn, ResolvedRoot>();
  for (const root of roots)
    for (const urn of root.urn ? [root.urn] : (root.among ?? []))
      if (!found.has(urn)) found.set(urn, root.urn ? root : resolved(urn, 'unique_suffix'));
  const known = found.size > 1 ? await withEvidence(view, [...found.keys()]) : [...found.keys()];
  if (known.length > 1) throw await ambiguous(view, known);
  const [urn] = known;
  return (urn && found.get(urn)) ?? { urn: null, method: 'unresolved', fallbackReason: 'not_in_graph' };
}

/** A node may outlive what was stated of it: nobody means such a relation if there is another one. */
async function withEvidence(view: GraphView, urns: readonly Urn[]): Promise<readonly Urn[]> {
  const found = await neighbourhoodsOf(view, urns, 0);
  const live = urns.filter((urn) => {
    const one = found.get(urn);
    return one !== undefined && (one.isDescribed || one.counts.in + one.counts.out > 0);
  });
  return live.length > 0 ? live : urns;
}

const candidatesShown = 20;

/** The refusal of a name that means several relations: it lists them with their connectors. */
export async function ambiguous(view: GraphView, urns: readonly Urn[]): Promise<Problem> {
  const found = await neighbourhoodsOf(view, urns.slice(0, candidatesShown), 0);
  const candidates = [...found].map(([urn, { counts }]): RelationCandidate => {
    const node = nodeOf(urn);
    const owner = 'connectorId' in node ? view.context.connectors.get(node.connectorId) : undefined;
    return {
      connector_id: owner?.id ?? null,
      connector_name: owner?.name ?? null,
      relation_ref: relationRefOf(node),
      upstream_count: counts.in,
      downstream_count: counts.out,
    };
  });
  const name = ({ connector_name }: RelationCandidate) => connector_name ?? '';
  const sorted = sortedBy(candidates, name, ({ relation_ref }) => relation_ref);
  return new Problem('ambiguous_relation', { candidates: sorted, hint: hintOf(sorted) });
}

function hintOf(candidates: readonly RelationCandidate[]): string {
  const lines = candidates.map(
    (one) =>
      `${one.connector_name ?? 'no connector'} (${one.connector_id ?? 'none'}): ${one.relation_ref}, ${one.upstream_count} upstream, ${one.downstream_count} downstream`,
  );
  return `Name the connector, or more parts of the name. It may be: ${lines.join('; ')}.`;
}
