import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerAdmin } from '../../cli/commands/admin.ts';
import { functionNames } from '../../lib/function-specs.ts';
import { currentTemplate } from '../../local/template/current.ts';
import { type Wiring, wire } from '../../local/template/wiring.ts';
import { type Call, problemsOf, type Right, readCalls, recorderOf, rightsFor } from './calls.ts';
import { type Cloud, startCloud } from './cloud.ts';
import { modelProblems, readRequests } from './models.ts';
import { everyOptionTemplate } from './options.ts';
import { allows, rolesIn, type Statement, statementsByFunction } from './policies.ts';
import { run, runs } from './run.ts';
import { keyRightsIn, managedPolicies, serviceRights } from './service-rights.ts';

/** Suites that start the service in another process. */
const suites = ['service-process', 'command-line', 'documents', 'mcp'];
/** Runs the statements that erase a person over tables of DuckDB: the emulated Athena runs none. */
const erasing = 'test/infra/iceberg-erase.test.ts';
/** Commands that need an account, which `deploy.check.ts` records. */
const ofAccounts = ['admin canary run', 'admin offboard', 'admin restore', 'admin status'];

const folder = mkdtempSync(path.join(tmpdir(), 'calls-'));
const [plain, optional] = ['plain', 'every-option'].map((name) => path.join(folder, name)) as [string, string];
let cloud: Cloud;
afterAll(async () => {
  await cloud?.stop();
  rmSync(folder, { recursive: true });
});

let calls: readonly Call[];
const templates: Record<string, { readonly wiring: Wiring; readonly calls: readonly Call[] }> = {};
beforeAll(async () => {
  for (const one of [plain, optional]) mkdirSync(one);
  const environment = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
  const suiteRun = ['vitest', 'run', '--config', 'test/process/vitest.config.ts', ...suites];
  // `npm run test:process` reports what fails in them; calls that are missing for it fail below.
  await run({ ...environment, PRELOADED: recorderOf(plain) }, suiteRun);
  const erasure = { NODE_OPTIONS: `--import ${recorderOf(plain)}`, CALLER: 'admin events erase' };
  await runs({ ...environment, ...erasure }, ['vitest', 'run', erasing]);
  const flows = path.join(import.meta.dirname, 'flows.ts');
  await runs(environment, ['node', '--import', recorderOf(plain), flows]);
  cloud = await startCloud(process.env['CLOUD_EMULATOR'] ?? '');
  await runs(environment, ['node', '--import', recorderOf(optional), flows, cloud.endpoint]);
  const [without, withOptions] = [readCalls(plain), readCalls(optional)];
  calls = [...without, ...withOptions];
  const wiringOf = async (template: ReturnType<typeof currentTemplate>) => wire(await template, 'http://127.0.0.1');
  templates['no option'] = { wiring: await wiringOf(currentTemplate()), calls: without };
  templates['every option'] = { wiring: await wiringOf(everyOptionTemplate()), calls };
});

const ofFunctions = (all: readonly Call[]) => all.filter(({ caller }) => functionNames.some((name) => name === caller));

/** What a call needs in a template, with the customer's key of the stores that it uses. */
function neededBy(wiring: Wiring): (call: Call) => Right[] {
  const keyRights = keyRightsIn(wiring);
  return (call) => rightsFor(call).flatMap((right) => [right, ...keyRights(right)]);
}

/** What the role of the function refuses of some calls, each once. */
function refusedBy(
  wiring: Wiring,
  roles: ReadonlyMap<string, readonly Statement[]>,
  all: readonly Call[],
): readonly string[] {
  const needed = neededBy(wiring);
  const refused = ofFunctions(all).flatMap((call) =>
    needed(call)
      .filter((right) => !roles.get(call.caller)?.some((one) => allows(one, right)))
      .map(({ action, resource }) => `${call.caller} ${action} ${resource}`),
  );
  return [...new Set(refused)];
}

/** The reasons why no recorded call uses a statement, by the statement's first action. Without functions a reason is for all. */
const unused: readonly (readonly [action: string, reason: string, ...functions: string[]])[] = [
  ['logs:CreateLogStream', 'Lambda writes the log of a function with its role.'],
  ['sqs:ChangeMessageVisibility', 'Lambda polls the queue of a worker with its role.'],
  ['xray:PutTelemetryRecords', 'Lambda sends the traces of a function with its role.'],
  ['s3:ListBucket', 'S3 looks at it if an object is missing: without it the answer is 403 instead of 404.'],
  ['s3:PutObject', 'A batch that a message cannot hold: test/flows/collection.', 'collect'],
  ['sqs:SendMessage', 'A retry of a failed delivery: test/flows/deliveries.', 'queries'],
  ['s3:GetObject', 'Listings that an item cannot hold: test/adapters/garbage.', 'access', 'projector'],
  ['sqs:SendMessage', 'A retry of a failed notification: test/flows/webhooks.', 'webhooks'],
  ['sqs:SendMessage', 'A change of what a project states as lineage: test/flows/collection-lineage.', 'access'],
  ['dynamodb:GetItem', 'The ledger: it runs what the projector runs, which states collections.', 'document-projector'],
  ['secretsmanager:CreateSecret', 'A notification of a change: test/flows/webhooks.', 'notifier'],
  [
    's3:DeleteObject',
    'Listings that an item cannot hold: test/adapters/garbage.',
    'projector',
    'document-projector',
    'sweep',
  ],
  ['sqs:SendMessage', 'Work that a run returns, and notifications: test/flows/worker-time.', 'document-projector'],
  ['s3:GetObject', 'An archive of small payloads after an hour: test/flows/small-payloads.', 'sweep'],
  ['sqs:SendMessage', 'Deliveries that did not reach their queue: test/flows/sweep-backlog.', 'sweep'],
  ['sqs:GetQueueAttributes', 'Lambda sends a call that failed to its queue with the role.', 'sweep', 'compactor'],
];

describe('the calls of all functions', () => {
  it('come from each function that has stores', () => {
    const callers = new Set(calls.map(({ caller }) => caller));
    expect(functionNames.filter((name) => !callers.has(name))).toEqual(['web']);
    expect(calls.length).toBeGreaterThan(4_000);
    expect(calls.filter(({ caller, service }) => caller === 'collect' && service === 'firehose')).not.toEqual([]);
  });

  it('have inputs that the models of AWS allow, as those of all commands', () => {
    expect(problemsOf(calls)).toEqual([]);
  });
});

describe.each(['no option', 'every option'])('the roles of a tenant with %s', (options) => {
  const of = () => templates[options] ?? expect.fail('The template is missing.');

  it('allow the calls of each function', () => {
    const { wiring, calls: made } = of();
    expect(refusedBy(wiring, statementsByFunction(wiring), made)).toEqual([]);
  });

  it('of functions have no statement that no call uses, except for those that are listed with a reason', () => {
    const { wiring, calls: made } = of();
    const statements = statementsByFunction(wiring);
    const needed = neededBy(wiring);
    const callsOf = Map.groupBy(made, ({ caller }) => caller);
    const without = [...statements].flatMap(([name, all]) => {
      const rights = (callsOf.get(name) ?? []).flatMap(needed);
      return all.filter((one) => !rights.some((right) => allows(one, right))).map(({ Action }) => [name, Action[0]]);
    });
    const isListed = ([name = '', action]: readonly (string | undefined)[]) =>
      unused.some(([listed, , ...names]) => listed === action && (names.length === 0 || names.includes(name)));
    expect(without.filter((one) => !isListed(one))).toEqual([]);
    const existing = [...statements].flatMap(([name, all]) => all.map(({ Action }) => `${name} ${Action[0]}`));
    for (const [action, , ...names] of unused)
      for (const name of names) expect(existing).toContain(`${name} ${action}`);
  });

  it('of services allow what AWS documents that the service does with them, and nothing else', () => {
    const { wiring } = of();
    const rights = serviceRights(wiring);
    const others = [...rolesIn(wiring)].filter(([, { service }]) => service !== 'lambda.amazonaws.com');
    const services = [...new Set(others.map(([, { service }]) => service))].toSorted();
    const expected = ['backup', 'codedeploy', 'events', 'firehose', 'glue', 'scheduler'].map(
      (name) => `${name}.amazonaws.com`,
    );
    expect(services).toEqual(options === 'no option' ? [] : expected);
    for (const [name, { service, managed, statements }] of others) {
      const needed = rights.get(name) ?? [];
      expect(managed, name).toEqual(managedPolicies[service] ?? []);
      expect(needed.filter((right) => !statements.some((one) => allows(one, right)))).toEqual([]);
      expect(statements.filter((one) => !needed.some((right) => allows(one, right)))).toEqual([]);
      expect(needed.length > 0 || managed.length > 0).toBe(true);
    }
  });
});

it.each([
  ['the customer’s key', 'kms:Decrypt', ['store-events kms:GenerateDataKey']],
  ['the stream', 'firehose:PutRecordBatch', ['collect firehose:PutRecordBatch']],
])('a role without its statement about %s is found', (_, action, [refusal = '']) => {
  const { wiring, calls: made } = templates['every option'] ?? expect.fail('The template is missing.');
  const without = [...statementsByFunction(wiring)].map(([name, all]): [string, Statement[]] => [
    name,
    all.filter(({ Action }) => !Action.includes(action)),
  ]);
  expect(refusedBy(wiring, new Map(without), made)).toContainEqual(expect.stringContaining(refusal));
});

describe('the calls of an operator', () => {
  /** The commands that do something, by their words. */
  function leavesOf(command: Command, words: readonly string[] = []): string[] {
    if (command.commands.length === 0) return [words.join(' ')];
    return command.commands.flatMap((one) => leavesOf(one, [...words, one.name()]));
  }

  it('come from every command of `tributary admin`', () => {
    const streams = { input: new PassThrough(), output: new PassThrough(), messages: new PassThrough() };
    const program = new Command();
    registerAdmin(program, { terminal: { ...streams, env: {}, folder }, exitCode: 0 });
    const callers = new Set(calls.map(({ caller }) => caller));
    expect(
      leavesOf(program)
        .filter((name) => !callers.has(name))
        .toSorted(),
    ).toEqual(ofAccounts);
  });
});

describe('a call', () => {
  const table = {
    Action: ['dynamodb:GetItem'],
    Effect: 'Allow',
    Resource: ['arn:aws:dynamodb:us-east-1:000000000000:table/A'],
  } as const;
  const get = (input: object): Call => ({
    ...{ caller: 'canary', service: 'dynamodb', operation: 'GetItem', problems: [] },
    input,
  });
  const isAllowed = (call: Call, condition?: Statement['Condition']) =>
    rightsFor(call).every((right) =>
      allows({ ...table, Action: [...table.Action], Resource: [...table.Resource], Condition: condition }, right),
    );
  const canaryOnly = { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['CANARY'] } };

  it.each([
    ['another table', get({ TableName: 'B' })],
    ['an index of the table', get({ TableName: 'A', IndexName: 'gsi1' })],
    ['another action', { ...get({ TableName: 'A' }), operation: 'PutItem' }],
    [
      'a part of a transaction',
      { ...get({ TransactItems: [{ Put: { TableName: 'A' } }] }), operation: 'TransactWriteItems' },
    ],
    [
      'a statement of PartiQL',
      { ...get({ Statements: [{ Statement: 'DELETE FROM "A" WHERE pk=?' }] }), operation: 'BatchExecuteStatement' },
    ],
  ])('is refused for %s', (_, call) => {
    expect([isAllowed(get({ TableName: 'A' })), isAllowed(call)]).toEqual([true, false]);
  });

  it('is refused for another partition than that of the condition', () => {
    const ofPartition = (S: string) => isAllowed(get({ TableName: 'A', Key: { pk: { S } } }), canaryOnly);
    expect([ofPartition('CANARY'), ofPartition('W#other')]).toEqual([true, false]);
  });

  it.each([
    ['a message without its text', 'sqs', 'SendMessage', { QueueUrl: 'url' }],
    ['a key without a type', 'dynamodb', 'GetItem', { TableName: 'Table', Key: { pk: { Text: 'x' } } }],
  ] as const)('does not pass the models with %s', (_, service, operation, input) => {
    expect(modelProblems([[service, operation, input]])).toEqual([[expect.any(String)]]);
  });

  const put = { method: 'PUT', path: '/bucket/key?x-id=PutObject', service: 's3', body: '' };
  const form = (text: string) => ({
    ...{ method: 'POST', path: '/', service: 'cloudformation' },
    body: `Version=2010-05-15&${text}`,
  });
  it.each([
    ['no key', { ...put, path: '/bucket/?x-id=PutObject' }, /Key is missing/],
    ['a header that no operation has', { ...put, headers: { 'x-amz-other': '1' } }, /x-amz-other is unknown/],
    ['a checksum of an unknown kind', { ...put, headers: { 'x-amz-sdk-checksum-algorithm': 'MD4' } }, /is not one of/],
    [
      'objects to delete that are not named',
      {
        ...{ ...put, method: 'POST', path: '/bucket/?delete' },
        body: '<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Quiet>true</Quiet></Delete>',
      },
      /Delete.Objects is missing/,
    ],
    ['an update without a stack', form('Action=UpdateStack&TemplateBody=%7B%7D'), /StackName is missing/],
    [
      'a right that CloudFormation does not take',
      form('Action=UpdateStack&StackName=a&Capabilities.member.1=CAPABILITY_ALL'),
      /is not one of/,
    ],
    [
      'a restore without a recovery point',
      { method: 'PUT', path: '/restore-jobs', service: 'backup', body: '{"Metadata":{}}' },
      /RecoveryPointArn is missing/,
    ],
    [
      'a signature for another service',
      {
        ...{ method: 'POST', path: '/', service: 'lambda', body: '{"TableName":"a"}' },
        headers: { 'x-amz-target': 'DynamoDB_20120810.ListTables' },
      },
      /lambda has the target None/,
    ],
    [
      'no records for Firehose',
      {
        ...{ method: 'POST', path: '/', service: 'firehose', body: '{"DeliveryStreamName":"a","Records":[]}' },
        headers: { 'x-amz-target': 'Firehose_20150804.PutRecordBatch' },
      },
      /Records is not between/,
    ],
  ])('of any protocol does not pass the models with %s', (_, request, problem) => {
    const [read] = readRequests([{ caller: 'admin', headers: {}, ...request }]);
    expect(read?.problems).toContainEqual(expect.stringMatching(problem));
  });
});
