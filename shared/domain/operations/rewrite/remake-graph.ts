import type { WorkspaceId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import { beginRewrite, hasSwitched, newGraphRecord, rewriteMessage } from '../../lineage/generations/graph-record.ts';
import { auditOf, type Operator } from '../../workspaces/access/operator.ts';
import { type RewritePorts, rewriteStep } from './rewrite-step.ts';

/** Makes the graph again beside the live one, or goes on with it; the sweep finishes one that breaks off. */
export async function remakeGraph(
  operator: Operator,
  ports: Omit<RewritePorts, 'queue'>,
  workspace_id: WorkspaceId,
): Promise<void> {
  const { graphs, commit } = operator.registry;
  const found = await graphs.find({ workspace_id });
  const underWay = found?.record.rewrite;
  if (!underWay || hasSwitched(underWay)) {
    const to = beginRewrite(found?.record ?? newGraphRecord(workspace_id), operator.clock.now());
    const audit = auditOf(operator, { workspace_id, action: 'rebuild', subject: { workspace: workspace_id } });
    if (!(await commit([found ? graphs.replace(found, to) : graphs.create(to), audit])))
      throw new Problem('conflict', { message: notAudited });
  }
  // Each step is taken here: no worker need be asked for it.
  const steps = { ...ports, queue: { send: async () => undefined } };
  for (;;) {
    const record = (await graphs.find({ workspace_id }))?.record;
    if (!record?.rewrite || record.rewrite.state === 'closing') return;
    await rewriteStep(steps, rewriteMessage(record));
  }
}

const notAudited = 'The audit entry of the rebuild was refused, so nothing was changed; try again.';
