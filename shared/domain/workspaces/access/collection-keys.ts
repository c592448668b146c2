import type * as v from 'valibot';
import type { CollectionProjectId, WorkspaceId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import { Name, Rate } from './inputs.ts';
import { auditOf, idFromName, type Operator, requireValid, updateRecord } from './operator.ts';
import type { AuditAction, Listed, ProjectKey, Registry, ServerKey } from './records.ts';
import { hashOf, newSecret, type SecretKind } from './secret.ts';

export type CollectionProjectRef = { readonly workspace_id: WorkspaceId; readonly id: CollectionProjectId };

/** A key's record; the key itself only where this call made it. */
export type IssuedKey<R> = { readonly record: R; readonly created: boolean; readonly key: string | null };

/** Creates a public key for sending one environment's events, or returns the existing one of that name. */
export async function createProjectKey(
  ports: Operator,
  project: CollectionProjectRef,
  input: { readonly name: string; readonly environment: string; readonly rate?: v.InferInput<typeof Rate> | null },
): Promise<IssuedKey<ProjectKey>> {
  const rate = input.rate ? requireValid(Rate, input.rate) : null;
  const { environments } = await activeProject(ports.registry, project);
  if (!environments.includes(input.environment))
    throw new Problem('not_found', { message: 'The project has no such environment.' });
  const extra = { environment: input.environment, rate };
  const keys = projectKeysOf(ports.registry);
  return makeKey(ports, keys, placeOf(keys, project, input.name), (key) => ({ ...key, ...extra }));
}

/** Ends a project key; a sender may get through for up to a minute. */
export const revokeProjectKey = (ports: Operator, project: CollectionProjectRef, name: string): Promise<ProjectKey> =>
  revokeKey(ports, projectKeysOf(ports.registry), project, name);

/** Creates a key that lets backends mark events as trusted, or returns the existing one of that name. */
export async function createServerKey(
  ports: Operator,
  project: CollectionProjectRef,
  name: string,
): Promise<IssuedKey<ServerKey>> {
  await activeProject(ports.registry, project);
  const keys = serverKeysOf(ports.registry);
  return makeKey(ports, keys, placeOf(keys, project, name), (key) => key);
}

/** Ends a server key; a sender may get through for up to a minute. */
export const revokeServerKey = (ports: Operator, project: CollectionProjectRef, name: string): Promise<ServerKey> =>
  revokeKey(ports, serverKeysOf(ports.registry), project, name);

/** Ends the keys of a project that are active, or those of one of its environments. */
export async function revokeKeysOf(
  ports: Operator,
  project: CollectionProjectRef,
  environment?: string,
): Promise<void> {
  const { projectKeys, serverKeys } = ports.registry;
  const isActive = (key: ServerKey) => key.project_id === project.id && key.revoked_at === null;
  for (const key of (await projectKeys.list(project.workspace_id)).filter(isActive))
    if (environment === undefined || key.environment === environment) await revokeProjectKey(ports, project, key.name);
  if (environment !== undefined) return;
  for (const key of (await serverKeys.list(project.workspace_id)).filter(isActive))
    await revokeServerKey(ports, project, key.name);
}

async function activeProject({ collectionProjects }: Registry, { workspace_id, id }: CollectionProjectRef) {
  const found = await collectionProjects.find({ workspace_id, id });
  if (found === null || found.record.revoked_at !== null)
    throw new Problem('not_found', { message: 'No active project has this id.' });
  return found.record;
}

type CollectionKeyRef = {
  readonly workspace_id: WorkspaceId;
  readonly project_id: CollectionProjectId;
  readonly id: string;
};

/** The keys of one kind: the name of the kind, the prefix of their ids and their records. */
type Keys<R> = {
  readonly kind: Exclude<SecretKind, 'token'>;
  readonly idPrefix: string;
  readonly records: Listed<R, CollectionKeyRef>;
};

const projectKeysOf = ({ projectKeys }: Registry): Keys<ProjectKey> => ({
  kind: 'project_key',
  idPrefix: 'pk',
  records: projectKeys,
});
const serverKeysOf = ({ serverKeys }: Registry): Keys<ServerKey> => ({
  kind: 'server_key',
  idPrefix: 'sk',
  records: serverKeys,
});

type KeyPlace = CollectionKeyRef & { readonly name: string };

const placeOf = (
  { idPrefix }: Pick<Keys<never>, 'idPrefix'>,
  { workspace_id, id: project_id }: CollectionProjectRef,
  name: string,
): KeyPlace => ({
  workspace_id,
  project_id,
  id: idFromName(idPrefix, workspace_id, project_id, requireValid(Name, name)),
  name,
});

/** A revoked name may be used again: the old key's hash is no longer the record's, so that it opens nothing. */
async function makeKey<R extends ServerKey>(
  ports: Operator,
  { kind, records }: Keys<R>,
  { name, ...place }: KeyPlace,
  complete: (key: ServerKey) => R,
): Promise<IssuedKey<R>> {
  const found = await records.find(place);
  if (found && found.record.revoked_at === null) return { record: found.record, created: false, key: null };
  const key = newSecret(ports.randomBytes, kind);
  const hash = hashOf(key);
  const record = complete({ ...place, name, hash, created_at: ports.clock.now().toISOString(), revoked_at: null });
  const secret = ports.registry.secrets.create({ ...place, hash, kind, user_id: null });
  const writes = [found ? records.replace(found, record) : records.create(record), secret];
  const auditAction = auditActionOf({ ...place, name }, `${kind}.create`);
  if (await ports.registry.commit([...writes, auditOf(ports, auditAction)])) return { record, created: true, key };
  const other = await records.find(place);
  if (other === null) throw new Problem('conflict');
  return { record: other.record, created: false, key: null };
}

function revokeKey<R extends ServerKey>(
  ports: Operator,
  keys: Keys<R>,
  project: CollectionProjectRef,
  keyName: string,
): Promise<R> {
  const { name, ...place } = placeOf(keys, project, keyName);
  return updateRecord(ports, keys.records, place, (key) => {
    if (key.revoked_at !== null) return null;
    const record = { ...key, revoked_at: ports.clock.now().toISOString() };
    return { record, auditAction: auditActionOf({ ...place, name }, `${keys.kind}.revoke`) };
  });
}

const auditActionOf = ({ workspace_id, ...subject }: KeyPlace, action: string): AuditAction => ({
  workspace_id,
  action,
  subject,
});
