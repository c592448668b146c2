import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { type ScratchStores, startScratchStores } from '../../local/scratch-stores.ts';
import { deliveryStore } from '../../shared/adapters/dynamodb/deliveries/deliveries.ts';
import { graphRecords, namesReader } from '../../shared/adapters/dynamodb/graph/scopes/scope-ends.ts';
import { graphReaders, graphRewriter, graphWriters } from '../../shared/adapters/graph-stores.ts';
import { payloadReader } from '../../shared/adapters/payloads.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { Problem } from '../../shared/contract/problems.ts';
import { stackOutputs } from '../../shared/contract/stack-outputs.ts';
import { namesProgress } from '../../shared/domain/lineage/generations/ask-rewrite.ts';
import { type Comparison, compareGraphs } from '../../shared/domain/operations/rebuild/compare.ts';
import { fingerprintQuery } from '../../shared/domain/operations/rebuild/fingerprint.ts';
import { type ReplayInput, replay } from '../../shared/domain/operations/rebuild/replay.ts';
import { remakeGraph } from '../../shared/domain/operations/rewrite/remake-graph.ts';
import type { Connection } from '../connect.ts';
import type { AdminContext } from './open-registry.ts';

type GraphStores = Pick<Connection, 'table' | 'rawBucket'>;

/**
 * Replays what a workspace was sent into a fresh graph and compares it with the live one. If they differ, and it is no
 * verification, another one is made beside the live one, which answers once it is whole. The fresh graph is made on this
 * machine: verifying costs the deployment only reads.
 */
export async function rebuild(
  context: AdminContext,
  workspace: WorkspaceId,
  { isVerification }: { isVerification: boolean },
) {
  const { connection: live, ports } = context;
  if ((await namesProgress({ graphs: graphRecords(live.table, ports.registry) }, workspace)).names !== 'in_force')
    throw new Problem('conflict', {
      message: 'The graph is being rebuilt with new names. Try again when it has finished.',
    });
  const names = await namesReader(ports.registry)(workspace);
  const source: ReplayInput = {
    deliveries: deliveryStore(live.table),
    payloads: payloadReader(live.table, live.rawBucket),
    connectors: async () => names.connectors,
  };
  const scratch = await startScratchStores();
  const fresh = scratchStores(scratch);
  try {
    const counts = await replay(source, graphWriters(fresh.table, fresh.rawBucket), workspace);
    const compared = () => compareStores(context, fresh, workspace);
    const found = await compared();
    if (found.equal) return { ...counts, ...found };
    if (isVerification) throw new Problem('conflict', { message: differenceOf(found) });
    await remakeGraph(ports, { ...graphRewriter(live.table, live.rawBucket), clock: ports.clock }, workspace);
    const now = await compared();
    if (!now.equal) throw new Problem('conflict', { message: differenceOf(now) });
    return { ...counts, ...now, repaired: found.differing };
  } finally {
    fresh.table.client.destroy();
    fresh.rawBucket.client.destroy();
    await scratch.stop();
  }
}

const differenceOf = ({ live, fresh, differing }: Comparison): string =>
  [
    'The live graph differs from its deliveries. If deliveries were being processed, try again.',
    `live: ${live.relations} relations, ${live.edges} edges, ${live.sha256}`,
    `fresh: ${fresh.relations} relations, ${fresh.edges} edges, ${fresh.sha256}`,
    ...differing.map((relation) => `differs: ${relation}`),
  ].join('\n');

async function compareStores({ connection: live, ports }: AdminContext, fresh: GraphStores, workspace: WorkspaceId) {
  const names = await namesReader(ports.registry)(workspace);
  const now = ports.clock.now();
  const query = ({ table, rawBucket }: GraphStores, generation: number) =>
    fingerprintQuery(graphReaders(table, rawBucket), workspace, { ...names, generation }, now);
  return compareGraphs(query(live, names.generation), query(fresh, 0));
}

function scratchStores({ innerEndpoints: endpoints, keys, names }: ScratchStores): GraphStores {
  const common = { region: 'us-east-1', credentials: keys };
  return {
    table: {
      client: new DynamoDBClient({ ...common, endpoint: endpoints.dynamodb }),
      name: names[stackOutputs.table] ?? '',
    },
    rawBucket: {
      client: new S3Client({ ...common, endpoint: endpoints.s3, forcePathStyle: true }),
      name: names[stackOutputs.raw_bucket] ?? '',
    },
  };
}
