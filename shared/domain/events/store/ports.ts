import { constants, gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { RowOrigin } from '../../../contract/collection.ts';
import type { LakeObject, StoredObject } from '../../../contract/lake.ts';
import { Fault } from '../../../contract/problems.ts';

/** An event id is unique within its workspace, project and environment. */
export type EventKey = Pick<RowOrigin, 'workspace_id' | 'project_id' | 'environment'> & { readonly id: string };

/** Whose value an event id has, and which run has undertaken to store it. */
export type EventClaim = { readonly batchId: string; readonly runId: string };

export type RunOutcome = 'committed' | 'abandoned';

export type EventLedger = {
  /** Claims an id that nobody has claimed, atomically: null, or the claim that stands. */
  readonly claim: (key: EventKey, claim: EventClaim) => Promise<EventClaim | null>;
  /** Moves a claim to another run of the same batch where it still is what it was: null, or the claim that stands. */
  readonly moveClaim: (key: EventKey, from: EventClaim, runId: string) => Promise<EventClaim | null>;
  /** Decides about a run once and for all: the first decision wins, and is returned. */
  readonly settleRun: (runId: string, outcome: RunOutcome) => Promise<RunOutcome>;
};

export type EventLake = {
  /** Keeps bytes where no query sees them. */
  readonly stage: (object: LakeObject, bytes: Uint8Array) => Promise<void>;
  /** Null where nothing is staged, or no longer. */
  readonly staged: (object: LakeObject) => Promise<Uint8Array | null>;
  readonly unstage: (object: LakeObject) => Promise<void>;
  /** Shows the bytes to every query; the same bytes may be published again. */
  readonly publish: (object: LakeObject, bytes: Uint8Array) => Promise<void>;
};

export type StorePorts = {
  readonly ledger: EventLedger;
  readonly lake: EventLake;
  readonly newRunId: () => string;
  /** Waits where the error says that the ledger was too busy for an attempt, longer after each; false of other errors. */
  readonly waitOut: (error: unknown, attempt: number) => Promise<boolean>;
};

/** A batch as received from the queue, its rows finished: each the event as sent and where it came from. */
export type QueuedBatch = { readonly batchId: string; readonly origin: RowOrigin; readonly rows: readonly Row[] };

type Row = { readonly id: string; readonly line: string };

const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Events as they travel to the store, without what is the same for all of them. Zstandard takes half of gzip's time, and less room. */
export const packLines = (lines: readonly string[]): Uint8Array => zstdCompressSync(lines.join('\n'), fast);

export function unpackRows(packed: Uint8Array, origin: RowOrigin): readonly Row[] {
  const suffix = `,${JSON.stringify(origin).slice(1)}`;
  return (
    zstdDecompressSync(packed)
      .toString('utf8')
      .split('\n')
      // Spliced as text, so that a number is stored with the digits that were sent.
      .map((line) => ({ id: idOf(line), line: `${line.slice(0, -1)}${suffix}` }))
  );
}

function idOf(line: string): string {
  const event: unknown = JSON.parse(line);
  if (typeof event === 'object' && event !== null && 'id' in event && typeof event.id === 'string') return event.id;
  throw new Fault('queued_event_without_id', 'a queued event has no id');
}

export const packRows = (lines: readonly string[]): Uint8Array => gzipSync(lines.map((line) => `${line}\n`).join(''));

/** The rows of an object of the lake, one by one: all of them may be longer than a string can be. */
export function* linesOf(object: StoredObject, bytes: Uint8Array): Generator<string> {
  const rows = 'runId' in object ? gunzipSync(bytes) : zstdDecompressSync(bytes);
  for (let start = 0, end = rows.indexOf('\n'); end !== -1; start = end + 1, end = rows.indexOf('\n', start))
    yield rows.toString('utf8', start, end);
}
