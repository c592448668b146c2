import type { WorkspaceId } from '../../../contract/ids.ts';
import { inParallel } from '../../base/concurrency.ts';
import { sha256 } from '../../base/digest.ts';
import { type DeliveryPlace, deliveryLists } from '../../lineage/ingest/deliveries/delivery.ts';
import type { DueDeliveries } from '../../lineage/ingest/deliveries/ports.ts';
import { hourOf, inflateSmall, type SmallPayload } from '../../lineage/ingest/deliveries/read-payload.ts';

type SmallPayloadList = { readonly workspace_id: WorkspaceId; readonly list: number };

/** Small payloads in the table. Pages may be moments late. */
export type SmallPayloadQueue = {
  /** Those of a list that were received between two times, earliest first, a page at a time. */
  readonly between: (list: SmallPayloadList, from: string, to: string) => AsyncIterable<readonly SmallPayload[]>;
  /** Leaves the entries of the list without their bytes. */
  readonly remove: (payloads: readonly SmallPayload[]) => Promise<void>;
};

/** Small payloads as objects, many in one. */
export type PayloadArchives = {
  /** Writes one archive. All have been received in one hour and was in one list; the same again writes the same. */
  readonly put: (payloads: readonly SmallPayload[]) => Promise<void>;
  /** The bytes as received; null if no archive has them. */
  readonly find: (place: DeliveryPlace) => Promise<Uint8Array | null>;
};

export type ArchivePayloadsPorts = {
  readonly workspaces: () => Promise<readonly { readonly id: WorkspaceId }[]>;
  readonly small: SmallPayloadQueue;
  readonly archives: PayloadArchives;
  readonly due: Pick<DueDeliveries, 'schedule'>;
  readonly places: SweepCheckpoints;
};

/** Clocks differ, and a request that was received at the end of an hour may be written after it. */
const settledAfterMs = 5 * 60_000;

/** Of one archive, which readers hold whole. */
const payloadsPerArchive = 1_000;

const [workspacesInFlight, listsInFlight] = [2, 4];

/** How long archived hours are checked again: a process may have was still between clock and store. */
const lateMs = 3_600_000;

type Run = { readonly now: Date; readonly timeIsUp: () => boolean };
type Total = { archived: number; failed: number };

/** Archives, verifies, then removes, so that a payload can always be read. Runs may overlap; the next finishes. */
export async function archivePayloads(ports: ArchivePayloadsPorts, run: Run): Promise<Readonly<Total>> {
  const total = { archived: 0, failed: 0 };
  await inParallel(workspacesInFlight, await ports.workspaces(), ({ id }) => archiveWorkspace(ports, id, run, total));
  return total;
}

async function archiveWorkspace(ports: ArchivePayloadsPorts, workspace: WorkspaceId, run: Run, total: Total) {
  const end = hourOf(new Date(run.now.getTime() - settledAfterMs).toISOString());
  const place = `payloads ${workspace}`;
  const done = (await ports.places.read(place)) as string | null;
  const from = done === null ? '0' : new Date(Date.parse(`${done}:00:00Z`) - lateMs).toISOString();
  const lists = Array.from({ length: deliveryLists }, (_, list) => ({ workspace_id: workspace, list }));
  const ended = await inParallel(listsInFlight, lists, async (list) => {
    let failed = 0;
    for await (const payloads of archivesOf(ports.small.between(list, from, end))) {
      if (run.timeIsUp()) return false;
      const found = await archive(ports, payloads, run.now);
      total.archived += found;
      failed += payloads.length - found;
    }
    total.failed += failed;
    return failed === 0;
  });
  if (ended.every((one) => one) && end !== done) await ports.places.write(place, end);
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

async function archive(
  { small, archives, due }: ArchivePayloadsPorts,
  payloads: readonly SmallPayload[],
  now: Date,
): Promise<number> {
  const intact = payloads.filter(isIntact);
  if (intact.length === 0) return 0;
  // Once their bytes are gone, nothing but a due time leads to those that no sweep has seen.
  await due.schedule(intact, now.toISOString());
  await archives.put(intact);
  const found: SmallPayload[] = [];
  for (const payload of intact) {
    const bytes = await archives.find(payload);
    if (bytes && sha256(bytes).toString('base64url') === payload.digest) found.push(payload);
  }
  await small.remove(found);
  return found.length;
}

/** Others are left alone: one that cannot be read does not hold up the rest. */
function isIntact({ deflated, digest }: SmallPayload): boolean {
  try {
    return sha256(inflateSmall(deflated)).toString('base64url') === digest;
  } catch {
    return false;
  }
}

/** Where tasks stopped that no run can end: a place that is lost or old costs work done twice, and nothing else. */
export type SweepCheckpoints = {
  /** Null where the task begins at the start. */
  readonly read: (task: string) => Promise<unknown>;
  readonly write: (task: string, place: unknown) => Promise<void>;
};
