import { PointInTimeRecoveryUnavailableException } from '@aws-sdk/client-dynamodb';
import { namesReader } from '../../shared/adapters/dynamodb/graph/scopes/scope-ends.ts';
import { registry } from '../../shared/adapters/dynamodb/registry/registry.ts';
import { copyTable, dropTable, restoreTable } from '../../shared/adapters/dynamodb/requests/restore-table.ts';
import type { Table } from '../../shared/adapters/dynamodb/requests/table.ts';
import { graphReaders } from '../../shared/adapters/graph-stores.ts';
import { type Bucket, keysIn } from '../../shared/adapters/s3/bucket.ts';
import { copyVersions } from '../../shared/adapters/s3/object-versions.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { icebergPrefix } from '../../shared/contract/lake.ts';
import { Problem } from '../../shared/contract/problems.ts';
import { compareGraphs, summarizeGraph } from '../../shared/domain/operations/rebuild/compare.ts';
import { fingerprintQuery } from '../../shared/domain/operations/rebuild/fingerprint.ts';
import { type Connection, connect } from '../connect.ts';
import type { AdminContext } from './open-registry.ts';

type RestoreOptions = { readonly from: string; readonly at: Date | null; readonly isResumed: boolean };

/**
 * Copies what a tenant's tables and buckets held at a time into the empty stacks of another tenant. Objects come before
 * the items that name them. `claims` is null if event ids were not copied. The tenant that is copied is only read; tables that DynamoDB restored for it are dropped.
 * @throws Problem `conflict` where the other tenant is in use, or a graph is not the same afterwards
 */
export async function restore(context: AdminContext, { from, at, isResumed }: RestoreOptions) {
  const [source, target] = [await connect({ tenant: from }), context.connection];
  if (!isResumed) await refuseUsed(context);
  const [main, ledger] = await Promise.all([
    restoreTable(source.table, at),
    restoreTable(source.eventTable, at).catch(unlessRecovered),
  ]);
  const objects = await copyVersions(source.rawBucket, target.rawBucket, at);
  const events = await copyVersions(source.lakeBucket, target.lakeBucket, at);
  return { objects, events, ...(await fillTables(context, { main, ledger, bucket: source.rawBucket })) };
}

/** Null if the tenant has no `ledgerRecovery`. */
function unlessRecovered(error: unknown): null {
  if (error instanceof PointInTimeRecoveryUnavailableException) return null;
  throw error;
}

type Copies = { readonly main: Table; readonly ledger: Table | null; readonly bucket: Bucket };

/** Copies restored items, compares the graphs and drops the restored tables. Items that wait for work come last. */
export async function fillTables({ connection, ports }: AdminContext, { main, ledger, bucket }: Copies) {
  const claims = ledger && (await copyTable(ledger, connection.eventTable));
  const items = await copyTable(main, connection.table);
  const graphs = await compareAll({ table: main, rawBucket: bucket }, connection, ports.clock.now());
  await Promise.all([dropTable(main), ledger && dropTable(ledger)]);
  return { items, claims, graphs };
}

/** Refuses a tenant with a workspace or an object, which an interrupted restore copies first (`conflict`). */
export async function refuseUsed({ connection, ports }: AdminContext): Promise<void> {
  const found = [];
  if ((await ports.registry.workspaces.all()).length > 0) found.push('workspaces');
  if (await hasKeys(connection.rawBucket)) found.push('objects in its raw bucket');
  if (await hasKeys(connection.lakeBucket)) found.push('objects in its lake');
  if (found.length > 0) throw new Problem('conflict', { message: inUse(found.join(' and ')) });
}

const inUse = (found: string): string =>
  `That tenant has ${found}. Restore into new stacks, or pass --resume to continue an interrupted restore.`;

/** Not counting the metadata of empty Iceberg tables, which the deployment of a new stack writes. */
async function hasKeys(bucket: Bucket): Promise<boolean> {
  for await (const key of keysIn(bucket, { Prefix: '' })) if (!key.startsWith(icebergPrefix)) return true;
  return false;
}

type Stores = Pick<Connection, 'table' | 'rawBucket'>;

/** The hash of each workspace's graph, which has to be the same in both. */
async function compareAll(old: Stores, restored: Stores, now: Date) {
  const graphs: { readonly workspace: string; readonly relations: number; readonly sha256: string }[] = [];
  for (const { id, name } of await registry(old.table).workspaces.all()) {
    const [before, after] = await Promise.all([queryOf(old, id, now), queryOf(restored, id, now)]);
    const { equal, live, differing } = await compareGraphs(before, after);
    if (!equal) throw new Problem('conflict', { message: [`${name} differs:`, ...differing].join('\n') });
    graphs.push({ workspace: id, relations: live.relations, sha256: live.sha256 });
  }
  return graphs;
}

export const graphHash = async ({ connection, ports }: AdminContext, workspace: WorkspaceId) =>
  summarizeGraph(await queryOf(connection, workspace, ports.clock.now()));

const queryOf = async ({ table, rawBucket }: Stores, workspace: WorkspaceId, now: Date) =>
  fingerprintQuery(graphReaders(table, rawBucket), workspace, await namesReader(registry(table))(workspace), now);
