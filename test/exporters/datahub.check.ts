import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandJson } from '../support/command-line.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';
import { type DatahubApi, type Entity, startDatahubApi } from './datahub-api.ts';
import { exporter, optionsOf } from './exporter.ts';

const command = 'tributary-datahub-export';
const token = 'a-token-of-datahub';
const dataset = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:postgres,analytics.${name},PROD)`;
const field = (name: string, column: string) => `urn:li:schemaField:(${dataset(name)},${column})`;
const by = { time: 1_795_256_658_698, actor: 'urn:li:corpuser:_ingestion' };
const upstream = (name: string) => ({ auditStamp: by, created: by, dataset: dataset(name), type: 'VIEW' });
const mapping = (upstreams: string[], downstreams: string[], transformOperation?: string) => ({
  upstreamType: 'FIELD_SET',
  upstreams,
  downstreamType: 'FIELD',
  downstreams,
  confidenceScore: 1,
  ...(transformOperation && { transformOperation }),
});
const schema = (name: string, ...columns: string[]) => ({
  value: {
    schemaName: name,
    platform: 'urn:li:dataPlatform:postgres',
    version: 0,
    fields: columns.map((fieldPath) => ({ fieldPath, nullable: true, nativeDataType: 'int8', recursive: false })),
  },
});

const datasets: readonly Entity[] = [
  { urn: dataset('core.orders'), upstreamLineage: { value: { upstreams: [], fineGrainedLineages: [] } } },
  {
    urn: dataset('core.totals'),
    upstreamLineage: {
      value: {
        upstreams: [upstream('core.orders'), upstream('core.rates')],
        fineGrainedLineages: [
          mapping(
            [field('core.orders', 'amount'), field('core.rates', 'rate')],
            [field('core.totals', 'total')],
            'TRANSFORM',
          ),
          mapping([field('core.orders', 'day')], [field('core.totals', 'day')], 'COPY: day'),
          // What BI tools and metric views report: its own column columns, and a source that is not listed.
          mapping([field('core.totals', 'total')], [field('core.totals', 'share')], 'SQL: total / sum(total) over ()'),
          mapping([field('raw.fees', 'fee')], [field('core.totals', 'fee')]),
        ],
      },
    },
    schemaMetadata: schema('totals', 'total', 'day', 'share', 'fee'),
    ownership: { value: { owners: [{ owner: 'urn:li:corpGroup:finance', type: 'TECHNICAL_OWNER' }] } },
  },
  ...Array.from({ length: 5 }, (_, i) => ({ urn: dataset(`other.plain${i}`), status: { value: { removed: false } } })),
  { urn: dataset('raw.orders'), schemaMetadata: schema('orders', 'amount', 'day') },
];
const job: Entity = {
  urn: 'urn:li:dataJob:(urn:li:dataFlow:(airflow,shop,PROD),load)',
  dataJobInputOutput: {
    value: {
      inputDatasets: [],
      outputDatasets: [],
      inputDatasetEdges: [{ destinationUrn: dataset('raw.orders') }],
      outputDatasetEdges: [{ destinationUrn: dataset('core.orders') }],
      fineGrainedLineages: [mapping([field('raw.orders', 'amount')], [field('core.orders', 'amount')])],
    },
  },
};
const older: Entity = {
  urn: 'urn:li:dataJob:(urn:li:dataFlow:(airflow,shop,PROD),rates)',
  dataJobInputOutput: { value: { inputDatasets: [dataset('raw.rates')], outputDatasets: [dataset('core.rates')] } },
};
const chart = 'urn:li:chart:(looker,elements.1)';
const board = 'urn:li:dashboard:(looker,dashboards.1)';
const report = 'urn:li:dashboard:(powerbi,reports.1)';
const input = (schemaFieldUrn: string, fieldPath: string) => ({
  schemaFieldUrn,
  schemaField: { fieldPath, nativeDataType: 'string', type: { type: { StringType: {} } } },
});
const owners = { value: { owners: [{ owner: 'urn:li:corpuser:finance@shop.test', type: 'DATAOWNER' }] } };
/** In the shapes of DataHub's sources for BI tools: unions, edges and plain URNs, fields of the chart itself. */
const charts: readonly Entity[] = [
  {
    urn: chart,
    chartInfo: { value: { title: 'Totals', inputs: [{ string: dataset('core.totals') }] } },
    inputFields: {
      value: {
        fields: [input(field('core.totals', 'total'), 'Total %'), input(`urn:li:schemaField:(${chart},calc)`, 'calc')],
      },
    },
  },
  { urn: 'urn:li:chart:(looker,removed)', status: { value: { removed: true } } },
];
const dashboards: readonly Entity[] = [
  {
    urn: board,
    dashboardInfo: { value: { title: 'Board', charts: [], chartEdges: [{ destinationUrn: chart }] } },
    ownership: owners,
  },
  {
    urn: report,
    dashboardInfo: {
      value: {
        charts: [],
        datasets: [dataset('core.totals')],
        datasetEdges: [{ destinationUrn: dataset('core.totals') }],
        dashboards: [{ destinationUrn: board }],
      },
    },
  },
];
const entities = { dataset: datasets, datajob: [job, older], chart: charts, dashboard: dashboards };

const started: DatahubApi[] = [];
async function api(...failures: number[]): Promise<DatahubApi> {
  const one = await startDatahubApi({ token, entities, failures });
  started.push(one);
  return one;
}

let service: ServiceProcess;
let folder: string;
beforeAll(async () => {
  service = await startProcess(['--in-memory', '--seed', 'conformance']);
  folder = mkdtempSync(path.join(tmpdir(), 'datahub-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all([service.end('SIGTERM'), ...started.map(({ stop }) => stop())]);
});

const settings = ({ url }: DatahubApi, provided = token) => ({ DATAHUB_GMS_URL: url, DATAHUB_GMS_TOKEN: provided });

describe('an export from DataHub', () => {
  it('reads every page, empty ones too, and gives each entry its own columns two datasets', async () => {
    const datahub = await api();
    const { code, output, messages } = await exporter(command, ['--page', '2'], settings(datahub));
    const counts = '6 entries, the columns of 2 datasets and 3 charts and dashboards are exported\n';
    expect([code, messages]).toEqual([0, counts]);
    const { lineage, datasets: described, exposures } = JSON.parse(output);
    expect(exposures).toEqual([
      {
        urn: chart,
        title: 'Totals',
        owners: [],
        inputs: [dataset('core.totals')],
        fields: [
          { fieldPath: 'Total %', schemaFieldUrn: field('core.totals', 'total') },
          { fieldPath: 'calc', schemaFieldUrn: `urn:li:schemaField:(${chart},calc)` },
        ],
      },
      { urn: board, title: 'Board', owners: ['urn:li:corpuser:finance@shop.test'], inputs: [chart], fields: [] },
      { urn: report, title: null, owners: [], inputs: [dataset('core.totals'), board], fields: [] },
    ]);
    expect(lineage[0]).toEqual({
      upstreamUrn: dataset('core.orders'),
      downstreamUrn: dataset('core.totals'),
      fineGrainedLineages: [
        {
          upstreams: [field('core.orders', 'amount')],
          downstreams: [field('core.totals', 'total')],
          transformOperation: 'TRANSFORM',
        },
        {
          upstreams: [field('core.orders', 'day')],
          downstreams: [field('core.totals', 'day')],
          transformOperation: 'COPY: day',
        },
      ],
    });
    expect(lineage.slice(2, 4).map((one: { upstreamUrn: string }) => one.upstreamUrn)).toEqual([
      dataset('core.totals'),
      dataset('raw.fees'),
    ]);
    expect(described[0]).toMatchObject({ urn: dataset('core.totals'), owners: ['urn:li:corpGroup:finance'] });
    expect(described[1]).toEqual({
      urn: dataset('raw.orders'),
      schemaMetadata: {
        fields: [
          { fieldPath: 'amount', nativeDataType: 'int8' },
          { fieldPath: 'day', nativeDataType: 'int8' },
        ],
      },
    });
    expect(datahub.requests.filter((request) => request.includes('/dataset?'))).toHaveLength(4);
    const withoutJobs = JSON.parse((await exporter(command, ['--no-jobs'], settings(datahub))).output);
    expect(withoutJobs.lineage).toHaveLength(4);
    const withoutBoards = JSON.parse((await exporter(command, ['--no-dashboards'], settings(datahub))).output);
    expect(withoutBoards).toMatchObject({ lineage: { length: 6 }, exposures: [] });
  });

  it('is pushed, and answers what a column breaks across jobs and datasets', async () => {
    const file = path.join(folder, 'export.json');
    expect((await exporter(command, ['--output', file], settings(await api()))).code).toBe(0);
    const tributary = (...args: string[]) =>
      commandJson([...args, '--credentials', service.file, '--workspace', 'acme', '--connector', 'warehouse'], {
        folder,
      });
    const { delivery } = await tributary('push', 'datahub', file, '--source', 'nightly');
    expect(delivery).toMatchObject({ state: 'projected', invalid_item_count: 0, unresolved: {} });
    const below = async (...question: string[]) => {
      const { downstream } = await tributary('impact', ...question, '--direction', 'downstream');
      return downstream.map((one: { relation_ref: string; columns: string[] }) => [one.relation_ref, ...one.columns]);
    };
    expect(await below('analytics.raw.orders', '--column', 'amount')).toEqual([
      ['analytics.core.orders', 'amount'],
      ['analytics.core.totals', 'share', 'total'],
      [chart, 'Total %', 'calc'],
      [report, 'Total %', 'calc'],
      [board, 'Total %', 'calc'],
    ]);
    expect((await below('analytics.core.totals', '--column', 'total'))[0]).toEqual([chart, 'Total %', 'calc']);
    expect((await below('analytics.raw.rates')).map(([name]: string[]) => name)).toEqual([
      'analytics.core.rates',
      'analytics.core.totals',
      chart,
      report,
      board,
    ]);
  });

  it('repeats what is throttled or fails, and gives up with nothing written', async () => {
    const unsteady = await api(429, 503);
    expect((await exporter(command, [], settings(unsteady))).code).toBe(0);
    expect(unsteady.requests).toHaveLength(6);
    const file = path.join(folder, 'none.json');
    const down = await api(...Array.from({ length: 5 }, () => 429), 200);
    const { code, messages } = await exporter(command, ['--output', file], settings(down));
    expect([code, messages]).toEqual([5, expect.stringContaining('answered 429 after 5 attempts')]);
    expect(() => readFileSync(file)).toThrow();
  });

  it('says what to do if it is refused or finds no DataHub, and never shows the token', async () => {
    const datahub = await api();
    const no = async (env: Readonly<Record<string, string>>, ...args: string[]) => {
      const { code, output, messages } = await exporter(command, args, env);
      expect(output).toBe('');
      expect(messages).not.toMatch(/Traceback|wrong-token/);
      return [code, messages];
    };
    expect(await no(settings(datahub, 'wrong-token'))).toEqual([5, expect.stringContaining('DATAHUB_GMS_TOKEN')]);
    expect(await no(settings(datahub, ''))).toEqual([5, expect.stringContaining('asks for a token')]);
    const pages = { ...settings(datahub), DATAHUB_GMS_URL: datahub.url.replace('/gms', '') };
    expect(await no(pages)).toEqual([5, expect.stringContaining('name the metadata service')]);
    expect(await no({ DATAHUB_GMS_URL: '' })).toEqual([2, expect.stringContaining('--url http://localhost:8080')]);
    expect(await no(settings(datahub), '--page', '0')).toEqual([2, expect.stringContaining('from 1 to 5000')]);
  });

  it('gives its token to no other address that it is redirected to', async () => {
    const thief = await api();
    const moved = await startDatahubApi({ token, entities, redirect: thief.url.replace('/gms', '') });
    started.push(moved);
    const { code, messages } = await exporter(command, [], settings(moved));
    expect([code, messages, thief.requests]).toEqual([5, expect.stringContaining('which gets no token'), []]);
  });

  it('has the options that its document lists', async () => {
    const { helped, documented } = await optionsOf(command, 'exporters/datahub/README.md');
    expect(helped.length).toBeGreaterThan(0);
    expect(documented).toEqual(helped);
  });
});
