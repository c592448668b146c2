import { existsSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { edgeEvaluator, followed } from '../../shared/domain/lineage/traversal/evaluate.ts';
import { openGraphWithPast } from '../../shared/domain/lineage/traversal/open-graph.ts';
import { scanGraph } from '../../shared/domain/lineage/traversal/scan-graph.ts';
import { queriesPorts } from '../../shared/runtime/composition/queries.ts';
import { type LineagePlace, startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll } from '../support/provide.ts';
import { type Graph, graphOfEdges, judgement } from '../support/worked-events.ts';

const world = provideForAll(startLineageWorld);

async function graphIn({ workspace }: LineagePlace): Promise<Graph> {
  const reading = await openGraphWithPast(queriesPorts(), workspace, new Date());
  const judged = [];
  for await (const { edges, view } of scanGraph(reading, { asOf: null })) {
    judged.push(...followed(await edgeEvaluator(view, judgement).evaluate('in', edges)));
  }
  return graphOfEdges(judged);
}

const fixture = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
const fixtures = '../../../shared/fixtures/';
const isThere = existsSync(new URL(fixtures, import.meta.url));

const dbt = (manifest: object) => ({ path: '/v1/lineage/dbt/manifest', body: { manifest, project_id: 'crm' } });
const sqlmesh = (project: object) => ({
  path: '/v1/lineage/sqlmesh/project',
  // The projects of others are of other platforms than the connector.
  body: { project, project_id: 'crm', force: true },
});
type Export = ReturnType<typeof dbt> | ReturnType<typeof sqlmesh>;

let keys = 0;
/** Sends a complete snapshot and answers with the delivery that it ended as. */
async function snapshot(place: LineagePlace, { path, body }: Export) {
  const { status, json } = await place.declare(path, {
    ...body,
    completeness: 'complete',
    source_event_key: `key-${keys++}`,
  });
  expect(status).toBe(202);
  return queriesPorts().deliveries.get(place.workspace, json.delivery_id);
}

/** Our own crm project with one model less, and one that reads something else. */
function changed(manifest: ReturnType<typeof fixture>) {
  const nodes = structuredClone(manifest.nodes);
  const models = Object.keys(nodes).filter((id) => id.startsWith('model.'));
  const [gone = '', moved = ''] = models.reverse();
  delete nodes[gone];
  nodes[moved].depends_on.nodes = nodes[moved].depends_on.nodes.slice(1);
  return { ...manifest, nodes };
}

const crm = fixture('../fixtures/dbt/crm-manifest.json');
const projects: Record<string, readonly [Export, Export]> = {
  'a dbt project of our own': [dbt(crm), dbt(changed(crm))],
  ...(isThere && {
    'the dbt jaffle project': [
      dbt(fixture(`${fixtures}dbt/jaffle-v1-dbt1.11-postgres/manifest.json`)),
      dbt(fixture(`${fixtures}dbt/jaffle-v2-dbt1.11-postgres/manifest.json`)),
    ],
    'the SQLMesh shop project': [
      sqlmesh(fixture(`${fixtures}sqlmesh/shopmesh-v1-prod.json`)),
      sqlmesh(fixture(`${fixtures}sqlmesh/shopmesh-v2-prod.json`)),
    ],
  }),
};

describe('a complete snapshot replaces the one before (C-DECLARED-2, C-DECLARED-6)', () => {
  it.each(Object.entries(projects))('%s', async (_, [one, two]) => {
    const [place, fresh] = [await world.place(), await world.place()];
    expect(await snapshot(place, one)).toMatchObject({ state: 'projected', retracted_evidence_count: 0 });
    const before = await graphIn(place);
    expect(await snapshot(place, one)).toMatchObject({ state: 'projected', retracted_evidence_count: 0 });
    expect(await graphIn(place)).toEqual(before);

    await snapshot(fresh, two);
    const after = await graphIn(fresh);
    expect(after.tables).not.toEqual(before.tables);
    const lost = before.tables.filter((edge) => !after.tables.includes(edge)).length;
    expect(await snapshot(place, two)).toMatchObject({ state: 'projected', retracted_evidence_count: lost });
    expect(await graphIn(place)).toEqual(after);
  });

  it('retracts a scope until it is empty, with a warning that the snapshot shrank', async () => {
    const place = await world.place();
    await snapshot(place, dbt(crm));
    const { tables } = await graphIn(place);
    expect(await snapshot(place, dbt({ ...crm, nodes: {}, sources: {} }))).toMatchObject({
      state: 'projected',
      retracted_evidence_count: tables.length,
    });
    expect(await graphIn(place)).toEqual({ tables: [], columns: [] });
  });
});

it('refuses a complete manifest that lacks a part, or what it depends on, and changes nothing (C-DBT-4)', async () => {
  const place = await world.place();
  await snapshot(place, dbt(crm));
  const before = await graphIn(place);
  const [id = ''] = Object.keys(crm.nodes);
  const orphan = { ...crm.nodes, [id]: { ...crm.nodes[id], depends_on: { nodes: ['source.crm.nowhere'] } } };
  const { nodes: _, ...withoutNodes } = crm;
  const { sources: __, ...withoutSources } = crm;
  for (const manifest of [withoutNodes, withoutSources, { ...crm, sources: null }, { ...crm, nodes: orphan }]) {
    const sent = { manifest, project_id: 'crm', completeness: 'complete', source_event_key: `key-${keys++}` };
    const { status, json } = await place.declare('/v1/lineage/dbt/manifest', sent);
    expect([status, json.detail.code]).toEqual([422, 'lineage_snapshot_invalid']);
  }
  expect(await graphIn(place)).toEqual(before);
});

const sink = [
  {
    entityUrn: 'urn:li:dataset:(urn:li:dataPlatform:postgres,crm.core.a,PROD)',
    aspectName: 'upstreamLineage',
    aspect: {},
  },
];
const column = { type: 'int', name: 'id', index: 1 };
const node = { metadata: { schema: 'core', name: 'a', type: 'table' }, columns: { id: column }, stats: {} };
const ofVersion = (artifact: string, content: object) => ({
  metadata: { dbt_schema_version: `https://schemas.getdbt.com/dbt/${artifact}.json` },
  ...content,
});

const otherFiles = [
  ['dbt', 'a dbt catalog (catalog.json)', ofVersion('catalog/v1', { nodes: { 'model.crm.a': node }, sources: {} })],
  ['dbt', 'a dbt catalog (catalog.json)', ofVersion('catalog/v1', { nodes: {}, sources: {} })],
  ['dbt', 'the results of a dbt run (run_results.json)', ofVersion('run-results/v6', { results: [], elapsed_time: 1 })],
  ['dbt', 'a dbt semantic manifest (semantic_manifest.json)', { semantic_models: [], metrics: [] }],
  ['dbt', 'a document without nodes, sources, exposures', {}],
  ['datahub', 'the output of a DataHub file sink', sink],
  ['datahub', 'the output of a DataHub file sink', [{ proposedSnapshot: { 'com.linkedin.X': {} } }]],
  ['datahub', 'a dbt manifest (manifest.json)', { nodes: {}, sources: {} }],
  ['datahub', 'the response of a GraphQL query', { data: { searchAcrossLineage: { searchResults: [] } } }],
  ['datahub', 'a document without lineage, edges, datasets, exposures', {}],
] as const;

it.each(otherFiles)(
  'names the file that was sent instead of a document of %s: %s (C-DECLARED-17)',
  async (tool, name, document) => {
    const place = await world.place();
    const isDbt = tool === 'dbt';
    const sent = isDbt ? { manifest: document, project_id: 'crm' } : { export: document, import_source: 'nightly' };
    const path = isDbt ? '/v1/lineage/dbt/manifest' : '/v1/lineage/datahub';
    for (const completeness of ['complete', 'partial']) {
      const { status, json } = await place.declare(path, { ...sent, completeness, source_event_key: 'k' });
      expect([completeness, status, json.detail.code]).toEqual([completeness, 422, 'lineage_snapshot_invalid']);
      expect(json.detail).toMatchObject({
        message: `The document looks like ${name}, which this endpoint does not take.`,
        hint: expect.stringMatching(/push/),
        errors: [{ path: isDbt ? '/manifest' : '/export' }],
      });
    }
  },
);

it('accepts a gzipped manifest like the plain one (C-DECLARED-12)', async () => {
  const [place, plain] = [await world.place(), await world.place()];
  const { path, body } = dbt(crm);
  const named = { workspace_id: place.workspace, connector_id: place.connector.id, ...body };
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const { status } = await place.deliver(path, { headers, body: gzipSync(JSON.stringify(named)) });
  expect(status).toBe(202);
  await snapshot(plain, dbt(crm));
  expect(await graphIn(place)).toEqual(await graphIn(plain));
});
