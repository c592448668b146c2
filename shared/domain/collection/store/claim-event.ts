import type { Claim, EventKey, EventLedger, LakeObject, RunOutcome } from './ports.ts';

/** One sending of an event id. */
export type Occurrence = {
  readonly batchId: string;
  readonly partition: string;
  readonly receivedAt: string;
  readonly line: string;
};

/** All sendings of one event id that a run has before it, in the order received. */
export type Contest = { readonly key: EventKey; readonly occurrences: readonly [Occurrence, ...Occurrence[]] };

export type Verdict =
  /** This run has to store the occurrence. */
  | { readonly kind: 'won'; readonly occurrence: Occurrence }
  /** The id has the value of a batch that is not before this run. */
  | { readonly kind: 'lost' }
  /** An earlier run of the same batch has decided to store it in this object. */
  | { readonly kind: 'committed'; readonly object: LakeObject };

export type ClaimPorts = {
  readonly ledger: EventLedger;
  /** Takes the run for dead, unless it has committed. */
  readonly abandon: (runId: string) => Promise<RunOutcome>;
};

/** Finds out what this run has to do about an event id, claiming it where nobody has. */
export async function claimEvent(ports: ClaimPorts, contest: Contest, runId: string): Promise<Verdict> {
  const { key, occurrences } = contest;
  const [first] = occurrences;
  let standing = await ports.ledger.claim(key, { batchId: first.batchId, runId });
  while (standing !== null) {
    const { batchId, runId: other }: Claim = standing;
    const occurrence = occurrences.find((one) => one.batchId === batchId);
    if (occurrence === undefined) return { kind: 'lost' };
    // A write that was repeated because its answer was lost finds this run's own claim.
    if (other === runId) return { kind: 'won', occurrence };
    if ((await ports.abandon(other)) === 'committed') {
      return { kind: 'committed', object: { partition: occurrence.partition, runId: other } };
    }
    standing = await ports.ledger.moveClaim(key, standing, runId);
    if (standing === null) return { kind: 'won', occurrence };
  }
  return { kind: 'won', occurrence: first };
}
