import * as v from 'valibot';
import { routes } from '../../contract/api/routes.ts';
import { ImpactAnswer } from '../../contract/impact.ts';
import { limits } from '../../contract/limits.ts';
import { directions, influences } from '../../contract/vocabulary.ts';
import { placeOfRelation } from '../places.ts';
import { cut, optionalText, placeArguments, relationText, tool } from '../tool.ts';

const itemsShown = 50;
const edgesShown = 25;
const { depth } = limits.impact;

export const getImpact = tool({
  name: 'get_impact',
  title: 'Get impact',
  description:
    'Answers what feeds a table or its columns, and what breaks if they change. Says what it leaves out: read truncated, precision and coverage before concluding that nothing is affected.',
  input: v.object({
    relation_ref: relationText('Such as shop.core.orders'),
    columns: v.optional(
      v.pipe(v.array(v.string()), v.maxLength(20), v.description('Columns of it; none: the whole table.')),
    ),
    direction: v.optional(v.picklist(directions), 'downstream'),
    influence: v.optional(
      v.pipe(
        v.picklist(influences),
        v.description('direct: only columns whose values are used; all: also those that decide which rows there are.'),
      ),
      'all',
    ),
    max_depth: v.optional(v.pipe(v.number(), v.integer(), v.minValue(depth.min), v.maxValue(depth.max)), depth.default),
    as_of: optionalText('A past time, RFC 3339.'),
    ...placeArguments,
  }),
  run: async (context, { relation_ref, columns, direction, influence, max_depth, as_of, ...named }) => {
    const query = {
      ...(await placeOfRelation(context, named, { relation_ref, as_of })),
      relation_ref,
      column_ref: columns,
      direction,
      influence,
      max_depth,
      as_of,
    };
    return described(v.parse(ImpactAnswer, await context.api.ask(routes.getImpact, { query })));
  },
});

function described(answer: ImpactAnswer) {
  const [upstream, downstream] = [cut(answer.upstream, itemsShown), cut(answer.downstream, itemsShown)];
  const edges = cut(answer.edges, edgesShown);
  return {
    root: answer.root.relation_ref,
    connector_id: answer.root.connector_id,
    resolution: answer.lineage_resolution,
    has_lineage: answer.has_lineage,
    upstream: upstream.items,
    downstream: downstream.items,
    evidence: edges.items.map(({ upstream: from, downstream: to, confidence, evidence }) => ({
      edge: `${from} -> ${to}`,
      confidence,
      stated_by: evidence.map((one) => ({ provider: one.provider_instance_id, scope: one.scope_key })),
    })),
    truncated: {
      ...answer.truncated,
      items_left_out: upstream.left_out + downstream.left_out,
      edges_left_out: edges.left_out,
    },
    precision: answer.precision,
    coverage: answer.coverage,
    as_of: answer.as_of,
    next: nextOf(answer),
  };
}

function nextOf({ lineage_resolution: { method }, has_lineage, truncated }: ImpactAnswer): string {
  if (method === 'unresolved')
    return 'No relation is meant by that name, so this is no answer about lineage: resolution.candidates are the nearest names, search_relations finds more.';
  if (!has_lineage)
    return 'Nothing is known in this direction; coverage and list_gaps say whether that means anything.';
  if (truncated.any) return 'It is cut: ask again from a relation at the edge, or with a larger max_depth.';
  return 'explain_edge tells how an edge is known.';
}
