import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exportedEvents } from '../support/exported-events.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';

const world = provideForAll(startLineageWorld);

/** Every relation with its columns and neighbours as the explorer is told of them, without what only says who said so. */
async function graphOf(place: LineagePlace): Promise<string[]> {
  const relations = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = { limit: '100', ...(cursor !== null && { cursor }) };
    const page: {
      items: Readonly<
        Record<'relation_ref' | 'kind', string> & Record<'upstream_count' | 'downstream_count', number>
      >[];
      next_cursor: string | null;
    } = (await place.ask('/v1/lineage/relations', query)).json;
    relations.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return Promise.all(
    relations.map(async ({ relation_ref, kind, upstream_count, downstream_count }) => {
      const { json } = await place.ask('/v1/lineage/relation', { relation_ref });
      const question = { relation_ref, direction: 'upstream', max_depth: '1' };
      const { edges } = (await place.ask('/v1/lineage/impact', question)).json;
      const mapped = edges.map(({ upstream, columns }: { upstream: string; columns: object[] }) => [
        upstream,
        columns.map((one) => JSON.stringify(one)).sort(),
      ]);
      const columns = json.columns.map(({ name, type }: { name: string; type: string | null }) => [name, type]);
      const complete = json.columns_complete ?? null;
      return JSON.stringify([relation_ref, kind, upstream_count, downstream_count, complete, columns, mapped.sort()]);
    }),
  );
}

const read = (file: string) => JSON.parse(readFileSync(new URL(`../fixtures/${file}`, import.meta.url), 'utf8'));

const alone = {
  metadata: { adapter_type: 'postgres' },
  sources: {},
  nodes: {
    'model.s.constants': {
      ...{ resource_type: 'model', database: 'crm', schema: 'core', alias: 'constants', name: 'constants' },
      compiled_code: 'select 1 as one, 2 as two',
      depends_on: { nodes: [] },
    },
  },
};
const shown = {
  ...alone,
  exposures: {
    'exposure.s.board': {
      ...{ name: 'board', label: 'Board', type: 'dashboard', meta: { columns: ['constants.one'] } },
      depends_on: { nodes: ['model.s.constants'] },
    },
  },
};

describe('an export into an empty workspace', () => {
  const documents: readonly [string, string, object][] = [
    ['the CRM project', 'dbt/manifest', { manifest: read('dbt/crm-manifest.json') }],
    ['the shop', 'dbt/manifest', { manifest: read('dbt/shop-manifest.json') }],
    ['a model without inputs and readers', 'dbt/manifest', { manifest: alone }],
    ['an exposure', 'dbt/manifest', { manifest: shown }],
    ['a SQLMesh project', 'sqlmesh/project', { project: read('sqlmesh/crm-export.json') }],
  ];
  it.each(
    documents.flatMap((one) => [['with a namespace', ...one] as const, ['without a namespace', ...one] as const]),
  )('%s: %s has the same relations, columns and edges (C-EXPORT-4)', async (named, _, route, document) => {
    const [from, namespaces] =
      named === 'with a namespace' ? [await world.place(), null] : [await world.place({ namespaces: [] }), []];
    expect((await from.declare(`/v1/lineage/${route}`, { force: true, ...document })).status).toBe(202);
    const events = await exportedEvents(from);
    const into = await world.place({
      namespaces: namespaces === null ? [from.namespace] : [`tributary://${from.connector.id}`],
    });
    for (const event of events) expect((await into.emit(event)).status).toBe(202);
    const graph = await graphOf(from);
    expect(graph.length).toBeGreaterThan(0);
    expect(await graphOf(into)).toEqual(graph);
  });
});
