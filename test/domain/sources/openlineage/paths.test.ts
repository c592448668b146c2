import { beforeAll, describe, expect, it } from 'vitest';
import { loadSqlParser } from '../../../../shared/adapters/sql-parser.ts';
import type { SqlParser } from '../../../../shared/domain/lineage/sql/types.ts';
import { runEvent } from '../../../support/run-event.ts';
import { interpret, itself, settledBy } from './interpret.ts';

let parser: SqlParser;
beforeAll(async () => {
  parser = await loadSqlParser();
});

type Columns = NonNullable<NonNullable<Parameters<typeof runEvent>[3]>['columns']>;

describe('a job that reads and writes paths', () => {
  // As Spark names paths of its default file system, and of a store that is not known.
  it.each(['dbfs', 'hdfs', 'file', 'oss://lake', 'viewfs'])(
    'is fed by a path that only its columns name (C-IMPACT-9): %s',
    (namespace) => {
      const columns: Columns = { id: [['/stage/orders', 'id']] };
      const { tables, columns: mapped } = interpret([runEvent(namespace, ['/customers'], ['/orders'], { columns })]);
      expect(tables).toEqual(
        ['/customers', '/stage/orders'].map((path) => `${namespace}/${path} -> ${namespace}//orders`),
      );
      expect(mapped).toEqual([`${namespace}//stage/orders.id -> ${namespace}//orders.id DIRECT/IDENTITY`]);
    },
  );

  const sql = 'select age from people where age > 18';
  const sent = runEvent('file', ['/people.parquet'], ['/adults'], {
    columns: { age: [['/people.parquet', 'age']] },
    sql,
  });
  const graph = (event: unknown) => interpret([event], itself, settledBy(parser));

  it('is fed by no relation that only its statement names, such as a view of a Spark session', () => {
    expect(graph(sent).tables).toEqual(['file//people.parquet -> file//adults']);
  });

  it('keeps a facet that says of a column that its value is used and that it decides rows', () => {
    const filter = '{"type":"INDIRECT","subtype":"FILTER"}';
    const text = JSON.stringify(sent).replace('"IDENTITY"}', `"IDENTITY"},${filter}`);
    expect(graph(JSON.parse(text)).columns).toEqual([
      'file//people.parquet.age -> file//adults.age DIRECT/IDENTITY',
      'file//people.parquet.age -> file//adults.age INDIRECT/FILTER',
    ]);
  });
});
