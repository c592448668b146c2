import * as v from 'valibot';
import { routes } from '../../contract/api/routes.ts';
import { layers } from '../../contract/layers.ts';
import { RelationDetail, RelationPage } from '../../contract/relations.ts';
import { pageArguments, pageAt, pageFields, positionOf } from '../pages.ts';
import { placeOf } from '../places.ts';
import { firstOf, optionalText, placeArguments, relationText, tool } from '../tool.ts';

const edgesShown = 50;

export const searchRelations = tool({
  name: 'search_relations',
  title: 'Search relations',
  description:
    'Finds tables and views by prefixes of the words in their names, or by a column name (in: columns). Call it first to get the exact names that the other tools need. Returns a page of relations with their connector, layer and number of neighbours, best match first, or the nearest names if none matches.',
  input: v.object({
    query: relationText(
      'Words, for example: raw orders. With in: columns, the last word is a prefix of the column name.',
    ),
    in: v.optional(v.picklist(['relations', 'columns']), 'relations'),
    layer: v.optional(v.pipe(v.picklist(layers), v.description('Only relations of this layer.'))),
    ...pageArguments(50, 20),
    ...placeArguments,
  }),
  output: { relations: v.array(v.looseObject({ relation_ref: v.string() })), ...pageFields },
  run: async (context, { query: q, in: searchIn, layer, limit, cursor, ...named }) => {
    const position = positionOf(cursor);
    const query = {
      ...(await placeOf(context, named)),
      q,
      in: searchIn,
      limit: 50,
      cursor: position.page ?? undefined,
    };
    const { items, candidates, next_cursor } = v.parse(
      RelationPage,
      await context.api.ask(routes.listRelations, { query }),
    );
    const matching = items.filter((one) => layer === undefined || one.layer === layer);
    const page = pageAt({ items: matching, next: next_cursor }, position, { limit, noun: 'relations that match' });
    const { items: relations, words, ...counts } = page;
    return { ...counts, relations, ...(candidates && { candidates }), next: `${words} ${advice(items, candidates)}` };
  },
});

function advice(items: readonly unknown[], candidates: readonly string[] = []): string {
  if (items.length > 0) return 'Pass a relation_ref to get_relation or get_impact.';
  return candidates.length > 0 ? 'candidates lists the nearest names.' : 'Try fewer or shorter words.';
}

export const relationArguments = {
  relation_ref: relationText('Name, for example shop.core.orders. Find names with search_relations.'),
  ...placeArguments,
};

export const getRelation = tool({
  name: 'get_relation',
  title: 'Get a relation',
  description:
    'Describes one table or view: a page of its columns with types, its aliases, the edges around it with their verdicts, the providers that report it, and when it was last observed. Use it to check names and columns. For lineage, call get_impact.',
  input: v.object({
    ...relationArguments,
    column: optionalText('Only columns whose name contains this text.'),
    as_of: optionalText('A past time (RFC 3339). Default: now.'),
    ...pageArguments(200, 100),
  }),
  output: {
    relation_ref: v.string(),
    connector_id: v.nullable(v.string()),
    columns: v.array(v.looseObject({ name: v.string() })),
    ...pageFields,
  },
  run: async (context, { relation_ref, column = '', as_of, limit, cursor, ...named }) => {
    const query = { ...(await placeOf(context, named)), relation_ref, as_of };
    const answer = v.parse(RelationDetail, await context.api.ask(routes.getRelation, { query }));
    const { columns, edges, aliases, truncated, cost: _cost, workspace_id: _workspace, ...relation } = answer;
    const matching = columns.filter(({ name }) => name.toLowerCase().includes(column.toLowerCase()));
    const page = pageAt({ items: matching }, positionOf(cursor), { limit, noun: 'columns' });
    const { items, words, ...counts } = page;
    return {
      ...relation,
      aliases: aliases.slice(0, 20),
      aliases_total: aliases.length,
      ...counts,
      columns: items,
      edges: firstOf(edges, edgesShown),
      next: [
        words,
        ...(truncated ? ['There is more evidence than was read, so columns and providers may be missing.'] : []),
        ...(answer.columns_complete ? [] : ['No source lists all columns, so there may be others.']),
        'Call get_impact to see what feeds it and what breaks if it changes.',
      ].join(' '),
    };
  },
});
