import { randomUUID } from 'node:crypto';
import { readCanaryKeys, writeCanaryKeys } from '../../shared/adapters/dynamodb/registry/canary-keys.ts';
import { canaryRound } from '../../shared/client/canary-round.ts';
import { canaryNames as names } from '../../shared/contract/collection.ts';
import { limits } from '../../shared/contract/limits.ts';
import { Problem } from '../../shared/contract/problems.ts';
import { createProjectKey, revokeKeysOf } from '../../shared/domain/workspaces/access/collection-keys.ts';
import { createCollectionProject } from '../../shared/domain/workspaces/access/collection-projects.ts';
import { createConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import type { Operator } from '../../shared/domain/workspaces/access/operator.ts';
import type { CollectionProject } from '../../shared/domain/workspaces/access/records.ts';
import { createToken, revokeToken } from '../../shared/domain/workspaces/access/tokens.ts';
import { addMember, createWorkspace } from '../../shared/domain/workspaces/access/workspaces.ts';
import type { AdminContext } from './open-registry.ts';

const roundMs = 120_000;

export async function runCanary({ connection }: AdminContext, url: string) {
  const keys = await readCanaryKeys(connection.table);
  if (keys === null)
    throw new Problem('not_found', { message: 'The canary has no keys. Run: tributary admin canary prepare' });
  const start = performance.now();
  const timeIsUp = () => performance.now() - start > roundMs;
  await canaryRound(keys, { url, newId: randomUUID, timeIsUp });
  return { milliseconds: Math.round(performance.now() - start) };
}

/** Creates the canary's workspace and new keys, and revokes the previous ones. */
export async function prepareCanary({ connection, ports }: AdminContext) {
  const { id: workspace_id } = (await createWorkspace(ports, { name: names.workspace })).record;
  const connector = await createConnector(ports, workspace_id, {
    name: names.workspace,
    kind: 'duckdb',
    namespaces: [names.namespace],
    default_database: names.database,
    default_schema: names.schema,
  });
  const input = { name: names.workspace, environments: [names.workspace], origins: [] };
  const { record: project } = await createCollectionProject(ports, workspace_id, input);
  const project_key = await keyOf(ports, project);
  const { token, expires_at } = await tokenOf(ports, workspace_id);
  await writeCanaryKeys(connection.table, {
    workspace_id,
    connector_id: connector.record.id,
    collection_project_id: project.id,
    project_key,
    token,
  });
  return { workspace: workspace_id, expires_at };
}

async function keyOf(ports: Operator, project: CollectionProject): Promise<string> {
  await revokeKeysOf(ports, project, names.workspace);
  const input = { name: names.workspace, environment: names.workspace };
  const { key } = await createProjectKey(ports, project, input);
  if (key === null) throw new Problem('conflict');
  return key;
}

async function tokenOf(ports: Operator, workspace_id: CollectionProject['workspace_id']) {
  const { record: member } = await addMember(ports, workspace_id, { user_id: names.workspace, role: 'admin' });
  for (const { id, revoked_at } of await ports.registry.tokens.list(workspace_id))
    if (revoked_at === null) await revokeToken(ports, workspace_id, id);
  const { record, token } = await createToken(ports, {
    workspace_id,
    user_id: member.user_id,
    name: names.workspace,
    scopes: ['read', 'write', 'admin'],
    client_kind: 'service',
    expires_in_days: limits.token.expiryDays.max,
  });
  return { token, expires_at: record.expires_at };
}
