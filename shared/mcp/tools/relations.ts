import * as v from 'valibot';
import { routes } from '../../contract/api/routes.ts';
import { RelationDetail, RelationPage } from '../../contract/relations.ts';
import { placeOrWorkspaceOf } from '../places.ts';
import { cut, placeArguments, relationText, tool } from '../tool.ts';

const [columnsShown, edgesShown] = [100, 50];

export const searchRelations = tool({
  name: 'search_relations',
  title: 'Search relations',
  description:
    'Finds tables and views by prefixes of the words in their names, or by a column name (in: columns). Call it first to get the exact names that the other tools need. Returns up to 50 relations (default 20), or the nearest names if none matches.',
  input: v.object({
    query: relationText(
      'Words, for example: raw orders. With in: columns, the last word is a prefix of the column name.',
    ),
    in: v.optional(v.picklist(['relations', 'columns']), 'relations'),
    limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)), 20),
    ...placeArguments,
  }),
  run: async (context, { query: q, in: searchIn, limit, ...named }) => {
    const place = await placeOrWorkspaceOf(context, named);
    const answer = await context.api.ask(routes.listRelations, { query: { ...place, q, limit, in: searchIn } });
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
  if (items.length > 0) return 'Pass a relation_ref to get_relation or get_impact.';
  return candidates.length > 0 ? 'No name matches. candidates lists the nearest names.' : 'Try fewer or shorter words.';
}

export const getRelation = tool({
  name: 'get_relation',
  title: 'Get a relation',
  description:
    'Describes one table or view: its columns (up to 100), the edges around it with their verdicts (up to 50), the providers that report them, and when it was last observed. Use it to check names and columns. For lineage, call get_impact.',
  input: v.object({
    relation_ref: relationText('Exact name, for example shop.core.orders. Find names with search_relations.'),
    ...placeArguments,
  }),
  run: async (context, { relation_ref, ...named }) => {
    const query = { ...(await placeOrWorkspaceOf(context, named)), relation_ref };
    const answer = v.parse(RelationDetail, await context.api.ask(routes.getRelation, { query }));
    const { items, left_out } = cut(answer.columns, columnsShown);
    const edges = cut(answer.edges, edgesShown);
    return {
      ...answer,
      columns: items,
      edges: edges.items,
      truncated: left_out + edges.left_out > 0,
      next: 'Call get_impact to see what feeds it and what breaks if it changes.',
    };
  },
});
