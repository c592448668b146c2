import type { Delivery } from '../ingest/deliveries/delivery.ts';
import type { TouchedNodes } from '../projection/touched-nodes.ts';
import type { CheckQueue, CheckStore } from './ports.ts';
import { inScope } from './scope.ts';

/** More nodes do not fit a message: the whole scope is looked at. */
const maxNodes = 10_000;

/** Asks for an evaluation of each enabled check whose scope a delivery touched. What is not sent, the sweep evaluates. */
export async function sendTouchedChecks(
  { checks, queue }: { readonly checks: Pick<CheckStore, 'list'>; readonly queue: CheckQueue },
  { workspace_id, delivery_id }: Delivery,
  touched: TouchedNodes,
): Promise<void> {
  if (touched.size === 0) return;
  for (const check of await checks.list(workspace_id)) {
    const matches = inScope(check.scope);
    const nodes = [...touched].filter(([, urn]) => urn === null || matches(urn)).map(([node]) => node);
    if (!check.enabled || nodes.length === 0) continue;
    await queue.send({
      version: 1,
      kind: 'evaluate_check',
      workspace_id,
      check_id: check.id,
      caused_by: delivery_id,
      nodes: nodes.length > maxNodes ? null : nodes,
    });
  }
}
