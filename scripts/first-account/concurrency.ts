import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { signedFetch } from '../../cli/signed-fetch.ts';
import { defaultConcurrency } from '../../lib/tenant.ts';

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
