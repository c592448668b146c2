import type * as v from 'valibot';
import type { CollectionProjectId, WorkspaceId } from '../../contract/ids.ts';
import { Problem } from '../../contract/problems.ts';
import { Name, Rate } from './inputs.ts';
import { type AuditAction, auditOf, change, checked, idFromName, type OperatorPorts } from './operator.ts';
import type { ProjectKey, ServerKey } from './records.ts';
import type { Listed, Registry, StoredRecord } from './registry.ts';
import { hashOf, newSecret, type SecretKind } from './secret.ts';

type CollectionProjectRef = { readonly workspace_id: WorkspaceId; readonly project_id: CollectionProjectId };

/** A key's record; the key itself only where this call made it. */
export type IssuedKey<R> = { readonly record: R; readonly created: boolean; readonly key: string | null };

/** Makes a public key by which one environment's events are sent, or finds the one of that name. */
export async function createProjectKey(
  ports: OperatorPorts,
  project: CollectionProjectRef,
  input: { readonly name: string; readonly environment: string; readonly rate?: v.InferInput<typeof Rate> | null },
): Promise<IssuedKey<ProjectKey>> {
  const rate = input.rate ? checked(Rate, input.rate) : null;
  const { environments } = await activeProject(ports.registry, project);
  if (!environments.includes(input.environment))
    throw new Problem('not_found', { message: 'The project has no such environment.' });
  const extra = { environment: input.environment, rate };
  return makeKey(ports, ports.registry.projectKeys, 'project_key', project, input.name, (key) => ({
    ...key,
    ...extra,
  }));
}

/** Ends a project key; a sender may get through for up to a minute. */
export const revokeProjectKey = (
  ports: OperatorPorts,
  project: CollectionProjectRef,
  name: string,
): Promise<ProjectKey> => revokeKey(ports, ports.registry.projectKeys, 'project_key', project, name);

/** Makes a key by which backends mark their events trusted, or finds the one of that name. */
export async function createServerKey(
  ports: OperatorPorts,
  project: CollectionProjectRef,
  name: string,
): Promise<IssuedKey<ServerKey>> {
  await activeProject(ports.registry, project);
  return makeKey(ports, ports.registry.serverKeys, 'server_key', project, name, (key) => key);
}

/** Ends a server key; a sender may get through for up to a minute. */
export const revokeServerKey = (
  ports: OperatorPorts,
  project: CollectionProjectRef,
  name: string,
): Promise<ServerKey> => revokeKey(ports, ports.registry.serverKeys, 'server_key', project, name);

/** Ends the keys of a project that are active, or those of one of its environments. */
export async function revokeKeysOf(
  ports: OperatorPorts,
  project: CollectionProjectRef,
  environment?: string,
): Promise<void> {
  const { projectKeys, serverKeys } = ports.registry;
  const isActive = (key: ServerKey) => key.project_id === project.project_id && key.revoked_at === null;
  for (const key of (await projectKeys.list(project.workspace_id)).filter(isActive))
    if (environment === undefined || key.environment === environment) await revokeProjectKey(ports, project, key.name);
  if (environment !== undefined) return;
  for (const key of (await serverKeys.list(project.workspace_id)).filter(isActive))
    await revokeServerKey(ports, project, key.name);
}

async function activeProject({ collectionProjects }: Registry, { workspace_id, project_id }: CollectionProjectRef) {
  const found = await collectionProjects.find({ workspace_id, id: project_id });
  if (found === null || found.record.revoked_at !== null)
    throw new Problem('not_found', { message: 'There is no such active project.' });
  return found.record;
}

type CollectionKeyRef = CollectionProjectRef & { readonly id: string };
type Keys<R> = Listed<R, CollectionKeyRef>;
type KeyKind = Exclude<SecretKind, 'token'>;

const keyPlace = (
  kind: KeyKind,
  { workspace_id, project_id }: CollectionProjectRef,
  name: string,
): CollectionKeyRef => ({
  workspace_id,
  project_id,
  id: idFromName(kind === 'project_key' ? 'pk' : 'sk', workspace_id, project_id, checked(Name, name)),
});

/** A revoked name may be used again: the old key's hash is no longer the record's, so that it opens nothing. */
async function makeKey<R extends ServerKey>(
  ports: OperatorPorts,
  keys: Keys<R>,
  kind: KeyKind,
  project: CollectionProjectRef,
  name: string,
  complete: (key: ServerKey) => R,
): Promise<IssuedKey<R>> {
  const place = keyPlace(kind, project, name);
  const found = await keys.find(place);
  if (found && found.record.revoked_at === null) return { record: found.record, created: false, key: null };
  const key = newSecret(ports.randomBytes, kind);
  const hash = hashOf(key);
  const record = complete({ ...place, name, hash, created_at: ports.clock.now().toISOString(), revoked_at: null });
  const secret = ports.registry.secrets.create({ ...place, hash, kind, user_id: null });
  const writes = [found ? keys.replace(found, record) : keys.create(record), secret];
  const auditAction = auditActionOf(place, `${kind}.create`, name);
  if (await ports.registry.commit([...writes, auditOf(ports, auditAction)])) return { record, created: true, key };
  const other = await keys.find(place);
  if (other === null) throw new Problem('conflict');
  return { record: other.record, created: false, key: null };
}

function revokeKey<R extends ServerKey>(
  ports: OperatorPorts,
  keys: Keys<R>,
  kind: KeyKind,
  project: CollectionProjectRef,
  name: string,
): Promise<R> {
  const place = keyPlace(kind, project, name);
  return change(ports, {
    find: () => keys.find(place),
    next: (found: StoredRecord<R>) => {
      if (found.record.revoked_at !== null) return null;
      const record = { ...found.record, revoked_at: ports.clock.now().toISOString() };
      return {
        record,
        writes: [keys.replace(found, record)],
        auditAction: auditActionOf(place, `${kind}.revoke`, name),
      };
    },
  });
}

const auditActionOf = (
  { workspace_id, project_id, id }: CollectionKeyRef,
  action: string,
  name: string,
): AuditAction => ({
  workspace_id,
  action,
  subject: { project_id, id, name },
});
