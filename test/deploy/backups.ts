import { BackupClient, StartBackupJobCommand } from '@aws-sdk/client-backup';
import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { connect } from '../../cli/connect.ts';
import { stackNames } from '../../shared/contract/stack-outputs.ts';

const account = '000000000000';

/** Does what the plans of a night do: copies the main table of a tenant, then its buckets, into its vault. */
export async function copyLikeANight(tenant: string): Promise<void> {
  const { names } = await connect({ tenant });
  const [BackupVaultName = ''] = await namesOf(tenant, 'AWS::Backup::BackupVault');
  const client = new BackupClient({});
  const table = `arn:aws:dynamodb:us-east-1:${account}:table/${names.table}`;
  const buckets = [names.raw_bucket, names.lake_bucket].map((name) => `arn:aws:s3:::${name}`);
  for (const ResourceArn of [table, ...buckets]) {
    const IamRoleArn = `arn:aws:iam::${account}:role/backup`;
    await client.send(new StartBackupJobCommand({ BackupVaultName, ResourceArn, IamRoleArn }));
  }
}

async function namesOf(tenant: string, type: string): Promise<string[]> {
  const found: string[] = [];
  const listing = { StackName: stackNames(tenant).data };
  for await (const page of paginateListStackResources({ client: new CloudFormationClient({}) }, listing))
    for (const { ResourceType, PhysicalResourceId } of page.StackResourceSummaries ?? [])
      if (ResourceType === type && PhysicalResourceId) found.push(PhysicalResourceId);
  return found;
}
