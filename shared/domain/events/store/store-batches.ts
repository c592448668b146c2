import { constants, gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { RowOrigin } from '../../../contract/collection.ts';
import { type LakeObject, partitionOf, type StoredObject } from '../../../contract/lake.ts';
import { Fault } from '../../../contract/problems.ts';
import { comparableId, findOrAdd, sortedBy } from '../../base/collections.ts';
import { inParallel } from '../../base/concurrency.ts';
import { type EventCount, sumCounts } from '../event-counts.ts';

const claimsAtOnce = 96;
const objectsAtOnce = 8;

export type Stored = {
  readonly counts: readonly EventCount[];
  readonly unfinished: ReadonlySet<string>;
  /** The rows that are stored now, also those that an earlier run of the same batch committed. */
  readonly rows: readonly StoredRow[];
};

export type StoredRow = Pick<RowOrigin, 'workspace_id' | 'project_id'> & Pick<ReceivedEvent, 'receivedAt' | 'line'>;

/**
 * Stores each event id of the batches once, with the value of the batch that claimed it first (C-LAKE-1),
 * and resolves when all of them are readable, but those that it had no time to claim. Any number of calls may overlap,
 * repeat batches and die at any step:
 *
 * 1. each id is claimed for its batch and this run; no later batch can undo that;
 * 2. what was won is staged, one object a partition;
 * 3. the run is committed: from here on its objects are decided, and any run may finish them;
 * 4. the staged bytes are published.
 *
 * A run that meets its own claim batch under another run settles that one first: if it has committed, its
 * staged bytes are published again; else it is abandoned, can never commit, and its claims move to this run.
 * @param timeIsUp whether to claim no more, so that there is time to write what was claimed
 */
export async function storeBatches(
  ports: StorePorts,
  batches: readonly QueuedBatch[],
  timeIsUp: () => boolean = () => false,
): Promise<Stored> {
  const runId = ports.newRunId();
  const claimPorts = { ledger: ports.ledger, abandon: abandonWriterOnce(ports) };
  const candidates = candidatesOf(batches);
  const outcomes = await inParallel(claimsAtOnce, candidates, (one) =>
    whileThereIsTime(ports, timeIsUp, () => claimEvent(claimPorts, one, runId)),
  );
  const outcome = await writeClaimed(ports, runId, outcomes);
  // Another run took this one for dead and may have its claims: they are contested again, under a new name.
  if (outcome === 'abandoned') return storeBatches(ports, batches, timeIsUp);
  await inParallel(objectsAtOnce, committedObjects(outcomes), (object) => finish(ports.lake, object));
  return {
    counts: sumCounts(candidates.map((one, index) => countOf(one, outcomes[index]?.kind))),
    unfinished: new Set(
      candidates.flatMap(({ occurrences }, index) =>
        outcomes[index]?.kind === 'unsettled' ? occurrences.map(({ batchId }) => batchId) : [],
      ),
    ),
    rows: candidates.flatMap(({ key: { workspace_id, project_id } }, index) => {
      const outcome = outcomes[index];
      return outcome && 'occurrence' in outcome ? [{ workspace_id, project_id, ...outcome.occurrence }] : [];
    }),
  };
}

/** A claim that a busy ledger refused is tried again by itself: the others of the run do not fail with it. */
async function whileThereIsTime(
  { waitOut }: StorePorts,
  timeIsUp: () => boolean,
  claim: () => Promise<ClaimOutcome>,
): Promise<ClaimOutcome> {
  for (let attempt = 1; !timeIsUp(); attempt++) {
    try {
      return await claim();
    } catch (error) {
      if (!(await waitOut(error, attempt))) throw error;
    }
  }
  return { kind: 'unsettled' };
}

/** An id of a batch that an earlier run had committed was counted by that run. */
function countOf(
  { key: { workspace_id, project_id }, occurrences }: EventCandidates,
  outcome: ClaimOutcome['kind'] | undefined,
): EventCount {
  const date = occurrences[0].receivedAt.slice(0, 10);
  const accepted = outcome === 'won' ? 1 : 0;
  const repeated = outcome === 'lost' ? occurrences.length : occurrences.length - 1;
  // What is not settled comes again, and is counted then.
  return { workspace_id, project_id, date, accepted, repeated: outcome === 'unsettled' ? 0 : repeated, rejected: {} };
}

function abandonWriterOnce({ ledger }: StorePorts): (runId: string) => Promise<RunOutcome> {
  const settled = new Map<string, Promise<RunOutcome>>();
  return (runId) => {
    const outcome = findOrAdd(settled, runId, () => ledger.settleRun(runId, 'abandoned'));
    // Anyone who asks after a failure tries again.
    outcome.catch(() => settled.delete(runId));
    return outcome;
  };
}

function candidatesOf(batches: readonly QueuedBatch[]): readonly EventCandidates[] {
  const candidates = new Map<
    string,
    { readonly key: EventKey; readonly occurrences: [ReceivedEvent, ...ReceivedEvent[]] }
  >();
  for (const { batchId, origin, rows } of batches) {
    const { workspace_id, project_id, environment, received_at: receivedAt } = origin;
    const partition = partitionOf(origin);
    for (const { id: sent, line } of rows) {
      const id = comparableId(sent);
      const name = JSON.stringify([workspace_id, project_id, environment, id]);
      const occurrence = { batchId, partition, receivedAt, line };
      const known = candidates.get(name);
      if (known) known.occurrences.push(occurrence);
      else candidates.set(name, { key: { workspace_id, project_id, environment, id }, occurrences: [occurrence] });
    }
  }
  return [...candidates.values()];
}

type StagedObject = { readonly object: LakeObject; readonly bytes: Uint8Array };

async function writeClaimed(ports: StorePorts, runId: string, outcomes: readonly ClaimOutcome[]): Promise<RunOutcome> {
  const won = outcomes.flatMap((claimed) => (claimed.kind === 'won' ? [claimed.occurrence] : []));
  if (won.length === 0) return 'committed';
  const objects = objectsOf(runId, won);
  await inParallel(objectsAtOnce, objects, ({ object, bytes }) => ports.lake.stage(object, bytes));
  const outcome = await ports.ledger.settleRun(runId, 'committed');
  await inParallel(objectsAtOnce, objects, (one) =>
    outcome === 'committed' ? publish(ports.lake, one) : ports.lake.unstage(one.object),
  );
  return outcome;
}

function objectsOf(runId: string, won: readonly ReceivedEvent[]): readonly StagedObject[] {
  const byTime = sortedBy(won, ({ receivedAt }) => receivedAt);
  return [...Map.groupBy(byTime, ({ partition }) => partition)].map(([partition, occurrences]) => ({
    object: { partition, runId },
    bytes: packRows(occurrences.map(({ line }) => line)),
  }));
}

type PublishingLake = Pick<EventLake, 'staged' | 'publish' | 'unstage'>;

async function publish(lake: PublishingLake, { object, bytes }: StagedObject): Promise<void> {
  await lake.publish(object, bytes);
  await lake.unstage(object);
}

function committedObjects(outcomes: readonly ClaimOutcome[]): readonly LakeObject[] {
  const objects = outcomes.flatMap((claimed) => (claimed.kind === 'committed' ? [claimed.object] : []));
  return [...new Map(objects.map((object) => [`${object.partition}/${object.runId}`, object])).values()];
}

/** Publishes what a committed run may not have come to publish; it unstages only after that. */
export async function finish(lake: PublishingLake, object: LakeObject): Promise<void> {
  const bytes = await lake.staged(object);
  if (bytes !== null) await publish(lake, { object, bytes });
}

type ReceivedEvent = {
  readonly batchId: string;
  readonly partition: string;
  readonly receivedAt: string;
  readonly line: string;
};

/** All sendings of one event id that a run has before it, in the order received. */
type EventCandidates = {
  readonly key: EventKey;
  readonly occurrences: readonly [ReceivedEvent, ...ReceivedEvent[]];
};

type ClaimOutcome =
  | { readonly kind: 'won'; readonly occurrence: ReceivedEvent }
  /** The id has the value of a batch that is not before this run. */
  | { readonly kind: 'lost' }
  /** An earlier run of the same batch has decided to store it in this object. */
  | { readonly kind: 'committed'; readonly object: LakeObject; readonly occurrence: ReceivedEvent }
  /** Nobody knows yet: the time was up, or the ledger too busy until it was. */
  | { readonly kind: 'unsettled' };

/** Finds out what this run has to do about an event id, claiming it where nobody has. */
export async function claimEvent(
  ports: {
    readonly ledger: EventLedger;
    /** Takes the run for dead, unless it has committed. */
    readonly abandon: (runId: string) => Promise<RunOutcome>;
  },
  candidates: EventCandidates,
  runId: string,
): Promise<ClaimOutcome> {
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
      return { kind: 'committed', object: { partition: occurrence.partition, runId: other }, occurrence };
    }
    existing = await ports.ledger.moveClaim(key, existing, runId);
    if (existing === null) return { kind: 'won', occurrence };
  }
  return { kind: 'won', occurrence: first };
}

/** An event id is unique within its workspace, project and environment. */
type EventKey = Pick<RowOrigin, 'workspace_id' | 'project_id' | 'environment'> & { readonly id: string };

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
