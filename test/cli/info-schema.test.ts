import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { dbtInfoSchema } from '../../cli/push/info-schema.ts';
import { writeInfoSchema } from '../support/dbt-info-schema.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'info-schema-'));
afterAll(() => rmSync(folder, { recursive: true }));

const edge = (parent_column_name: string, child_column_name: string | null, evolution: string) => ({
  parent_node_unique_id: 'source.shop.raw.orders',
  parent_column_name,
  child_node_unique_id: 'model.shop.orders',
  child_column_name,
  evolution,
});
const column = (node_unique_id: string, column_name: string, data_type_inferred: string | null) => ({
  node_unique_id,
  column_name,
  column_index: 1,
  data_type_inferred,
});

describe('the information schema of dbt 2', () => {
  it('is read from its Parquet files, by node, in the same order whatever theirs is', async () => {
    const edges = [edge('id', 'id', 'copy'), edge('amount', 'cents', 'mod'), edge('status', null, 'scan')];
    const columns = [
      column('model.shop.orders', 'id', 'integer'),
      column('model.shop.failed', 'id', 'integer'),
      column('model.shop.failed', 'documented', null),
    ];
    const read = async (name: string, rows: typeof edges) => {
      await writeInfoSchema(path.join(folder, name), { column_lineage: rows, node_columns: columns });
      return dbtInfoSchema(path.join(folder, name));
    };
    const { json, warnings } = await read('a', edges);
    expect(warnings).toEqual([]);
    const lineage = (one: ReturnType<typeof edge>) => ({ ...one, child_node_unique_id: undefined });
    expect(JSON.parse(String(json))).toEqual({
      column_lineage: {
        'model.shop.orders': expect.arrayContaining(edges.map((one) => JSON.parse(JSON.stringify(lineage(one))))),
      },
      node_columns: { 'model.shop.orders': { columns: { id: { name: 'id', index: 1, type: 'integer' } } } },
    });
    expect((await read('b', edges.toReversed())).json).toEqual(json);
  });

  it('is left out with a warning if it cannot be read, and without one if it is not there', async () => {
    await writeInfoSchema(path.join(folder, 'broken'), {
      column_lineage: [edge('id', 'id', 'copy')],
      node_columns: [column('m', 'c', null)],
    });
    writeFileSync(path.join(folder, 'broken', 'info_schema', 'v1', 'dbt.node_columns.parquet'), 'no parquet');
    expect(await dbtInfoSchema(path.join(folder, 'broken'))).toEqual({
      json: null,
      warnings: [expect.stringMatching(/info_schema.*is left out, columns come from the compiled code only: /)],
    });
    expect(await dbtInfoSchema(path.join(folder, 'nothing'))).toEqual({ json: null, warnings: [] });
  });
});
