import { describe, expect, it } from 'vitest';
import { resolveDataset } from '../../../shared/domain/lineage/names/resolve-dataset.ts';

const named = (namespace: string, name: string) => resolveDataset([], { namespace, name, symlinks: [] }).node;
describe('spellings of one store (C-IDENTITY-9)', () => {
  it.each([
    ['hdfs://nn', 'hdfs://NN:8020'],
    ['wasbs://raw@acc.blob.core.windows.net', 'abfss://raw@acc.dfs.core.windows.net'],
    ['kafka://b:9092,a:9092', 'kafka://a,B'],
  ])('are one: %s, %s', (one, other) => expect(named(one, '/x')).toEqual(named(other, '/x')));
});
