import { describe, expect, it } from 'vitest';
import { readAspectsFile } from '../../../shared/domain/lineage/sources/datahub/aspects-file.ts';
import { readDatahubExport } from '../../../shared/domain/lineage/sources/datahub/export.ts';

const urn = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:snowflake,${name},PROD)`;
const field = (name: string, column: string) => `urn:li:schemaField:(${urn(name)},${column})`;
const [a, b] = ['db.s.a', 'db.s.b'];
const upstreamLineage = {
  upstreams: [{ dataset: urn(a), type: 'TRANSFORMED' }],
  fineGrainedLineages: [
    { upstreams: [field(a, 'id')], downstreams: [field(b, 'key')], transformOperation: 'COPY: id' },
  ],
};
const fields = [{ fieldPath: 'key', nativeDataType: 'NUMBER', type: { type: {} } }];
const chart = 'urn:li:chart:(looker,elements.1)';

const change = (entityUrn: string, aspectName: string, value: object, changeType = 'UPSERT') => ({
  ...{ entityType: 'dataset', entityUrn, changeType, aspectName, aspect: { json: value } },
});
const snapshotOf = (own: string, aspects: Readonly<Record<string, object>>) => ({
  auditHeader: null,
  proposedSnapshot: {
    'com.linkedin.pegasus2avro.metadata.snapshot.DatasetSnapshot': {
      urn: own,
      aspects: Object.entries(aspects).map(([name, value]) => ({ [`com.linkedin.pegasus2avro.x.${name}`]: value })),
    },
  },
});
const upsert = (entityUrn: string, __type: string, value: object) => ({
  ...{ entityType: 'dataset', entityUrn, aspect: { __type, ...value } },
});

const files = {
  'changes of aspects': [
    change(urn(b), 'upstreamLineage', upstreamLineage),
    change(urn(b), 'schemaMetadata', { fields }),
  ],
  'changes whose content is text': [
    { ...change(urn(b), 'upstreamLineage', {}), aspect: { value: JSON.stringify(upstreamLineage) } },
    { ...change(urn(b), 'schemaMetadata', {}), aspect: { value: JSON.stringify({ fields }) } },
  ],
  snapshots: [snapshotOf(urn(b), { UpstreamLineage: upstreamLineage, SchemaMetadata: { fields } })],
  'snapshots with optional lists as Avro writes them': [
    snapshotOf(urn(b), {
      UpstreamLineage: { ...upstreamLineage, fineGrainedLineages: { array: upstreamLineage.fineGrainedLineages } },
      SchemaMetadata: { fields },
    }),
  ],
  'UpsertEntities requests': [
    upsert(urn(b), 'UpstreamLineage', upstreamLineage),
    upsert(urn(b), 'SchemaMetadata', { fields }),
  ],
  entities: [{ urn: urn(b), upstreamLineage: { value: upstreamLineage }, schemaMetadata: { value: { fields } } }],
};

const read = (entries: readonly unknown[]) => {
  const found = readAspectsFile(entries);
  if (found === null) throw new Error('These are no aspects.');
  const { document, shapeErrors } = readDatahubExport(found.export);
  return { ...document, shapeErrors, unread: Object.fromEntries(found.unread) };
};

describe('a file of aspects of DataHub', () => {
  it.each(Object.entries(files))('states edges, columns and the columns of datasets: %s', (_, entries) => {
    const { entries: edges, datasets, shapeErrors, unread } = read(entries);
    expect([shapeErrors, unread]).toEqual([[], {}]);
    expect(edges.map(({ value }) => value)).toEqual([
      { upstreamUrn: urn(a), downstreamUrn: urn(b), fineGrained: upstreamLineage.fineGrainedLineages },
    ]);
    expect(datasets).toEqual([
      { urn: urn(b), owners: [], schemaMetadata: { fields: [{ fieldPath: 'key', nativeDataType: 'NUMBER' }] } },
    ]);
  });

  it('states the lineage through jobs, what charts read, and who owns charts and datasets', () => {
    const job = 'urn:li:dataJob:(urn:li:dataFlow:(airflow,dag,PROD),task)';
    const { entries, exposures, datasets, unread } = read([
      change(job, 'dataJobInputOutput', {
        inputDatasetEdges: [{ destinationUrn: urn(a) }],
        inputDatasets: [urn(a)],
        outputDatasets: [urn(b)],
      }),
      change(chart, 'chartInfo', { title: 'Orders', inputs: [{ string: urn(b) }] }),
      change(chart, 'ownership', { owners: [{ owner: 'urn:li:corpuser:jane' }] }),
      change(urn(b), 'ownership', { owners: [{ owner: 'urn:li:corpGroup:finance' }, { owner: 7 }, null] }),
      change(urn(a), 'ownership', { owners: [] }),
      change(job, 'ownership', { owners: [] }),
    ]);
    expect(entries.map(({ value }) => [value.upstreamUrn, value.downstreamUrn])).toEqual([[urn(a), urn(b)]]);
    expect(exposures.map(({ value }) => value)).toMatchObject([
      { urn: chart, title: 'Orders', inputs: [urn(b)], owners: ['urn:li:corpuser:jane'] },
    ]);
    expect(datasets).toEqual([{ urn: urn(b), owners: ['urn:li:corpGroup:finance'], schemaMetadata: null }]);
    expect(unread).toEqual({ ownership: 1 });
  });

  it('states what the last change of an aspect says, and nothing of a removed entity', () => {
    const none = { upstreams: [] };
    const later = read([change(urn(b), 'upstreamLineage', upstreamLineage), change(urn(b), 'upstreamLineage', none)]);
    expect(later.entries).toEqual([]);
    const removed = read([...files['changes of aspects'], change(urn(b), 'status', { removed: true })]);
    expect([removed.entries, removed.datasets]).toEqual([[], []]);
  });

  it('counts the aspects that it does not read, and changes that need the aspect before', () => {
    const { entries, unread } = read([
      change(urn(b), 'upstreamLineage', [{ op: 'add', path: '/upstreams/x', value: {} }], 'PATCH'),
      change(urn(b), 'upstreamLineage', {}, 'DELETE'),
      change(urn(b), 'datasetProperties', {}),
      change(urn(b), 'datasetProperties', {}),
      null,
    ]);
    expect(entries).toEqual([]);
    expect(unread).toEqual({ 'upstreamLineage (PATCH)': 1, 'upstreamLineage (DELETE)': 1, datasetProperties: 2 });
  });

  it('is no list of entries of lineage', () => {
    expect(readAspectsFile([{ upstreamUrn: urn(a), downstreamUrn: urn(b) }])).toBeNull();
    expect(readAspectsFile([])).toBeNull();
  });
});
