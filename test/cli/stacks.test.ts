import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { offboard } from '../../cli/admin/offboard.ts';
import { unlessStackIsMissing } from '../../cli/connect.ts';
import { stackNames } from '../../shared/contract/stack-outputs.ts';

/** The protocol of CloudFormation and Secrets Manager: the emulator of `npm run deploy:check` fails no update. */
let server: Server;
let operations: string[];
let statusOf: (stack: string) => string | null;
let refusal: { readonly status: number; readonly code: string; readonly message: string };

const { data, service } = stackNames('acme');
type Resource = readonly [id: string, type: string, name: string, policy?: string];
const table: Resource = ['Table', 'AWS::DynamoDB::Table', 't', 'Retain'];
let resources: readonly Resource[];
let secrets: readonly string[];
const template = () => ({
  Resources: Object.fromEntries(resources.map(([id, Type, _, DeletionPolicy]) => [id, { Type, DeletionPolicy }])),
});
const listed = ([id, type, name]: Resource) =>
  `<member><LogicalResourceId>${id}</LogicalResourceId><ResourceType>${type}</ResourceType><PhysicalResourceId>${name}</PhysicalResourceId></member>`;
const answers: Readonly<Record<string, (stack: string) => string>> = {
  DescribeStacks: (stack) =>
    `<Stacks><member><StackName>${stack}</StackName><StackId>${stack}</StackId><CreationTime>2026-01-01T00:00:00Z</CreationTime><StackStatus>${statusOf(stack)}</StackStatus></member></Stacks>`,
  GetTemplate: () => `<TemplateBody>${JSON.stringify(template())}</TemplateBody>`,
  ListStackResources: () => `<StackResourceSummaries>${resources.map(listed).join('')}</StackResourceSummaries>`,
  UpdateStack: (stack) => `<StackId>${stack}</StackId>`,
  DeleteStack: () => '',
};

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    if (request.headers['x-amz-target'] || request.url?.startsWith('/backup-vaults/')) {
      const NumberOfRecoveryPoints = request.url?.includes('full') ? 3 : 0;
      const found = { SecretList: secrets.map((Name) => ({ Name })), NumberOfRecoveryPoints };
      response.setHeader('content-type', 'application/x-amz-json-1.1').end(JSON.stringify(found));
      return;
    }
    const form = new URLSearchParams(Buffer.concat(parts).toString());
    const [operation, stack] = [form.get('Action') ?? '', form.get('StackName') ?? ''];
    operations.push(operation);
    response.setHeader('content-type', 'text/xml');
    if (statusOf(stack) === null)
      response
        .writeHead(refusal.status)
        .end(
          `<ErrorResponse><Error><Type>Sender</Type><Code>${refusal.code}</Code><Message>${refusal.message}</Message></Error></ErrorResponse>`,
        );
    else
      response.end(
        `<${operation}Response><${operation}Result>${answers[operation]?.(stack)}</${operation}Result></${operation}Response>`,
      );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = v.parse(v.object({ port: v.number() }), server.address());
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${port}`);
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'test');
  vi.stubEnv('AWS_REGION', 'us-east-1');
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
});
beforeEach(() => {
  operations = [];
  resources = [table];
  secrets = [];
  refusal = { status: 400, code: 'ValidationError', message: 'Stack with id acme is not there' };
});

describe('a stack that is missing', () => {
  const describeStack = () =>
    unlessStackIsMissing(new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName: service })));
  beforeEach(() => {
    statusOf = () => null;
  });

  it('is recognised by the code of the error, whatever the message says', async () => {
    expect(await describeStack()).toBeNull();
    await expect(offboard('acme', { isMeant: true })).rejects.toThrow(`There is no stack ${service} or ${data}`);
  });

  it('is not assumed for other errors, whatever their message says', async () => {
    refusal = { status: 403, code: 'AccessDenied', message: 'Policy version 2 does not exist' };
    await expect(describeStack()).rejects.toThrow('Policy version 2');
    await expect(offboard('acme', { isMeant: true })).rejects.toThrow('Policy version 2');
  });
});

describe('off-boarding', () => {
  it('shows in the order of the work what is deleted and what stays', async () => {
    statusOf = () => 'CREATE_COMPLETE';
    resources = [
      table,
      ['Events', 'AWS::S3::Bucket', 'events', 'Retain'],
      ['Queue', 'AWS::SQS::Queue', 'https://sqs.test/1/dead', 'Delete'],
      ['Full', 'AWS::Backup::BackupVault', 'full', 'Retain'],
      ['Empty', 'AWS::Backup::BackupVault', 'empty', 'Retain'],
      ['Role', 'AWS::IAM::Role', 'role'],
      ['Unmade', 'AWS::S3::Bucket', '', 'Retain'],
    ];
    secrets = ['tributary/acme/webhooks/1'];
    const steps = await offboard('acme', { isMeant: false });
    expect(steps.map(({ what, name, outcome }) => `${what} ${name}: ${outcome}`)).toEqual([
      `stack ${service}: is deleted`,
      'secret tributary/acme/webhooks/1: is deleted, and can be had back for 7 days',
      'AWS::DynamoDB::Table t: is deleted',
      'AWS::S3::Bucket events: is emptied of all versions and deleted',
      'AWS::SQS::Queue dead: is deleted',
      'AWS::Backup::BackupVault full: stays with 3 copies until each expires',
      'AWS::Backup::BackupVault empty: is deleted',
      `stack ${data}: is deleted`,
      'file tenants/acme.json: stays: remove it',
      'account keys of KMS, certificates, assets of the CDK, metrics: stay',
    ]);
    expect([...new Set(operations)]).toEqual(['DescribeStacks', 'GetTemplate', 'ListStackResources']);
  });

  it.each([
    [
      'update',
      'DELETE_COMPLETE',
      'UPDATE_ROLLBACK_COMPLETE',
      `${data} could not be updated to delete its data with it.`,
    ],
    ['deletion', 'DELETE_FAILED', 'CREATE_COMPLETE', `${service} could not be deleted.`],
  ])('says of a failed %s that it failed, and of which stack', async (_, ofService, ofData, message) => {
    const isChanged = () => operations.some((operation) => operation === 'DeleteStack' || operation === 'UpdateStack');
    statusOf = (stack) => (isChanged() ? (stack === service ? ofService : ofData) : 'CREATE_COMPLETE');
    await expect(offboard('acme', { isMeant: true })).rejects.toThrow(
      `${message} Its events in CloudFormation name the resource and the reason. Remove it, then run this again.`,
    );
  });
});
