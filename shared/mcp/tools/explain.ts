import * as v from 'valibot';
import { requestAnswer } from '../../client/api.ts';
import { routes } from '../../contract/api/routes.ts';
import type { ExplainedEvidence } from '../../contract/explain.ts';
import { listTool } from '../pages.ts';
import { placeOf } from '../places.ts';
import { firstOf, optionalText, outside, placeArguments, requiredText } from '../tool.ts';
import { unknownColumns, unknownRelation } from '../unknown-names.ts';

const columnsShown = 30;

export const explainEdge = listTool({
  name: 'explain_edge',
  title: 'Explain an edge',
  description:
    'Shows the evidence that one relation directly feeds another. Use it to cite or question an edge that get_impact returned. Returns whether the edge exists, its confidence, its verdict (confirmed, declared_only, observed_only or contradicted) and a page of evidence: each with its provider, delivery, up to 30 column mappings and the beginning of its SQL.',
  list: 'evidence',
  noun: 'pieces of evidence',
  limit: { most: 20, usual: 5 },
  input: {
    upstream: requiredText('The source relation, for example shop.raw.orders.'),
    downstream: requiredText('The relation that reads it, for example shop.core.orders.'),
    column: optionalText('A column of either relation. Limits the evidence to its mappings.'),
    as_of: optionalText('A past time (RFC 3339). Default: now.'),
    ...placeArguments,
  },
  output: { found: v.boolean() },
  run: async (context, { upstream, downstream, column, as_of, ...named }) => {
    const place = await placeOf(context, named);
    const query = { ...place, upstream, downstream, column_ref: column, as_of };
    const { evidence, ...answer } = await requestAnswer(context.api, routes.explainEdge, { query });
    const ends = [answer.upstream, answer.downstream];
    if (answer.column_unresolved_reason && column !== undefined) {
      const relations = ends.map(({ relation_ref }) => relation_ref);
      throw await unknownColumns(context, { ...place, as_of }, { columns: [column], relations });
    }
    const unknown = ends.filter(({ lineage_resolution: { method } }) => method === 'unresolved');
    if (unknown.length > 0) throw unknownRelation(unknown);
    const { truncated, cost: _, workspace_id: __, column_unresolved_reason: ___, ...fields } = answer;
    return {
      items: evidence.map(described),
      fields,
      advice: [
        truncated && 'The service has more evidence, columns or statements than it lists.',
        answer.found
          ? 'Cite delivery_id and pointer: they identify the original payload.'
          : 'There is no evidence for this edge. Call get_impact on the upstream relation to see what it feeds.',
      ],
    };
  },
});

const described = (one: ExplainedEvidence) => ({
  provider_type: one.provider_type,
  provider_instance_id: one.provider_instance_id,
  scope_key: one.scope_key,
  delivery_id: one.delivery?.delivery_id ?? null,
  observed_at: one.observed_at,
  disposition: one.disposition,
  why: one.why.message,
  producer: one.producer,
  said_by: firstOf(one.said_by, 5),
  columns: firstOf(
    one.columns.map((mapping) => ({
      ...mapping,
      expression: mapping.expression && outside(mapping.expression, 200),
    })),
    columnsShown,
  ),
  columns_unresolved: firstOf(one.columns_unresolved, 10),
  sql: one.sql && { ...outside(one.sql.text), pointer: one.sql.pointer },
});
