import type { WorkspaceId } from '../../../contract/ids.ts';
import { type GraphRecord, type GraphRecords, hasSwitched, type RewriteQueue, rewriteMessage } from './graph-record.ts';

type NamesProgress = {
  /** `in_force`: the graph that answers has the names that are recorded. */
  readonly names: 'in_force' | 'being_rewritten';
  readonly state: NonNullable<GraphRecord['rewrite']>['state'] | null;
  readonly began_at: string | null;
  readonly deliveries_replayed: number | null;
};

export async function namesProgress(
  { graphs }: { readonly graphs: Pick<GraphRecords, 'find'> },
  workspace: WorkspaceId,
): Promise<NamesProgress> {
  const rewrite = (await graphs.find(workspace))?.record.rewrite ?? null;
  const isDone = rewrite === null || hasSwitched(rewrite);
  return {
    names: isDone ? 'in_force' : 'being_rewritten',
    state: rewrite?.state ?? null,
    began_at: rewrite?.began_at ?? null,
    deliveries_replayed: rewrite?.replayed ?? null,
  };
}

export async function askForRewrite(
  { graphs, queue }: { readonly graphs: Pick<GraphRecords, 'find'>; readonly queue: RewriteQueue },
  workspace: WorkspaceId,
): Promise<NamesProgress> {
  const found = await graphs.find(workspace);
  if (found?.record.rewrite && !hasSwitched(found.record.rewrite)) await queue.send(rewriteMessage(found.record));
  return namesProgress({ graphs }, workspace);
}
