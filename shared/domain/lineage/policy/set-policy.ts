import type { LineagePolicy } from '../../../contract/policy.ts';
import { Problem } from '../../../contract/problems.ts';
import { isSent } from '../../base/concurrency.ts';
import { type PolicyStore, type RecountQueue, recountMessage } from './ports.ts';
import { newRecount, type Recount } from './recount.ts';
import { nextRevision, type PolicyChange, type PolicyRef, type PolicyRevision, safeRevision } from './revision.ts';
import { policyView } from './show-policy.ts';

type PolicyWriter = {
  readonly policies: Pick<PolicyStore, 'current' | 'commit'>;
  readonly queue: RecountQueue;
  /** Called for a send that failed: the sweep will repeat it. */
  readonly onRecountSendFailed: (recount: Recount, error: unknown) => void;
};

type ExpectedChange = PolicyChange & {
  /** Refused where another revision came first; null takes whatever there is. */
  readonly expectedRevision: number | null;
};

/** Makes the next revision, in force at once, and begins its recount (C-POLICY-3, C-POLICY-6). Throws `conflict`. */
export async function setPolicy(
  ports: PolicyWriter,
  policy: PolicyRef,
  change: ExpectedChange,
  now: Date,
): Promise<LineagePolicy> {
  const { revision, recount } = await commitNext(ports, policy, change, now);
  // Its record is the outbox, so that a first message that is lost is sent again.
  const started = await isSent(
    () => ports.queue.send(recountMessage(recount)),
    (error) => ports.onRecountSendFailed(recount, error),
  );
  return policyView(revision, recount, started);
}

/** Revisions that are made at once follow each other; each round at least one of them comes through. */
const maxAttempts = 100;

async function commitNext({ policies }: PolicyWriter, policy: PolicyRef, change: ExpectedChange, now: Date) {
  for (let round = 0; round < maxAttempts; round++) {
    const current = await policies.current(policy.workspace_id, policy.connector_id);
    const last = current?.revision ?? safeRevision(policy);
    checkExpected(change, last);
    const revision = nextRevision(last, change, now);
    const recount = newRecount(revision, current?.recount ?? null, now);
    if (await policies.commit(revision, recount, dueAfterStep(now))) return { revision, recount };
  }
  throw new Problem('unavailable');
}

function checkExpected({ expectedRevision }: ExpectedChange, { revision }: PolicyRevision): void {
  if (expectedRevision === null || expectedRevision === revision) return;
  throw new Problem('conflict', {
    errors: [{ path: '/expected_revision', message: 'must be the current revision of the policy' }],
  });
}

const minute = 60_000;

/** When the sweep looks at a recount whose next step was just asked for: a message that takes longer was lost, or waits. */
export const dueAfterStep = (now: Date): string => new Date(now.getTime() + 5 * minute).toISOString();
