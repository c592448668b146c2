import * as v from 'valibot';
import { routes } from '../../contract/api/routes.ts';
import { RelationDetail, RelationPage } from '../../contract/relations.ts';
import { placeOrWorkspaceOf } from '../places.ts';
import { cut, placeArguments, relationText, tool } from '../tool.ts';

const columnsShown = 100;

export const searchRelations = tool({
  name: 'search_relations',
  title: 'Search relations',
  description:
    'Finds tables and views by the beginnings of the words of their names, or by the name of a column (in: columns). Start here to learn exact names.',
  input: v.object({
    query: relationText('Words, such as: raw orders; in columns the last one begins the name of a column'),
    in: v.optional(v.picklist(['relations', 'columns']), 'relations'),
    limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)), 20),
    ...placeArguments,
  }),
  run: async (context, { query: q, in: sought, limit, ...named }) => {
    const place = await placeOrWorkspaceOf(context, named);
    const answer = await context.api.ask(routes.listRelations, { query: { ...place, q, limit, in: sought } });
    const page = v.parse(RelationPage, answer);
    return {
      relations: page.items,
      ...(page.candidates && { candidates: page.candidates }),
      truncated: page.next_cursor !== null,
      next: nextOf(page),
    };
  },
});

function nextOf({ items, candidates = [] }: RelationPage): string {
  if (items.length > 0) return 'get_relation or get_impact takes a relation_ref.';
  return candidates.length > 0 ? 'No name matches: candidates are the nearest names.' : 'Try fewer or shorter words.';
}

export const getRelation = tool({
  name: 'get_relation',
  title: 'Get a relation',
  description: 'Tells what is known of a table or view: its columns, who describes them, when it was last observed.',
  input: v.object({ relation_ref: relationText('Such as shop.core.orders'), ...placeArguments }),
  run: async (context, { relation_ref, ...named }) => {
    const query = { ...(await placeOrWorkspaceOf(context, named)), relation_ref };
    const answer = v.parse(RelationDetail, await context.api.ask(routes.getRelation, { query }));
    const { items, left_out } = cut(answer.columns, columnsShown);
    return {
      ...answer,
      columns: items,
      truncated: left_out > 0,
      next: 'get_impact tells what feeds it and what breaks if it changes.',
    };
  },
});
