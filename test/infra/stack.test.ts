import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { App, Stack, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { featureFlags } from '../../lib/feature-flags.ts';
import { functionNames, functionSpecs } from '../../lib/function-specs.ts';
import { TributaryStack } from '../../lib/stack.ts';
import { defaultTenant, readTenant } from '../../lib/tenant.ts';
import { metricNames } from '../../shared/contract/metric-names.ts';
import { dueAfterBegin } from '../../shared/domain/ingest/deliveries/schedule.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'stack-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** An app whose synthesis throws where it breaks a rule of AwsSolutions. */
function checkedApp(name: string): App {
  const context = { ...featureFlags, 'aws:cdk:disable-asset-staging': true };
  const app = new App({ analyticsReporting: false, outdir: path.join(folder, name), context });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return app;
}

let template: Template;
let stackName: string;
beforeAll(() => {
  const app = checkedApp('tenant');
  // With its own user pool: the stack with the most in it.
  const stack = new TributaryStack(app, {
    tenant: { ...defaultTenant('acme'), alarmEmail: 'ops@acme.test', tags: { team: 'data' } },
    bundleOf: () => folder,
  });
  stackName = stack.stackName;
  template = Template.fromJSON(app.synth().getStackArtifact(stack.artifactId).template);
});

const resources = (type: string) => Object.entries(template.findResources(type));
const propertiesOf = (type: string) => resources(type).map(([id, { Properties }]) => ({ id, ...Properties }));

describe('the rules of AwsSolutions', () => {
  // The stack above was synthesized under them.
  it('are found broken where they are', () => {
    const app = checkedApp('planted');
    new Bucket(new Stack(app, 'Planted'), 'Open');
    expect(() => app.synth()).toThrow('AwsSolutions-S10');
  });
});

describe('the stack', () => {
  it('is of one tenant, by name and in every function', () => {
    expect(stackName).toBe('Tributary-acme');
    template.resourceCountIs('AWS::Lambda::Function', functionNames.length);
    for (const { id, Environment } of propertiesOf('AWS::Lambda::Function'))
      expect(Environment.Variables.TENANT, id).toBe('acme');
  });

  it('has a user pool of its own where no issuer is named, whose tokens it takes (C-ADMIN-5)', () => {
    const [pool] = resources('AWS::Cognito::UserPool').map(([id]) => id);
    const issuers = propertiesOf('AWS::Lambda::Function').map(({ Environment }) => Environment.Variables.OIDC_ISSUER);
    const named = issuers.filter((issuer) => issuer !== undefined).map((issuer) => JSON.stringify(issuer));
    expect(named).not.toEqual([]);
    for (const issuer of named) expect(issuer).toContain(pool);
  });

  it('keeps every log for three months, each function’s apart', () => {
    for (const { id, RetentionInDays } of propertiesOf('AWS::Logs::LogGroup')) expect(RetentionInDays, id).toBe(90);
    const groups = propertiesOf('AWS::Lambda::Function').map(({ LoggingConfig }) => JSON.stringify(LoggingConfig));
    expect(new Set(groups).size).toBe(functionNames.length);
  });

  it('keeps data when it is deleted, restorable and encrypted', () => {
    for (const type of ['AWS::DynamoDB::Table', 'AWS::S3::Bucket'])
      for (const [id, one] of resources(type)) expect([id, one['DeletionPolicy']]).toEqual([id, 'Retain']);
    template.allResourcesProperties('AWS::DynamoDB::Table', {
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    });
    template.allResourcesProperties('AWS::S3::Bucket', {
      BucketEncryption: Match.anyValue(),
      PublicAccessBlockConfiguration: Match.objectLike({ BlockPublicAcls: true, RestrictPublicBuckets: true }),
    });
    template.allResourcesProperties('AWS::SQS::Queue', {
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 1_209_600,
    });
  });

  it('feeds its workers from queues with dead letters, by bounded and partly failing batches', () => {
    template.resourcePropertiesCountIs(
      'AWS::SQS::Queue',
      { RedrivePolicy: Match.objectLike({ maxReceiveCount: 5 }) },
      2,
    );
    template.resourceCountIs('AWS::Lambda::EventSourceMapping', 2);
    template.allResourcesProperties('AWS::Lambda::EventSourceMapping', {
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: Match.anyValue() },
    });
  });

  it('hides a message six times as long as its worker may run', () => {
    const waits = propertiesOf('AWS::SQS::Queue').flatMap((queue) =>
      'RedrivePolicy' in queue ? queue.VisibilityTimeout : [],
    );
    const times = [functionSpecs['store-events'].timeoutSeconds, functionSpecs.projector.timeoutSeconds];
    expect(waits.toSorted()).toEqual(times.map((seconds) => seconds * 6).toSorted());
  });

  it('lets a worker run out before its delivery is sent again', () => {
    const begun = new Date(0);
    const lease = Date.parse(dueAfterBegin(begun)) / 1_000;
    expect(lease).toBeGreaterThan(functionSpecs.projector.timeoutSeconds);
  });

  it('alarms on what fails, waits, is throttled or falls silent, each with its section of the runbook', () => {
    const alarms = propertiesOf('AWS::CloudWatch::Alarm');
    const counts = Object.fromEntries(
      [...new Set(alarms.map(({ MetricName }) => MetricName))].map((name) => [
        name,
        alarms.filter(({ MetricName }) => MetricName === name).length,
      ]),
    );
    expect(counts).toEqual({
      ApproximateNumberOfMessagesVisible: 2,
      ApproximateAgeOfOldestMessage: 2,
      Errors: functionNames.length,
      Throttles: 4,
      Invocations: 1,
      '5XXError': 1,
      [metricNames.internalError]: 3,
      [metricNames.unavailable]: 3,
      [metricNames.deliveryFailed]: 2,
      [metricNames.orderNotCollected]: 1,
    });
    const sections = new Set(alarms.map(({ AlarmDescription }) => AlarmDescription.split('#')[1]));
    const runbook = readFileSync(path.resolve(import.meta.dirname, '..', '..', 'docs', 'runbook.md'), 'utf8');
    const headings = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    );
    expect(headings).toEqual(expect.arrayContaining([...sections]));
  });

  it('tells of every alarm by one topic, which writes to whom the tenant names', () => {
    const topics = resources('AWS::SNS::Topic').map(([id]) => ({ Ref: id }));
    expect(topics).toHaveLength(1);
    for (const { id, AlarmActions, OKActions } of propertiesOf('AWS::CloudWatch::Alarm'))
      expect([AlarmActions, OKActions], id).toEqual([topics, topics]);
    template.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'ops@acme.test' });
  });

  it('rings where the sweep is silent, and nowhere else for want of figures', () => {
    const silent = propertiesOf('AWS::CloudWatch::Alarm').filter(
      ({ TreatMissingData }) => TreatMissingData === 'breaching',
    );
    expect(silent.map(({ MetricName, ComparisonOperator }) => [MetricName, ComparisonOperator])).toEqual([
      ['Invocations', 'LessThanThreshold'],
    ]);
  });

  it('lets a worker send to its own queue for as long as it takes, and no other function', () => {
    const allowed = propertiesOf('AWS::Lambda::Function').filter(({ RecursiveLoop }) => RecursiveLoop === 'Allow');
    expect(allowed.map(({ Description }) => Description)).toEqual(['Tributary acme: projector']);
  });

  it('is tagged for the bill, refuses to be deleted, and keeps every version of raw bytes for a while', () => {
    for (const { id, Tags, DeletionProtectionEnabled } of propertiesOf('AWS::DynamoDB::Table')) {
      expect(DeletionProtectionEnabled, id).toBe(true);
      expect(Tags, id).toEqual([
        { Key: 'team', Value: 'data' },
        { Key: 'tributary:tenant', Value: 'acme' },
      ]);
    }
    template.resourcePropertiesCountIs('AWS::S3::Bucket', { VersioningConfiguration: { Status: 'Enabled' } }, 1);
    for (const [id, queue] of resources('AWS::SQS::Queue'))
      expect([id, queue['DeletionPolicy']]).toEqual([id, 'Retain']);
  });

  it('lets a function do nothing to everything, but send traces', () => {
    const statements = propertiesOf('AWS::IAM::Policy').flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    const wide = statements.filter(({ Resource }) => [Resource].flat().includes('*'));
    expect([...new Set(wide.flatMap(({ Action }) => Action))].toSorted()).toEqual([
      'xray:PutTelemetryRecords',
      'xray:PutTraceSegments',
    ]);
    expect(statements.flatMap(({ Action }) => Action).filter((action: string) => action.includes('*'))).toEqual([]);
  });

  it('fires each task of the sweep', () => {
    const inputs = propertiesOf('AWS::Events::Rule').map(({ ScheduleExpression, Targets }) => [
      Targets[0].Input,
      ScheduleExpression,
    ]);
    expect(Object.fromEntries(inputs)).toEqual({
      '{"task":"due"}': 'rate(1 minute)',
      '{"task":"gaps"}': 'rate(5 minutes)',
      '{"task":"garbage"}': 'rate(15 minutes)',
      '{"task":"checks"}': 'rate(15 minutes)',
    });
  });
});

describe('the file of a tenant', () => {
  const login = { issuer: 'https://login.test', audience: 'tributary', jwksUrl: 'https://login.test/jwks' };
  const read = (name: string, file?: unknown) => {
    if (file !== undefined) writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(file));
    return readTenant(new App({ context: { tenant: name } }).node, folder);
  };

  it('says what is deployed, and what it leaves out has a default', () => {
    expect(read('plain', {})).toEqual({
      name: 'plain',
      settings: {},
      concurrency: {},
      tags: {},
      protected: true,
    });
    const said = { account: '111122223333', region: 'eu-west-1', issuer: login, throttle: { rate: 100, burst: 200 } };
    expect(read('said', said)).toMatchObject({ name: 'said', ...said });
  });

  it('is there for the tenant that is deployed without a name', () => {
    expect(readTenant(new App().node, path.resolve(import.meta.dirname, '../../tenants'))).toMatchObject({
      name: 'main',
      protected: true,
    });
  });

  it.each([
    ['Acme', {}],
    ['acme/other', undefined],
    ['missing', undefined],
    ['half', { issuer: { issuer: login.issuer } }],
    ['no-url', { issuer: { ...login, jwksUrl: 'no url' } }],
    ['unknown', { isuer: login }],
    ['setting', { settings: { NOTHING: 'x' } }],
    ['my-cognito', {}],
    ['aws', {}],
  ])('is refused where it cannot be meant: %s', (name, file) => {
    expect(() => read(name, file)).toThrow();
  });

  it('may have any name where its people sign in elsewhere', () => {
    expect(read('amazonas', { issuer: login }).name).toBe('amazonas');
  });
});
