import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { LineageDiff } from '../../shared/contract/diff.ts';
import { startLineageWorld } from '../support/lineage-world.ts';
import { provideForAll, provideForEach } from '../support/provide.ts';
import { runEvent } from '../support/run-event.ts';
import { inSql, shopManifest } from '../support/shop-project.ts';

type Change = NonNullable<Parameters<typeof shopManifest>[0]>;

const world = provideForAll(startLineageWorld);
const place = provideForEach(() => world.place());
const core = (table: string) => `crm.core.${table}`;

const push = (change?: Change) =>
  place.declare('/v1/lineage/dbt/manifest', {
    manifest: shopManifest(change),
    completeness: 'complete',
    project_id: 'crm',
    source_event_key: randomUUID(),
  });
async function diff(change?: Change): Promise<LineageDiff> {
  const { status, json } = await place.post('/v1/lineage/diff', { project_id: 'crm', manifest: shopManifest(change) });
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
}
const materialized =
  (as: string): Change =>
  (nodes) =>
    Object.assign(nodes['model.shop.stg_orders'] ?? {}, { config: { materialized: as } });

/** As dbt compiles it: the text of the inlined model is in each reader. */
const inlined: Change = (nodes, manifest) => {
  materialized('ephemeral')(nodes, manifest);
  const node = nodes['model.shop.stg_orders'];
  for (const one of Object.values(nodes)) {
    const { compiled_code: code } = one;
    if (one === node || !code?.includes('"crm"."core"."stg_orders"')) continue;
    const reading = code.replaceAll('"crm"."core"."stg_orders"', '__dbt__cte__stg_orders');
    one.compiled_code = `with __dbt__cte__stg_orders as (\n${node?.compiled_code}\n) ${reading}`;
  }
  if (node) node.relation_name = null;
};

describe('a materialization', () => {
  it('changes no rows, and is said', async () => {
    await push(materialized('table'));
    const answer = await diff(materialized('view'));
    expect(answer.grade).toBe('safe');
    expect(answer.relations).toMatchObject([
      {
        relation_ref: core('stg_orders'),
        change: 'changed',
        reasons: ['materialization_changed'],
        grade: 'safe',
        model: { rows: false, settings: [{ name: 'materialized', before: 'table', after: 'view' }] },
      },
    ]);
  });

  it('makes a relation of an inlined model, whose readers are as they were', async () => {
    await push(inlined);
    const answer = await diff();
    expect(answer).toMatchObject({ grade: 'safe', columns: [] });
    expect(answer.relations).toContainEqual(
      expect.objectContaining({ relation_ref: core('stg_orders'), change: 'added', grade: 'safe' }),
    );
  });

  it('breaks who reads the relation that goes from outside of the project, and nobody else', async () => {
    await push();
    expect(await diff(inlined)).toMatchObject({ grade: 'safe' });
    await place.emit(runEvent(place.namespace, [core('stg_orders')], ['crm.bi.copy']));
    const answer = await diff(inlined);
    expect(answer.relations).toContainEqual(
      expect.objectContaining({ relation_ref: core('stg_orders'), change: 'removed', grade: 'breaking' }),
    );
  });
});

it('an incremental model is unchanged if the branch was compiled without its table', async () => {
  const compiledFor = (run: 'full' | 'incremental') => (nodes: Parameters<Change>[0]) => {
    const part = (name: string) => ` and note > (select max(note) from ${name})`;
    const template = `where amount > 0{% if is_incremental() %}${part('{{ this }}')}{% endif %}`;
    const node = nodes['model.shop.stg_orders'];
    const { compiled_code = '' } = node ?? {};
    if (run === 'incremental')
      inSql(nodes, 'stg_orders', 'where amount > 0', `where amount > 0${part(core('stg_orders'))}`);
    Object.assign(node ?? {}, { raw_code: compiled_code.replace('where amount > 0', template) });
  };
  await push(compiledFor('incremental'));
  expect(await diff(compiledFor('full'))).toMatchObject({ grade: 'safe', relations: [], columns: [] });
});

describe('a column that is added beside a star', () => {
  const columns = ['id', 'customer', 'amount', 'currency', 'note'];
  const listed = columns.map((name, index) => [name, { name, index, type: 'TEXT' }]);
  const catalog = { nodes: {}, sources: { 'source.shop.raw.orders': { columns: Object.fromEntries(listed) } } };
  const starred =
    (more = ''): Change =>
    (nodes) => {
      const { compiled_code: code = '' } = nodes['model.shop.stg_orders'] ?? {};
      const from = code.slice(code.indexOf('from'));
      Object.assign(nodes['model.shop.stg_orders'] ?? {}, {
        compiled_code: `select *, id as order_id, customer as customer_id${more} ${from}`,
      });
    };
  const pushStarred = (known?: object) =>
    place.declare('/v1/lineage/dbt/manifest', {
      manifest: shopManifest(starred()),
      ...(known && { catalog: known }),
      completeness: 'complete',
      project_id: 'crm',
      source_event_key: randomUUID(),
    });

  it('is safe for readers of other columns if the columns of the star are known', async () => {
    await pushStarred(catalog);
    const answer = await diff(starred(', note as remark'));
    expect(answer).toMatchObject({ grade: 'safe' });
    expect(answer.columns).toMatchObject([{ change: 'added', column: 'remark', grade: 'safe' }]);
  });

  it('is a risk if the star may have or has that name', async () => {
    await pushStarred(catalog);
    expect((await diff(starred(', id as note'))).grade).toBe('risky');
    await pushStarred();
    expect((await diff(starred(', note as remark'))).grade).toBe('risky');
  });
});
