import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { alarmMail } from '../../cli/admin/alarm-mail.ts';
import { defaultTenant, tenantOf } from '../../lib/tenant.ts';
import { listenOnLoopback } from '../../local/listen.ts';
import { accountChecks } from '../../scripts/first-account/account.ts';
import { refusals } from '../../scripts/preflight.ts';

/** What the account answers, by a word of the request. A word that is not here is refused. */
let answers: Record<string, string> = {};
const asked: string[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += String(chunk)));
  request.on('end', () => {
    const text = `${request.url} ${request.headers['x-amz-target'] ?? ''} ${body}`;
    asked.push(text);
    const [, answer] = Object.entries(answers).find(([word]) => text.includes(word)) ?? [];
    response.statusCode = answer === undefined ? 403 : 200;
    response.end(answer ?? '');
  });
});
beforeAll(async () => {
  vi.stubEnv('AWS_ENDPOINT_URL', await listenOnLoopback(server, 0));
  for (const [name, value] of Object.entries({ ACCESS_KEY_ID: 'k', SECRET_ACCESS_KEY: 's', REGION: 'eu-west-1' }))
    vi.stubEnv(`AWS_${name}`, value);
});
afterAll(() => {
  server.close();
  vi.unstubAllEnvs();
});

const resource = (type: string, id: string, name: string) =>
  `<member><ResourceType>${type}</ResourceType><LogicalResourceId>${id}</LogicalResourceId><PhysicalResourceId>${name}</PhysicalResourceId></member>`;
const resources = (...members: readonly string[]) =>
  `<DescribeStackResourcesResponse><DescribeStackResourcesResult><StackResources>${members.join('')}</StackResources></DescribeStackResourcesResult></DescribeStackResourcesResponse>`;
const stack = resources(
  resource('AWS::SNS::Topic', 'AlarmsTopic', 'arn:aws:sns:eu-west-1:1:alarms'),
  resource('AWS::CloudWatch::Alarm', 'AlarmsOrderNotCollected', 'acme-OrderNotCollected'),
  resource('AWS::Budgets::Budget', 'Budget', 'budget'),
);

describe('the account before a deployment', () => {
  it('is refused without a role for the logs of API Gateway, which is missed half-way otherwise', async () => {
    const template =
      '<GetTemplateResponse><GetTemplateResult><TemplateBody>{"Resources":{}}</TemplateBody></GetTemplateResult></GetTemplateResponse>';
    answers = { '/account': '{}', 'Action=GetTemplate': template, 'Action=DescribeStackResources': resources() };
    expect(await refusals(defaultTenant('acme'))).toEqual([
      expect.stringContaining('npx cdk deploy tributary-account'),
    ]);
    answers['/account'] = '{"cloudwatchRoleArn":"arn:aws:iam::1:role/logs"}';
    expect(await refusals(defaultTenant('acme'))).toEqual([]);
  });

  it('is refused a warm throughput below what a table takes now, unless the file does not change it', async () => {
    const deployed = { Resources: { StoresTablesMain1: { Properties: {} } } };
    const of = (body: object) =>
      `<GetTemplateResponse><GetTemplateResult><TemplateBody>${JSON.stringify(body)}</TemplateBody></GetTemplateResult></GetTemplateResponse>`;
    answers = {
      '/account': '{"cloudwatchRoleArn":"arn"}',
      'Action=GetTemplate': of(deployed),
      'Action=DescribeStackResources': resources(resource('AWS::DynamoDB::Table', 'StoresTablesMain1', 'main')),
      DescribeTable: JSON.stringify({
        Table: { WarmThroughput: { ReadUnitsPerSecond: 40_000, WriteUnitsPerSecond: 8_000 } },
      }),
    };
    const warm = (reads: number, writes: number) => tenantOf('acme', { warmThroughput: { main: { reads, writes } } });
    expect(await refusals(warm(30_000, 9_000))).toEqual([
      expect.stringContaining('{ "reads": 40000, "writes": 8000 }'),
    ]);
    expect(await refusals(warm(40_000, 9_000))).toEqual([]);
    const same = { WarmThroughput: { ReadUnitsPerSecond: 30_000, WriteUnitsPerSecond: 9_000 } };
    answers['Action=GetTemplate'] = of({ Resources: { StoresTablesMain1: { Properties: same } } });
    expect(await refusals(warm(30_000, 9_000))).toEqual([]);
  });
});

describe('the mails of alarms', () => {
  const subscription = (endpoint: string, arn: string) =>
    `<member><Endpoint>${endpoint}</Endpoint><Protocol>email</Protocol><SubscriptionArn>${arn}</SubscriptionArn></member>`;

  it('are shown as mute until an address has confirmed, with the command that asks for another mail', async () => {
    const pending = subscription('ops@acme.test', 'PendingConfirmation');
    answers = { 'Action=DescribeStackResources': stack, ListSubscriptionsByTopic: pending };
    const unheard = await alarmMail('acme');
    expect(unheard).toMatchObject({
      alarms_are_mute: true,
      subscribe: expect.stringContaining('aws sns subscribe --topic-arn arn:aws:sns:eu-west-1:1:alarms'),
      subscriptions: [{ endpoint: 'ops@acme.test', confirmed: false }],
    });
    const check = accountChecks['somebody has confirmed the mails of alarms'];
    expect(await check?.('acme')).toMatchObject({ holds: false, saw: expect.stringContaining('48 hours') });
    answers['ListSubscriptionsByTopic'] = pending + subscription('b@acme.test', 'arn:aws:sns:eu-west-1:1:alarms:2');
    expect(await alarmMail('acme')).not.toHaveProperty('alarms_are_mute');
    expect(await check?.('acme')).toMatchObject({ holds: true });
  });

  it('are tried by an alarm that rolls nothing back, which is ended again', async () => {
    const check = accountChecks['an alarm that rings is published to its topic'];
    const history = (HistorySummary: string) => JSON.stringify({ AlarmHistoryItems: [{ HistorySummary }] });
    answers = { 'Action=DescribeStackResources': stack, SetAlarmState: '{}' };
    answers['DescribeAlarmHistory'] = history('Successfully executed action arn');
    asked.length = 0;
    expect(await check?.('acme')).toMatchObject({ holds: true });
    const states = asked.filter((text) => text.includes('SetAlarmState'));
    expect(states.map((text) => /"StateValue":"(\w+)"/.exec(text)?.[1])).toEqual(['ALARM', 'OK']);
    expect(states.join()).toContain('acme-OrderNotCollected');
    answers['DescribeAlarmHistory'] = history('Failed to execute action arn');
    expect(await check?.('acme')).toMatchObject({ holds: false });
  });
});

describe('the budget of a tenant', () => {
  const check = accountChecks['the budget sees the tenant: its tag is active for cost allocation'];

  it.each([
    ['counts nothing while its tag is inactive', '{"CostAllocationTags":[{"Status":"Inactive"}]}', false],
    ['counts once its tag is active', '{"CostAllocationTags":[{"Status":"Active"}]}', true],
    ['is unknown if only the paying account may read the tag', undefined, false],
  ])('%s', async (_, tags, holds) => {
    answers = { 'Action=DescribeStackResources': stack, ...(tags !== undefined && { ListCostAllocationTags: tags }) };
    expect(await check?.('acme')).toMatchObject({ holds });
  });
});
