import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { App, Stack, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { featureFlags } from '../../lib/feature-flags.ts';
import { functionNames, functionSpecs, workerOf } from '../../lib/function-specs.ts';
import { defaultTenant, readTenant, type Tenant } from '../../lib/tenant.ts';
import { tenantStacks } from '../../lib/tenant-stacks.ts';
import { endpointsOf } from '../../local/gateway/route-tree.ts';
import { merge } from '../../local/template/merge.ts';
import { Template as LocalTemplate } from '../../local/template/template.ts';
import { functionNamed, wire, wired } from '../../local/template/wiring.ts';
import { lakeLeaseSeconds } from '../../shared/adapters/dynamodb/registry/rate-buckets.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { limits } from '../../shared/contract/limits.ts';
import { metricNames, metricNamespace, tenantDimension } from '../../shared/contract/metric-names.ts';
import type { Route } from '../../shared/contract/route.ts';
import { queueNames, urlFunctions, urlOutputs } from '../../shared/contract/stack-outputs.ts';
import { runLivesMs } from '../../shared/domain/events/compact/compact-lake.ts';
import { dueAfterBegin } from '../../shared/domain/lineage/ingest/deliveries/delivery.ts';
import { metrics } from '../../shared/runtime/logger.ts';
import { nodeWith } from '../support/cdk-context.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'stack-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** An app whose synthesis throws where it breaks a rule of AwsSolutions. */
function checkedApp(name: string): App {
  const context = { ...featureFlags, 'aws:cdk:disable-asset-staging': true };
  const app = new App({ analyticsReporting: false, outdir: path.join(folder, name), context });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return app;
}

const acme: Tenant = { ...defaultTenant('acme'), alarmEmail: 'ops@acme.test', tags: { team: 'data' } };

/** Both stacks of a tenant as they would be deployed, checked by the rules of AwsSolutions. */
function artifacts(name: string, tenant: Tenant) {
  const app = checkedApp(name);
  // Without an issuer it has its own user pool: the stacks with the most in them.
  const stacks = tenantStacks(app, { tenant, bundleOf: () => folder });
  const synthesized = app.synth();
  return stacks.map((stack) => synthesized.getStackArtifact(stack.artifactId));
}

/** The same, as templates. */
const deployed = (name: string, tenant: Tenant) =>
  artifacts(name, tenant).map(({ template }) => v.parse(LocalTemplate, template));

/** The bytes that are uploaded of each template. */
const uploaded = (name: string, tenant: Tenant) =>
  artifacts(name, tenant).map(({ templateFullPath }) => statSync(templateFullPath).size);

let stacks: ReturnType<typeof artifacts>;
let data: LocalTemplate;
let service: LocalTemplate;
/** Both as one. */
let template: Template;
beforeAll(() => {
  stacks = artifacts('tenant', acme);
  const [first, second] = stacks.map(({ template }) => v.parse(LocalTemplate, template));
  if (!first || !second) throw new Error('A tenant has two stacks.');
  [data, service] = [first, second];
  template = Template.fromJSON(merge([data, service]));
});

const resources = (type: string) => Object.entries(template.findResources(type));
const propertiesOf = (type: string) => resources(type).map(([id, { Properties }]) => ({ id, ...Properties }));

const AlarmProperties = v.object({
  MetricName: v.optional(v.string()),
  Metrics: v.optional(
    v.array(v.object({ MetricStat: v.optional(v.object({ Metric: v.object({ MetricName: v.string() }) })) })),
    [],
  ),
});

/** The names of the metrics that an alarm reads, its one or those of its expression. */
function metricsOf(alarm: unknown): string[] {
  const { MetricName, Metrics } = v.parse(AlarmProperties, alarm);
  const names = [MetricName, ...Metrics.map(({ MetricStat }) => MetricStat?.Metric.MetricName)];
  return names.filter((name) => name !== undefined);
}

describe('the rules of AwsSolutions', () => {
  // The stack above was synthesized under them.
  it('report a broken rule at its resource', () => {
    const app = checkedApp('planted');
    new Bucket(new Stack(app, 'Planted'), 'Open');
    expect(() => app.synth()).toThrow('AwsSolutions-S10');
  });
});

describe('the stacks of a tenant', () => {
  it('are of one tenant, by name and in every function', () => {
    template.resourceCountIs('AWS::Lambda::Function', functionNames.length);
    for (const { id, Environment } of propertiesOf('AWS::Lambda::Function'))
      expect(Environment.Variables.TENANT, id).toBe('acme');
  });

  it('has its own user pool if no issuer is named, whose tokens it takes (C-ADMIN-5)', () => {
    const [pool] = resources('AWS::Cognito::UserPool').map(([id]) => id);
    const issuers = propertiesOf('AWS::Lambda::Function').map(({ Environment }) => Environment.Variables.OIDC_ISSUER);
    const named = issuers.filter((issuer) => issuer !== undefined).map((issuer) => JSON.stringify(issuer));
    expect(named).not.toEqual([]);
    for (const issuer of named) expect(issuer).toContain(pool);
  });

  it('keeps every log for three months, each function’s apart', () => {
    for (const { id, RetentionInDays } of propertiesOf('AWS::Logs::LogGroup')) expect(RetentionInDays, id).toBe(90);
    const configurations = propertiesOf('AWS::Lambda::Function').map(({ LoggingConfig }) => LoggingConfig);
    expect(new Set(configurations.map(({ LogGroup }) => JSON.stringify(LogGroup))).size).toBe(functionNames.length);
    // Lambda's lines about successful runs are dropped, the functions' own lines are kept.
    for (const { SystemLogLevel, ApplicationLogLevel } of configurations)
      expect([SystemLogLevel, ApplicationLogLevel]).toEqual(['WARN', 'INFO']);
  });

  it('keeps data when it is deleted, restorable and encrypted', () => {
    for (const type of ['AWS::DynamoDB::Table', 'AWS::S3::Bucket'])
      for (const [id, one] of resources(type)) expect([id, one['DeletionPolicy']]).toEqual([id, 'Retain']);
    template.allResourcesProperties('AWS::DynamoDB::Table', {
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    });
    const recovered = (of: Template) =>
      Object.entries(of.findResources('AWS::DynamoDB::Table')).map(([id, { Properties }]) => [
        id.replace(/\w{8}$/, ''),
        Properties.TableClass,
        Properties.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled,
      ]);
    const ledger = ['StoresTablesEventLedger', 'STANDARD_INFREQUENT_ACCESS'];
    expect(recovered(template)).toEqual([
      ['StoresTablesMain', undefined, true],
      [...ledger, false],
    ]);
    const [chosen] = deployed('recovered', { ...acme, ledgerRecovery: true });
    expect(recovered(Template.fromJSON(chosen ?? {}))).toContainEqual([...ledger, true]);
    template.allResourcesProperties('AWS::S3::Bucket', {
      BucketEncryption: Match.anyValue(),
      PublicAccessBlockConfiguration: Match.objectLike({ BlockPublicAcls: true, RestrictPublicBuckets: true }),
    });
    template.allResourcesProperties('AWS::SQS::Queue', { SqsManagedSseEnabled: true });
    template.resourcePropertiesCountIs('AWS::SQS::Queue', { MessageRetentionPeriod: 1_209_600 }, 2 * queueNames.length);
  });

  it('feeds its workers from queues with dead letters, by bounded and partly failing batches', () => {
    template.resourcePropertiesCountIs(
      'AWS::SQS::Queue',
      { RedrivePolicy: Match.objectLike({ maxReceiveCount: 5 }) },
      queueNames.length,
    );
    template.resourceCountIs('AWS::Lambda::EventSourceMapping', queueNames.length);
    template.allResourcesProperties('AWS::Lambda::EventSourceMapping', {
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: Match.anyValue() },
    });
  });

  it('ends a run of store-events before it is treated as dead, and the compactor before its lease does', () => {
    expect(functionSpecs['store-events'].timeoutSeconds * 1_000).toBeLessThan(runLivesMs / 2);
    expect(functionSpecs.compactor.timeoutSeconds).toBeLessThanOrEqual(lakeLeaseSeconds);
  });

  it('hands store-events no more than it stores in a third of its time, on the processor that its memory buys', () => {
    // Measured by bench/backlog, of batches as a shop's pages send them.
    const processorSecondsAnEvent = 600e-6;
    const { memoryMiB, timeoutSeconds } = functionSpecs['store-events'];
    const sizes = propertiesOf('AWS::Lambda::EventSourceMapping').map(({ BatchSize }) => BatchSize);
    const seconds = (Math.max(...sizes) * limits.collection.events.max * processorSecondsAnEvent) / (memoryMiB / 1_769);
    expect(seconds).toBeLessThan(timeoutSeconds / 3);
    expect(sizes.toSorted((a, b) => a - b)).toEqual([1, 1, 10, 10, 200]);
  });

  it('keeps a flood of events from lineage and reads: queue, worker, table of writes and numbers are its own', () => {
    const collecting = ['collect', 'store-events'] as const;
    for (const name of functionNames)
      expect([name, functionSpecs[name].sends?.includes('events') ?? false]).toEqual([name, name === 'collect']);
    expect(workerOf('events')).toBe('store-events');
    // Collection reads keys in the main table; its worker reads a plan there, and keeps what webhooks are to be told.
    expect(functionSpecs.collect.table?.filter((action) => !/Get|Query/.test(action))).toEqual([]);
    expect(functionSpecs['store-events'].table).toEqual(['GetItem', 'PutItem', 'DeleteItem']);
    for (const name of collecting) expect(functionSpecs[name].eventLedger, name).toBeDefined();
  });

  it('runs as many workers as the tenant says, takes as many requests, and warms its tables for as much', () => {
    const concurrency = { events: 3, projection: 4, documents: 2 };
    const warmThroughput = { main: { reads: 20_000, writes: 10_000 }, eventLedger: { reads: 12_000, writes: 30_000 } };
    const tenant = { ...acme, name: 'chosen', concurrency, warmThroughput, throttle: { rate: 50, burst: 70 } };
    const chosen = Template.fromJSON(merge(deployed('chosen', tenant)));
    const mappings = Object.values(chosen.findResources('AWS::Lambda::EventSourceMapping'));
    const most = mappings.map(({ Properties }) => Properties.ScalingConfig.MaximumConcurrency);
    expect(most).toEqual(expect.arrayContaining(Object.values(concurrency)));
    const units = (reads: number, writes: number) => ({ ReadUnitsPerSecond: reads, WriteUnitsPerSecond: writes });
    const warmed = Object.values(chosen.findResources('AWS::DynamoDB::Table')).map(({ Properties }) => [
      Properties.WarmThroughput,
      ...(Properties.GlobalSecondaryIndexes ?? []).map((index: { WarmThroughput: object }) => index.WarmThroughput),
    ]);
    expect(warmed).toEqual([Array.from({ length: 3 }, () => units(20_000, 10_000)), [units(12_000, 30_000)]]);
    chosen.hasResourceProperties('AWS::ApiGateway::Stage', {
      MethodSettings: Match.arrayWith([Match.objectLike({ ThrottlingRateLimit: 50, ThrottlingBurstLimit: 70 })]),
    });
  });

  it('bounds the requests of all callers, also of a tenant that chooses nothing', () => {
    template.hasResourceProperties('AWS::ApiGateway::Stage', {
      MethodSettings: [
        Match.objectLike({ ResourcePath: '/*', ThrottlingRateLimit: 1_000, ThrottlingBurstLimit: 2_000 }),
      ],
    });
  });

  it.each([
    [10, {}, [2, 2, 2, 2, 2]],
    [50, {}, [2, 2, 2, 3, 6]],
    [1_000, {}, [4, 4, 5, 10, 20]],
    [10, { projection: 8 }, [2, 2, 2, 2, 8]],
  ])(
    'runs fewer workers in an account of %i functions at once, unless the tenant says how many',
    (accountConcurrency, concurrency, caps) => {
      const [, service] = deployed('account', { ...acme, accountConcurrency, concurrency });
      const mappings = Object.values(Template.fromJSON(service ?? {}).findResources('AWS::Lambda::EventSourceMapping'));
      const most = mappings.map(({ Properties }) => Properties.ScalingConfig.MaximumConcurrency);
      expect(most.toSorted((a, b) => a - b)).toEqual(caps);
    },
  );

  it('keeps invocations for collect and ingest if the tenant says so, and for no function otherwise', () => {
    const reserved = (of: Template) =>
      Object.values(of.findResources('AWS::Lambda::Function')).flatMap(({ Properties }) =>
        Properties.ReservedConcurrentExecutions === undefined
          ? []
          : [[Properties.Description, Properties.ReservedConcurrentExecutions]],
      );
    expect(reserved(template)).toEqual([]);
    const [, service] = deployed('reserved', { ...acme, reservedConcurrency: { collect: 50, ingest: 20 } });
    expect(reserved(Template.fromJSON(service ?? {}))).toEqual([
      ['Tributary acme: collect', 50],
      ['Tributary acme: ingest', 20],
    ]);
  });

  it('hides a message six times as long as its worker may run', () => {
    const waits = propertiesOf('AWS::SQS::Queue').flatMap((queue) =>
      'RedrivePolicy' in queue ? queue.VisibilityTimeout : [],
    );
    const times = queueNames.map((name) => functionSpecs[workerOf(name)].timeoutSeconds);
    const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b);
    expect(sorted(waits)).toEqual(sorted(times.map((seconds) => seconds * 6)));
  });

  it('lets a worker run out before its delivery is sent again', () => {
    const start = new Date(0);
    const lease = Date.parse(dueAfterBegin(start)) / 1_000;
    expect(lease).toBeGreaterThan(functionSpecs.projector.timeoutSeconds);
  });

  it('alarms on what fails, waits, is throttled or falls silent, each with its section of the runbook', () => {
    const alarms = propertiesOf('AWS::CloudWatch::Alarm');
    const counts: Record<string, number> = {};
    for (const name of alarms.flatMap(metricsOf)) counts[name] = (counts[name] ?? 0) + 1;
    expect(counts).toEqual({
      // Also of the calls that schedules missed.
      ApproximateNumberOfMessagesVisible: queueNames.length + 1,
      ApproximateAgeOfOldestMessage: queueNames.length,
      // Of those that a queue feeds, and of rounds of the canary.
      Errors: queueNames.length + 1,
      Throttles: 4,
      Invocations: 1,
      '5XXError': 1,
      [metricNames.internalError]: 1,
      [metricNames.unavailable]: 1,
      [metricNames.deliveryFailed]: 1,
      [metricNames.projectionLag]: 1,
      [metricNames.orderNotCollected]: 1,
    });
    const sections = new Set(alarms.map(({ AlarmDescription }) => AlarmDescription.split('#')[1]));
    const runbook = readFileSync(path.resolve(import.meta.dirname, '..', '..', 'docs', 'runbook.md'), 'utf8');
    const headings = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    );
    expect(headings).toEqual(expect.arrayContaining([...sections]));
  });

  it('watches what costs three dollars a month at most, and shows what costs nothing', () => {
    // Ten cents for each metric of an alarm, and a page of 50 metrics is free.
    const watched = propertiesOf('AWS::CloudWatch::Alarm').flatMap(metricsOf);
    expect(watched.length).toBeLessThanOrEqual(30);
    const [page] = propertiesOf('AWS::CloudWatch::Dashboard');
    const shown = JSON.stringify(page?.DashboardBody).match(/\\"AWS\/[A-Za-z]+\\",|\\"Tributary\\",/g) ?? [];
    expect(shown.length).toBeGreaterThan(30);
    expect(shown.length).toBeLessThanOrEqual(50);
  });

  it('has one alarm on each own metric for all functions, by the dimension that they publish', () => {
    const own = propertiesOf('AWS::CloudWatch::Alarm').filter(({ Namespace }) => Namespace === metricNamespace);
    for (const { id, Dimensions } of own) expect(Dimensions, id).toEqual([{ Name: tenantDimension, Value: 'acme' }]);
    // Powertools prints what it publishes.
    metrics.addMetric(metricNames.internalError, 'Count', 1);
    const [definition] = metrics.serializeMetrics()._aws.CloudWatchMetrics;
    metrics.clearMetrics();
    expect(definition?.Dimensions).toEqual([[tenantDimension]]);
  });

  it('reports every alarm by one topic, which writes to whom the tenant names', () => {
    const topics = resources('AWS::SNS::Topic').map(([id]) => ({ Ref: id }));
    expect(topics).toHaveLength(1);
    for (const { id, AlarmActions, OKActions } of propertiesOf('AWS::CloudWatch::Alarm'))
      expect([AlarmActions, OKActions], id).toEqual([topics, topics]);
    template.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'ops@acme.test' });
  });

  it('rings if the sweep or the canary is silent, and nowhere else for want of figures', () => {
    const silent = propertiesOf('AWS::CloudWatch::Alarm').filter(
      ({ TreatMissingData }) => TreatMissingData === 'breaching',
    );
    expect(silent.map(({ MetricName, ComparisonOperator }) => [MetricName, ComparisonOperator])).toEqual([
      ['Invocations', 'LessThanThreshold'],
      ['Errors', 'GreaterThanThreshold'],
    ]);
  });

  it('lets a worker send to its own queue for as long as it takes, and no other function', () => {
    const allowed = propertiesOf('AWS::Lambda::Function').filter(({ RecursiveLoop }) => RecursiveLoop === 'Allow');
    expect(allowed.map(({ Description }) => Description).toSorted()).toEqual([
      'Tributary acme: document-projector',
      'Tributary acme: notifier',
      'Tributary acme: projector',
      'Tributary acme: pull-requests',
    ]);
  });

  it('is tagged for the bill, refuses to be deleted, and keeps every version of raw bytes for a while', () => {
    for (const { id, Tags, DeletionProtectionEnabled } of propertiesOf('AWS::DynamoDB::Table')) {
      expect(DeletionProtectionEnabled, id).toBe(true);
      expect(Tags, id).toEqual([
        { Key: 'team', Value: 'data' },
        { Key: 'tributary:tenant', Value: 'acme' },
      ]);
    }
    template.resourcePropertiesCountIs('AWS::S3::Bucket', { VersioningConfiguration: { Status: 'Enabled' } }, 2);
    for (const [id, queue] of resources('AWS::SQS::Queue'))
      expect([id, queue['DeletionPolicy']]).toEqual([id, id.startsWith('Schedules') ? 'Delete' : 'Retain']);
    for (const { DeletionProtection } of propertiesOf('AWS::Cognito::UserPool'))
      expect(DeletionProtection).toBe('ACTIVE');
  });

  it('lets a function do nothing to everything', () => {
    const statements = propertiesOf('AWS::IAM::Policy').flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    expect(statements.filter(({ Resource }) => [Resource].flat().includes('*'))).toEqual([]);
    expect(statements.flatMap(({ Action }) => Action).filter((action: string) => action.includes('*'))).toEqual([]);
  });

  it('wakes each task of the sweep, the compactor and the canary, by one rule for each rate', () => {
    const rules = propertiesOf('AWS::Events::Rule').map(({ ScheduleExpression, Targets }) => [
      ScheduleExpression,
      Targets.map(({ Input }: { Input: string }) => Input),
    ]);
    expect(Object.fromEntries(rules)).toEqual({
      'rate(1 minute)': ['{"task":"due"}'],
      'rate(5 minutes)': ['{"task":"gaps"}', '{}'],
      'rate(15 minutes)': ['{"task":"garbage"}', '{"task":"checks"}', '{"task":"payloads"}', '{"task":"names"}'],
      'rate(1 hour)': ['{}'],
    });
  });

  it('drops a call that waited until the next one, repeats none, and keeps what was missed for somebody to see', () => {
    const [queue = ''] = resources('AWS::SQS::Queue').flatMap(([id]) => (id.startsWith('Schedules') ? [id] : []));
    const arn = { 'Fn::GetAtt': [queue, 'Arn'] };
    for (const { Targets } of propertiesOf('AWS::Events::Rule'))
      for (const { DeadLetterConfig, RetryPolicy } of Targets) {
        expect(DeadLetterConfig).toEqual({ Arn: arn });
        expect(RetryPolicy).toMatchObject({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: expect.any(Number) });
      }
    const limits = propertiesOf('AWS::Lambda::EventInvokeConfig').map(
      ({ MaximumEventAgeInSeconds, MaximumRetryAttempts, DestinationConfig }) => [
        MaximumEventAgeInSeconds,
        MaximumRetryAttempts,
        DestinationConfig?.OnFailure.Destination,
      ],
    );
    // The canary has its own alarm, which does not ring at one failed round.
    expect(limits.toSorted(([a], [b]) => a - b)).toEqual([
      [60, 0, arn],
      [300, 0, undefined],
      [3_600, 0, arn],
    ]);
  });

  it('does not ring at one response in a hundred with 5xx, and soon if they go on', () => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: '5XXError',
      Period: 60,
      EvaluationPeriods: 5,
      DatapointsToAlarm: 2,
      Threshold: 0.01,
    });
  });
});

describe('the stage of the API', () => {
  it('waits until its functions may be called, and logs into a group that does not stay for ever', () => {
    const raw = v.parse(v.object({ Resources: v.record(v.string(), Dependent) }), stacks[1]?.template).Resources;
    const [stage] = Object.values(raw).filter(({ Type }) => Type === 'AWS::ApiGateway::Stage');
    const permissions = propertiesOf('AWS::Lambda::Permission').flatMap(({ id, Principal }) =>
      Principal === 'apigateway.amazonaws.com' ? [id] : [],
    );
    const logs = propertiesOf('AWS::Logs::LogGroup').flatMap(({ id, LogGroupName }) => (LogGroupName ? [id] : []));
    expect(permissions.length).toBeGreaterThan(10);
    expect(logs).toHaveLength(1);
    expect(stage?.DependsOn).toEqual(expect.arrayContaining([...permissions, ...logs]));
  });
});

describe('a web ACL', () => {
  it('stands before the stage of the API if the tenant names one', () => {
    const webAclArn = 'arn:aws:wafv2:eu-west-1:111122223333:regional/webacl/name/id';
    const [, service] = deployed('guarded', { ...acme, webAclArn });
    Template.fromJSON(service ?? {}).hasResourceProperties('AWS::WAFv2::WebACLAssociation', {
      WebACLArn: webAclArn,
      ResourceArn: { 'Fn::Join': ['', Match.arrayWith([{ Ref: Match.stringLikeRegexp('DeploymentStagelive') }])] },
    });
    template.resourceCountIs('AWS::WAFv2::WebACLAssociation', 0);
  });
});

const stateful = [
  'AWS::DynamoDB::Table',
  'AWS::S3::Bucket',
  'AWS::SQS::Queue',
  'AWS::Cognito::UserPool',
  'AWS::Cognito::UserPoolDomain',
  'AWS::Backup::BackupVault',
];
const Dependent = v.object({ Type: v.string(), DependsOn: v.optional(v.union([v.string(), v.array(v.string())])) });
const Kept = v.object({
  Type: v.string(),
  DeletionPolicy: v.optional(v.string()),
  UpdateReplacePolicy: v.optional(v.string()),
});
const idsIn = ({ Resources }: LocalTemplate, types: readonly string[]) =>
  Object.entries(Resources).flatMap(([id, { Type }]) => (types.includes(Type) ? [id] : []));

const kmsKeyArn = 'arn:aws:kms:eu-west-1:111122223333:key/11111111-2222-3333-4444-555555555555';
const certificateArn = 'arn:aws:acm:eu-west-1:111122223333:certificate/11111111-2222-3333-4444-555555555555';
const domain = { name: 'lineage.acme.test', certificateArn, hostedZone: { id: 'Z123', name: 'acme.test' } };

const Woken = v.object({
  ScheduleExpression: v.optional(v.string()),
  Targets: v.array(v.object({ Arn: v.string() })),
});

describe('a tenant that chooses all there is', () => {
  const chosen: Tenant = {
    ...acme,
    kmsKeyArn,
    domain,
    backup: { keepDays: 90 },
    iceberg: { dedupDays: 7 },
    rollout: 'Canary10Percent5Minutes',
    webAclArn: 'arn:aws:wafv2:eu-west-1:111122223333:regional/webacl/name/id',
    monthlyBudget: 40,
    tracedShare: 0.01,
    reservedConcurrency: { collect: 50, ingest: 20 },
    functionUrls: ['collect', 'ingest'],
  };
  let stacks: LocalTemplate[];
  let whole: LocalTemplate;
  let all: Template;
  beforeAll(() => {
    stacks = deployed('chosen-all', chosen);
    whole = merge(stacks);
    all = Template.fromJSON(whole);
  });
  const propertiesIn = (type: string) =>
    Object.entries(all.findResources(type)).map(([id, { Properties }]) => ({ id, ...Properties }));

  it('has its data under the logical ids of one that chooses nothing, so that each can be chosen later', () => {
    expect(idsIn(stacks[0] ?? whole, stateful)).toEqual(expect.arrayContaining(idsIn(data, stateful)));
    // CloudFormation takes 500 in a stack, and a template of a megabyte.
    for (const one of stacks) expect(Object.keys(one.Resources).length).toBeLessThanOrEqual(290);
    const [dataBytes, serviceBytes] = uploaded('uploaded-all', chosen);
    expect(serviceBytes).toBeLessThan(340_000);
    // `admin offboard` updates the data stack with a template in the request, which takes 51,200 bytes.
    expect(dataBytes).toBeLessThan(51_200);
  });

  it('lets anybody call the live version of the intake functions at their URLs, and those of others have none', () => {
    template.resourceCountIs('AWS::Lambda::Url', 0);
    const urls = propertiesIn('AWS::Lambda::Url');
    expect(urls.map(({ AuthType, Qualifier }) => [AuthType, Qualifier])).toEqual([
      ['NONE', 'live'],
      ['NONE', 'live'],
    ]);
    const open = propertiesIn('AWS::Lambda::Permission').filter(({ Principal }) => Principal === '*');
    const allowed = open.map(({ Action, FunctionUrlAuthType, InvokedViaFunctionUrl }) => [
      Action,
      FunctionUrlAuthType ?? InvokedViaFunctionUrl,
    ]);
    // Lambda refuses a URL whose function has only one of them, and the second must allow nothing but URLs.
    expect(allowed.toSorted()).toEqual([
      ['lambda:InvokeFunction', true],
      ['lambda:InvokeFunction', true],
      ['lambda:InvokeFunctionUrl', 'NONE'],
      ['lambda:InvokeFunctionUrl', 'NONE'],
    ]);
    const places = Object.values(urlOutputs).map((name) => all.findOutputs(name)[name]?.['Value']);
    expect(places).toEqual(urls.map(({ id }) => ({ 'Fn::GetAtt': [id, 'FunctionUrl'] })));
  });

  it('sends the canary to the URLs, and rings if a function fails if no gateway sees it', () => {
    const canary = propertiesIn('AWS::Lambda::Function').find(({ Description }) => Description.endsWith(': canary'));
    const [collect, ingest] = propertiesIn('AWS::Lambda::Url').map(({ id }) => ({ 'Fn::GetAtt': [id, 'FunctionUrl'] }));
    expect(canary?.Environment.Variables).toMatchObject({ COLLECT_URL: collect, INGEST_URL: ingest });
    const alarms = (of: Template) => Object.keys(of.findResources('AWS::CloudWatch::Alarm')).join(' ');
    expect(alarms(all)).toMatch(/AlarmscollectErrors.*AlarmsingestErrors/);
    expect(alarms(template)).not.toMatch(/Alarms(collect|ingest)Errors/);
  });

  it('gives no function a URL that serves a route with parameters, which a URL cannot read', () => {
    const behind = Object.values(routes).filter((route: Route) => urlFunctions.some((name) => name === route.function));
    expect(behind.length).toBeGreaterThan(5);
    expect(behind.filter(({ path }) => path.includes('{'))).toEqual([]);
  });

  it('traces a share of the API requests, if others trace nothing', () => {
    expect(resources('AWS::XRay::SamplingRule')).toEqual([]);
    for (const { TracingConfig } of propertiesOf('AWS::Lambda::Function')) expect(TracingConfig).toBeUndefined();
    const [rule] = propertiesIn('AWS::XRay::SamplingRule').map(({ SamplingRule }) => SamplingRule);
    const [api] = propertiesIn('AWS::ApiGateway::RestApi').map(({ Name }) => Name);
    const [stage] = propertiesIn('AWS::ApiGateway::Stage').map(({ StageName }) => StageName);
    expect(rule).toMatchObject({ ServiceName: `${api}/${stage}`, FixedRate: 0.01, ReservoirSize: 0 });
    const functions = propertiesIn('AWS::Lambda::Function').filter(({ TracingConfig }) => TracingConfig);
    const untraced = functions.filter(({ TracingConfig }) => TracingConfig.Mode === 'PassThrough');
    expect(untraced.map(({ Description }) => Description).toSorted()).toEqual([
      'Tributary acme: canary',
      'Tributary acme: compactor',
      'Tributary acme: document-projector',
      'Tributary acme: notifier',
      'Tributary acme: projector',
      'Tributary acme: pull-requests',
      'Tributary acme: store-events',
      'Tributary acme: sweep',
    ]);
    expect(functions.length).toBeGreaterThan(untraced.length);
    const statements = propertiesIn('AWS::IAM::Policy').flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    const wide = statements.filter(({ Resource }) => [Resource].flat().includes('*'));
    expect([...new Set(wide.flatMap(({ Action }) => Action))].toSorted()).toEqual([
      'xray:PutTelemetryRecords',
      'xray:PutTraceSegments',
    ]);
  });

  it('has tables, buckets and queues under its key, which functions use only through these', () => {
    all.allResourcesProperties('AWS::DynamoDB::Table', {
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: kmsKeyArn },
    });
    all.resourcePropertiesCountIs('AWS::SQS::Queue', { KmsMasterKeyId: kmsKeyArn }, 2 * queueNames.length);
    const encrypted = propertiesIn('AWS::S3::Bucket').filter(({ BucketEncryption }) =>
      JSON.stringify(BucketEncryption).includes(kmsKeyArn),
    );
    expect(encrypted.map(({ id }) => id)).toEqual([expect.stringContaining('Raw'), expect.stringContaining('Lake')]);
    const using = propertiesIn('AWS::IAM::Policy').flatMap(({ id, PolicyDocument }) =>
      PolicyDocument.Statement.filter(({ Resource }: { Resource: unknown }) => Resource === kmsKeyArn).map(
        ({ Action, Condition }: { Action: string | string[]; Condition?: object }) => ({ id, Action, Condition }),
      ),
    );
    const through = using.filter(({ Condition }) => Condition !== undefined);
    expect(through.filter(({ id }) => id.startsWith('Functions')).length).toBe(functionNames.length - 1);
    expect(through.map(({ id }) => id).filter((id) => id.startsWith('FunctionsWebRole'))).toEqual([]);
    for (const { Action, Condition, id } of through)
      expect({ Action, Condition }, id).toEqual({
        Action: ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey'],
        Condition: { StringEquals: { 'kms:ViaService': expect.objectContaining({ length: 3 }) } },
      });
    // Lambda reads the queues itself.
    const direct = using.filter(({ Condition }) => Condition === undefined);
    expect(new Set(direct.flatMap(({ Action }) => Action))).toEqual(new Set(['kms:Decrypt']));
    expect(direct.length).toBe(queueNames.length);
  });

  it('has a copy of tables and buckets each night, which outlives them and nobody deletes before its time', () => {
    const rules = new Map(
      propertiesIn('AWS::Backup::BackupPlan').map(({ id, BackupPlan }) => [id, BackupPlan.BackupPlanRule]),
    );
    const copies = propertiesIn('AWS::Backup::BackupSelection').map(({ BackupPlanId, BackupSelection }) => ({
      rule: rules.get(BackupPlanId['Fn::GetAtt'][0])[0],
      of: BackupSelection.Resources.map(
        (arn: { 'Fn::GetAtt': [string] }) => whole.Resources[arn['Fn::GetAtt'][0]]?.Type,
      ),
    }));
    const [tables, buckets] = copies.toSorted((one) => (one.of.includes('AWS::DynamoDB::Table') ? -1 : 1));
    // A copy of the claims of 400 days each night would cost more than all else.
    expect(tables?.of).toEqual(['AWS::DynamoDB::Table']);
    expect(buckets?.of).toEqual(['AWS::S3::Bucket', 'AWS::S3::Bucket']);
    for (const { rule } of copies) expect(rule.Lifecycle).toEqual({ DeleteAfterDays: 90 });
    // A copy of a table that starts late still starts before those of the buckets.
    const hourOf = ({ ScheduleExpression = '' }) => Number(/^cron\(0 (\d+) /.exec(ScheduleExpression)?.[1]);
    expect(hourOf(tables?.rule) + tables?.rule.StartWindowMinutes / 60).toBeLessThanOrEqual(hourOf(buckets?.rule));
    all.hasResource('AWS::Backup::BackupVault', {
      DeletionPolicy: 'RetainExceptOnCreate',
      Properties: Match.objectLike({ EncryptionKeyArn: kmsKeyArn }),
    });
    const [selected] = propertiesIn('AWS::Backup::BackupPlan').flatMap(
      ({ BackupPlan }) => BackupPlan.BackupPlanRule[0].TargetBackupVault['Fn::GetAtt'] ?? [],
    );
    const vault = propertiesIn('AWS::Backup::BackupVault').find(({ id }) => id === selected);
    expect(vault?.EncryptionKeyArn).toBe(kmsKeyArn);
    expect(JSON.stringify(vault?.AccessPolicy)).toContain('backup:DeleteRecoveryPoint');
    // AWS Backup refuses a bucket without versions.
    const copied = propertiesIn('AWS::S3::Bucket').filter(({ id }) => !id.includes('AccessLogs'));
    for (const { id, VersioningConfiguration } of copied)
      expect([id, VersioningConfiguration]).toEqual([id, { Status: 'Enabled' }]);
  });

  it('notifies of jobs of AWS Backup that fail, are stopped, or do not start within their window', () => {
    const patterns = propertiesIn('AWS::Events::Rule').flatMap(({ EventPattern: pattern }) =>
      pattern?.source?.[0] === 'aws.backup' ? [pattern] : [],
    );
    const [backups, restores] = patterns.toSorted((one) => (one['detail-type'][0].startsWith('Backup') ? -1 : 1));
    expect(backups).toMatchObject({ 'detail-type': ['Backup Job State Change'] });
    expect(restores).toMatchObject({ 'detail-type': ['Restore Job State Change'] });
    const ended = ['FAILED', 'ABORTED'];
    expect([backups.detail.state, restores.detail.status]).toEqual([[...ended, 'EXPIRED'], ended]);
    // Each store that a plan copies, and no other of the account.
    expect(backups.detail.resourceArn.length).toBe(3);
  });

  it('answers at its own name, where people sign in and the canary asks', () => {
    all.hasResourceProperties('AWS::ApiGateway::DomainName', {
      DomainName: domain.name,
      RegionalCertificateArn: certificateArn,
      SecurityPolicy: 'TLS_1_2',
      EndpointConfiguration: { Types: ['REGIONAL'] },
    });
    all.hasResourceProperties('AWS::Route53::RecordSet', { HostedZoneId: 'Z123', Name: `${domain.name}.`, Type: 'A' });
    all.hasResourceProperties('AWS::Cognito::UserPoolClient', {
      CallbackURLs: Match.arrayWith([Match.stringLikeRegexp(`^https://${domain.name}/`)]),
    });
    expect(whole.Outputs['ApiUrl']?.Value).toBe(`https://${domain.name}/`);
    const urls = propertiesIn('AWS::Lambda::Function').map(({ Environment }) => Environment.Variables.API_URL);
    expect(urls.filter(Boolean)).toEqual([`https://${domain.name}/`]);
  });

  it('signs people of its directory in only by an authorization code, and says of no name whether it exists', () => {
    all.hasResourceProperties('AWS::Cognito::UserPoolClient', {
      AllowedOAuthFlows: ['code'],
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthScopes: ['openid', 'email'],
      ExplicitAuthFlows: ['ALLOW_USER_SRP_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
      PreventUserExistenceErrors: 'ENABLED',
    });
  });

  it('is invoked only through aliases, which roll back if an alarm rings', () => {
    all.resourceCountIs('AWS::Lambda::Alias', functionNames.length);
    all.resourceCountIs('AWS::CodeDeploy::DeploymentGroup', functionNames.length);
    const aliases = Object.keys(all.findResources('AWS::Lambda::Alias'));
    const askers = ['AWS::Lambda::EventSourceMapping', 'AWS::ApiGateway::Stage', 'AWS::Events::Rule'];
    // A rule of a pattern wakes no function.
    const asking = askers.flatMap(propertiesIn).filter(({ EventPattern }) => EventPattern === undefined);
    for (const { id, ...properties } of asking)
      expect(
        aliases.some((alias) => JSON.stringify(properties).includes(`{"Ref":"${alias}"}`)),
        id,
      ).toBe(true);
    for (const { id, AlarmConfiguration, AutoRollbackConfiguration, DeploymentConfigName } of propertiesIn(
      'AWS::CodeDeploy::DeploymentGroup',
    )) {
      expect(AlarmConfiguration.Alarms, id).toHaveLength(4);
      expect(AutoRollbackConfiguration.Events, id).toContain('DEPLOYMENT_STOP_ON_ALARM');
      expect(DeploymentConfigName).toBe('CodeDeployDefault.LambdaCanary10Percent5Minutes');
    }
  });

  it('is wired on a laptop as one that chooses nothing is', () => {
    const routed = (of: LocalTemplate) => {
      // Of a laptop the issuer is another one.
      const Resources = Object.entries(of.Resources).filter(([, { Type }]) => !Type.startsWith('AWS::Cognito'));
      const wiring = wire({ ...of, Resources: Object.fromEntries(Resources) }, 'http://queues.test');
      return {
        endpoints: endpointsOf(wiring),
        fed: wired(wiring, 'AWS::Lambda::EventSourceMapping', v.object({ FunctionName: v.string() })).map(
          ({ properties }) => functionNamed(properties.FunctionName),
        ),
        woken: wired(wiring, 'AWS::Events::Rule', Woken).flatMap(({ properties }) =>
          properties.ScheduleExpression ? [properties.Targets.map(({ Arn }) => functionNamed(Arn))] : [],
        ),
      };
    };
    expect(routed(whole)).toEqual(routed(merge([data, service])));
  });

  it('outputs the target of its name if another account has the zone', () => {
    const { hostedZone: _, ...elsewhere } = domain;
    const [, reported] = deployed('elsewhere', { ...acme, domain: elsewhere });
    expect(reported?.Outputs['DomainTarget']?.Value).toEqual({
      'Fn::GetAtt': [expect.anything(), 'RegionalDomainName'],
    });
    Template.fromJSON(reported ?? {}).resourceCountIs('AWS::Route53::RecordSet', 0);
  });
});

describe('a budget', () => {
  it('is of the resources that carry the tenant’s tag, and writes before it is spent', () => {
    const [, service] = deployed('budget', { ...acme, monthlyBudget: 40 });
    Template.fromJSON(service ?? {}).hasResourceProperties('AWS::Budgets::Budget', {
      Budget: {
        BudgetLimit: { Amount: 40, Unit: 'USD' },
        CostFilters: { TagKeyValue: ['user:tributary:tenant$acme'] },
        TimeUnit: 'MONTHLY',
      },
      NotificationsWithSubscribers: ['ACTUAL', 'FORECASTED'].map((NotificationType) => ({
        Notification: Match.objectLike({ NotificationType }),
        Subscribers: [{ SubscriptionType: 'EMAIL', Address: 'ops@acme.test' }],
      })),
    });
  });

  it('is not there if the tenant names none', () => {
    template.resourceCountIs('AWS::Budgets::Budget', 0);
  });
});

describe('the canary', () => {
  it('may read the item of its keys, and nothing else of the table (G-REGISTRY-12)', () => {
    const [policy] = propertiesOf('AWS::IAM::Policy').filter(({ id }) => id.startsWith('FunctionsCanaryRole'));
    const reads = policy?.PolicyDocument.Statement.filter(({ Action }: { Action: string }) => /dynamodb/.test(Action));
    expect(reads).toEqual([
      expect.objectContaining({
        Action: 'dynamodb:GetItem',
        Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['CANARY'] } },
      }),
    ]);
  });

  it('is not woken and does not ring if the tenant switches it off', () => {
    const [, off] = deployed('quiet', { ...acme, canary: false });
    const quiet = Template.fromJSON(off ?? {});
    const woken = JSON.stringify(quiet.findResources('AWS::Events::Rule'));
    expect(woken).toContain('FunctionsSweepFunction');
    expect(woken).not.toContain('FunctionsCanaryFunction');
    quiet.resourcePropertiesCountIs('AWS::CloudWatch::Alarm', { TreatMissingData: 'breaching' }, 1);
  });
});

describe('what a tenant cannot lose', () => {
  // CloudFormation makes a resource anew, empty, whose logical id changes: no refactoring may change one of these.
  it('has the logical ids that it was deployed with', () => {
    expect(idsIn(data, stateful).toSorted()).toEqual([
      'BackupsVault1F11AFCC',
      'IdentityUsers61009EFD',
      'IdentityUsersSignInF3218898',
      'StoresBucketsAccessLogs29C94FE7',
      'StoresBucketsLake59E683B9',
      'StoresBucketsRaw18750E8F',
      'StoresCodehostDeadLettersCA61A099',
      'StoresCodehostQueue1FCDB78F',
      'StoresDocumentsDeadLetters7CD53E9E',
      'StoresDocumentsQueue80B13EA6',
      'StoresEventsDeadLettersDADEE938',
      'StoresEventsQueue1744211F',
      'StoresNotificationsDeadLetters54B77CB3',
      'StoresNotificationsQueue35A56499',
      'StoresProjectionDeadLetters125DD1A7',
      'StoresProjectionQueue962026D8',
      'StoresTablesEventLedger00730311',
      'StoresTablesMainC9848FC5',
    ]);
  });

  it('is left where it is when its stack is deleted, or would replace it', () => {
    const remaining = Object.entries(stacks[0]?.template.Resources ?? {}).map(([id, resource]) => ({
      id,
      ...v.parse(Kept, resource),
    }));
    // The domain of a user pool holds nothing: it is the address of a page.
    const holding = remaining.filter(({ Type }) => stateful.includes(Type) && Type !== 'AWS::Cognito::UserPoolDomain');
    expect(holding.length).toBe(idsIn(data, stateful).length - 1);
    for (const { id, Type, DeletionPolicy, UpdateReplacePolicy } of holding) {
      // What has a fixed name goes with a first deployment that failed: the next one needs the name.
      const expected = Type === 'AWS::Backup::BackupVault' ? 'RetainExceptOnCreate' : 'Retain';
      expect([DeletionPolicy, UpdateReplacePolicy], id).toEqual([expected, 'Retain']);
    }
  });

  it('is not deleted while the tenant is protected; the service, which holds nothing, may be, or a first failure would stay', () => {
    expect(stacks.map(({ terminationProtection }) => terminationProtection ?? false)).toEqual([true, false]);
    const open = artifacts('unprotected', { ...acme, protected: false });
    expect(open.map(({ terminationProtection }) => terminationProtection ?? false)).toEqual([false, false]);
  });

  it('has the raw bytes of each version for as long as tables can be restored to a point in time', () => {
    const { Properties } = data.Resources['StoresBucketsRaw18750E8F'] ?? {};
    expect(Properties?.['VersioningConfiguration']).toEqual({ Status: 'Enabled' });
    expect(Properties?.['LifecycleConfiguration']).toMatchObject({
      Rules: expect.arrayContaining([
        expect.objectContaining({ NoncurrentVersionExpiration: { NoncurrentDays: 35 }, Status: 'Enabled' }),
      ]),
    });
  });

  it('is in its own stack, with nothing else than the policies of its resources', () => {
    // The dead letters of schedules hold no data.
    expect(idsIn(service, stateful)).toEqual([expect.stringMatching(/^SchedulesDeadLetters/)]);
    const types = new Set(Object.values(data.Resources).map(({ Type }) => Type));
    expect([...types].toSorted()).toEqual([...stateful, 'AWS::S3::BucketPolicy', 'AWS::SQS::QueuePolicy'].toSorted());
  });

  it('is exported whether or not a function uses it now, so that the service can change before its data do', () => {
    const exported = JSON.stringify(Object.values(data.Outputs).map(({ Value, Export }) => Export && Value));
    for (const id of idsIn(data, ['AWS::DynamoDB::Table', 'AWS::SQS::Queue', 'AWS::Cognito::UserPool']))
      expect(exported, id).toContain(`{"Ref":"${id}"}`);
    const imported = [...JSON.stringify(service).matchAll(/"Fn::ImportValue":"([^"]+)"/g)].map(([, name]) => name);
    const names = Object.values(data.Outputs).flatMap(({ Export }) => (Export ? [Export.Name] : []));
    expect(imported.filter((name = '') => !names.includes(name))).toEqual([]);
  });
});

describe('the file of a tenant', () => {
  const login = { issuer: 'https://login.test', audience: 'tributary', jwksUrl: 'https://login.test/jwks' };
  const read = (name: string, file?: unknown) => {
    if (file !== undefined) writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(file));
    return readTenant(nodeWith({ tenant: name }), folder);
  };

  it('says what is deployed, and what it leaves out has a default', () => {
    expect(read('plain', {})).toEqual({
      name: 'plain',
      settings: {},
      throttle: { rate: 1_000, burst: 2_000 },
      accountConcurrency: 1_000,
      reservedConcurrency: {},
      functionUrls: [],
      concurrency: {},
      warmThroughput: {},
      ledgerRecovery: false,
      canary: true,
      tags: {},
      protected: true,
    });
    const statement = {
      account: '111122223333',
      region: 'eu-west-1',
      issuer: login,
      throttle: { rate: 100, burst: 200 },
    };
    expect(read('said', statement)).toMatchObject({ name: 'said', ...statement });
  });

  it('has to be named: a deployment without a name says which tenants there are', () => {
    const tenants = path.resolve(import.meta.dirname, '../../tenants');
    expect(() => readTenant(nodeWith({}), tenants)).toThrow(/-c tenant=NAME.*main/);
    expect(() => readTenant(nodeWith({}), path.join(folder, 'nowhere'))).toThrow(/write \{\} to NAME\.json/);
  });

  it('may stand outside the repository, in the folder that the deployment names', () => {
    writeFileSync(path.join(folder, 'ours.json'), '{}');
    expect(readTenant(nodeWith({ tenant: 'ours', tenants: folder })).name).toBe('ours');
  });

  it.each([
    ['Acme', {}],
    ['acme/other', undefined],
    ['missing', undefined],
    ['half', { issuer: { issuer: login.issuer } }],
    ['no-url', { issuer: { ...login, jwksUrl: 'no url' } }],
    ['unknown', { isuer: login }],
    ['budget', { monthlyBudget: 40 }],
    ['acl', { webAclArn: 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/name/id' }],
    ['domain', { domain: { ...domain, name: 'https://lineage.acme.test' } }],
    ['key', { kmsKeyArn: certificateArn }],
    ['kept', { backup: { keepDays: 0 } }],
    ['pace', { rollout: 'AllAtOnce' }],
    ['reserved', { accountConcurrency: 10, reservedConcurrency: { collect: 1 } }],
    ['url', { functionUrls: ['queries'], reservedConcurrency: { collect: 1 } }],
    ['unbounded', { functionUrls: ['ingest'], reservedConcurrency: { collect: 1 } }],
    ['setting', { settings: { NOTHING: 'x' } }],
    ['no-sign-in', { userPool: false }],
    ['my-cognito', {}],
    ['aws', {}],
  ])('is refused where it cannot be meant: %s', (name, file) => {
    expect(() => read(name, file)).toThrow();
  });

  it('may have any name if its users sign in at another issuer', () => {
    expect(read('amazonas', { issuer: login, userPool: false }).name).toBe('amazonas');
  });
});
