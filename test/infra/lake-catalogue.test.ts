import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { App, Stack } from 'aws-cdk-lib/core';
import fc from 'fast-check';
import * as v from 'valibot';
import { afterAll, describe, expect, it } from 'vitest';
import { LakeCatalogue } from '../../lib/lake-catalogue.ts';
import { eventLake } from '../../shared/adapters/s3/event-lake.ts';
import { CollectionEvent, RowOrigin } from '../../shared/contract/collection.ts';
import { CollectionProjectId, WorkspaceId } from '../../shared/contract/ids.ts';
import { compactedObjectKey, partitionNames, partitionOf } from '../../shared/contract/lake.ts';

const Column = v.object({ Name: v.string(), Type: v.string() });
const Table = v.object({
  PartitionKeys: v.array(Column),
  Parameters: v.record(
    v.string(),
    v.union([v.string(), v.object({ 'Fn::Join': v.tuple([v.literal(''), v.array(v.any())]) })]),
  ),
  StorageDescriptor: v.object({
    Columns: v.array(Column),
    SerdeInfo: v.object({ SerializationLibrary: v.string(), Parameters: v.record(v.string(), v.string()) }),
  }),
});

const outdir = mkdtempSync(path.join(tmpdir(), 'catalogue-'));
afterAll(() => rmSync(outdir, { recursive: true }));

function catalogued() {
  const stack = new Stack(new App({ analyticsReporting: false, outdir }), 'Lake');
  new LakeCatalogue(stack, 'Catalogue', { tenant: 'acme', lake: new Bucket(stack, 'Bucket') });
  const [table] = Object.values(Template.fromStack(stack).findResources('AWS::Glue::Table'));
  return v.parse(Table, table?.['Properties'].TableInput);
}

/** The key that the lake really writes to. */
async function publishedKey(partition: string): Promise<string> {
  const keys: string[] = [];
  const send = async ({ input }: { input: { Key: string } }) => void keys.push(input.Key);
  const lake = eventLake({ client: { send } as never, name: 'lake' });
  await lake.publish({ partition, runId: 'run' }, new Uint8Array());
  return keys.join();
}

describe('the table of the lake', () => {
  const table = catalogued();
  const parameter = (name: string) => {
    const value = table.Parameters[name];
    // The bucket's name is a reference, and stands before everything else.
    return typeof value === 'object' ? value['Fn::Join'][1].filter((part) => typeof part === 'string').join('') : value;
  };

  it('projects the partition of every moment to where its events are written, and then moved (C-LAKE-2, C-LAKE-5)', async () => {
    const folders = (parameter('projection.folder.values') ?? '').split(',');
    const moment = fc.date({
      min: new Date('2025-01-01T00:00:00Z'),
      max: new Date('2999-12-31T23:59:59Z'),
      noInvalidDate: true,
    });
    await fc.assert(
      fc.asyncProperty(moment, async (at) => {
        const origin = {
          workspace_id: v.parse(WorkspaceId, 'ws_1'),
          project_id: v.parse(CollectionProjectId, 'prj_1'),
          environment: 'prod',
          received_at: at.toISOString(),
        };
        const projected = (folder: string): Record<string, string> => ({
          folder,
          workspace: origin.workspace_id,
          project: origin.project_id,
          environment: origin.environment,
          // As projection writes them: UTC, `yyyy-MM-dd`, and two digits.
          date: at.toISOString().slice(0, 10),
          hour: String(at.getUTCHours()).padStart(Number(parameter('projection.hour.digits')), '0'),
        });
        const [events = '', compacted = ''] = folders.map((folder) =>
          (parameter('storage.location.template') ?? '')
            .replace(/\$\{(\w+)\}/g, (_, name) => projected(folder)[name] ?? '')
            .replace('s3:///', ''),
        );
        const partition = partitionOf(origin);
        expect(await publishedKey(partition)).toBe(`${events}run.ndjson.gz`);
        expect(compactedObjectKey({ partition, first: 'a', last: 'b' })).toBe(`${compacted}a_b.ndjson.zst`);
      }),
      { numRuns: 50 },
    );
  });

  it('says of each partition how its values are found, in the order of the path', () => {
    expect(table.PartitionKeys.map(({ Name }) => Name)).toEqual(['folder', ...partitionNames]);
    const types = table.PartitionKeys.map(({ Name }) => parameter(`projection.${Name}.type`));
    expect(types).toEqual(['enum', 'injected', 'injected', 'injected', 'date', 'integer']);
    expect(parameter('projection.folder.values')).toBe('events,compacted');
    expect(parameter('projection.enabled')).toBe('true');
    expect(parameter('projection.date.format')).toBe('yyyy-MM-dd');
    expect(parameter('projection.hour.range')).toBe('0,23');
  });

  it('has a column for each field of a row, except for the one that is a partition already', () => {
    const fields = [...Object.keys(CollectionEvent.entries), 'sent_at', ...Object.keys(RowOrigin.entries)];
    const columns = table.StorageDescriptor.Columns.map(({ Name }) => Name);
    const partitions: readonly string[] = partitionNames;
    expect(columns.toSorted()).toEqual(fields.filter((field) => !partitions.includes(field)).toSorted());
    expect(new Set(columns).size).toBe(columns.length);
  });

  it('tells keys of different case apart, and goes on past a line that is no JSON', () => {
    expect(table.StorageDescriptor.SerdeInfo).toEqual({
      SerializationLibrary: 'org.openx.data.jsonserde.JsonSerDe',
      Parameters: { 'case.insensitive': 'FALSE', 'ignore.malformed.json': 'TRUE' },
    });
    // A column whose name has capitals would never be found by a reader that tells them apart.
    expect(table.StorageDescriptor.Columns.filter(({ Name }) => Name !== Name.toLowerCase())).toEqual([]);
  });

  it('has a type if the contract fixes the form of a field, and text elsewhere', () => {
    const typed = table.StorageDescriptor.Columns.filter(({ Type }) => Type !== 'string');
    expect(Object.fromEntries(typed.map(({ Name, Type }) => [Name, Type]))).toEqual({
      groups: 'map<string,string>',
      received_at: 'timestamp',
      trusted: 'boolean',
    });
  });
});
