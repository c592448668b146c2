import { BackupClient, DescribeBackupVaultCommand } from '@aws-sdk/client-backup';
import {
  CloudFormationClient,
  DeleteStackCommand,
  DescribeStacksCommand,
  GetTemplateCommand,
  paginateListStackResources,
  type Stack,
  UpdateStackCommand,
  waitUntilStackDeleteComplete,
  waitUntilStackUpdateComplete,
} from '@aws-sdk/client-cloudformation';
import { S3Client } from '@aws-sdk/client-s3';
import { DeleteSecretCommand, paginateListSecrets, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { emptyBucket } from '../../shared/adapters/s3/object-versions.ts';
import { Problem } from '../../shared/contract/problems.ts';
import { secretsPrefix, stackNames } from '../../shared/contract/stack-outputs.ts';
import { unlessStackIsMissing } from '../connect.ts';

/** A line of the plan. The lines have the order of the work. */
type Step = { readonly what: string; readonly name: string; readonly outcome: string };
type Resource = { readonly id: string; readonly type: string; readonly name: string };
type Plan = {
  readonly service: Stack | null;
  readonly data: Stack | null;
  /** Resources with a deletion policy: those with data outlive their stack. */
  readonly retained: readonly Resource[];
  /** The vaults with copies, which AWS deletes only when they are old enough. */
  readonly vaults: ReadonlyMap<string, number>;
  readonly secrets: readonly string[];
};

/** Deletes everything of a tenant, the service first, or shows what it would delete. Repeat it to finish. */
export async function offboard(tenant: string, { isMeant }: { readonly isMeant: boolean }) {
  const clients = openClients();
  const plan = await planOf(clients, tenant);
  const steps = stepsOf(plan, tenant);
  if (!isMeant) return steps;
  for (const stack of [plan.service, plan.data]) refuseProtected(stack, tenant);
  await deleteStack(clients.cloud, plan.service);
  for (const SecretId of plan.secrets)
    await clients.secrets.send(new DeleteSecretCommand({ SecretId, RecoveryWindowInDays: 7 }));
  if (plan.data) await deleteData(clients, plan, plan.data);
  return steps;
}

const openClients = () => ({
  cloud: new CloudFormationClient({}),
  backup: new BackupClient({}),
  s3: new S3Client({}),
  secrets: new SecretsManagerClient({}),
});
type Clients = ReturnType<typeof openClients>;

async function planOf(clients: Clients, tenant: string): Promise<Plan> {
  const names = stackNames(tenant);
  const [service, data] = [await stackOf(clients.cloud, names.service), await stackOf(clients.cloud, names.data)];
  const secrets = await secretsOf(clients.secrets, tenant);
  if (!service && !data && secrets.length === 0)
    throw new Problem('not_found', {
      message: `There is no stack ${names.service} or ${names.data} in this account and Region. Check AWS_PROFILE and AWS_REGION.`,
    });
  const retained = data ? await retainedIn(clients.cloud, data) : [];
  const vaults = new Map<string, number>();
  for (const { type, name: BackupVaultName } of retained) {
    if (type !== vaultType) continue;
    const { NumberOfRecoveryPoints = 0 } = await clients.backup.send(
      new DescribeBackupVaultCommand({ BackupVaultName }),
    );
    if (NumberOfRecoveryPoints > 0) vaults.set(BackupVaultName, NumberOfRecoveryPoints);
  }
  return { service, data, retained, vaults, secrets };
}

const vaultType = 'AWS::Backup::BackupVault';
const bucketType = 'AWS::S3::Bucket';

function stepsOf({ service, data, retained, vaults, secrets }: Plan, tenant: string): readonly Step[] {
  const stack = ({ StackName: name = '' }: Stack): Step => ({ what: 'stack', name, outcome: 'is deleted' });
  const resources = retained.map(({ type, name: id }): Step => {
    const copies = vaults.get(id);
    // The id of a queue is its address.
    const name = id.slice(id.lastIndexOf('/') + 1);
    if (copies !== undefined) return { what: type, name, outcome: `stays with ${copies} copies until each expires` };
    return { what: type, name, outcome: type === bucketType ? 'is emptied of all versions and deleted' : 'is deleted' };
  });
  return [
    ...(service ? [stack(service)] : []),
    ...secrets.map((name): Step => ({ what: 'secret', name, outcome: 'is deleted, and can be had back for 7 days' })),
    ...resources,
    ...(data ? [stack(data)] : []),
    { what: 'file', name: `tenants/${tenant}.json`, outcome: 'stays: remove it' },
    { what: 'account', name: 'keys of KMS, certificates, assets of the CDK, metrics', outcome: 'stay' },
  ];
}

/** Null if there is none: an earlier call may have deleted it. */
async function stackOf(cloud: CloudFormationClient, StackName: string): Promise<Stack | null> {
  const described = await unlessStackIsMissing(cloud.send(new DescribeStacksCommand({ StackName })));
  return described?.Stacks?.[0] ?? null;
}

/** Deleting needs two decisions: a deployment without protection, and `--yes`. */
function refuseProtected(stack: Stack | null, tenant: string): void {
  if (!stack?.EnableTerminationProtection) return;
  throw new Problem('conflict', {
    message: `${stack.StackName} is protected. Set "protected": false in tenants/${tenant}.json, run npx cdk deploy --all -c tenant=${tenant}, then run this again.`,
  });
}

const Template = v.looseObject({
  Resources: v.record(v.string(), v.looseObject({ Type: v.string(), DeletionPolicy: v.optional(v.string()) })),
});

async function templateOf(cloud: CloudFormationClient, { StackName }: Stack) {
  const { TemplateBody = '{}' } = await cloud.send(new GetTemplateCommand({ StackName, TemplateStage: 'Original' }));
  return v.parse(Template, JSON.parse(TemplateBody));
}

/** All resources with a deletion policy, also after an interrupted call has changed the policy. */
async function retainedIn(client: CloudFormationClient, stack: Stack): Promise<Resource[]> {
  const { Resources } = await templateOf(client, stack);
  const found: Resource[] = [];
  for await (const page of paginateListStackResources({ client }, { StackName: stack.StackName }))
    for (const {
      LogicalResourceId: id = '',
      ResourceType: type = '',
      PhysicalResourceId: name = '',
    } of page.StackResourceSummaries ?? [])
      if (name && Resources[id]?.DeletionPolicy !== undefined) found.push({ id, type, name });
  return found;
}

async function secretsOf(client: SecretsManagerClient, tenant: string): Promise<string[]> {
  const Values = [secretsPrefix(tenant, 'codehost'), secretsPrefix(tenant, 'webhooks')];
  const names: string[] = [];
  for await (const { SecretList = [] } of paginateListSecrets({ client }, { Filters: [{ Key: 'name', Values }] }))
    names.push(...SecretList.flatMap(({ Name }) => Name ?? []));
  return names;
}

async function deleteData({ cloud, s3 }: Clients, { retained, vaults }: Plan, data: Stack): Promise<void> {
  const empty = async () => {
    for (const { type, name } of retained) if (type === bucketType) await emptyBucket({ client: s3, name });
  };
  // Before any policy changes: emptying may take long and be interrupted.
  await empty();
  await liftRetention(cloud, data, new Set(retained.filter(({ name }) => vaults.has(name)).map(({ id }) => id)));
  // S3 writes access logs hours late.
  await empty();
  await deleteStack(cloud, data);
}

const maxWaitTime = 3_600;

async function deleteStack(client: CloudFormationClient, stack: Stack | null): Promise<void> {
  if (stack === null) return;
  const { StackId: StackName } = stack;
  await client.send(new DeleteStackCommand({ StackName }));
  const waiting = waitUntilStackDeleteComplete({ client, maxWaitTime, minDelay: 1, maxDelay: 15 }, { StackName });
  await settled(stack, 'deleted', waiting);
}

/** Changes the policies of a stack, so that deleting it also deletes its retained resources, except for some. */
async function liftRetention(client: CloudFormationClient, stack: Stack, left: ReadonlySet<string>): Promise<void> {
  const { Resources, Outputs: _, ...template } = await templateOf(client, stack);
  const isDeleted = (id: string, policy: string | undefined) =>
    policy === undefined || policy === 'Delete' || left.has(id);
  const all = Object.entries(Resources);
  if (all.every(([id, { DeletionPolicy }]) => isDeleted(id, DeletionPolicy))) return;
  const lifted = all.map(([id, one]) => [
    id,
    isDeleted(id, one.DeletionPolicy) ? one : { ...one, DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' },
  ]);
  // CloudFormation refuses an update that changes only policies, so add a resource without effect.
  const offboarded = { Offboarded: { Type: 'AWS::CloudFormation::WaitConditionHandle' } };
  const { StackId: StackName, Parameters = [] } = stack;
  await client.send(
    new UpdateStackCommand({
      StackName,
      TemplateBody: JSON.stringify({ ...template, Resources: { ...Object.fromEntries(lifted), ...offboarded } }),
      Capabilities: ['CAPABILITY_IAM', 'CAPABILITY_NAMED_IAM'],
      Parameters: Parameters.map(({ ParameterKey }) => ({ ParameterKey, UsePreviousValue: true })),
    }),
  );
  const waiting = waitUntilStackUpdateComplete({ client, maxWaitTime, minDelay: 1, maxDelay: 15 }, { StackName });
  await settled(stack, 'updated to delete its data with it', waiting);
}

async function settled({ StackName }: Stack, change: string, waiting: Promise<unknown>): Promise<void> {
  try {
    await waiting;
  } catch (cause) {
    throw new Problem('conflict', {
      message: `${StackName} could not be ${change}. Its events in CloudFormation name the resource and the reason. Remove it, then run this again.`,
      cause,
    });
  }
}
