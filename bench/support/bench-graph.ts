import { randomBytes } from 'node:crypto';
import path from 'node:path';
import * as v from 'valibot';
import { dynamodb, s3 } from '../../shared/adapters/aws.ts';
import { registry } from '../../shared/adapters/dynamodb/registry/registry.ts';
import { graphWriters } from '../../shared/adapters/graph-stores.ts';
import { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import { systemClock } from '../../shared/domain/base/time/timestamp.ts';
import { createConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import { createWorkspace } from '../../shared/domain/workspaces/access/workspaces.ts';
import { startProcess } from '../../test/support/service-process.ts';
import { layeredGraph } from './layered-graph.ts';
import { namespace } from './run-events.ts';
import { startStoresProcess } from './stores.ts';

/** A workspace with one connector in its own stores, in memory or in an empty folder. */
export async function startBenchWorkspace(folder?: string) {
  const stores = await startStoresProcess(folder);
  const table = { client: dynamodb(), name: process.env['TABLE_NAME'] ?? '' };
  const operator = { registry: registry(table), clock: systemClock, randomBytes, actor: 'bench' };
  const workspace = (await createWorkspace(operator, { name: 'bench' })).record.id;
  const warehouse = { name: 'warehouse', kind: 'postgres' as const, namespaces: [namespace] };
  const { record } = await createConnector(operator, workspace, warehouse);
  return { stores, table, operator, workspace, connector: record.id, record, namespace };
}

/** The workspace of a data folder that the local service has seeded, and can serve after the stores have stopped. */
export async function startLoadedWorkspace(folder: string) {
  const service = await startProcess(['--data', folder, '--seed', 'conformance']);
  await service.end('SIGTERM');
  const { acme } = service.credentials.workspaces;
  const { id, namespaces } = acme?.connectors['warehouse'] ?? {};
  if (!acme || !id || !namespaces?.[0]) throw new Error('The seed has no workspace acme.');
  const stores = await startStoresProcess(path.join(folder, 'stores'));
  const table = { client: dynamodb(), name: process.env['TABLE_NAME'] ?? '' };
  return {
    stores,
    table,
    workspace: v.parse(WorkspaceId, acme.id),
    connector: v.parse(ConnectorId, id),
    namespace: namespaces[0],
  };
}

/** Writes a large graph into a workspace of the stores that this process has been pointed at. */
export function benchGraph(workspace: WorkspaceId, connector: ConnectorId) {
  const table = { client: dynamodb(), name: process.env['TABLE_NAME'] ?? '' };
  const writers = graphWriters(table, { client: s3(), name: process.env['RAW_BUCKET'] ?? '' });
  return { writers, graph: layeredGraph({ ports: writers, workspace }, connector) };
}

/** A workspace with one connector in its own stores, and what writes a large graph into it. */
export async function startBenchGraph() {
  const started = await startBenchWorkspace();
  return { ...started, ...benchGraph(started.workspace, started.connector) };
}
