import * as v from 'valibot';
import { ApiFailure, requestAnswer } from '../../client/api.ts';
import { routes } from '../../contract/api/routes.ts';
import { limits } from '../../contract/limits.ts';
import { listTool } from '../pages.ts';
import { placeOfRelation } from '../places.ts';
import { optionalText, requiredText, type ToolContext } from '../tool.ts';
import { relationArguments } from './relations.ts';

export const getHistory = listTool({
  name: 'get_history',
  title: 'Get the history of a relation',
  description:
    'Shows what changed of one relation between two times: which columns it gained or lost, and which direct sources and readers. Use it to find when or why lineage changed. For all relations, call diff_branch with from.',
  list: 'changes',
  limit: { most: 100, usual: 50 },
  input: {
    ...relationArguments,
    from: requiredText('The earlier time (RFC 3339), at most 90 days ago.'),
    to: optionalText('The later time (RFC 3339). Default: now.'),
  },
  output: { relation_ref: v.string() },
  run: async (context, { relation_ref, from, to, ...named }, position) => {
    const until = to ?? position.asOf ?? undefined;
    const place = await placeOfRelation(context, named, { relation_ref, as_of: until });
    const states = [from, until].map((as_of) => stateAt(context, { ...place, relation_ref, as_of }));
    const [before, after] = (await Promise.all(states)).map((one) => (one instanceof ApiFailure ? null : one));
    // A name that was not there at either time is refused, with the nearest names.
    if (!before && !after) throw await states[1];
    const { name, firstObservedAt } = after ?? before ?? {};
    const isWhole = before?.isWhole !== false && after?.isWhole !== false;
    return {
      items: [...changesFrom(before, after, 'added'), ...changesFrom(after, before, 'removed')],
      asOf: after?.asOf,
      fields: {
        relation_ref: name,
        first_observed_at: firstObservedAt ?? null,
        from,
        to: after?.asOf ?? until ?? null,
      },
      advice: [
        !isWhole && 'It has more neighbours than were compared, so changes may be missing.',
        'Call explain_edge with as_of for the evidence of an edge at a time.',
      ],
    };
  },
});

type State = {
  readonly name: string;
  readonly asOf: string;
  readonly firstObservedAt: string | null;
  readonly isWhole: boolean;
  /** The kinds of what can change: columns, sources and readers. */
  readonly parts: ReadonlyMap<string, Readonly<Partial<Record<'column' | 'upstream' | 'downstream', string>>>>;
};

type Question = { readonly relation_ref: string; readonly as_of: string | undefined };

/** A relation at one time, or the refusal of a name that was not there. */
async function stateAt({ api }: ToolContext, query: Question): Promise<State | ApiFailure> {
  try {
    const relation = await requestAnswer(api, routes.getRelation, { query });
    const walk = { ...query, direction: 'both', max_depth: 1, max_nodes: limits.impact.nodes.max };
    const answer = await requestAnswer(api, routes.getImpact, { query: walk });
    const parts = [
      ...relation.columns.map(({ name }) => ({ column: name })),
      ...answer.upstream.map((one) => ({ upstream: one.relation_ref })),
      ...answer.downstream.map((one) => ({ downstream: one.relation_ref })),
    ];
    return {
      name: relation.relation_ref,
      asOf: answer.as_of,
      firstObservedAt: relation.first_observed_at,
      isWhole: !answer.truncated.by_nodes && !answer.truncated.by_requests && !answer.truncated.by_bytes,
      parts: new Map(parts.map((part) => [JSON.stringify(part), part])),
    };
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return error;
    throw error;
  }
}

const changesFrom = (a: State | null | undefined, b: State | null | undefined, change: string) =>
  [...(b?.parts ?? [])].flatMap(([key, part]) => (a?.parts.has(key) ? [] : [{ change, ...part }]));
