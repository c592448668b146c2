import * as v from 'valibot';
import { TokenDevice } from '../../../contract/access.ts';
import { AccessRequestView } from '../../../contract/access-requests.ts';
import type { MemoryCandidate } from '../../../contract/agent-memory.ts';
import { timestamp } from '../../../contract/fields.ts';
import {
  AccessRequestId,
  CollectionProjectId,
  ConnectorId,
  TokenId,
  UserId,
  WorkspaceId,
} from '../../../contract/ids.ts';
import { TrackingPlanMode } from '../../../contract/tracking-plan.ts';
import { clientKinds, roles, tokenScopes } from '../../../contract/vocabulary.ts';
import type { Clock } from '../../base/time/timestamp.ts';
import type { GraphRecord, UsedName } from '../../lineage/generations/graph-record.ts';
import type { Connector } from '../../lineage/names/connector.ts';
import type { Provider } from '../../lineage/providers/provider.ts';
import { type SecretKind, secretPrefixes } from './secret.ts';

const name = v.string();
const time = v.nullable(timestamp);
const secretKinds = Object.keys(secretPrefixes) as SecretKind[];

export const Workspace = v.object({ id: WorkspaceId, name, pats_enabled: v.boolean(), created_at: timestamp });
export type Workspace = v.InferOutput<typeof Workspace>;

export const Member = v.object({
  workspace_id: WorkspaceId,
  user_id: UserId,
  email: v.nullable(v.string()),
  role: v.picklist(roles),
  created_at: timestamp,
});
export type Member = v.InferOutput<typeof Member>;

/** A dbt or SQLMesh project whose complete snapshots the workspace takes: its id is the operator's own. */
export const LinkedProjectRecord = v.object({
  workspace_id: WorkspaceId,
  project_id: v.string(),
  created_at: timestamp,
});
export type LinkedProjectRecord = v.InferOutput<typeof LinkedProjectRecord>;

export const CollectionProject = v.object({
  workspace_id: WorkspaceId,
  id: CollectionProjectId,
  name,
  environments: v.array(v.string()),
  /** Exact `scheme://host[:port]`. */
  origins: v.array(v.string()),
  /** Days for which events are kept after their receipt; null for ever. */
  events_retention_days: v.nullable(v.number()),
  /** The connector whose relations its lake's tables are; null if they are no lineage (C-COLLINEAGE-1). */
  lineage: v.optional(v.nullable(v.object({ connector_id: v.string(), relations: v.array(v.string()) })), null),
  /** The mode of its tracking plan, which is another item; null if it has none (C-PLAN-1). */
  tracking_plan: v.optional(v.nullable(TrackingPlanMode), null),
  /** Those that it has ever named. */
  lineage_connectors: v.optional(v.array(ConnectorId), []),
  created_at: timestamp,
  revoked_at: time,
});
export type CollectionProject = v.InferOutput<typeof CollectionProject>;

export const TrackingPlanRecord = v.object({
  workspace_id: WorkspaceId,
  project_id: CollectionProjectId,
  /** JSON: no store need look into the schemas. */
  plan: v.string(),
});
export type TrackingPlanRecord = v.InferOutput<typeof TrackingPlanRecord>;

/** A person whose events are not stored, by digests of their ids (C-ERASE-5). */
export const Suppression = v.object({
  workspace_id: WorkspaceId,
  id: v.string(),
  column: v.picklist(['user_id', 'anonymous_id']),
  /** Of anonymous ids that are the user's. */
  linked: v.array(v.string()),
  created_at: timestamp,
  created_by: v.string(),
});
export type Suppression = v.InferOutput<typeof Suppression>;

/** Written with each change of a suppression: its revision tells who has read the list whether to read it again. */
export const SuppressionCount = v.object({ workspace_id: WorkspaceId, persons: v.number() });
export type SuppressionCount = v.InferOutput<typeof SuppressionCount>;

const key = {
  workspace_id: WorkspaceId,
  project_id: CollectionProjectId,
  id: v.string(),
  name,
  /** SHA-256 of the key in hex; the key itself is kept nowhere. */
  hash: v.string(),
  created_at: timestamp,
  revoked_at: time,
};

export const ProjectKey = v.object({
  ...key,
  environment: v.string(),
  /** In events; null if the deployment's rate holds. */
  rate: v.nullable(v.object({ per_second: v.number(), burst: v.number() })),
});
export type ProjectKey = v.InferOutput<typeof ProjectKey>;

export const ServerKey = v.object(key);
export type ServerKey = v.InferOutput<typeof ServerKey>;

export const AccessToken = v.object({
  workspace_id: WorkspaceId,
  id: TokenId,
  /** Who made it, and whose role it has. */
  user_id: UserId,
  name,
  scopes: v.array(v.picklist(tokenScopes)),
  client_kind: v.picklist(clientKinds),
  /** Null where a person made it by hand. */
  device: v.nullable(TokenDevice),
  hash: v.string(),
  created_at: timestamp,
  expires_at: timestamp,
  last_used_at: time,
  revoked_at: time,
});
export type AccessToken = v.InferOutput<typeof AccessToken>;

/** What an administrator let a device have; who presents the code and its verifier gets it, once. Or what renews a token. */
export const AuthorizationCode = v.object({
  hash: v.string(),
  workspace_id: WorkspaceId,
  user_id: UserId,
  scopes: v.array(v.picklist(tokenScopes)),
  /** Null of a refresh token. */
  code_challenge: v.nullable(v.string()),
  redirect_uri: v.string(),
  device: TokenDevice,
  /** The token that it renews. */
  renews: v.optional(v.nullable(TokenId), null),
  /** When the sign-in that it continues ends. */
  until: v.optional(v.nullable(timestamp), null),
  expires_at: timestamp,
});
export type AuthorizationCode = v.InferOutput<typeof AuthorizationCode>;

/** What a code gave: if anybody presents the code again, one of the two was not its owner. */
export const SpentCode = v.object({
  hash: v.string(),
  workspace_id: WorkspaceId,
  token_id: TokenId,
  /** The hash of the refresh token. */
  next: v.optional(v.nullable(v.string()), null),
  expires_at: timestamp,
});
export type SpentCode = v.InferOutput<typeof SpentCode>;

/** A member's request for a role; what is requested again after a decision is the same record, pending again. */
export const AccessRequest = v.object({
  ...AccessRequestView.entries,
  workspace_id: WorkspaceId,
  id: AccessRequestId,
  user_id: UserId,
  connector_id: v.nullable(ConnectorId),
  client: v.optional(AccessRequestView.entries.client, null),
  decided_by: v.nullable(UserId),
});
export type AccessRequest = v.InferOutput<typeof AccessRequest>;

/** Where the record of a secret is found. It never changes, so that it may be cached; the record says whether it holds. */
export const Secret = v.object({
  hash: v.string(),
  kind: v.picklist(secretKinds),
  workspace_id: WorkspaceId,
  /** The project of a key; null of a token. */
  project_id: v.nullable(CollectionProjectId),
  /** The maker of a token; null of a key, which has no end either. */
  user_id: v.nullable(UserId),
  expires_at: v.optional(v.string()),
  id: v.string(),
});
export type Secret = v.InferOutput<typeof Secret>;

/** Says to a preflight, which names no project, that some active project allows the origin. */
export const AllowedOrigin = v.object({
  origin: v.string(),
  workspace_id: WorkspaceId,
  project_id: CollectionProjectId,
});
export type AllowedOrigin = v.InferOutput<typeof AllowedOrigin>;

export const AuditEntry = v.object({
  workspace_id: WorkspaceId,
  id: v.string(),
  at: timestamp,
  actor: v.string(),
  action: v.string(),
  /** What was changed, by ids and names; never a secret. */
  subject: v.record(v.string(), v.unknown()),
});
export type AuditEntry = v.InferOutput<typeof AuditEntry>;

/** The user in whose name a workspace's records are written. */
export type Author = { readonly workspace: WorkspaceId; readonly userId: UserId };

/** What an audit entry says was done, and to what; never a secret. */
export type AuditAction = Pick<AuditEntry, 'workspace_id' | 'action' | 'subject'>;

type RandomSource = { readonly randomBytes: (count: number) => Uint8Array };

/** 96 random bits in base64url, 16 characters. */
export const randomId = ({ randomBytes }: RandomSource): string => Buffer.from(randomBytes(12)).toString('base64url');

export const auditEntry = (
  ports: RandomSource & { readonly clock: Clock },
  actor: string,
  action: AuditAction,
): AuditEntry => ({
  ...action,
  id: randomId(ports),
  at: ports.clock.now().toISOString(),
  actor,
});

export type StoredRecord<R> = { readonly record: R; readonly revision: number };

/** One part of a commit; only the registry reads what it holds. */
export type Write = Readonly<Record<string, unknown>>;

export type Records<R, Place> = {
  /** As of now: what was committed before is seen. */
  readonly find: (place: Place) => Promise<StoredRecord<R> | null>;
};

export type ListedRecords<R, Place> = Records<R, Place> & {
  /** All of a workspace, in the order of their ids. */
  readonly list: (workspace: WorkspaceId) => Promise<readonly R[]>;
};

export type Collection<R, Place> = Records<R, Place> & {
  /** Refused where there is one already. */
  readonly create: (record: R) => Write;
  /** Refused where another write came between. */
  readonly replace: (found: StoredRecord<R>, record: R) => Write;
  readonly remove: (record: R) => Write;
};

export type Listed<R, Place> = Collection<R, Place> & ListedRecords<R, Place>;

type InWorkspace = { readonly workspace_id: WorkspaceId };
type OfCollectionProject = InWorkspace & { readonly project_id: CollectionProjectId; readonly id: string };

/** What operators set up. Everything in one `commit` takes effect, or nothing does. */
export type Registry = {
  readonly workspaces: Collection<Workspace, { readonly id: WorkspaceId }> & {
    readonly all: () => Promise<readonly Workspace[]>;
  };
  readonly members: Listed<Member, InWorkspace & { readonly user_id: UserId }> & {
    readonly ofUser: (user: UserId) => Promise<readonly Member[]>;
  };
  readonly connectors: Listed<Connector, InWorkspace & { readonly id: ConnectorId }>;
  /** Which generation of each workspace's graph answers. */
  readonly graphs: Collection<GraphRecord, InWorkspace>;
  readonly namesInUse: {
    /** Whether deliveries used one of the names; as of now. */
    readonly any: (workspace: WorkspaceId, names: readonly UsedName[]) => Promise<boolean>;
    /** Refused where one used one of them. */
    readonly none: (workspace: WorkspaceId, names: readonly UsedName[]) => readonly Write[];
  };
  readonly linkedProjects: Listed<LinkedProjectRecord, InWorkspace & { readonly project_id: string }>;
  readonly collectionProjects: Listed<CollectionProject, InWorkspace & { readonly id: CollectionProjectId }>;
  readonly trackingPlans: Collection<TrackingPlanRecord, Pick<TrackingPlanRecord, 'workspace_id' | 'project_id'>>;
  readonly suppressions: Listed<Suppression, InWorkspace & { readonly id: string }>;
  readonly suppressionCounts: Collection<SuppressionCount, InWorkspace>;
  readonly projectKeys: Listed<ProjectKey, OfCollectionProject>;
  readonly serverKeys: Listed<ServerKey, OfCollectionProject>;
  readonly memory: Listed<MemoryCandidate, { readonly workspace_id: string } & { readonly id: string }>;
  readonly accessRequests: Listed<AccessRequest, InWorkspace & { readonly id: AccessRequestId }>;
  readonly tokens: Listed<AccessToken, InWorkspace & { readonly id: TokenId }>;
  readonly secrets: Collection<Secret, { readonly hash: string }>;
  readonly authorizationCodes: Pick<Collection<AuthorizationCode, { readonly hash: string }>, 'create'> & {
    /** Removes a code; of several calls one has it. */
    readonly take: (hash: string) => Promise<AuthorizationCode | null>;
  };
  readonly spentCodes: Collection<SpentCode, { readonly hash: string }>;
  readonly allowedOrigins: Collection<AllowedOrigin, AllowedOrigin>;
  readonly audit: Pick<Collection<AuditEntry, AuditEntry>, 'create'> & {
    /** Newest first. */
    readonly latest: (workspace: WorkspaceId, limit: number) => Promise<readonly AuditEntry[]>;
  };
  /** Gives a provider instance a connector, a type and a name. Refused where there is none. */
  readonly describeProvider: (
    provider: Pick<Provider, 'workspace_id' | 'id' | 'provider_type' | 'display_name'> & {
      readonly connector_id: string;
    },
  ) => Write;
  /** False where a write was refused. */
  readonly commit: (writes: readonly Write[]) => Promise<boolean>;
};
