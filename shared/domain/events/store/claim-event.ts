import type { LakeObject } from '../../../contract/lake.ts';
import type { EventClaim, EventKey, EventLedger, RunOutcome } from './ports.ts';

/** One sending of an event id. */
export type ReceivedEvent = {
  readonly batchId: string;
  readonly partition: string;
  readonly receivedAt: string;
  readonly line: string;
};

/** All sendings of one event id that a run has before it, in the order received. */
export type EventCandidates = {
  readonly key: EventKey;
  readonly occurrences: readonly [ReceivedEvent, ...ReceivedEvent[]];
};

export type ClaimOutcome =
  /** This run has to store the occurrence. */
  | { readonly kind: 'won'; readonly occurrence: ReceivedEvent }
  /** The id has the value of a batch that is not before this run. */
  | { readonly kind: 'lost' }
  /** An earlier run of the same batch has decided to store it in this object. */
  | { readonly kind: 'committed'; readonly object: LakeObject }
  /** Nobody knows yet: the time was up, or the ledger too busy until it was. */
  | { readonly kind: 'unsettled' };

type ClaimPorts = {
  readonly ledger: EventLedger;
  /** Takes the run for dead, unless it has committed. */
  readonly abandon: (runId: string) => Promise<RunOutcome>;
};

/** Finds out what this run has to do about an event id, claiming it where nobody has. */
export async function claimEvent(ports: ClaimPorts, candidates: EventCandidates, runId: string): Promise<ClaimOutcome> {
  const { key, occurrences } = candidates;
  const [first] = occurrences;
  let existing = await ports.ledger.claim(key, { batchId: first.batchId, runId });
  while (existing !== null) {
    const { batchId, runId: other }: EventClaim = existing;
    const occurrence = occurrences.find((one) => one.batchId === batchId);
    if (occurrence === undefined) return { kind: 'lost' };
    // A write that was repeated because its answer was lost finds this run's own claim.
    if (other === runId) return { kind: 'won', occurrence };
    if ((await ports.abandon(other)) === 'committed') {
      return { kind: 'committed', object: { partition: occurrence.partition, runId: other } };
    }
    existing = await ports.ledger.moveClaim(key, existing, runId);
    if (existing === null) return { kind: 'won', occurrence };
  }
  return { kind: 'won', occurrence: first };
}
