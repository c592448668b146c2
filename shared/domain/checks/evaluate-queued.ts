import type { ConnectorId, WorkspaceId } from '../../contract/ids.ts';
import type { EvaluateCheck } from '../../contract/messages.ts';
import type { NodeId } from '../graph/ids.ts';
import { graphNamed } from '../naming/generation.ts';
import type { NamesReader } from '../naming/ports.ts';
import type { PastPorts } from '../past/open-past.ts';
import { pastDetails } from '../past/past-details.ts';
import type { Policy } from '../policy/policy.ts';
import type { Clock } from '../time/clock.ts';
import type { Check, CheckResult } from './check.ts';
import { type EvaluatePorts, type Evaluation, evaluateCheck } from './evaluate-check.ts';

export type CheckRunPorts = Omit<EvaluatePorts, 'forgotten' | 'connectors' | 'policies' | 'now' | 'overlay' | 'past'> &
  PastPorts & {
    readonly clock: Clock;
    readonly namesOf: NamesReader;
    readonly policiesOf: (
      workspace: WorkspaceId,
      connectors: readonly ConnectorId[],
    ) => Promise<ReadonlyMap<ConnectorId, Policy>>;
  };

/** Evaluates the check that a message names, where it is still there and enabled. */
export async function evaluateQueued(ports: CheckRunPorts, message: EvaluateCheck): Promise<void> {
  const found = await ports.checks.find(message.workspace_id, message.check_id);
  if (!found?.record.enabled) return;
  // The queue carries what `touchedChecks` wrote: ids of nodes.
  const nodes = message.nodes as readonly NodeId[] | null;
  await runEvaluation(ports, { check: found.record, nodes, deliveryId: message.caused_by });
}

/** Evaluates the whole scope of a check. */
export const runCheck = (ports: CheckRunPorts, check: Check): Promise<CheckResult> =>
  runEvaluation(ports, { check, nodes: null, deliveryId: null });

async function runEvaluation(ports: CheckRunPorts, evaluation: Evaluation): Promise<CheckResult> {
  const workspace = evaluation.check.workspace_id;
  const names = await ports.namesOf(workspace);
  const connectors = new Map(names.connectors.map((one) => [one.id, one]));
  const policies = await ports.policiesOf(workspace, [...connectors.keys()]);
  const stores = graphNamed(ports, names);
  const past = pastDetails(stores, { workspace, connectors: names.connectors });
  return evaluateCheck({ ...stores, past, connectors, policies, now: ports.clock.now().toISOString() }, evaluation);
}
