import { namesReader } from '../../shared/adapters/dynamodb/graph/scopes/scope-ends.ts';
import { registry } from '../../shared/adapters/dynamodb/registry/registry.ts';
import { copyTable, dropTable, restoreTable } from '../../shared/adapters/dynamodb/requests/restore-table.ts';
import type { Table } from '../../shared/adapters/dynamodb/requests/table.ts';
import { graphReaders } from '../../shared/adapters/graph-stores.ts';
import type { Bucket } from '../../shared/adapters/s3/bucket.ts';
import { copyVersions } from '../../shared/adapters/s3/copy-versions.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { Problem } from '../../shared/contract/problems.ts';
import { compareGraphs, summarizeGraph } from '../../shared/domain/operations/rebuild/compare.ts';
import { fingerprintQuery } from '../../shared/domain/operations/rebuild/fingerprint.ts';
import { type Connection, connect } from '../connect.ts';
import type { AdminContext } from './open-registry.ts';

type RestoreOptions = { readonly from: string; readonly at: Date | null; readonly isResumed: boolean };

/**
 * Copies what a tenant's tables and buckets held at a time into the empty stacks of another tenant. Objects come before
 * the items that name them. The tenant that is copied is only read; tables that DynamoDB restored for it are dropped.
 * @throws Problem `conflict` where the other tenant is in use, or a graph is not the same afterwards
 */
export async function restore(context: AdminContext, { from, at, isResumed }: RestoreOptions) {
  const [source, target] = [await connect({ tenant: from }), context.connection];
  if (!isResumed && (await context.ports.registry.workspaces.all()).length > 0)
    throw new Problem('conflict', { message: inUse });
  const [main, ledger] = await Promise.all([
    restoreTable(mainTable(source), at),
    restoreTable({ client: source.dynamodb, name: source.names.event_table }, at),
  ]);
  const objects = await copyVersions(rawBucket(source), rawBucket(target), at);
  const events = await copyVersions(lakeBucket(source), lakeBucket(target), at);
  const claims = await copyTable(ledger, { client: target.dynamodb, name: target.names.event_table });
  const items = await copyTable(main, mainTable(target));
  const graphs = await compareAll(
    { table: main, bucket: rawBucket(source) },
    storesOf(target),
    context.ports.clock.now(),
  );
  await Promise.all([dropTable(main), dropTable(ledger)]);
  return { items, claims, objects, events, graphs };
}

const inUse =
  'That tenant already has workspaces. Restore into new stacks, or pass --resume to continue an interrupted restore.';

type Stores = { readonly table: Table; readonly bucket: Bucket };

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
  summarizeGraph(await queryOf(storesOf(connection), workspace, ports.clock.now()));

const queryOf = async ({ table, bucket }: Stores, workspace: WorkspaceId, now: Date) =>
  fingerprintQuery(graphReaders(table, bucket), workspace, await namesReader(registry(table))(workspace), now);

const mainTable = ({ dynamodb, names }: Connection): Table => ({ client: dynamodb, name: names.table });
const rawBucket = ({ s3, names }: Connection): Bucket => ({ client: s3, name: names.raw_bucket });
const lakeBucket = ({ s3, names }: Connection): Bucket => ({ client: s3, name: names.lake_bucket });
const storesOf = (connection: Connection): Stores => ({ table: mainTable(connection), bucket: rawBucket(connection) });
