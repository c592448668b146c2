import * as v from 'valibot';
import { ConnectorId, WorkspaceId } from '../../../contract/ids.ts';
import { type PolicyRepair, recountStates } from '../../../contract/policy.ts';
import { type NodeId, nodeIdLength } from '../graph/node.ts';
import type { PolicyRevision } from './revision.ts';

/** The background recount of a connector's evidence under one revision of its policy, and how far it has come. */
export const Recount = v.object({
  workspace_id: WorkspaceId,
  connector_id: ConnectorId,
  revision: v.number(),
  state: v.picklist(recountStates),
  /** How many steps were taken: a step takes effect once, however many workers take it. */
  step: v.number(),
  /** Where the scan of the graph goes on. */
  shard: v.number(),
  node: v.nullable(v.custom<NodeId>((text) => typeof text === 'string' && text.length === nodeIdLength)),
  /** Until the end of the scan what the last recount found; never less than what was checked. */
  evidence_total: v.number(),
  evidence_checked: v.number(),
  admitted: v.number(),
  suppressed: v.number(),
  updated_at: v.string(),
});
export type Recount = v.InferOutput<typeof Recount>;

export const newRecount = (revision: PolicyRevision, last: Recount | null, now: Date): Recount => ({
  workspace_id: revision.workspace_id,
  connector_id: revision.connector_id,
  revision: revision.revision,
  state: 'pending',
  step: 0,
  shard: 0,
  node: null,
  evidence_total: last?.evidence_total ?? 0,
  evidence_checked: 0,
  admitted: 0,
  suppressed: 0,
  updated_at: now.toISOString(),
});

/** A recount as the interface shows it; without a policy there is nothing to recount. */
export const repairView = (recount: Recount | null, started: boolean): PolicyRepair => ({
  repair_started: started,
  state: recount?.state ?? 'done',
  evidence_total: recount?.evidence_total ?? 0,
  evidence_checked: recount?.evidence_checked ?? 0,
  admitted: recount?.admitted ?? 0,
  suppressed: recount?.suppressed ?? 0,
  updated_at: recount?.updated_at ?? null,
});
