import { createHash } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import {
  BackupClient,
  DescribeRecoveryPointCommand,
  DescribeRestoreJobCommand,
  paginateListRecoveryPointsByResource,
  StartRestoreJobCommand,
} from '@aws-sdk/client-backup';
import { DescribeTableCommand, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { waitForTable } from '../../shared/adapters/dynamodb/requests/restore-table.ts';
import type { Table } from '../../shared/adapters/dynamodb/requests/table.ts';
import { Problem } from '../../shared/contract/problems.ts';
import { type Connection, connect } from '../connect.ts';
import type { AdminContext } from './open-registry.ts';
import { fillTables, refuseUsed } from './restore.ts';

type VaultOptions = {
  readonly from: string;
  /** The night that is restored is the last one that began before; null for the last one. */
  readonly at: Date | null;
  readonly isMeant: boolean;
  readonly isResumed: boolean;
};

const stores = ['table', 'raw_bucket', 'lake_bucket'] as const;
type Store = (typeof stores)[number];
type Point = { readonly arn: string; readonly vault: string; readonly taken_at: string };
type Step = Point & { readonly store: Store; readonly into: string };

/**
 * Restores a night's copies of AWS Backup into the new stacks of another tenant: objects directly into its buckets, the
 * table beside its own, whose items are then copied. Without `isMeant` it only shows what it would restore.
 * @throws Problem `not_found` if no night has a copy of all three; `conflict` if a job fails, or the tenant is in use
 */
export async function restoreFromVault(context: AdminContext, { from, at, isMeant, isResumed }: VaultOptions) {
  const source = await connect({ tenant: from });
  if (!isResumed) await refuseUsed(context);
  const backup = new BackupClient({});
  const night = lastNight(await pointsOf(backup, source, await arnsIn(context.connection)), at);
  const into = (store: Store): string => targetOf(store, night[store], source, context);
  const steps = stores.map((store): Step => ({ ...night[store], store, into: into(store) }));
  if (!isMeant) return steps.map(({ arn: _, ...step }) => step);
  await Promise.all(steps.map((step) => restoreOne(backup, context.connection, step)));
  const { dynamodb: client } = context.connection;
  const main = { client, name: into('table') };
  return fillTables(context, { main, ledger: null, bucket: context.connection.rawBucket });
}

/** Objects are restored into the tenant's own bucket: AWS Backup makes a table only under a new name. */
const targetOf = (store: Store, { taken_at }: Point, source: Connection, { connection }: AdminContext): string =>
  isTable(store) ? `${source.names[store]}-vault-${taken_at.replaceAll(/\W/g, '')}` : connection.names[store];

const isTable = (store: Store): boolean => store === 'table';

/** Makes ARNs of the account and Region of a tenant's table: a table that was deleted has none to read. */
async function arnsIn({ dynamodb, names }: Connection) {
  const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName: names.table }));
  const [, partition, , region, account] = Table?.TableArn?.split(':') ?? [];
  return (store: Store, name: string): string =>
    isTable(store) ? `arn:${partition}:dynamodb:${region}:${account}:table/${name}` : `arn:${partition}:s3:::${name}`;
}

type Points = Readonly<Record<Store, readonly Point[]>>;

/** The whole copies of each store, newest first. */
async function pointsOf(
  client: BackupClient,
  { names }: Connection,
  arnOf: (store: Store, name: string) => string,
): Promise<Points> {
  const found: Record<Store, Point[]> = { table: [], raw_bucket: [], lake_bucket: [] };
  for (const store of stores) {
    const ResourceArn = arnOf(store, names[store]);
    for await (const { RecoveryPoints = [] } of paginateListRecoveryPointsByResource({ client }, { ResourceArn }))
      for (const { RecoveryPointArn: arn, BackupVaultName: vault, CreationDate, Status } of RecoveryPoints)
        if (arn && vault && CreationDate && (Status === 'COMPLETED' || Status === 'AVAILABLE'))
          found[store].push({ arn, vault, taken_at: CreationDate.toISOString() });
    found[store].sort((a, b) => timeOf(b) - timeOf(a));
  }
  return found;
}

const hourMs = 3_600_000;
const timeOf = ({ taken_at }: Point): number => Date.parse(taken_at);

/** The newest copies before a time of all three. Buckets come after the table: no item then names an object that the copy lacks. */
export function lastNight(points: Points, at: Date | null): Readonly<Record<Store, Point>> {
  const before = at?.getTime() ?? Number.POSITIVE_INFINITY;
  for (const table of points.table) {
    const began = timeOf(table);
    if (began > before) continue;
    const [raw_bucket, lake_bucket] = [points.raw_bucket, points.lake_bucket].map((copies) =>
      copies.findLast((point) => timeOf(point) >= began && timeOf(point) < began + 24 * hourMs),
    );
    if (raw_bucket && lake_bucket) return { table, raw_bucket, lake_bucket };
  }
  const counts = stores.map((store) => `${store} ${points[store].length}`).join(', ');
  throw new Problem('not_found', {
    message: `No night has copies of the table and, after it, of both buckets. Copies: ${counts}. Choose a later --at, or restore from point-in-time recovery without --vault.`,
  });
}

async function restoreOne(client: BackupClient, { dynamodb }: Connection, step: Step): Promise<void> {
  const table = isTable(step.store) ? { client: dynamodb, name: step.into } : null;
  if (table === null || !(await tableExists(table))) await runJob(client, step);
  if (table !== null) await waitForTable(table);
}

async function runJob(client: BackupClient, step: Step): Promise<void> {
  const { arn: RecoveryPointArn, vault: BackupVaultName } = step;
  // The role that made the copy may restore it too.
  const { IamRoleArn } = await client.send(new DescribeRecoveryPointCommand({ BackupVaultName, RecoveryPointArn }));
  const target = isTable(step.store) ? { Metadata: { targetTableName: step.into } } : intoBucket(step);
  const { RestoreJobId } = await client.send(new StartRestoreJobCommand({ RecoveryPointArn, IamRoleArn, ...target }));
  await jobIsDone(client, RestoreJobId ?? '', step);
}

/** Existing objects are skipped. A repeated command gets the same job while AWS Backup remembers it. */
function intoBucket({ arn, into }: Step) {
  const token = createHash('sha256').update(`${arn} ${into}`).digest('hex').slice(0, 32);
  return {
    IdempotencyToken: token,
    Metadata: {
      DestinationBucketName: into,
      NewBucket: 'false',
      Encrypted: 'true',
      EncryptionType: 'original',
      CreationToken: token,
    },
  };
}

async function jobIsDone(client: BackupClient, RestoreJobId: string, { store }: Step): Promise<void> {
  for (let waitMs = 1_000; ; waitMs = Math.min(waitMs * 2, 30_000)) {
    const { Status, StatusMessage } = await client.send(new DescribeRestoreJobCommand({ RestoreJobId }));
    if (Status === 'COMPLETED') return;
    if (Status === 'FAILED' || Status === 'ABORTED')
      throw new Problem('conflict', {
        message: `The restore job ${RestoreJobId} of ${store} ended as ${Status}: ${StatusMessage ?? 'AWS Backup gives no reason'}. Remove the cause, then pass --resume.`,
      });
    await after(waitMs);
  }
}

async function tableExists({ client, name: TableName }: Table): Promise<boolean> {
  try {
    await client.send(new DescribeTableCommand({ TableName }));
    return true;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    throw error;
  }
}
