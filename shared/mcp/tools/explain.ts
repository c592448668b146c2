import * as v from 'valibot';
import { routes } from '../../contract/api/routes.ts';
import { EdgeExplanation, type ExplainedEvidence } from '../../contract/explain.ts';
import { beginningOf } from '../../contract/fields.ts';
import { placeOrWorkspaceOf } from '../places.ts';
import { cut, optionalText, placeArguments, relationText, tool } from '../tool.ts';

const evidenceShown = 10;
const columnsShown = 30;
const sqlShown = 1_500;

export const explainEdge = tool({
  name: 'explain_edge',
  title: 'Explain an edge',
  description:
    'Shows the evidence that one relation directly feeds another. Use it to cite or question an edge that get_impact returned. Returns whether the edge exists, its confidence, its verdict (confirmed, declared_only, observed_only or contradicted) and up to 10 pieces of evidence, each with its provider, delivery, column mappings and SQL (at most 1,500 characters).',
  input: v.object({
    upstream: relationText('The source relation, for example shop.raw.orders.'),
    downstream: relationText('The relation that reads it, for example shop.core.orders.'),
    column: optionalText('A column of either relation. Limits the evidence to its mappings.'),
    ...placeArguments,
  }),
  run: async (context, { upstream, downstream, column, ...named }) => {
    const query = { ...(await placeOrWorkspaceOf(context, named)), upstream, downstream, column_ref: column };
    const answer = v.parse(EdgeExplanation, await context.api.ask(routes.explainEdge, { query }));
    const evidence = cut(answer.evidence, evidenceShown);
    return {
      upstream: answer.upstream,
      downstream: answer.downstream,
      found: answer.found,
      status: answer.status,
      confidence: answer.confidence,
      verdict: answer.verdict,
      verdict_reason: answer.verdict_reason,
      evidence: evidence.items.map(described),
      truncated: answer.truncated || evidence.left_out > 0,
      as_of: answer.as_of,
      ...(answer.column_unresolved_reason && { column_unresolved_reason: answer.column_unresolved_reason }),
      next: nextOf(answer),
    };
  },
});

function nextOf({ found, upstream, downstream, column_unresolved_reason }: EdgeExplanation): string {
  if (column_unresolved_reason) return 'Neither relation has this column. Call get_relation to list the known columns.';
  if (found) return 'Cite delivery_id and pointer: they identify the original payload.';
  if ([upstream, downstream].some((end) => end.lineage_resolution.method === 'unresolved'))
    return 'One of the relations is unknown, so this result says nothing about the edge. candidates lists the nearest names.';
  return 'There is no evidence for this edge. Call get_impact on the upstream relation to see what it feeds.';
}

const described = (one: ExplainedEvidence) => ({
  provider_type: one.provider_type,
  provider_instance_id: one.provider_instance_id,
  scope_key: one.scope_key,
  delivery_id: one.delivery?.delivery_id ?? null,
  observed_at: one.observed_at,
  disposition: one.disposition,
  why: one.why.message,
  producer: one.producer,
  said_by: one.said_by,
  columns: cut(one.columns, columnsShown),
  columns_unresolved: one.columns_unresolved.slice(0, columnsShown),
  sql: one.sql && {
    text: beginningOf(one.sql.text, sqlShown),
    truncated: one.sql.truncated || one.sql.text.length > sqlShown,
  },
});
