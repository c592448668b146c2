import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { App } from 'aws-cdk-lib/core';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { featureFlags } from '../../lib/feature-flags.ts';
import { readTenant, type Tenant } from '../../lib/tenant.ts';
import { tenantStacks } from '../../lib/tenant-stacks.ts';
import { merge } from '../../local/template/merge.ts';
import { Template as LocalTemplate, resourcesOf } from '../../local/template/template.ts';
import { eventColumns, landingColumns } from '../../shared/contract/lake.ts';
import { nodeWith } from '../support/cdk-context.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'iceberg-'));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (name: string, file: object): Tenant => {
  writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(file));
  return readTenant(nodeWith({ tenant: name }), folder);
};

// The rules of AwsSolutions check these resources in test/process/stack.test.ts, with all else that a tenant may choose.
function deployed(tenant: Tenant): readonly LocalTemplate[] {
  const context = { ...featureFlags, 'aws:cdk:disable-asset-staging': true };
  const outdir = path.join(folder, 'out');
  const app = new App({ analyticsReporting: false, builtinCloudFormationValidation: false, outdir, context });
  const stacks = tenantStacks(app, { tenant, bundleOf: () => folder });
  const synthesized = app.synth();
  return stacks.map(({ artifactId }) => v.parse(LocalTemplate, synthesized.getStackArtifact(artifactId).template));
}

const kmsKeyArn = 'arn:aws:kms:eu-west-1:111122223333:key/11111111-2222-3333-4444-555555555555';

let data: LocalTemplate;
let whole: Template;
beforeAll(() => {
  const stacks = deployed(read('acme-shop', { iceberg: {}, kmsKeyArn }));
  data = stacks[0] ?? data;
  whole = Template.fromJSON(merge(stacks));
});

const Field = v.object({ Id: v.number(), Name: v.string() });
const IcebergTable = v.object({
  Name: v.string(),
  DatabaseName: v.string(),
  OpenTableFormatInput: v.object({
    IcebergInput: v.object({
      IcebergTableInput: v.object({
        Schema: v.object({ Fields: v.array(Field) }),
        PartitionSpec: v.object({ Fields: v.array(v.object({ SourceId: v.number(), Transform: v.string() })) }),
      }),
    }),
  }),
});

/** A text of a schedule's input as EventBridge Scheduler fills it for a call; the values are those of its documentation. */
const filled = (text: string, call: { readonly time: string; readonly execution: string; readonly attempt: string }) =>
  text
    .replaceAll('<aws.scheduler.scheduled-time>', call.time)
    .replaceAll('<aws.scheduler.execution-id>', call.execution)
    .replaceAll('<aws.scheduler.attempt-number>', call.attempt);

describe('a tenant whose events go into Iceberg tables', () => {
  it('has the tables and the stream beside its other data, if they stay when the stack goes', () => {
    const remaining = ['AWS::KinesisFirehose::DeliveryStream', 'AWS::Glue::Database', 'AWS::Glue::Table'];
    const found = Object.values(data.Resources).filter(({ Type }) => remaining.includes(Type));
    expect(found.map(({ Type }) => Type).toSorted()).toEqual([...remaining, 'AWS::Glue::Table'].toSorted());
    // What has a fixed name goes with a first deployment that failed: the next one needs the name.
    for (const { Type, DeletionPolicy } of found)
      expect(DeletionPolicy).toBe(Type.startsWith('AWS::Glue') ? 'RetainExceptOnCreate' : 'Retain');
  });

  it('has a column for each that the stream is sent, and each that is stored, and partitions by the day of receipt', () => {
    const tables = resourcesOf(data, 'AWS::Glue::Table').map(([, { Properties }]) => v.parse(IcebergTable, Properties));
    const shapes = tables.map(({ Name, OpenTableFormatInput: { IcebergInput } }) => {
      const { Schema, PartitionSpec } = IcebergInput.IcebergTableInput;
      const [partition] = PartitionSpec.Fields;
      const by = Schema.Fields.find(({ Id }) => Id === partition?.SourceId)?.Name;
      return { Name, columns: Schema.Fields.map((field) => field.Name), by, transform: partition?.Transform };
    });
    expect(shapes).toEqual([
      { Name: 'landing', columns: landingColumns, by: 'received_date', transform: 'identity' },
      { Name: 'events', columns: eventColumns, by: 'received_at', transform: 'day' },
    ]);
    expect(new Set(tables.map(({ DatabaseName }) => DatabaseName))).toEqual(new Set(['tributary_acme_shop_iceberg']));
  });

  it('has a stream that appends to the landing table, encrypted, and keeps what it cannot deliver', () => {
    whole.hasResourceProperties('AWS::KinesisFirehose::DeliveryStream', {
      DeliveryStreamType: 'DirectPut',
      DeliveryStreamEncryptionConfigurationInput: { KeyARN: kmsKeyArn },
      IcebergDestinationConfiguration: {
        AppendOnly: true,
        DestinationTableConfigurationList: [
          { DestinationDatabaseName: 'tributary_acme_shop_iceberg', DestinationTableName: 'landing' },
        ],
        s3BackupMode: 'FailedDataOnly',
        S3Configuration: { ErrorOutputPrefix: 'undelivered/' },
      },
    });
  });

  it('lets only collect write to the stream, and passes it the name of the stream', () => {
    const [stream = ''] = Object.keys(whole.findResources('AWS::KinesisFirehose::DeliveryStream'));
    const policies = Object.entries(whole.findResources('AWS::IAM::Policy'));
    const putting = policies.filter(([, policy]) => JSON.stringify(policy).includes('firehose:'));
    expect(putting.map(([id]) => id)).toEqual([expect.stringMatching(/^FunctionsCollectRole/)]);
    expect(putting[0]?.[1]['Properties'].PolicyDocument.Statement).toContainEqual({
      Action: 'firehose:PutRecordBatch',
      Effect: 'Allow',
      Resource: { 'Fn::GetAtt': [stream, 'Arn'] },
    });
    const reported = Object.values(whole.findResources('AWS::Lambda::Function')).flatMap(({ Properties }) => {
      const { POWERTOOLS_SERVICE_NAME: name, EVENT_STREAM_NAME, COLLECTION_SINK } = Properties.Environment.Variables;
      return EVENT_STREAM_NAME ? [{ name, EVENT_STREAM_NAME, COLLECTION_SINK }] : [];
    });
    expect(reported).toEqual([{ name: 'collect', EVENT_STREAM_NAME: { Ref: stream }, COLLECTION_SINK: 'iceberg' }]);
  });

  it('merges each hour and forgets what landed each day, at other times, and quotes no name of a table', () => {
    const inputs = Object.values(whole.findResources('AWS::Scheduler::Schedule')).map(({ Properties }) => ({
      at: Properties.ScheduleExpression,
      ...JSON.parse(Properties.Target.Input),
    }));
    const statements = inputs.map(({ at, QueryString }) => [at, QueryString.split(' ').slice(0, 3).join(' ')]);
    expect(statements.toSorted()).toEqual([
      ['cron(0 * * * ? *)', 'MERGE INTO events'],
      ['cron(30 1 * * ? *)', 'DELETE FROM landing'],
    ]);
    for (const { WorkGroup } of inputs) expect(WorkGroup).toBe('tributary-acme-shop');
  });

  it('has Glue compact both tables, end their old versions and remove files that no version needs, under one role', () => {
    const optimizers = Object.values(whole.findResources('AWS::Glue::TableOptimizer')).map(
      ({ Properties }) => Properties,
    );
    expect(optimizers.map(({ TableName, Type }) => `${TableName} ${Type}`).toSorted()).toEqual(
      ['events', 'landing'].flatMap((table) =>
        ['compaction', 'orphan_file_deletion', 'retention'].map((type) => `${table} ${type}`),
      ),
    );
    const roles = new Set(optimizers.map(({ TableOptimizerConfiguration: { RoleArn } }) => RoleArn['Fn::GetAtt'][0]));
    const [role = ''] = roles;
    expect(roles.size).toBe(1);
    const policies = Object.values(whole.findResources('AWS::IAM::Policy')).filter(({ Properties }) =>
      Properties.Roles.some(({ Ref }: { Ref: string }) => Ref === role),
    );
    const granted = policies.flatMap(({ Properties }) =>
      Properties.PolicyDocument.Statement.flatMap(({ Action }: { Action: string | string[] }) => Action),
    );
    // "Table optimization prerequisites" of Glue's guide, and the customer's key.
    expect(granted).toEqual(
      expect.arrayContaining([
        ...['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:ListBucket', 'glue:GetTable', 'glue:UpdateTable'],
        ...['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents', 'kms:Decrypt', 'kms:GenerateDataKey'],
      ]),
    );
  });

  it.each(['a', 'a-name-of-thirty-characters-is'])(
    'gives Athena a token of 32 to 128 characters for each call, the same for a retry and another one for each time: %s',
    (name) => {
      const template = Template.fromJSON(merge(deployed(read(name, { iceberg: {} }))));
      const templates = Object.values(template.findResources('AWS::Scheduler::Schedule')).map(
        ({ Properties }) => JSON.parse(Properties.Target.Input).ClientRequestToken,
      );
      const calls = [
        { time: '2022-03-22T18:59:43Z', execution: 'd32c5kddcf5bb8c3', attempt: '1' },
        { time: '2022-03-22T18:59:43Z', execution: 'e32c5kddcf5bb8c4', attempt: '2' },
        { time: '2022-03-22T19:59:43Z', execution: 'f32c5kddcf5bb8c5', attempt: '1' },
      ];
      const tokens = templates.map((template) => calls.map((call) => filled(template, call)));
      expect(tokens).toHaveLength(2);
      expect(new Set(tokens.flat()).size).toBe(4);
      for (const [first, retry] of tokens) expect(retry).toBe(first);
      for (const token of tokens.flat()) expect(token).toMatch(/^.{32,128}$/);
    },
  );

  it('has a queue for the calls that Athena did not take, to which the role of each schedule may send', () => {
    const schedules = Object.values(whole.findResources('AWS::Scheduler::Schedule'));
    expect(schedules).toHaveLength(2);
    const queues = whole.findResources('AWS::SQS::Queue');
    const policies = Object.values(whole.findResources('AWS::IAM::Policy')).map(({ Properties }) => Properties);
    const alarms = Object.values(whole.findResources('AWS::CloudWatch::Alarm')).map(({ Properties }) => Properties);
    for (const { Properties } of schedules) {
      const { RoleArn, DeadLetterConfig, RetryPolicy } = Properties.Target;
      const [queue] = DeadLetterConfig.Arn['Fn::GetAtt'];
      const [role] = RoleArn['Fn::GetAtt'];
      expect(Object.keys(queues)).toContain(queue);
      const statements = policies
        .filter(({ Roles }) => Roles.some(({ Ref }: { Ref: string }) => Ref === role))
        .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
      expect(statements).toContainEqual({
        Action: 'sqs:SendMessage',
        Effect: 'Allow',
        Resource: { 'Fn::GetAtt': [queue, 'Arn'] },
      });
      const watching = alarms.filter(({ Dimensions }) => JSON.stringify(Dimensions ?? []).includes(`"${queue}"`));
      expect(watching.map(({ MetricName }) => MetricName)).toEqual(['ApproximateNumberOfMessagesVisible']);
      expect(RetryPolicy.MaximumEventAgeInSeconds).toBeGreaterThanOrEqual(60);
    }
  });

  it('rings when the stream could not deliver an event, and keeps such events for three months', () => {
    const [stream = ''] = Object.keys(whole.findResources('AWS::KinesisFirehose::DeliveryStream'));
    whole.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'AWS/Firehose',
      MetricName: 'DeliveryToIceberg.FailedRowCount',
      Dimensions: [{ Name: 'DeliveryStreamName', Value: { Ref: stream } }],
      AlarmActions: [{ Ref: Match.stringLikeRegexp('Topic') }],
    });
    whole.hasResourceProperties('AWS::S3::Bucket', {
      LifecycleConfiguration: {
        Rules: Match.arrayWith([{ ExpirationInDays: 90, Prefix: 'undelivered/', Status: 'Enabled' }]),
      },
    });
  });

  it('lets Athena look up the database `default`, as it does for every statement', () => {
    const statements = Object.values(whole.findResources('AWS::IAM::Policy')).flatMap(
      ({ Properties }) => Properties.PolicyDocument.Statement,
    );
    const looking = statements.filter(({ Resource }) => JSON.stringify(Resource).includes(':database/default"'));
    expect(looking.map(({ Action }) => Action)).toEqual(['glue:GetDatabase']);
    expect(JSON.stringify(looking)).toContain(':catalog"');
  });

  it('tells whom alarms report a statement that failed', () => {
    const [topic = ''] = Object.keys(whole.findResources('AWS::SNS::Topic'));
    whole.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: {
        source: ['aws.athena'],
        detail: { currentState: ['FAILED'], workgroupName: ['tributary-acme-shop'] },
      },
      Targets: [Match.objectLike({ Arn: { Ref: topic } })],
    });
  });
});

describe('the file of a tenant', () => {
  it('leads its events into the tables, or back into the lake, and keeps the tables', () => {
    expect(read('there', { iceberg: {} })).toMatchObject({
      iceberg: { dedupDays: 7 },
      settings: { COLLECTION_SINK: 'iceberg' },
    });
    const back = read('back', { iceberg: { dedupDays: 30 }, settings: { COLLECTION_SINK: 'lake' } });
    expect(back).toMatchObject({ iceberg: { dedupDays: 30 }, settings: { COLLECTION_SINK: 'lake' } });
  });

  it('is refused if its events go into tables that it does not have', () => {
    expect(() => read('none', { settings: { COLLECTION_SINK: 'iceberg' } })).toThrow('"iceberg": {}');
  });
});
