import { describe, expect, it } from 'vitest';
import type { ConnectorKind } from '../../shared/contract/vocabulary.ts';
import { createConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import { startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll, provideForEach } from '../support/provide.ts';

const world = provideForAll(startLineageWorld);
const place = provideForEach(() => world.place());

const dbt = (adapter_type?: string) => ({
  path: '/v1/lineage/dbt/manifest',
  body: { manifest: { metadata: { adapter_type }, nodes: {}, sources: {} } },
});
const sqlmesh = (dialect?: string) => ({
  path: '/v1/lineage/sqlmesh/project',
  body: { project: { schema: 'service.sqlmesh-project@v1', environment: 'prod', dialect, models: [] } },
});
const urn = (platform: string, name: string) => `urn:li:dataset:(urn:li:dataPlatform:${platform},a.b.${name},PROD)`;
const datahub = (...platforms: readonly string[]) => ({
  path: '/v1/lineage/datahub',
  body: {
    export: platforms.map((one) => ({ upstreamUrn: urn(one, 'x'), downstreamUrn: urn(one, 'y') })),
  },
});

/** Sends a document to a connector of a kind. */
async function sent(
  { path, body }: ReturnType<typeof dbt | typeof sqlmesh | typeof datahub>,
  kind: ConnectorKind,
  more = {},
) {
  const { record } = await createConnector(world.operator, place.workspace, {
    name: `a ${kind}`,
    kind,
    namespaces: [],
  });
  return place.declare(path, { ...body, connector_id: record.id, ...more });
}

describe('a document of another platform than its connector', () => {
  it.each([
    ['a DuckDB manifest', dbt('duckdb'), 'postgres', 'dbt project', 'duckdb'],
    ['a Snowflake manifest', dbt('snowflake'), 'bigquery', 'dbt project', 'snowflake'],
    [
      'a SQLMesh project',
      sqlmesh('snowflake, normalization_strategy = case_sensitive'),
      'duckdb',
      'SQLMesh project',
      'snowflake',
    ],
  ] as const)(
    'is refused with both kinds and what to do: %s (C-DECLARED-18)',
    async (_, document, kind, name, named) => {
      const { status, json } = await sent(document, kind);
      expect([status, json.detail.code]).toEqual([422, 'lineage_connector_mismatch']);
      expect(json.detail.message).toBe(`The ${name} is of ${named}, and the connector is of kind ${kind}.`);
      expect(json.detail.hint).toContain('--force');
      expect(json.detail.errors).toEqual([{ path: '/connector_id', message: `must be a connector of kind ${named}` }]);
    },
  );

  it('is accepted of a catalog, which may hold any platform, with a warning on its delivery (C-DECLARED-18)', async () => {
    const warned = async (...platforms: readonly string[]) => {
      const { status, json } = await sent(datahub(...platforms), 'postgres', { import_source: platforms.join('-') });
      expect(status).toBe(202);
      const { warnings } = await place.receipt(json.delivery_id);
      return warnings.map(({ code }) => code);
    };
    expect(await warned('snowflake', 'bigquery')).toEqual(['connector_mismatch']);
    expect(await warned('snowflake', 'postgres')).toEqual([]);
    expect(await warned('kafka')).toEqual([]);
  });

  it('is accepted with force, and its retry without force is a duplicate (C-DECLARED-18)', async () => {
    const forced = await sent(dbt('duckdb'), 'snowflake', { force: true });
    expect([forced.status, forced.json.duplicate]).toEqual([202, false]);
    const repeated = await sent(dbt('duckdb'), 'snowflake');
    expect([repeated.status, repeated.json]).toMatchObject([
      202,
      { duplicate: true, delivery_id: forced.json.delivery_id },
    ]);
  });

  it.each([
    ['its own', dbt('postgres'), 'postgres'],
    ['redshift beside postgres', dbt('redshift'), 'postgres'],
    ['postgres beside redshift', dbt('postgres'), 'redshift'],
    ['spark beside databricks', dbt('spark'), 'databricks'],
    ['databricks beside spark', dbt('databricks'), 'spark'],
    ['athena beside trino', sqlmesh('athena'), 'trino'],
    ['glue beside athena', datahub('glue'), 'athena'],
    ['tsql', sqlmesh('tsql'), 'sqlserver'],
    ['anything beside other', dbt('duckdb'), 'other'],
    ['a platform that is not known', dbt('teradata'), 'postgres'],
    ['an unnamed one', dbt(), 'postgres'],
    ['no dialect', sqlmesh(), 'snowflake'],
    ['one of several platforms', datahub('snowflake', 'postgres', 'kafka'), 'postgres'],
    ['platforms that are not known', datahub('kafka'), 'postgres'],
  ] as const)('is no document of %s (C-DECLARED-18)', async (_, document, kind) => {
    expect((await sent(document, kind)).status).toBe(202);
  });
});
