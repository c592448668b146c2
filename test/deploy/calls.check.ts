import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { functionNames } from '../../lib/function-specs.ts';
import { currentTemplate } from '../../local/template/current.ts';
import { wire } from '../../local/template/wiring.ts';
import { type Call, readCalls, rightsFor } from './calls.ts';
import { modelProblems } from './models.ts';
import { allows, type Statement, statementsByFunction } from './policies.ts';
import { run, runs } from './run.ts';

/** Suites that start the service in another process. */
const suites = ['service-process', 'command-line', 'documents', 'mcp'];

const folder = mkdtempSync(path.join(tmpdir(), 'calls-'));
afterAll(() => rmSync(folder, { recursive: true }));

let calls: readonly Call[];
let statements: ReadonlyMap<string, readonly Statement[]>;
beforeAll(async () => {
  const recorder = pathToFileURL(path.join(import.meta.dirname, 'record-calls.ts'));
  recorder.searchParams.set('folder', String(pathToFileURL(folder)));
  const environment = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
  const suiteRun = ['vitest', 'run', '--config', 'test/process/vitest.config.ts', ...suites];
  // `npm run test:process` reports what fails in them; calls that are missing for it fail below.
  await run({ ...environment, PRELOADED: recorder.href }, suiteRun);
  await runs(environment, ['node', '--import', recorder.href, path.join(import.meta.dirname, 'flows.ts')]);
  calls = readCalls(folder);
  statements = statementsByFunction(wire(await currentTemplate(), 'http://127.0.0.1'));
});

/** The reasons why no recorded call uses a statement, by the statement's first action. Without functions a reason is for all. */
const unused: readonly (readonly [action: string, reason: string, ...functions: string[]])[] = [
  ['logs:CreateLogStream', 'Lambda writes the log of a function with its role.'],
  ['sqs:ChangeMessageVisibility', 'Lambda polls the queue of a worker with its role.'],
  ['s3:ListBucket', 'S3 looks at it if an object is missing: without it the answer is 403 instead of 404.'],
  ['s3:PutObject', 'A batch that a message cannot hold: test/flows/collection.', 'collect'],
  ['sqs:SendMessage', 'A retry of a failed delivery: test/flows/deliveries.', 'queries'],
  ['s3:GetObject', 'Listings that an item cannot hold: test/adapters/garbage.', 'access', 'projector'],
  ['sqs:SendMessage', 'A retry of a failed notification: test/flows/webhooks.', 'webhooks'],
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
];

describe('the calls of all functions', () => {
  it('come from each function that has stores', () => {
    const callers = new Set(calls.map(({ caller }) => caller));
    expect(functionNames.filter((name) => !callers.has(name))).toEqual(['web']);
    expect(calls.length).toBeGreaterThan(2_000);
  });

  it('have inputs that the models of AWS allow', () => {
    const problems = modelProblems(calls.map(({ service, operation, input }) => [service, operation, input]));
    const found = problems.flatMap((all, at) => all.map((one) => `${calls[at]?.caller}: ${one}`));
    expect([...new Set(found)]).toEqual([]);
  });

  it('are allowed by the role of the function', () => {
    const refused = calls.flatMap((call) =>
      rightsFor(call)
        .filter((right) => !statements.get(call.caller)?.some((one) => allows(one, right)))
        .map(({ action, resource }) => `${call.caller} ${action} ${resource}`),
    );
    expect([...new Set(refused)]).toEqual([]);
  });

  it('use each statement of a role, except for those that are listed with a reason', () => {
    const rights = Map.groupBy(calls, ({ caller }) => caller);
    const without = [...statements].flatMap(([name, all]) => {
      const asked = (rights.get(name) ?? []).flatMap(rightsFor);
      return all.filter((one) => !asked.some((right) => allows(one, right))).map(({ Action }) => [name, Action[0]]);
    });
    const isListed = ([name = '', action]: readonly (string | undefined)[]) =>
      unused.some(([listed, , ...names]) => listed === action && (names.length === 0 || names.includes(name)));
    expect(without.filter((one) => !isListed(one))).toEqual([]);
    const existing = [...statements].flatMap(([name, all]) => all.map(({ Action }) => `${name} ${Action[0]}`));
    for (const [action, , ...names] of unused)
      for (const name of names) expect(existing).toContain(`${name} ${action}`);
  });
});

describe('a call', () => {
  const table = {
    Action: ['dynamodb:GetItem'],
    Effect: 'Allow',
    Resource: ['arn:aws:dynamodb:us-east-1:000000000000:table/A'],
  } as const;
  const get = (input: object): Call => ({ caller: 'canary', service: 'dynamodb', operation: 'GetItem', input });
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
    ['no key', 's3', 'PutObject', { path: '/bucket/?x-id=PutObject', headers: {} }],
    ['a header that no operation has', 's3', 'PutObject', { path: '/bucket/key', headers: { 'x-amz-other': '1' } }],
    [
      'a checksum of an unknown kind',
      's3',
      'PutObject',
      { path: '/bucket/key', headers: { 'x-amz-sdk-checksum-algorithm': 'MD4' } },
    ],
    ['a message without its text', 'sqs', 'SendMessage', { QueueUrl: 'url' }],
    ['a key without a type', 'dynamodb', 'GetItem', { TableName: 'Table', Key: { pk: { Text: 'x' } } }],
  ] as const)('does not pass the models with %s', (_, service, operation, input) => {
    expect(modelProblems([[service, operation, input]])).toEqual([[expect.any(String)]]);
  });
});
