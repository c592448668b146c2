import {
  CloudFormationClient,
  DescribeStackResourcesCommand,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { unlessStackIsMissing } from '../cli/connect.ts';
import { signedFetch } from '../cli/signed-fetch.ts';
import type { Tenant } from '../lib/tenant.ts';
import { stackNames } from '../shared/contract/stack-outputs.ts';

const Account = v.object({ cloudwatchRoleArn: v.nullish(v.string()) });

/** What AWS would refuse halfway through a tenant's deployment, and what to do about each. Nothing is changed. */
export async function refusals(tenant: Tenant): Promise<string[]> {
  const client = new CloudFormationClient(tenant.region === undefined ? {} : { region: tenant.region });
  return [...(await withoutLogRole(client)), ...(await loweredThroughput(client, tenant))];
}

/** API Gateway refuses the stage of a tenant, which logs, in an account without a role for logs. */
async function withoutLogRole(client: CloudFormationClient): Promise<string[]> {
  const response = await signedFetch(client, { service: 'apigateway', method: 'GET', path: '/account' });
  if (!response.ok)
    return [`API Gateway answered ${response.status} to GetAccount. The caller needs apigateway:GET on /account.`];
  if (v.parse(Account, await response.json()).cloudwatchRoleArn) return [];
  return ['API Gateway has no role for logs in this account and Region: npx cdk deploy tributary-account'];
}

const tables = { main: 'StoresTablesMain', eventLedger: 'StoresTablesEventLedger' } as const;
const Units = v.object({ ReadUnitsPerSecond: v.number(), WriteUnitsPerSecond: v.number() });
const Deployed = v.object({
  Resources: v.record(
    v.string(),
    v.looseObject({ Properties: v.optional(v.looseObject({ WarmThroughput: v.optional(Units) })) }),
  ),
});

/** DynamoDB lowers no warm throughput, which also rises by itself. What the file does not change is not compared. */
async function loweredThroughput(client: CloudFormationClient, { name, warmThroughput }: Tenant): Promise<string[]> {
  const StackName = stackNames(name).data;
  const template = await unlessStackIsMissing(client.send(new GetTemplateCommand({ StackName })));
  if (!template) return [];
  const { Resources } = v.parse(Deployed, JSON.parse(template.TemplateBody ?? '{}'));
  const { StackResources = [] } = await client.send(new DescribeStackResourcesCommand({ StackName }));
  const dynamodb = new DynamoDBClient({ region: await client.config.region() });
  const found: string[] = [];
  for (const [table, prefix] of Object.entries(tables)) {
    const chosen = new Map(Object.entries(warmThroughput)).get(table);
    const { LogicalResourceId: id = '', PhysicalResourceId: TableName } =
      StackResources.find((one) => one.LogicalResourceId?.startsWith(prefix)) ?? {};
    const before = Resources[id]?.Properties?.WarmThroughput;
    if (!chosen || (before?.ReadUnitsPerSecond === chosen.reads && before.WriteUnitsPerSecond === chosen.writes))
      continue;
    const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
    const { ReadUnitsPerSecond: reads = 0, WriteUnitsPerSecond: writes = 0 } = Table?.WarmThroughput ?? {};
    if (chosen.reads < reads || chosen.writes < writes)
      found.push(
        `warmThroughput.${table} is below what the table takes now, and DynamoDB lowers none: write at least { "reads": ${reads}, "writes": ${writes} }`,
      );
  }
  return found;
}
