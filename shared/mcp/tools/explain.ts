import * as v from 'valibot';
import { routes } from '../../contract/api/routes.ts';
import { EdgeExplanation, type ExplainedEvidence } from '../../contract/explain.ts';
import { placeOrWorkspaceOf } from '../places.ts';
import { cut, optionalText, placeArguments, relationText, tool } from '../tool.ts';

const evidenceShown = 10;
const columnsShown = 30;
const sqlShown = 1_500;

export const explainEdge = tool({
  name: 'explain_edge',
  title: 'Explain an edge',
  description:
    'Tells how it is known that one relation feeds another directly: each piece of evidence with its delivery and place.',
  input: v.object({
    upstream: relationText('The relation that is read.'),
    downstream: relationText('The relation that is made of it.'),
    column: optionalText('A column: only what it takes part in.'),
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
      evidence: evidence.items.map(described),
      truncated: answer.truncated || evidence.left_out > 0,
      as_of: answer.as_of,
      ...(answer.column_unresolved_reason && { column_unresolved_reason: answer.column_unresolved_reason }),
      next: nextOf(answer),
    };
  },
});

function nextOf({ found, upstream, downstream, column_unresolved_reason }: EdgeExplanation): string {
  if (column_unresolved_reason) return 'No such column is known at either end: get_relation lists those that are.';
  if (found) return 'delivery_id and pointer cite the payload that says so.';
  if ([upstream, downstream].some((end) => end.lineage_resolution.method === 'unresolved'))
    return 'An end is no relation that is known, so this is no answer about the edge: candidates are the nearest names.';
  return 'Nothing states this edge: get_impact of the upstream relation lists what it does feed.';
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
    text: one.sql.text.slice(0, sqlShown),
    truncated: one.sql.truncated || one.sql.text.length > sqlShown,
  },
});
