import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { type ScratchStores, startScratchStores } from '../../local/scratch-stores.ts';
import { deliveryStore } from '../../shared/adapters/dynamodb/deliveries.ts';
import { newKnownRelations } from '../../shared/adapters/dynamodb/directory-writer.ts';
import { resetGraph } from '../../shared/adapters/dynamodb/graph/retire/reset.ts';
import { namesReader } from '../../shared/adapters/dynamodb/graph-records.ts';
import { nameIndex } from '../../shared/adapters/dynamodb/name-index.ts';
import { relationDirectory } from '../../shared/adapters/dynamodb/relation-directory.ts';
import type { Table } from '../../shared/adapters/dynamodb/table.ts';
import { graphReaders } from '../../shared/adapters/graph-readers.ts';
import { graphWriters } from '../../shared/adapters/graph-writers.ts';
import type { Bucket } from '../../shared/adapters/s3/bucket.ts';
import { payloadStore } from '../../shared/adapters/s3/raw.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { Problem } from '../../shared/contract/problems.ts';
import { stackOutputs } from '../../shared/contract/stack-outputs.ts';
import { auditOf } from '../../shared/domain/access/operator.ts';
import { graphOf, ofGeneration } from '../../shared/domain/naming/generation.ts';
import type { Names } from '../../shared/domain/naming/graph-record.ts';
import { type Comparison, compareGraphs } from '../../shared/domain/operations/rebuild/compare.ts';
import { indexNames } from '../../shared/domain/operations/rebuild/index-names.ts';
import { type ReplayInput, replay } from '../../shared/domain/operations/rebuild/replay.ts';
import type { Connection } from '../connect.ts';
import type { AdminContext } from './command.ts';

type GraphStores = { readonly table: Table; readonly bucket: Bucket };

/**
 * Replays what a workspace was sent into a fresh graph and compares it with the live one; makes that anew where they
 * differ, unless it is a verification. The fresh graph is made on this machine: verifying costs the deployment reads alone.
 */
export async function rebuild(
  context: AdminContext,
  workspace: WorkspaceId,
  { isVerification }: { isVerification: boolean },
) {
  const { connection, ports } = context;
  const live = storesOf(connection);
  const names = await namesReader(ports.registry)(workspace);
  const source: ReplayInput = {
    deliveries: deliveryStore(live.table),
    payloads: payloadStore(live.bucket),
    connectors: async () => names.connectors,
  };
  const scratch = await startScratchStores();
  const fresh = scratchStores(scratch);
  const graph = graphOf(workspace, names.generation);
  try {
    const counts = await replay(source, graphWriters(fresh.table, fresh.bucket), { workspace });
    const compared = () => compareStores({ live, fresh, names }, workspace, ports.clock.now());
    const found = await compared();
    if (found.equal && isVerification) return { ...counts, ...found };
    if (found.equal) return { ...counts, ...found, indexed: await indexed(live, graph) };
    if (isVerification) throw new Problem('conflict', { message: differenceOf(found) });
    await recordRebuild(ports, workspace);
    await resetGraph(live.table, graph);
    const replayed = await replay(source, graphWriters(live.table, live.bucket), { workspace, graph });
    const now = await compared();
    if (!now.equal) throw new Problem('conflict', { message: differenceOf(now) });
    return { ...replayed, ...now, repaired: found.differing, indexed: await indexed(live, graph) };
  } finally {
    fresh.table.client.destroy();
    fresh.bucket.client.destroy();
    await scratch.stop();
  }
}

/** Nothing is emptied without an entry that says who did it. */
async function recordRebuild(ports: AdminContext['ports'], workspace: WorkspaceId): Promise<void> {
  const audit = auditOf(ports, { workspace_id: workspace, action: 'rebuild', subject: { workspace } });
  if (!(await ports.registry.commit([audit]))) throw new Problem('conflict', { message: notAudited });
}

const notAudited = 'The audit entry of the rebuild was refused, so nothing was changed; try again.';

const indexed = ({ table, bucket }: GraphStores, workspace: WorkspaceId): Promise<number> => {
  const directory = relationDirectory(table, newKnownRelations());
  return indexNames({ ...graphReaders(table, bucket), directory, names: nameIndex(table) }, workspace);
};

const differenceOf = ({ live, fresh, differing }: Comparison): string =>
  [
    'The live graph is not what its deliveries say; where some were being processed, try again.',
    `live: ${live.relations} relations, ${live.edges} edges, ${live.sha256}`,
    `fresh: ${fresh.relations} relations, ${fresh.edges} edges, ${fresh.sha256}`,
    ...differing.map((relation) => `differs: ${relation}`),
  ].join('\n');

type Compared = { readonly live: GraphStores; readonly fresh: GraphStores; readonly names: Names };

function compareStores({ live, fresh, names }: Compared, workspace: WorkspaceId, now: Date): Promise<Comparison> {
  const reading = ({ table, bucket }: GraphStores) => ({
    ...graphReaders(table, bucket),
    connectors: names.connectors,
    now: now.toISOString(),
  });
  return compareGraphs(ofGeneration(reading(live), names.generation), reading(fresh), workspace);
}

const storesOf = ({ dynamodb, s3, names }: Connection): GraphStores => ({
  table: { client: dynamodb, name: names.table },
  bucket: { client: s3, name: names.raw_bucket },
});

function scratchStores({ innerEndpoints: endpoints, keys, names }: ScratchStores): GraphStores {
  const common = { region: 'us-east-1', credentials: keys };
  return {
    table: {
      client: new DynamoDBClient({ ...common, endpoint: endpoints.dynamodb }),
      name: names[stackOutputs.table] ?? '',
    },
    bucket: {
      client: new S3Client({ ...common, endpoint: endpoints.s3, forcePathStyle: true }),
      name: names[stackOutputs.raw_bucket] ?? '',
    },
  };
}
