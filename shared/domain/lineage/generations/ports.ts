import type { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import type { RewriteNames } from '../../../contract/messages.ts';
import type { GraphRecord, Names, UsedName } from './graph-record.ts';

/** Reads the connectors before the record, both consistently, so that nothing that the record holds back is missed. */
export type NamesReader = (
  workspace: WorkspaceId,
  alongside?: (connectors: readonly ConnectorId[]) => Promise<void>,
) => Promise<Names>;

export type GraphRecords = {
  readonly find: (
    workspace: WorkspaceId,
  ) => Promise<{ readonly record: GraphRecord; readonly revision: number } | null>;
  /** False where another write came between. */
  readonly advance: (
    found: { readonly record: GraphRecord; readonly revision: number },
    to: GraphRecord,
  ) => Promise<boolean>;
  /** Those whose next step is due. Read from an index: moments late. */
  readonly due: (now: string, limit: number) => Promise<readonly GraphRecord[]>;
};

export type UsedNames = {
  /** Keeps that a feed names them; answers whether all were known before `since`, by the process's monotonic clock. */
  readonly keep: (
    place: { readonly workspace: WorkspaceId; readonly provider: string; readonly since: number },
    names: readonly UsedName[],
  ) => Promise<boolean>;
};

/** At least once, in any order. */
export type RewriteQueue = {
  readonly send: (message: RewriteNames, options?: { readonly delaySeconds: number }) => Promise<void>;
};

export const rewriteMessage = ({ workspace_id, changes, step }: GraphRecord): RewriteNames => ({
  version: 1,
  kind: 'rewrite_names',
  workspace_id,
  changes,
  step,
});
