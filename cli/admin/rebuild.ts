import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { type ScratchStores, startScratchStores } from '../../local/scratch-stores.ts';
import { deliveryStore } from '../../shared/adapters/dynamodb/deliveries.ts';
import { resetGraph } from '../../shared/adapters/dynamodb/graph/reset.ts';
import type { Table } from '../../shared/adapters/dynamodb/table.ts';
import { graphReaders } from '../../shared/adapters/graph-readers.ts';
import { graphWriters } from '../../shared/adapters/graph-writers.ts';
import type { Bucket } from '../../shared/adapters/s3/bucket.ts';
import { payloadStore } from '../../shared/adapters/s3/raw.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { Problem } from '../../shared/contract/problems.ts';
import { stackOutputs } from '../../shared/contract/stack-outputs.ts';
import { auditOf } from '../../shared/domain/access/operator.ts';
import type { Connector } from '../../shared/domain/lineage/connector.ts';
import { type Comparison, compareGraphs } from '../../shared/domain/rebuild/compare.ts';
import { type ReplaySource, replay } from '../../shared/domain/rebuild/replay.ts';
import type { Connection } from '../connect.ts';
import { type Commands, type Context, UsageError } from './command.ts';
import { workspaceOf } from './places.ts';

export const rebuildCommands: Commands = {
  rebuild: {
    operands: [],
    options: ['workspace', 'verify'],
    says: 'replays what a workspace was sent into a fresh graph and compares it with the live one; mends that, without --verify',
    run: async (context, _operands, values) => {
      if (values.workspace === undefined) throw new UsageError('rebuild takes --workspace WORKSPACE');
      const { id } = await workspaceOf(context.ports.registry, values.workspace);
      return rebuild(context, id, { isVerification: values.verify === true });
    },
  },
};

type Place = { readonly table: Table; readonly bucket: Bucket };

/** The fresh graph is made on this machine, so that verifying costs the deployment reads alone. */
async function rebuild(context: Context, workspace: WorkspaceId, { isVerification }: { isVerification: boolean }) {
  const { connection, ports } = context;
  const live = placeOf(connection);
  const source: ReplaySource = {
    deliveries: deliveryStore(live.table),
    payloads: payloadStore({ client: live.bucket.client, bucket: live.bucket.name }),
    connectors: (id) => ports.registry.connectors.list(id),
  };
  const connectors = await source.connectors(workspace);
  const scratch = await startScratchStores();
  const fresh = scratchPlace(scratch);
  try {
    const counts = await replay(source, graphWriters(fresh.table, fresh.bucket), workspace);
    const compared = () => compare(live, fresh, workspace, connectors, ports.now());
    const found = await compared();
    if (found.equal) return { ...counts, ...found };
    if (isVerification) throw new Problem('conflict', { message: differenceOf(found) });
    await ports.registry.commit([
      auditOf(ports, { workspace_id: workspace, action: 'rebuild', subject: { workspace } }),
    ]);
    await resetGraph(live.table, workspace);
    const mended = await replay(source, graphWriters(live.table, live.bucket), workspace);
    const now = await compared();
    if (!now.equal) throw new Problem('conflict', { message: differenceOf(now) });
    return { ...mended, ...now, mended: found.differing };
  } finally {
    fresh.table.client.destroy();
    fresh.bucket.client.destroy();
    await scratch.stop();
  }
}

const differenceOf = ({ live, fresh, differing }: Comparison): string =>
  [
    'The live graph is not what its deliveries say; where some were being worked, try again.',
    `live: ${live.relations} relations, ${live.edges} edges, ${live.sha256}`,
    `fresh: ${fresh.relations} relations, ${fresh.edges} edges, ${fresh.sha256}`,
    ...differing.map((relation) => `differs: ${relation}`),
  ].join('\n');

const compare = (live: Place, fresh: Place, workspace: WorkspaceId, connectors: readonly Connector[], now: Date) => {
  const reading = ({ table, bucket }: Place) => ({
    ...graphReaders(table, bucket),
    connectors,
    now: now.toISOString(),
  });
  return compareGraphs(reading(live), reading(fresh), workspace);
};

const placeOf = ({ dynamodb, s3, names }: Connection): Place => ({
  table: { client: dynamodb, name: names.table },
  bucket: { client: s3, name: names.raw_bucket },
});

function scratchPlace({ endpoints, names }: ScratchStores): Place {
  // The emulators take any credentials, and must not be shown real ones.
  const common = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
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
