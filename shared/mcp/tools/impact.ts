import * as v from 'valibot';
import { routes } from '../../contract/api/routes.ts';
import { ImpactAnswer } from '../../contract/impact.ts';
import { limits } from '../../contract/limits.ts';
import { directions, influences, verdicts } from '../../contract/vocabulary.ts';
import { placeOfRelation } from '../places.ts';
import { cut, optionalText, placeArguments, relationText, tool } from '../tool.ts';

const itemsShown = 50;
const edgesShown = 25;
const { depth } = limits.impact;

export const getImpact = tool({
  name: 'get_impact',
  title: 'Get impact',
  description:
    'Finds what feeds a table or its columns (upstream), and what a change to them may break (downstream). Use it before you change, rename or drop a table or column. Returns up to 50 relations per direction with their distance, and up to 25 edges with evidence and the verdict of declarations and runs together. Check truncated, precision and coverage before you conclude that nothing is affected.',
  input: v.object({
    relation_ref: relationText('Exact name, for example shop.core.orders. Find names with search_relations.'),
    columns: v.optional(
      v.pipe(v.array(v.string()), v.maxLength(20), v.description('Columns of the relation. Omit for the whole table.')),
    ),
    direction: v.optional(v.picklist(directions), 'downstream'),
    influence: v.optional(
      v.pipe(
        v.picklist(influences),
        v.description('direct: only columns whose values are used. all: also columns in filters, joins and groupings.'),
      ),
      'all',
    ),
    verdict: v.optional(
      v.pipe(
        v.array(v.picklist(verdicts)),
        v.description(
          'Only edges with one of these verdicts, for example observed_only and contradicted. Default: all.',
        ),
      ),
    ),
    max_depth: v.optional(v.pipe(v.number(), v.integer(), v.minValue(depth.min), v.maxValue(depth.max)), depth.default),
    as_of: optionalText('A past time (RFC 3339). Default: now.'),
    ...placeArguments,
  }),
  run: async (context, { relation_ref, columns, direction, influence, verdict, max_depth, as_of, ...named }) => {
    const query = {
      ...(await placeOfRelation(context, named, { relation_ref, as_of })),
      relation_ref,
      column_ref: columns,
      direction,
      influence,
      verdict,
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
    verdicts: answer.summary.verdicts,
    evidence: edges.items.map(({ upstream: from, downstream: to, confidence, verdict, verdict_reason, evidence }) => ({
      edge: `${from} -> ${to}`,
      confidence,
      verdict,
      verdict_reason,
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
    return 'No relation has this name, so this result says nothing about lineage. resolution.candidates lists the nearest names; search_relations finds more.';
  if (!has_lineage)
    return 'No lineage is known in this direction. Check coverage and list_gaps before you conclude that there is none.';
  if (truncated.by_requests)
    return 'The graph is too dense here to follow completely. Call get_impact again with a smaller max_depth, or from a relation at the boundary.';
  if (truncated.any)
    return 'The result is truncated. Call get_impact again with a larger max_depth, or from a relation at the boundary.';
  return 'Call explain_edge to see the evidence for an edge.';
}
