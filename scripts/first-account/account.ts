import { setTimeout as after } from 'node:timers/promises';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { alarmMail, resourcesOf } from '../../cli/admin/alarm-mail.ts';
import { signedFetch } from '../../cli/signed-fetch.ts';
import { defaultConcurrency } from '../../lib/tenant.ts';
import type { Finding } from './ask.ts';

/** Checks of a tenant's alarms and budget that need the account, by statement. */
export const accountChecks: Readonly<Record<string, (tenant: string) => Promise<Finding>>> = {
  'somebody has confirmed the mails of alarms': async (tenant) => {
    const { subscriptions, subscribe } = await alarmMail(tenant);
    const listed = subscriptions.map(({ endpoint, confirmed }) => `${endpoint} ${confirmed ? '' : 'not '}confirmed`);
    const advice = subscribe
      ? `; the mail of SNS is valid for 48 hours, then SNS deletes the subscription and no deployment makes it again: ${subscribe}`
      : '';
    return { holds: subscribe === undefined, saw: `${listed.join(', ') || 'no subscription'}${advice}` };
  },
  'an alarm that rings is published to its topic': ringOne,
  'the budget sees the tenant: its tag is active for cost allocation': budgetTag,
};

async function ask(client: CloudFormationClient, service: 'monitoring' | 'ce', target: string, body: object) {
  const headers = { 'content-type': `application/x-amz-json-1.${service === 'ce' ? 1 : 0}`, 'x-amz-target': target };
  return signedFetch(client, { service, method: 'POST', path: '/', headers, body: JSON.stringify(body) });
}

const History = v.object({ AlarmHistoryItems: v.array(v.object({ HistorySummary: v.string() })) });
const cloudWatch = 'GraniteServiceVersion20100801';

/** Rings an alarm that rolls no deployment back, waits until CloudWatch has published it, and ends it. */
async function ringOne(tenant: string): Promise<Finding> {
  const client = new CloudFormationClient({});
  const alarms = await resourcesOf(client, tenant, 'AWS::CloudWatch::Alarm');
  const AlarmName = alarms.find((name) => name.includes('OrderNotCollected')) ?? '';
  const StartDate = Date.now() / 1_000;
  const set = (StateValue: 'ALARM' | 'OK') =>
    ask(client, 'monitoring', `${cloudWatch}.SetAlarmState`, { AlarmName, StateValue, StateReason: 'first-account' });
  const rung = await set('ALARM');
  if (!rung.ok) return { holds: false, saw: `CloudWatch answered ${rung.status}: cloudwatch:SetAlarmState is needed` };
  try {
    for (let attempt = 0; attempt < 30; attempt++) {
      const wanted = { AlarmName, HistoryItemType: 'Action', StartDate };
      const history = await ask(client, 'monitoring', `${cloudWatch}.DescribeAlarmHistory`, wanted);
      const [item] = history.ok ? v.parse(History, await history.json()).AlarmHistoryItems : [];
      const saw = `${AlarmName}: ${item?.HistorySummary}. The mail about it must arrive within a minute.`;
      if (item) return { holds: item.HistorySummary.startsWith('Successfully'), saw };
      await after(2_000);
    }
    return { holds: false, saw: `${AlarmName}: nothing was published within a minute` };
  } finally {
    await set('OK');
  }
}

const Tags = v.object({ CostAllocationTags: v.array(v.object({ Status: v.string() })) });

/** Cost Explorer has one Region, and answers only the account that pays. */
async function budgetTag(tenant: string): Promise<Finding> {
  const { config } = new CloudFormationClient({});
  if ((await resourcesOf(new CloudFormationClient({}), tenant, 'AWS::Budgets::Budget')).length === 0)
    return { holds: true, saw: 'no monthlyBudget' };
  const client = new CloudFormationClient({ region: 'us-east-1', credentials: config.credentials });
  const wanted = { TagKeys: ['tributary:tenant'] };
  const response = await ask(client, 'ce', 'AWSInsightsIndexService.ListCostAllocationTags', wanted);
  if (!response.ok)
    return {
      holds: false,
      saw: `Cost Explorer answered ${response.status}: the tag must be activated in the management account of the organization, and until then the budget counts nothing`,
    };
  const [tag] = v.parse(Tags, await response.json()).CostAllocationTags;
  return {
    holds: tag?.Status === 'Active',
    saw: tag
      ? `the tag is ${tag.Status}: activate it under Billing, Cost allocation tags`
      : 'the tag is not known yet: it appears a day after the first deployment',
  };
}

const Settings = v.object({ AccountLimit: v.object({ ConcurrentExecutions: v.number() }) });

/** How many functions the account runs at once in the client's Region: Lambda's GetAccountSettings. */
export async function readConcurrency(client: DynamoDBClient): Promise<number> {
  const path = '/2016-08-19/account-settings/';
  const response = await signedFetch(client, { service: 'lambda', method: 'GET', path });
  if (!response.ok) throw new Error(`Lambda answered ${response.status}. The caller needs lambda:GetAccountSettings.`);
  return v.parse(Settings, await response.json()).AccountLimit.ConcurrentExecutions;
}

/** What to write into the tenant's file for such an account. */
export const concurrencyAdvice = (quota: number): string =>
  quota < defaultConcurrency
    ? `write "accountConcurrency": ${quota} into the tenant's file and deploy, or request ${defaultConcurrency}`
    : 'the defaults fit';
