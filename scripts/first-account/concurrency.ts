import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { defaultConcurrency } from '../../lib/tenant.ts';

const Settings = v.object({ AccountLimit: v.object({ ConcurrentExecutions: v.number() }) });

/** How many functions the account runs at once in the client's Region: Lambda's GetAccountSettings. */
export async function readConcurrency({ config }: DynamoDBClient): Promise<number> {
  const region = await config.region();
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const address = new URL(process.env['AWS_ENDPOINT_URL'] ?? `https://lambda.${region}.${suffix}`);
  const path = '/2016-08-19/account-settings/';
  const scheme = { name: 'sigv4', signingName: 'lambda', signingRegion: region, properties: {} } as const;
  const signer = await config.signer?.(scheme);
  const { protocol, hostname, host } = address;
  const request = { method: 'GET', protocol, hostname, path, query: {}, headers: { host } };
  const signed = await signer?.sign(request);
  const response = await fetch(new URL(path, address), { headers: signed?.headers ?? {} });
  if (!response.ok) throw new Error(`Lambda answered ${response.status}. The caller needs lambda:GetAccountSettings.`);
  return v.parse(Settings, await response.json()).AccountLimit.ConcurrentExecutions;
}

/** What to write into the tenant's file for such an account. */
export const concurrencyAdvice = (quota: number): string =>
  quota < defaultConcurrency
    ? `write "accountConcurrency": ${quota} into the tenant's file and deploy, or request ${defaultConcurrency}`
    : 'the defaults fit';
