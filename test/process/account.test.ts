import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { Ajv } from 'ajv';
import { App, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addAccountStacks } from '../../lib/account-stack.ts';
import { featureFlags } from '../../lib/feature-flags.ts';
import { readTenant, tenantSchema } from '../../lib/tenant.ts';
import { tenantStacks } from '../../lib/tenant-stacks.ts';
import { listenOnLoopback } from '../../local/listen.ts';
import { merge } from '../../local/template/merge.ts';
import { resourcesOf, Template } from '../../local/template/template.ts';
import { concurrencyAdvice, readConcurrency } from '../../scripts/first-account/account.ts';
import { nodeWith } from '../support/cdk-context.ts';
import { everyOption as all } from '../support/every-option.ts';

// Emulators do not enforce what an account refuses. These tests follow the references of the templates instead.

const folder = mkdtempSync(path.join(tmpdir(), 'account-'));
afterAll(() => rmSync(folder, { recursive: true }));

const account = '111122223333';
const region = 'eu-west-1';
const arnOf = (service: string, resource: string) => `arn:aws:${service}:${region}:${account}:${resource}`;

/** The templates of data and service, synthesized from a tenant's file; under the rules of AwsSolutions if they are checked. */
function stacksOf(name: string, file: object, isChecked: boolean): Template[] {
  writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(file));
  const context = { ...featureFlags, 'aws:cdk:disable-asset-staging': true, tenant: name };
  const app = new App({
    analyticsReporting: false,
    builtinCloudFormationValidation: false,
    outdir: path.join(folder, name),
    context,
  });
  if (isChecked) Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const stacks = tenantStacks(app, { tenant: readTenant(app.node, folder), bundleOf: () => folder });
  const assembly = app.synth();
  return stacks.map(({ artifactId }) => v.parse(Template, assembly.getStackArtifact(artifactId).template));
}

const Ref = v.pipe(
  v.object({ Ref: v.string() }),
  v.transform((reference) => reference.Ref),
);
const GetAtt = v.pipe(
  v.object({ 'Fn::GetAtt': v.tuple([v.string(), v.literal('Arn')]) }),
  v.transform((reference) => reference['Fn::GetAtt'][0]),
);
/** The logical id of the resource that a value names. */
const Referred = v.union([Ref, GetAtt]);
const referredBy = (value: unknown): string | undefined => {
  const { success, output } = v.safeParse(Referred, value);
  return success ? output : undefined;
};
const list = <S extends v.GenericSchema>(schema: S) =>
  v.union([
    v.array(schema),
    v.pipe(
      schema,
      v.transform((one) => [one]),
    ),
  ]);

const Statement = v.object({
  Effect: v.string(),
  Principal: v.optional(v.union([v.string(), v.record(v.string(), v.unknown())])),
  Action: list(v.string()),
  Resource: list(v.unknown()),
  Condition: v.optional(v.record(v.string(), v.record(v.string(), v.unknown())), {}),
});
type Statement = v.InferOutput<typeof Statement>;
const Document = v.object({ Statement: v.array(Statement) });

/** Whether a role that EventBridge may take on, of this account, publishes to the topic. */
function roleMayPublish(template: Template, role: string | undefined, topic: string): boolean {
  const Role = v.object({ AssumeRolePolicyDocument: v.object({ Statement: v.array(v.unknown()) }) });
  const trust = v.safeParse(Role, template.Resources[role ?? '']?.Properties);
  const Policy = v.object({ Roles: v.array(Referred), PolicyDocument: Document });
  const statements = resourcesOf(template, 'AWS::IAM::Policy').flatMap(([, { Properties }]) => {
    const { success, output } = v.safeParse(Policy, Properties);
    return success && role !== undefined && output.Roles.includes(role) ? output.PolicyDocument.Statement : [];
  });
  return (
    trust.success &&
    JSON.stringify(trust.output).includes('"Service":"events.amazonaws.com"') &&
    template.Resources[topic]?.Properties['KmsMasterKeyId'] === undefined &&
    statements.some(
      ({ Action, Resource }) => Action.includes('sns:Publish') && Resource.some((one) => referredBy(one) === topic),
    )
  );
}

/** The keys that a service gives SNS with a message. */
const givenKeys: Readonly<Record<string, readonly string[]>> = {
  'cloudwatch.amazonaws.com': ['aws:SourceAccount'],
  'budgets.amazonaws.com': ['aws:SourceAccount'],
};

/** Whether a statement lets a service act, of this account and no other. */
function letsService({ Effect, Principal, Condition }: Statement, service: string): boolean {
  if (Effect !== 'Allow' || typeof Principal !== 'object' || Principal['Service'] !== service) return false;
  return Object.entries(Condition).every(
    ([operator, keys]) =>
      operator === 'StringEquals' &&
      Object.entries(keys).every(
        ([key, value]) =>
          givenKeys[service]?.includes(key) && (value === account || referredBy(value) === 'AWS::AccountId'),
      ),
  );
}

/** Which service publishes to which topic, by whose wish. */
function publications(template: Template) {
  const of = (type: string, service: string, valuesOf: (properties: unknown) => readonly unknown[]) =>
    resourcesOf(template, type).flatMap(([id, { Properties }]) =>
      valuesOf(Properties).flatMap((value) => {
        const topic = referredBy(value);
        return topic && template.Resources[topic]?.Type === 'AWS::SNS::Topic' ? [{ id, service, topic }] : [];
      }),
    );
  const Alarm = v.object({
    AlarmActions: v.optional(v.array(v.unknown()), []),
    OKActions: v.optional(v.array(v.unknown()), []),
  });
  const Rule = v.object({ Targets: v.array(v.object({ Arn: v.unknown(), RoleArn: v.optional(v.unknown()) })) });
  return {
    alarms: of('AWS::CloudWatch::Alarm', 'cloudwatch.amazonaws.com', (properties) => {
      const { AlarmActions, OKActions } = v.parse(Alarm, properties);
      return [...AlarmActions, ...OKActions];
    }),
    rules: resourcesOf(template, 'AWS::Events::Rule').flatMap(([id, { Properties }]) =>
      v.parse(Rule, Properties).Targets.flatMap(({ Arn, RoleArn }) => {
        const topic = referredBy(Arn);
        return topic && template.Resources[topic]?.Type === 'AWS::SNS::Topic'
          ? [{ id, topic, role: referredBy(RoleArn) }]
          : [];
      }),
    ),
  };
}

/** Whether the topic's policy, and the policy of its key, let a service publish. */
function mayPublish(template: Template, service: string, topic: string): boolean {
  const Policy = v.object({ Topics: v.array(Referred), PolicyDocument: Document });
  const policies = resourcesOf(template, 'AWS::SNS::TopicPolicy').map(([, { Properties }]) =>
    v.parse(Policy, Properties),
  );
  const statements = policies
    .filter(({ Topics }) => Topics.includes(topic))
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  const isLet = statements.some(
    (statement) =>
      letsService(statement, service) &&
      statement.Action.includes('sns:Publish') &&
      statement.Resource.some((resource) => referredBy(resource) === topic),
  );
  return isLet && mayUseKey(template, service, template.Resources[topic]?.Properties['KmsMasterKeyId']);
}

/** A key that is not of the template cannot be given a policy by it. */
function mayUseKey(template: Template, service: string, key: unknown): boolean {
  if (key === undefined) return true;
  const { Properties } = template.Resources[referredBy(key) ?? ''] ?? {};
  const parsed = v.safeParse(v.object({ KeyPolicy: Document }), Properties);
  if (!parsed.success) return false;
  const actions = parsed.output.KeyPolicy.Statement.filter((one) => letsService(one, service)).flatMap(
    ({ Action }) => Action,
  );
  return ['kms:Decrypt', 'kms:GenerateDataKey*'].every((action) => actions.includes(action));
}

describe.each([
  ['that chooses nothing', 'none', {}],
  ['that chooses all there is', 'all', all],
  ['with an account and a Region, that chooses nothing', 'none-pinned', { account, region }],
  ['with an account and a Region, that chooses all there is', 'all-pinned', { account, region, ...all }],
])('a tenant %s', (_, name, file) => {
  let template: Template;
  beforeAll(() => {
    template = merge(stacksOf(name, file, true));
  }, 120_000);

  it('keeps the role for the logs of all APIs of the account', () => {
    expect(resourcesOf(template, 'AWS::ApiGateway::Account')).toEqual([]);
  });

  it('lets CloudWatch and EventBridge of this account publish to each topic that they are to notify, and no other', () => {
    const { alarms, rules } = publications(template);
    expect(new Set(alarms.map(({ id }) => id)).size).toBe(resourcesOf(template, 'AWS::CloudWatch::Alarm').length);
    expect(alarms.length).toBeGreaterThan(40);
    expect(rules.length).toBe(('iceberg' in file ? 1 : 0) + ('backup' in file ? 2 : 0));
    for (const { id, service, topic } of alarms) expect([id, mayPublish(template, service, topic)]).toEqual([id, true]);
    for (const { id, role, topic } of rules) expect([id, roleMayPublish(template, role, topic)]).toEqual([id, true]);
    const letIn = JSON.stringify(resourcesOf(template, 'AWS::SNS::TopicPolicy'));
    expect(letIn).not.toContain('events.amazonaws.com');
  });
});

describe('the stack of an account', () => {
  it('lets API Gateway write logs, and leaves the role when it is deleted: every API of the account uses it', () => {
    const app = new App({
      analyticsReporting: false,
      outdir: path.join(folder, 'account-stack'),
      context: featureFlags,
    });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    addAccountStacks(app);
    const { template: synthesized, messages } = app.synth().getStackByName('tributary-account');
    expect(messages).toEqual([]);
    const template = v.parse(Template, synthesized);
    const [[role, { DeletionPolicy } = {}] = []] = resourcesOf(template, 'AWS::IAM::Role');
    const [[, account] = []] = resourcesOf(template, 'AWS::ApiGateway::Account');
    expect(referredBy(account?.Properties['CloudWatchRoleArn'])).toBe(role);
    expect([DeletionPolicy, account?.DeletionPolicy]).toEqual(['Retain', 'Retain']);
  });

  it('is part of the app without a tenant, beside a stack that says what to name and cannot be deployed', () => {
    const app = new App({ analyticsReporting: false, outdir: path.join(folder, 'no-tenant'), context: featureFlags });
    const advice = addAccountStacks(app);
    expect(advice).toMatch(/-c tenant=NAME.*main.*tributary-account/);
    const others = app.synth().stacks.filter(({ stackName }) => stackName !== 'tributary-account');
    expect(others.map(({ messages }) => messages)).toEqual([
      [expect.objectContaining({ level: 'error', entry: expect.objectContaining({ data: advice }) })],
    ]);
  });
});

describe('the concurrency of an account', () => {
  it('is read from Lambda, by a request that is signed for it, and says what to write into the file', async () => {
    const signatures: string[] = [];
    const server = createServer(({ url, headers: { authorization = '' } }, response) => {
      signatures.push(`${url} ${authorization.split('/').slice(2, 4).join(' ')}`);
      response.end(JSON.stringify({ AccountLimit: { ConcurrentExecutions: 10 } }));
    });
    vi.stubEnv('AWS_ENDPOINT_URL', await listenOnLoopback(server, 0));
    try {
      const client = new DynamoDBClient({ region, credentials: { accessKeyId: 'k', secretAccessKey: 's' } });
      expect(await readConcurrency(client)).toBe(10);
      // The client that lends its keys goes on signing its own requests for its own service.
      await client.send(new ListTablesCommand({}));
      expect(await readConcurrency(client)).toBe(10);
      const lambda = '/2016-08-19/account-settings/ eu-west-1 lambda';
      expect(signatures).toEqual([lambda, '/ eu-west-1 dynamodb', lambda]);
      expect(concurrencyAdvice(10)).toContain('"accountConcurrency": 10');
      expect(concurrencyAdvice(1_000)).not.toContain('accountConcurrency');
    } finally {
      server.close();
      vi.unstubAllEnvs();
    }
  });
});

describe('the walk from an alarm to its topic', () => {
  const topicWith = (statements: readonly object[], properties: object = {}): Template =>
    v.parse(Template, {
      Resources: {
        Topic: { Type: 'AWS::SNS::Topic', Properties: properties },
        Policy: {
          Type: 'AWS::SNS::TopicPolicy',
          Properties: { Topics: [{ Ref: 'Topic' }], PolicyDocument: { Statement: statements } },
        },
      },
    });
  const allow = (service: string, condition: object = {}) => ({
    Effect: 'Allow',
    Principal: { Service: service },
    Action: 'sns:Publish',
    Resource: { Ref: 'Topic' },
    Condition: condition,
  });
  const ofAccount = (id: string) => ({ StringEquals: { 'aws:SourceAccount': id } });
  const deny = { Effect: 'Deny', Principal: '*', Action: 'sns:Publish', Resource: { Ref: 'Topic' } };

  it.each([
    ['a policy that only denies', [deny], {}],
    ['another account', [allow('cloudwatch.amazonaws.com', ofAccount('999999999999'))], {}],
    ['another service', [allow('sqs.amazonaws.com')], {}],
    ['a key whose policy is elsewhere', [allow('cloudwatch.amazonaws.com')], { KmsMasterKeyId: all.kmsKeyArn }],
  ])('ends at %s', (_, statements, properties) => {
    expect(mayPublish(topicWith(statements, properties), 'cloudwatch.amazonaws.com', 'Topic')).toBe(false);
  });
});

/** The name that a tenant's file or its id gives a resource, for types that outlive their stack. */
const fixedNames = {
  'AWS::Backup::BackupVault': v.object({ BackupVaultName: v.string() }),
  'AWS::Glue::Database': v.object({ DatabaseInput: v.object({ Name: v.string() }) }),
  'AWS::Glue::Table': v.object({ DatabaseName: v.string(), Name: v.string() }),
  'AWS::DynamoDB::Table': v.object({ TableName: v.string() }),
  'AWS::S3::Bucket': v.object({ BucketName: v.string() }),
  'AWS::SQS::Queue': v.object({ QueueName: v.string() }),
  'AWS::Cognito::UserPoolDomain': v.object({ Domain: v.unknown() }),
  'AWS::KinesisFirehose::DeliveryStream': v.object({ DeliveryStreamName: v.string() }),
} as const;
/** Properties that make CloudFormation replace a resource of the types above, beside the name. */
const createOnly = ['EncryptionKeyArn', 'CatalogId', 'UserPoolId'];

/** What AWS would refuse of a change from one pair of templates to another, the data being deployed first. */
function refusals([oldData, oldService]: readonly Template[], [data]: readonly Template[]): string[] {
  const exportsOf = (template: Template | undefined) =>
    Object.values(template?.Outputs ?? {}).flatMap(({ Export }) => (Export ? [Export.Name] : []));
  const imported = Array.from(
    JSON.stringify(oldService).matchAll(/"Fn::ImportValue":"([^"]+)"/g),
    ([, name = '']) => name,
  );
  const removed = imported.filter((name) => exportsOf(oldData).includes(name) && !exportsOf(data).includes(name));
  return [...new Set(removed)].map((name) => `export in use: ${name}`);
}

/** Names that a retained resource keeps, so that a change back, or a replacement, could not create it again. */
function usedNamesOf([oldData]: readonly Template[], [data]: readonly Template[]): string[] {
  return Object.entries(fixedNames).flatMap(([type, schema]) =>
    resourcesOf(oldData ?? emptyTemplate, type).flatMap(([id, { Properties, DeletionPolicy }]) => {
      const name = v.safeParse(schema, Properties);
      if (!name.success || !DeletionPolicy?.startsWith('Retain')) return [];
      const next = data?.Resources[id]?.Properties;
      const isGone = next === undefined;
      const isReplaced =
        JSON.stringify(v.safeParse(schema, next).output) === JSON.stringify(name.output) &&
        createOnly.some((property) => JSON.stringify(Properties[property]) !== JSON.stringify(next?.[property]));
      return isGone || isReplaced ? [`${type} ${JSON.stringify(name.output)}`] : [];
    }),
  );
}
const emptyTemplate: Template = { Parameters: {}, Resources: {}, Outputs: {} };

/** Types that a client, a sender or stored data knows by an address, with the properties that give a resource a new one. */
const addressed: Readonly<Record<string, readonly string[]>> = {
  'AWS::Lambda::Url': ['TargetFunctionArn', 'Qualifier'],
  'AWS::Lambda::Function': ['FunctionName'],
  'AWS::Lambda::EventSourceMapping': ['EventSourceArn'],
  'AWS::ApiGateway::RestApi': [],
  'AWS::ApiGateway::Stage': ['RestApiId', 'StageName'],
  'AWS::Cognito::UserPool': [],
  'AWS::Cognito::UserPoolDomain': ['UserPoolId', 'Domain'],
  'AWS::Cognito::UserPoolClient': ['UserPoolId'],
  'AWS::DynamoDB::Table': ['TableName'],
  'AWS::S3::Bucket': ['BucketName'],
  'AWS::SQS::Queue': ['QueueName'],
  'AWS::SNS::Topic': ['TopicName'],
  'AWS::CloudWatch::Dashboard': ['DashboardName'],
  'AWS::Glue::Database': ['CatalogId', 'DatabaseName'],
  'AWS::Glue::Table': ['CatalogId', 'DatabaseName', 'Name'],
};

/** Each address of both templates, and each name that they export. */
function addressesOf(templates: readonly Template[]): string[] {
  return templates.flatMap((template) => [
    ...Object.entries(addressed).flatMap(([type, properties]) =>
      resourcesOf(template, type).map(([id, { Properties }]) =>
        JSON.stringify([type, id, ...properties.map((property) => Properties[property] ?? null)]),
      ),
    ),
    ...Object.entries(template.Outputs).flatMap(([name, { Export }]) => [name, ...(Export ? [Export.Name] : [])]),
  ]);
}

describe('an option that a live tenant chooses or gives up', () => {
  const issuer = { issuer: 'https://login.test', audience: 'tributary', jwksUrl: 'https://login.test/jwks' };
  const otherKey = arnOf('kms', 'key/99999999-2222-3333-4444-555555555555');
  const { kmsKeyArn, backup, rollout, domain, reservedConcurrency, functionUrls } = all;
  const { webAclArn, throttle, monthlyBudget, alarmEmail, tracedShare, accountConcurrency, tags } = all;
  const figures = { webAclArn, throttle, monthlyBudget, alarmEmail, tracedShare, accountConcurrency, tags };
  const warmThroughput = { main: { reads: 12_000, writes: 4_000 } };
  const { ledgerRecovery } = all;
  const settings = { COLLECT_RATE: '3000' };
  const switched = { ledgerRecovery, settings, canary: false, protected: false, concurrency: { events: 3 } } as const;
  const others = { ...figures, ...switched, warmThroughput } as const;
  const choices = {
    issuer: { issuer },
    kmsKeyArn: { kmsKeyArn },
    backup: { backup },
    rollout: { rollout },
    domain: { domain },
    urls: { functionUrls, reservedConcurrency },
    others,
  } as const;
  const cache = new Map<string, Template[]>();
  const deployed = (file: object): Template[] => {
    const text = JSON.stringify(file);
    const found = cache.get(text) ?? stacksOf('live', file, false);
    cache.set(text, found);
    return found;
  };

  const urls = choices.urls;

  it.each([
    ...Object.entries(choices).map(([name, choice]) => [name, name === 'urls' ? {} : urls, choice] as const),
    ['a key for backups', { backup }, { kmsKeyArn }] as const,
  ])('works both ways, with no new address, nothing refused and no name taken: %s', (_, without, choice) => {
    const [before, after] = [deployed(without), deployed({ ...without, ...choice })];
    for (const [from, to] of [
      [before, after],
      [after, before],
    ] as const)
      expect(refusals(from, to)).toEqual([]);
    expect(usedNamesOf(before, after)).toEqual([]);
    const addresses = new Set(addressesOf(after));
    expect(addressesOf(before).filter((address) => !addresses.has(address))).toEqual([]);
  });

  it('is covered by these tests, except for the place of the deployment', () => {
    const covered = [...Object.values(choices).flatMap((choice) => Object.keys(choice)), 'iceberg', 'userPool'];
    const { properties } = v.parse(v.object({ properties: v.record(v.string(), v.unknown()) }), tenantSchema());
    const left = Object.keys(properties).filter((name) => !covered.includes(name));
    expect(left.toSorted()).toEqual(['$schema', 'account', 'region']);
  });

  it.each([
    ['Iceberg tables', {}, { iceberg: {} }],
    ['a user pool beside an issuer', { issuer, userPool: false }, { issuer }],
  ])('can be chosen and not given up while it is in use: %s', (_, without, choice) => {
    const [before, after] = [deployed(without), deployed({ ...without, ...choice, userPool: true })];
    expect([refusals(before, after), usedNamesOf(before, after)]).toEqual([[], []]);
    const addresses = new Set(addressesOf(after));
    expect(addressesOf(before).filter((address) => !addresses.has(address))).toEqual([]);
    expect(refusals(after, before)).not.toEqual([]);
  });

  it('leaves nothing that blocks a reused name, except for the vault of a key', () => {
    for (const [name, choice] of Object.entries(choices)) {
      const used = usedNamesOf(deployed({ ...(name !== 'urls' && urls), ...choice }), deployed(urls));
      expect([name, used]).toEqual([name, name === 'kmsKeyArn' ? [expect.stringContaining('BackupVault')] : []]);
    }
  });

  it('may be another key, and an earlier key again: each has a vault, which the return imports', () => {
    const [first = [], second = []] = [kmsKeyArn, otherKey].map((key) => deployed({ backup, kmsKeyArn: key }));
    for (const [from, to] of [
      [first, second],
      [second, first],
    ] as const) {
      expect(refusals(from, to)).toEqual([]);
      // The vault of the key that is left stays. An import needs a resource that is new to the template, with a literal name.
      expect(usedNamesOf(from, to)).toEqual([expect.stringMatching(/^AWS::Backup::BackupVault .*-[0-9a-f]{8}"/)]);
      const added = resourcesOf(to[0] ?? emptyTemplate, 'AWS::Backup::BackupVault').filter(
        ([id]) => from[0]?.Resources[id] === undefined,
      );
      const vault = { BackupVaultName: expect.any(String), EncryptionKeyArn: expect.any(String) };
      expect(added).toEqual([
        [expect.any(String), expect.objectContaining({ DeletionPolicy: 'RetainExceptOnCreate' })],
      ]);
      expect(added[0]?.[1].Properties).toMatchObject(vault);
    }
  });

  it('is refused before anything is deleted if Iceberg tables, once chosen, leave the file', () => {
    expect(refusals(deployed({ iceberg: {} }), deployed({}))).not.toEqual([]);
    const back = { iceberg: {}, settings: { COLLECTION_SINK: 'lake' } };
    expect(refusals(deployed({ iceberg: {} }), deployed(back))).toEqual([]);
    expect(usedNamesOf(deployed({ iceberg: {} }), deployed(back))).toEqual([]);
  });
});

describe('the file of a tenant', () => {
  const read = (name: string, file: object) => {
    writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(file));
    return readTenant(nodeWith({ tenant: name }), folder);
  };

  it.each([
    ['a budget', { monthlyBudget: 40, alarmEmail: 'ops@acme.test' }, ['il-central-1', 'us-gov-west-1'], 'AWS Budgets'],
    ['a user pool', {}, ['cn-north-1', 'cn-northwest-1'], 'Cognito'],
    [
      'a function URL',
      { functionUrls: ['ingest'], reservedConcurrency: { ingest: 1 } },
      ['eu-south-2', 'me-central-1'],
      'function URLs',
    ],
  ])('is refused with %s in a Region that has none', (_, file, regions, reason) => {
    for (const missing of regions) {
      expect(() => read('region', { account, region: missing, ...file })).toThrow(reason);
      // A tenant without a Region is deployed to that of the credentials.
      vi.stubEnv('CDK_DEFAULT_REGION', missing);
      expect(() => read('region', file)).toThrow(reason);
      expect(read('region', { account, region, ...file })).toMatchObject(file);
    }
    vi.stubEnv('CDK_DEFAULT_REGION', region);
    expect(read('region', file)).toMatchObject(file);
    vi.unstubAllEnvs();
  });

  it('has a JSON Schema, which is the one that it is checked with: `npm run openapi` writes it', () => {
    const written = readFileSync(new URL('../../docs/tenant.schema.json', import.meta.url), 'utf8');
    expect(JSON.parse(written)).toEqual(tenantSchema());
    const isValid = new Ajv({ strict: false, validateFormats: false }).compile(tenantSchema());
    expect(isValid({ $schema: '../docs/tenant.schema.json', account, region, ...all })).toBe(true);
    for (const wrong of [{ isuer: {} }, { backup: { keepDays: 0 } }, { rollout: 'AllAtOnce' }, { canary: 'no' }])
      expect([wrong, isValid(wrong)]).toEqual([wrong, false]);
  });

  it.each([
    ['an account without a Region', { account }],
    ['a Region without an account', { region }],
  ])('is refused with %s', (_, file) => {
    expect(() => read('half', file)).toThrow('add the other');
  });
});
