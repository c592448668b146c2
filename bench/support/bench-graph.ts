import { randomBytes } from 'node:crypto';
import { dynamodb, s3 } from '../../shared/adapters/aws.ts';
import { registry } from '../../shared/adapters/dynamodb/registry/registry.ts';
import { graphWriters } from '../../shared/adapters/graph-stores.ts';
import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import { systemClock } from '../../shared/domain/base/time/timestamp.ts';
import { createConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import { createWorkspace } from '../../shared/domain/workspaces/access/workspaces.ts';
import { bulkWriters } from './bulk-writers.ts';
import { layeredGraph } from './layered-graph.ts';
import { startStoresProcess } from './stores.ts';

/** A workspace with one connector in its own stores, in memory or in an empty folder. */
export async function startBenchWorkspace(folder?: string) {
  const stores = await startStoresProcess(folder);
  const table = { client: dynamodb(), name: process.env['TABLE_NAME'] ?? '' };
  const operator = { registry: registry(table), clock: systemClock, randomBytes, actor: 'bench' };
  const workspace = (await createWorkspace(operator, { name: 'bench' })).record.id;
  const warehouse = { name: 'warehouse', kind: 'postgres' as const, namespaces: ['postgres://db:5432'] };
  const connector = (await createConnector(operator, workspace, warehouse)).record.id;
  return { stores, table, operator, workspace, connector };
}

/** What writes a large graph into a workspace of the stores that this process has been pointed at. */
export function benchGraph(workspace: WorkspaceId, connector: ConnectorId) {
  const table = { client: dynamodb(), name: process.env['TABLE_NAME'] ?? '' };
  const writers = graphWriters(table, { client: s3(), name: process.env['RAW_BUCKET'] ?? '' });
  const bulk = bulkWriters(table, writers, workspace);
  return { writers, bulk, graph: layeredGraph({ ports: bulk, workspace }, connector) };
}

/** A workspace with one connector in its own stores, and what writes a large graph into it. */
export async function startBenchGraph() {
  const started = await startBenchWorkspace();
  return { ...started, ...benchGraph(started.workspace, started.connector) };
}
