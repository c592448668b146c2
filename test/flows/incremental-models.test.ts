import { describe, expect, it } from 'vitest';
import { diffManifest, pushManifest } from '../support/crm-manifests.ts';
import { startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll, provideForEach } from '../support/provide.ts';

const world = provideForAll(startLineageWorld);
const place = provideForEach(() => world.place());

const model = (name: string, compiled_code: string, parent: string, more: object = {}) => ({
  [`model.crm.${name}`]: {
    ...{ resource_type: 'model', name, alias: name, database: 'crm', schema: 'core', compiled_code },
    ...{ relation_name: `"crm"."core"."${name}"`, depends_on: { nodes: [parent] }, ...more },
  },
});
const late = '{% if is_incremental() %} where loaded_at > (select max(seen_at) from {{ this }}) {% endif %}';

type Version = {
  readonly staged?: string;
  readonly columns?: string;
  readonly config?: object;
  readonly report?: string;
};

/** Compiled in another schema, as CI does: no incremental model finds its table. */
const manifest = ({ staged = 'id, amount, loaded_at', columns = 'id, amount', config, report }: Version = {}) => ({
  metadata: { adapter_type: 'postgres', project_name: 'crm' },
  nodes: {
    ...model('staged', `select ${staged} from "crm"."raw"."orders"`, 'source.crm.raw.orders'),
    ...model('orders', `select ${columns} from "crm"."core"."staged"`, 'model.crm.staged', {
      raw_code: `select ${columns} from {{ ref('staged') }} ${late}`,
      config: { materialized: 'incremental', on_schema_change: 'sync_all_columns', unique_key: ['id'], ...config },
    }),
    ...model('report', `select ${report ?? 'count(*) as n'} from "crm"."core"."orders"`, 'model.crm.orders'),
  },
  sources: {
    'source.crm.raw.orders': {
      ...{ resource_type: 'source', database: 'crm', schema: 'raw', identifier: 'orders', name: 'orders' },
    },
  },
});

const push = (version?: Version) => pushManifest(place, manifest(version));
const diff = (version: Version) => diffManifest(place, manifest(version));

it('breaks with a column that only the incremental part of a template reads (C-DBT-3)', async () => {
  await push();
  const { json } = await place.ask('/v1/lineage/impact', { relation_ref: 'crm.core.staged', column_ref: 'loaded_at' });
  expect(json.claim.kind).toBe('breaks');
  expect(await diff({ staged: 'id, amount' })).toMatchObject({ grade: 'breaking' });
});

it('needs the columns of its table that its settings and its incremental part name (C-RELATION-3, C-CLAIM-4)', async () => {
  await push({ columns: 'id, amount, seen_at', report: 'amount' });
  const relation_ref = 'crm.core.orders';
  const { json } = await place.ask('/v1/lineage/relation', { relation_ref });
  const own = json.columns.filter((one: { read_by_itself?: boolean }) => one.read_by_itself);
  expect(own.map(({ name }: { name: string }) => name)).toEqual(['id', 'seen_at']);
  const claimed = async (column_ref: string) =>
    (await place.ask('/v1/lineage/impact', { relation_ref, column_ref, direction: 'downstream' })).json.claim;
  const limit = { code: 'read_by_itself', subjects: ['seen_at'], blocks: true };
  expect(await claimed('seen_at')).toMatchObject({ kind: 'may_break', limits: [limit] });
  await push({ columns: 'id, amount, note' });
  expect(await claimed('note')).toMatchObject({ kind: 'nothing_known_breaks' });
});

describe('a model that adds to the table that it has (C-DIFF-3)', () => {
  const limited = {
    grade: 'risky',
    claim: { limits: [{ code: 'full_refresh_needed', subjects: ['crm.core.orders'] }] },
  };
  const ignore = { config: { on_schema_change: 'ignore' } };

  it('is at risk if the column goes that its settings name', async () => {
    await push();
    expect(await diff({ columns: 'amount' })).toMatchObject(limited);
    expect(await diff({ columns: 'id' })).toMatchObject({ grade: 'safe' });
  });

  it('is at risk if any column goes from a table whose columns stay', async () => {
    await push(ignore);
    expect(await diff({ ...ignore, columns: 'id' })).toMatchObject(limited);
  });

  it('puts at risk what reads a column that its table does not get', async () => {
    await push(ignore);
    const columns = 'id, amount, loaded_at';
    expect(await diff({ ...ignore, columns })).toMatchObject({ grade: 'safe' });
    expect(await diff({ ...ignore, columns, report: 'count(*) as n, count(loaded_at) as known' })).toMatchObject(
      limited,
    );
  });
});
