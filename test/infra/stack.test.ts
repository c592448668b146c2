import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { App, Stack, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { featureFlags } from '../../lib/feature-flags.ts';
import { functionNames, functionSpecs } from '../../lib/function-specs.ts';
import { readSettings } from '../../lib/settings.ts';
import { TributaryStack } from '../../lib/stack.ts';
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
  const stack = new TributaryStack(app, { tenant: 'acme', issuer: null, bundleOf: () => folder });
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

  it('alarms on dead letters, old messages and every function’s errors, each with its section of the runbook', () => {
    const alarms = propertiesOf('AWS::CloudWatch::Alarm');
    const metrics = alarms.map(({ MetricName }) => MetricName);
    const count = (name: string) => metrics.filter((metric) => metric === name).length;
    expect(count('ApproximateNumberOfMessagesVisible')).toBe(2);
    expect(count('ApproximateAgeOfOldestMessage')).toBe(2);
    expect(count('Errors')).toBe(functionNames.length);
    const sections = new Set(alarms.map(({ AlarmDescription }) => AlarmDescription.split('#')[1]));
    const runbook = readFileSync(path.resolve(import.meta.dirname, '..', '..', 'docs', 'runbook.md'), 'utf8');
    const headings = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    );
    expect(headings).toEqual(expect.arrayContaining([...sections]));
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

describe('what `-c` says', () => {
  const settings = (context: Record<string, string>) => readSettings(new App({ context }).node);
  const login = { issuer: 'https://login.test', audience: 'tributary', jwksUrl: 'https://login.test/jwks' };

  it('names the tenant and the issuer of its session tokens', () => {
    expect(settings({})).toMatchObject({ tenant: 'main', issuer: null });
    expect(settings({ tenant: 'acme', ...login })).toMatchObject({ tenant: 'acme', issuer: login });
  });

  it.each([
    [{ tenant: 'Acme' }],
    [{ tenant: 'acme/other' }],
    [{ issuer: login.issuer }],
    [{ ...login, jwksUrl: 'no url' }],
  ])('is refused where it cannot be meant: %o', (context) => {
    expect(() => settings(context)).toThrow();
  });
});
