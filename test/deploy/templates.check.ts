import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App } from 'aws-cdk-lib/core';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeStatement, statementCall } from '../../cli/admin/erase-stored.ts';
import { AccountStack } from '../../lib/account-stack.ts';
import { featureFlags } from '../../lib/feature-flags.ts';
import { readTenant } from '../../lib/tenant.ts';
import { tenantStacks } from '../../lib/tenant-stacks.ts';
import { resourcesOf, Template } from '../../local/template/template.ts';
import { WorkspaceId } from '../../shared/contract/ids.ts';
import { everyOption } from '../support/every-option.ts';
import { type Modelled, modelProblems } from './models.ts';

const linter = process.env['CFN_LINT'] ?? '';
const regions = ['us-east-1', 'eu-west-1', 'ap-southeast-2', 'ca-central-1', 'sa-east-1'];
/** The CDK adds dependencies that a reference implies, and outputs what another stack exports. */
const rulesOfStyle = ['W3005', 'W6001'];

const folder = mkdtempSync(path.join(tmpdir(), 'templates-'));
afterAll(() => rmSync(folder, { recursive: true }));

const files = new Map<string, Template>();
beforeAll(() => {
  const tenants = {
    all: everyOption,
    none: {},
    pinned: { account: '111122223333', region: 'eu-west-1', ...everyOption },
  };
  for (const [name, file] of Object.entries(tenants)) {
    writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(file));
    const context = { ...featureFlags, 'aws:cdk:disable-asset-staging': true, tenant: name };
    const app = new App({
      analyticsReporting: false,
      builtinCloudFormationValidation: false,
      outdir: path.join(folder, name),
      context,
    });
    tenantStacks(app, { tenant: readTenant(app.node, folder), bundleOf: () => folder });
    if (name === 'none') new AccountStack(app);
    for (const { templateFullPath, template } of app.synth().stacks)
      files.set(templateFullPath, v.parse(Template, template));
  }
});

function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return `${status === 0 ? '' : `ended with ${status}: ${stderr}`}${stdout}`.trim();
}

describe('the templates of a tenant', () => {
  it('pass the rules of CloudFormation in five Regions, with all options and with none', () => {
    expect(files.size).toBe(7);
    const options = ['--regions', ...regions, '--ignore-checks', ...rulesOfStyle, '--format', 'parseable'];
    expect(run(linter, [...options, '--', ...files.keys()])).toBe('');
  });

  it('do not pass with a fault: the linter looks', () => {
    const file = path.join(folder, 'fault.json');
    const Resources = { Queue: { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 50_000 } } };
    writeFileSync(file, JSON.stringify({ Resources }));
    expect(run(linter, ['--regions', ...regions, '--format', 'parseable', '--', file])).toContain('E3034');
  });
});

const Target = v.object({ Target: v.object({ Arn: v.unknown(), Input: v.string() }) });
/** What AWS puts in place of the words that a schedule may name. */
const words = { '<aws.scheduler.scheduled-time>': '2026-11-24T06:00:00Z', '<aws.scheduler.attempt-number>': '1' };

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const BackupRule = v.object({
  EventPattern: v.object({
    source: v.tuple([v.literal('aws.backup')]),
    'detail-type': v.tuple([v.string()]),
    detail: v.record(v.string(), v.array(v.unknown())),
  }),
});

describe('a rule for events of AWS Backup', () => {
  // The developer guide: names and values of an event are those of the API.
  const answersOf = (type: string, detail: Readonly<Record<string, readonly unknown[]>>): Modelled[] => {
    const operation = `Describe${type.replace(' State Change', '').replace(' ', '')}`;
    return Object.entries(detail).flatMap(([field, values]) =>
      values.map((value): Modelled => {
        const answer = { [capitalized(field)]: typeof value === 'string' ? value : JSON.stringify(value) };
        return ['backup', operation, answer, 'output'];
      }),
    );
  };

  it('waits for fields and states that a job of AWS Backup has', () => {
    const calls = [...files.values()].flatMap((template) =>
      resourcesOf(template, 'AWS::Events::Rule').flatMap(([, { Properties }]) => {
        const { success, output } = v.safeParse(BackupRule, Properties);
        if (!success) return [];
        const { 'detail-type': type, detail } = output.EventPattern;
        return answersOf(type[0], detail);
      }),
    );
    expect(calls.length).toBeGreaterThan(10);
    expect(modelProblems(calls)).toEqual(calls.map(() => []));
  });

  it.each([
    ['a state that it never has', { status: ['EXPIRED'] }],
    ['a field that it does not have', { state: ['FAILED'] }],
  ])('is refused with %s', (_, detail) => {
    expect(modelProblems(answersOf('Restore Job State Change', detail))).toEqual([[expect.any(String)]]);
  });
});

it('erases a person by a call of Athena that the model of the service allows', () => {
  const workspace = v.parse(WorkspaceId, 'ws_1');
  const days = { first: '2026-01-01', last: '2026-04-10' };
  const statement = removeStatement('events', workspace, { column: 'user_id', id: "o'brien" }, days);
  const call = statementCall({ database: 'tributary_acme_iceberg', workGroup: 'tributary-acme' }, statement);
  expect(modelProblems([['athena', 'StartQueryExecution', call]])).toEqual([[]]);
});

describe('a schedule', () => {
  it('calls an operation of AWS with an input that the model of the service allows', () => {
    const calls = [...files.values()].flatMap((template) =>
      resourcesOf(template, 'AWS::Scheduler::Schedule').map(([, { Properties }]): Modelled => {
        const { Arn, Input } = v.parse(Target, Properties).Target;
        const [, service = '', operation = ''] = /:::aws-sdk:(\w+):(\w+)/.exec(JSON.stringify(Arn)) ?? [];
        let text = Input;
        for (const [word, value] of Object.entries(words)) text = text.replaceAll(word, value);
        return [service, capitalized(operation), JSON.parse(text)];
      }),
    );
    // Two in each template with Iceberg tables.
    expect(calls.length).toBeGreaterThanOrEqual(4);
    expect(modelProblems(calls)).toEqual(calls.map(() => []));
  });

  it.each([
    ['a token that is too short', { QueryString: 'SELECT 1', ClientRequestToken: 'x'.repeat(16) }],
    ['no query', { ClientRequestToken: 'x'.repeat(40) }],
    ['a member that does not exist', { QueryString: 'SELECT 1', Query: 'SELECT 1' }],
  ])('is refused with %s', (_, input) => {
    expect(modelProblems([['athena', 'StartQueryExecution', input]])).toEqual([[expect.any(String)]]);
  });
});
