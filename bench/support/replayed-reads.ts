import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

type Read = { readonly send: () => Promise<unknown>; readonly began: number; ended: number };

/**
 * Notes the reads of some work, so that they can be made again without it: what an answer cannot take less than from this
 * store by this client.
 */
export function replayedReads(client: DynamoDBClient) {
  let noted: Read[] | null = null;
  client.middlewareStack.add(
    (next) => async (args) => {
      const read = { send: () => next(args), began: performance.now(), ended: Number.POSITIVE_INFINITY };
      noted?.push(read);
      const answer = await next(args);
      read.ended = performance.now();
      return answer;
    },
    // Before the meter starts, which measures only answers.
    { step: 'initialize', priority: 'high', name: 'replayedReads', override: true },
  );
  return {
    /** Counts rounds of reads: overlapping reads are one round. */
    note: async (work: () => Promise<unknown>): Promise<Read[][]> => {
      noted = [];
      const found = noted;
      await work();
      noted = null;
      return roundsOf(found);
    },
  };
}

/** The time of only the reads, round by round, in ms. */
export async function replayed(rounds: readonly (readonly Read[])[]): Promise<number> {
  const began = performance.now();
  for (const round of rounds) await Promise.all(round.map(({ send }) => send()));
  return performance.now() - began;
}

function roundsOf(reads: readonly Read[]): Read[][] {
  const rounds: Read[][] = [];
  let ended = Number.NEGATIVE_INFINITY;
  for (const read of reads.toSorted((a, b) => a.began - b.began)) {
    if (read.began < ended) rounds.at(-1)?.push(read);
    else rounds.push([read]);
    ended = Math.max(ended, read.ended);
  }
  return rounds;
}
