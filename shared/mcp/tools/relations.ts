import * as v from 'valibot';
import { requestAnswer } from '../../client/api.ts';
import { routes } from '../../contract/api/routes.ts';
import { layers } from '../../contract/layers.ts';
import { listTool } from '../pages.ts';
import { placeOf } from '../places.ts';
import { firstOf, optionalText, placeArguments, requiredText } from '../tool.ts';

const edgesShown = 30;

export const searchRelations = listTool({
  name: 'search_relations',
  title: 'Search relations',
  description:
    'Finds tables and views by words of their names, or by a column name (in: columns): prefixes first, then other parts, else names with one typo. Call it first to get the exact names that the other tools need. Returns a page of relations with their connector, layer and number of neighbours, best match first, or the nearest names if none matches.',
  list: 'relations',
  noun: 'relations that match',
  limit: { most: 50, usual: 20 },
  input: {
    query: requiredText(
      'Words, for example: raw orders. With in: columns, the last word is a part of the column name.',
    ),
    in: v.optional(v.picklist(['relations', 'columns']), 'relations'),
    layer: v.optional(v.pipe(v.picklist(layers), v.description('Only relations of this layer.'))),
    ...placeArguments,
  },
  run: async (context, { query: q, in: searchIn, layer, ...named }, { page }) => {
    const query = { ...(await placeOf(context, named)), q, in: searchIn, cursor: page ?? undefined };
    const found = await requestAnswer(context.api, routes.listRelations, { query });
    const { candidates, next_cursor: next } = found;
    const items = found.items.filter((one) => layer === undefined || one.layer === layer);
    const otherwise = layer === undefined ? 'Try fewer or shorter words.' : 'Try fewer words, or no layer.';
    const advice = items.length > 0 ? 'Pass a relation_ref to get_relation or get_impact.' : otherwise;
    return {
      items,
      next,
      fields: candidates && { candidates },
      advice: [candidates?.length ? 'candidates lists the nearest names.' : advice],
    };
  },
});

export const relationArguments = {
  relation_ref: requiredText('Name, for example shop.core.orders. Find names with search_relations.'),
  ...placeArguments,
};

export const getRelation = listTool({
  name: 'get_relation',
  title: 'Get a relation',
  description:
    'Describes one table or view: a page of its columns with types, its aliases, the edges around it with their verdicts, the providers that report it, and when it was last observed. Use it to check names and columns. For lineage, call get_impact.',
  list: 'columns',
  limit: { most: 200, usual: 100 },
  input: {
    ...relationArguments,
    column: optionalText('Only columns whose name contains this text.'),
    as_of: optionalText('A past time (RFC 3339). Default: now.'),
  },
  output: { relation_ref: v.string(), connector_id: v.nullable(v.string()) },
  run: async (context, { relation_ref, column = '', as_of, ...named }) => {
    const query = { ...(await placeOf(context, named)), relation_ref, as_of };
    const answer = await requestAnswer(context.api, routes.getRelation, { query });
    const { columns, edges, aliases, truncated, cost: _cost, workspace_id: _workspace, ...relation } = answer;
    return {
      items: columns.filter(({ name }) => name.toLowerCase().includes(column.toLowerCase())),
      fields: { ...relation, aliases: firstOf(aliases, 20), edges: firstOf(edges, edgesShown) },
      advice: [
        truncated && 'There is more evidence than was read, so columns and providers may be missing.',
        !answer.columns_complete && 'No source lists all columns, so there may be others.',
        'Call get_impact to see what feeds it and what breaks if it changes.',
      ],
    };
  },
});
