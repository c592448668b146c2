import type { CollectionProjectId, WorkspaceId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import type { TrackingPlan } from '../../../contract/tracking-plan.ts';
import type { Rate } from '../../base/token-bucket.ts';
import { bearerOf, hashOf } from '../../workspaces/access/secret.ts';
import type { SuppressedIds } from './suppression.ts';

export type SenderProjectKey = {
  readonly hash: string;
  readonly workspaceId: WorkspaceId;
  readonly projectId: CollectionProjectId;
  readonly environment: string;
  /** Exact `scheme://host[:port]`. */
  readonly origins: readonly string[];
  /** The key's own rate; null if the deployment's holds. */
  readonly rate: Rate | null;
  /** Whether the project has a tracking plan that is not off. */
  readonly isPlanned: boolean;
  /** The revision of the workspace's list of suppressed persons; null if nobody is. */
  readonly suppression: number | null;
};

export type SenderServerKey = { readonly workspaceId: WorkspaceId; readonly projectId: CollectionProjectId };

/** Finds keys by SHA-256; null if unknown or revoked. Results may be up to 60 s old. */
export type CollectionKeys = {
  readonly projectKey: (hash: string) => Promise<SenderProjectKey | null>;
  readonly serverKey: (hash: string) => Promise<SenderServerKey | null>;
  /** The tracking plan of a project key's project. */
  readonly trackingPlan: (hash: string) => Promise<TrackingPlan | null>;
  /** The suppressed ids of a project key's workspace. */
  readonly suppressed: (key: SenderProjectKey) => Promise<SuppressedIds>;
  /** True where some active project of the deployment allows the origin. */
  readonly isKnownOrigin: (origin: string) => Promise<boolean>;
};

type Credentials = { readonly authorization: string | undefined; readonly origin: string | undefined };

export async function requireProjectKey(keys: CollectionKeys, text: string): Promise<SenderProjectKey> {
  const key = await keys.projectKey(hashOf(text));
  if (key === null) throw new Problem('invalid_project_key');
  return key;
}

/** Whether the sender is trusted: 401 for a server key that came with the key, 403 for a browser's origin (C-ERROR-7). */
export async function admitSender(
  keys: CollectionKeys,
  key: SenderProjectKey,
  { authorization, origin }: Credentials,
): Promise<boolean> {
  const trusted = await isTrusted(keys, key, authorization);
  if (origin !== undefined && !key.origins.includes(origin)) throw new Problem('origin_not_allowed');
  return trusted;
}

/** A request without Authorization is untrusted; with one, its server key has to be of the same project. */
async function isTrusted(
  keys: CollectionKeys,
  key: SenderProjectKey,
  authorization: string | undefined,
): Promise<boolean> {
  if (authorization === undefined) return false;
  const secret = bearerOf(authorization);
  const server = secret === undefined ? null : await keys.serverKey(hashOf(secret));
  const isOfProject = server?.workspaceId === key.workspaceId && server.projectId === key.projectId;
  if (!isOfProject) throw new Problem('invalid_server_key');
  return true;
}
