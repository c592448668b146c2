import { randomBytes, randomUUID } from 'node:crypto';
import { registry } from '../../shared/adapters/dynamodb/registry/registry.ts';
import type { Table } from '../../shared/adapters/dynamodb/requests/table.ts';
import type { CollectionProjectId, WorkspaceId } from '../../shared/contract/ids.ts';
import { systemClock } from '../../shared/domain/base/time/timestamp.ts';
import {
  createProjectKey,
  createServerKey,
  type IssuedKey,
  revokeProjectKey,
  revokeServerKey,
} from '../../shared/domain/workspaces/access/collection-keys.ts';
import { createCollectionProject } from '../../shared/domain/workspaces/access/collection-projects.ts';
import { createWorkspace } from '../../shared/domain/workspaces/access/workspaces.ts';

export type SeededProject = {
  readonly workspace: WorkspaceId;
  readonly project: CollectionProjectId;
  readonly key: string;
  readonly revokedKey: string;
  /** Five events a second. */
  readonly limitedKey: string;
  readonly serverKey: string;
  readonly revokedServerKey: string;
  readonly origin: string;
};

/** A workspace with one collection project, its keys and its origin, made as operators make them. */
export async function seedProject(table: Table, origin: string): Promise<SeededProject> {
  const ports = { registry: registry(table), clock: systemClock, randomBytes, actor: 'test' };
  const workspace = (await createWorkspace(ports, { name: `Workspace ${randomUUID()}` })).record.id;
  const input = { name: 'Shop', environments: ['prod'], origins: [origin] };
  const project = (await createCollectionProject(ports, workspace, input)).record.id;
  const place = { workspace_id: workspace, id: project };
  const environment = 'prod';
  const seeded = {
    workspace,
    project,
    origin,
    key: shown(await createProjectKey(ports, place, { name: 'web', environment })),
    revokedKey: shown(await createProjectKey(ports, place, { name: 'old', environment })),
    limitedKey: shown(
      await createProjectKey(ports, place, { name: 'limited', environment, rate: { per_second: 5, burst: 5 } }),
    ),
    serverKey: shown(await createServerKey(ports, place, 'backend')),
    revokedServerKey: shown(await createServerKey(ports, place, 'old backend')),
  };
  await revokeProjectKey(ports, place, 'old');
  await revokeServerKey(ports, place, 'old backend');
  return seeded;
}

function shown({ key }: IssuedKey<unknown>): string {
  if (key === null) throw new Error('the key was made before, and is shown no more');
  return key;
}
