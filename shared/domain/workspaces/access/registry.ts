import type { MemoryCandidate } from '../../../contract/agent-memory.ts';
import type {
  AccessRequestId,
  CollectionProjectId,
  ConnectorId,
  TokenId,
  UserId,
  WorkspaceId,
} from '../../../contract/ids.ts';
import type { GraphRecord, UsedName } from '../../lineage/generations/graph-record.ts';
import type { Connector } from '../../lineage/names/connector.ts';
import type {
  AccessRequest,
  AccessToken,
  AllowedOrigin,
  AuditEntry,
  AuthorizationCode,
  CollectionProject,
  LinkedProjectRecord,
  Member,
  ProjectKey,
  Secret,
  ServerKey,
  Workspace,
} from './records.ts';

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
  readonly allowedOrigins: Collection<AllowedOrigin, AllowedOrigin>;
  readonly audit: Pick<Collection<AuditEntry, AuditEntry>, 'create'> & {
    /** Newest first. */
    readonly latest: (workspace: WorkspaceId, limit: number) => Promise<readonly AuditEntry[]>;
  };
  /** False where a write was refused. */
  readonly commit: (writes: readonly Write[]) => Promise<boolean>;
};
