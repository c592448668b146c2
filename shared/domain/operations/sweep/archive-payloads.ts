import type { WorkspaceId } from '../../../contract/ids.ts';
import { inParallel } from '../../concurrency/in-parallel.ts';
import {
  hourOf,
  inflateSmall,
  type SmallPayload,
  type SmallPayloadPlace,
  smallPayloadLists,
} from '../../ingest/deliveries/small-payload.ts';
import { sha256 } from '../../ingest/open-delivery.ts';

/** One of the lists of a workspace. */
export type SmallPayloadList = { readonly workspace_id: WorkspaceId; readonly list: number };

/** Small payloads in the table. Pages may be moments late. */
export type SmallPayloadQueue = {
  /** Those of a list that were received before a time, earliest first, a page at a time. */
  readonly before: (list: SmallPayloadList, end: string) => AsyncIterable<readonly SmallPayload[]>;
  readonly remove: (payloads: readonly SmallPayload[]) => Promise<void>;
};

/** Small payloads as objects, many in one. */
export type PayloadArchives = {
  /** Writes one archive. All have been received in one hour and stood in one list; the same again writes the same. */
  readonly put: (payloads: readonly SmallPayload[]) => Promise<void>;
  /** The bytes as they came; null where no archive has them. */
  readonly find: (place: SmallPayloadPlace) => Promise<Uint8Array | null>;
};

export type ArchivePayloadsPorts = {
  readonly workspaces: () => Promise<readonly { readonly id: WorkspaceId }[]>;
  readonly small: SmallPayloadQueue;
  readonly archives: PayloadArchives;
};

/** Clocks differ, and a request that was received at the end of an hour may be written after it. */
const settledAfterMs = 5 * 60_000;

/** Of one archive, which readers hold whole. */
const payloadsPerArchive = 1_000;

const listsInFlight = 4;

/**
 * Moves the small payloads of hours that are over from the table into archives. An archive is written, and each of its
 * payloads found there as readers find it, before its items are removed: a payload can be read at every moment. What
 * there is no time for is found by the next run; runs at once write the same.
 * @returns how many payloads were moved, and how many were not found as they came and stay
 */
export async function archivePayloads(
  ports: ArchivePayloadsPorts,
  { now, timeIsUp }: { readonly now: Date; readonly timeIsUp: () => boolean },
): Promise<{ readonly archived: number; readonly failed: number }> {
  const end = hourOf(new Date(now.getTime() - settledAfterMs).toISOString());
  const numbers = Array.from({ length: smallPayloadLists }, (_, list) => list);
  const workspaces = await ports.workspaces();
  const lists = workspaces.flatMap(({ id }) => numbers.map((list) => ({ workspace_id: id, list })));
  const total = { archived: 0, failed: 0 };
  await inParallel(listsInFlight, lists, async (list) => {
    for await (const payloads of archivesOf(ports.small.before(list, end))) {
      if (timeIsUp()) return;
      const found = await archive(ports, payloads);
      total.archived += found;
      total.failed += payloads.length - found;
    }
  });
  return total;
}

/** Each hour's payloads, as many at a time as one archive holds. */
async function* archivesOf(pages: AsyncIterable<readonly SmallPayload[]>): AsyncGenerator<readonly SmallPayload[]> {
  let waiting: SmallPayload[] = [];
  for await (const page of pages)
    for (const payload of page) {
      const [first] = waiting;
      const isOfAnother = first && hourOf(first.received_at) !== hourOf(payload.received_at);
      if (isOfAnother || waiting.length === payloadsPerArchive) {
        yield waiting;
        waiting = [];
      }
      waiting.push(payload);
    }
  if (waiting.length > 0) yield waiting;
}

async function archive({ small, archives }: ArchivePayloadsPorts, payloads: readonly SmallPayload[]): Promise<number> {
  const intact = payloads.filter(isIntact);
  if (intact.length === 0) return 0;
  await archives.put(intact);
  const found: SmallPayload[] = [];
  for (const payload of intact) {
    const bytes = await archives.find(payload);
    if (bytes && sha256(bytes) === payload.digest) found.push(payload);
  }
  await small.remove(found);
  return found.length;
}

/** Others are left alone: one that cannot be read does not hold up the rest. */
function isIntact({ deflated, digest }: SmallPayload): boolean {
  try {
    return sha256(inflateSmall(deflated)) === digest;
  } catch {
    return false;
  }
}
