import { describe, expect, it } from 'vitest';
import { isAboutLineage, readAspectsFile } from '../../../shared/domain/lineage/sources/datahub/aspects-file.ts';
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

  it('states what the fields of a chart show, also if the file has nothing else of the chart', () => {
    const fields = [{ schemaFieldUrn: field(b, 'key'), schemaField: { fieldPath: 'Key' } }];
    const { exposures } = read([change(chart, 'inputFields', { fields }), change(chart, 'ownership', { owners: [] })]);
    expect(exposures.map(({ value }) => value)).toMatchObject([
      { urn: chart, inputs: [], fields: [{ fieldPath: 'Key', schemaFieldUrn: field(b, 'key') }] },
    ]);
  });

  it('states what the last change of an aspect says, and nothing of a removed entity', () => {
    const none = { upstreams: [] };
    const later = read([change(urn(b), 'upstreamLineage', upstreamLineage), change(urn(b), 'upstreamLineage', none)]);
    expect(later.entries).toEqual([]);
    const removed = read([...files['changes of aspects'], change(urn(b), 'status', { removed: true })]);
    expect([removed.entries, removed.datasets]).toEqual([[], []]);
  });

  const added = (path: string, value: unknown) => ({ op: 'add', path, value });
  const patch = (entityUrn: string, aspectName: string, operations: unknown) =>
    change(entityUrn, aspectName, operations as object, 'PATCH');

  it('reads what patches add to an aspect, whether the file has the aspect before or not', () => {
    const mapped = `/fineGrainedLineages/SQL: a~1b/${field(b, 'rate')}/NONE/${field(a, 'cents')}`;
    const dashboard = 'urn:li:dashboard:(looker,1)';
    const { entries, exposures, unread } = read([
      patch(urn('db.s.c'), 'upstreamLineage', [added(`/upstreams/${urn(b)}`, { dataset: urn(b) })]),
      change(urn(b), 'upstreamLineage', upstreamLineage),
      patch(urn(b), 'upstreamLineage', { patch: [added(mapped, { confidenceScore: 1 })] }),
      patch(dashboard, 'dashboardInfo', [added('/title', 'Sales'), added(`/charts/${chart}`, chart)]),
    ]);
    expect(entries.map(({ value }) => value)).toEqual([
      { upstreamUrn: urn(b), downstreamUrn: urn('db.s.c'), fineGrained: [] },
      {
        ...{ upstreamUrn: urn(a), downstreamUrn: urn(b) },
        fineGrained: [
          ...upstreamLineage.fineGrainedLineages,
          { upstreams: [field(a, 'cents')], downstreams: [field(b, 'rate')], transformOperation: 'SQL: a/b' },
        ],
      },
    ]);
    expect(exposures.map(({ value }) => value)).toMatchObject([{ urn: dashboard, title: 'Sales', inputs: [chart] }]);
    expect(unread).toEqual({});
  });

  it('states nothing that a later change of the file removes', () => {
    const removal = { op: 'remove', path: `/upstreams/${urn(a)}` };
    const { entries, unread } = read([
      change(urn(b), 'upstreamLineage', { upstreams: upstreamLineage.upstreams }),
      patch(urn(b), 'upstreamLineage', [removal]),
      change(urn(a), 'upstreamLineage', { upstreams: [{ dataset: urn(b) }] }),
      change(urn(a), 'upstreamLineage', {}, 'DELETE'),
    ]);
    expect([entries, unread]).toEqual([[], {}]);
  });

  it('counts the aspects and changes that it does not read', () => {
    const { entries, unread } = read([
      patch(urn(b), 'upstreamLineage', [added('/upstreams/a/b/c/d', {})]),
      patch(urn(b), 'upstreamLineage', 'add'),
      change(urn(b), 'upstreamLineage', {}, 'RENAME'),
      change(urn(b), 'datasetProperties', {}),
      patch(urn(b), 'datasetProperties', []),
      null,
    ]);
    expect(entries).toEqual([]);
    expect(unread).toEqual({ upstreamLineage: 2, 'upstreamLineage (RENAME)': 1, datasetProperties: 2 });
  });

  it('distinguishes the aspects that are about lineage from the others', () => {
    const names = ['upstreamLineage (RENAME)', 'siblings', 'dataProcessInstanceInput', 'mLFeatureProperties'];
    expect(names.filter(isAboutLineage)).toEqual(names);
    const newer = ['metricUpstreams', 'upstreamMetrics', 'mlModelTrainingData'];
    expect(newer.filter(isAboutLineage)).toEqual(newer);
    expect(['datasetProperties', 'dataProcessInstanceRunEvent', 'status'].filter(isAboutLineage)).toEqual([]);
  });

  it('is no list of entries of lineage', () => {
    expect(readAspectsFile([{ upstreamUrn: urn(a), downstreamUrn: urn(b) }])).toBeNull();
    expect(readAspectsFile([])).toBeNull();
  });
});
