import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Connector } from '../../../shared/domain/lineage/names/connector.ts';
import { resolveDataset } from '../../../shared/domain/lineage/names/resolve-dataset.ts';
import { dataset, facet, minute, namespace, runEvent, runId } from '../sources/openlineage/events.ts';
import { interpret } from '../sources/openlineage/interpret.ts';
import { connectorWith } from './connectors.ts';

const lake = 's3://lake';
const symlink = (one: { namespace: string; name: string }, type: string) => ({
  symlinks: facet({ identifiers: [{ ...one, type }] }),
});
const table = (facets?: object) => dataset('lake.core.orders', facets);
const path = (name: string, facets?: object) => ({ namespace: lake, name, ...(facets && { facets }) });
const job = (n: number, inputs: object[], outputs: object[]) =>
  runEvent({ run: runId(n), job: `job ${n}`, at: minute(n), inputs, outputs });

/** Each job names one Iceberg table as its engine does. */
const chain = [
  job(1, [dataset('lake.raw.events')], [table(symlink({ namespace: lake, name: '/wh/core/orders' }, 'LOCATION'))]),
  job(2, [path('wh/core/orders/')], [dataset('lake.mart.by_path')]),
  job(3, [table()], [dataset('lake.mart.by_name')]),
  job(4, [dataset('lake.raw.late')], [path('wh/core/orders', symlink(table(), 'TABLE'))]),
  job(5, [{ namespace: 's3a://lake', name: 'wh/core/orders' }], [dataset('lake.mart.by_s3a')]),
];

const edgesAmong = (events: readonly object[], connectors: readonly Connector[]) =>
  interpret(events, (one) => resolveDataset(connectors, one)).tables;

const chainOf = (orders: string, named: (name: string) => string) =>
  [
    ...['lake.raw.events', 'lake.raw.late'].map((from) => `${named(from)} -> ${orders}`),
    ...['by_path', 'by_name', 'by_s3a'].map((to) => `${orders} -> ${named(`lake.mart.${to}`)}`),
  ].sort();

const inAnyOrder = fc.shuffledSubarray(chain, { minLength: chain.length });

describe('a table and its location are one node in either order (C-IDENTITY-8, C-OPENLINEAGE-18)', () => {
  it('under the name of the relation, if a connector owns it', () => {
    const connectors = [connectorWith({ kind: 'trino', namespaces: [namespace] })];
    const expected = chainOf('lake.core.orders', (name) => name);
    fc.assert(
      fc.property(inAnyOrder, (events) => {
        expect(edgesAmong(events, connectors)).toEqual(expected);
      }),
    );
  });

  it('under the name of the table, if none does and each name calls the other its alias', () => {
    const named = (name: string) => `${namespace}/${name}`;
    const expected = chainOf(named('lake.core.orders'), named);
    fc.assert(
      fc.property(inAnyOrder, (events) => {
        expect(edgesAmong(events, [])).toEqual(expected);
      }),
    );
  });

  it('but two relations of one location stay two', () => {
    const connectors = [connectorWith({ kind: 'trino', namespaces: [namespace] })];
    const other = dataset('lake.core.moved', symlink({ namespace: lake, name: 'wh/core/orders' }, 'LOCATION'));
    const events = [...chain, job(6, [other], [dataset('lake.mart.of_moved')])];
    expect(edgesAmong(events, connectors)).toContain('lake.core.moved -> lake.mart.of_moved');
  });
});
