import * as v from 'valibot';
import type { WorkspaceId } from '../../../contract/ids.ts';
import type { StoredObject } from '../../../contract/lake.ts';
import { Problem } from '../../../contract/problems.ts';
import { chunksOf } from '../../base/collections.ts';
import { sha256 } from '../../base/digest.ts';
import type { Clock } from '../../base/time/timestamp.ts';
import { auditOf, type Operator } from '../../workspaces/access/operator.ts';
import type { LakeLease } from '../compact/compact-lake.ts';
import { rowPacker } from '../compact/row-packer.ts';
import { linesOf, packRows } from '../store/store-batches.ts';

type PlacedObject = { readonly key: string; readonly object: StoredObject };

export type ErasePorts = {
  readonly clock: Clock;
  readonly lease: LakeLease;
  /** All objects, also unreadable ones: staged, then published, then compacted, because rows move in this direction. */
  readonly objects: () => AsyncIterable<PlacedObject>;
  /** Null where the object is gone. */
  readonly read: (key: string) => Promise<Uint8Array | null>;
  readonly write: (place: PlacedObject, bytes: Uint8Array) => Promise<void>;
};

export type DayOfRows = { readonly table: string; readonly day: string; readonly rows: number };

export type ErasableTables = {
  /** The days with rows of a person, ascending, table by table: rows move from one table to the next. */
  readonly find: (person: Person) => Promise<readonly DayOfRows[]>;
  /** Deletes a person's rows of some days; done when it returns. */
  readonly remove: (
    person: Person,
    table: string,
    days: { readonly first: string; readonly last: string },
  ) => Promise<void>;
};

/** Each day is a partition, and a statement writes to at most 100 of them. */
const daysPerStatement = 100;
/** Rows move while they are deleted: hourly merges find in one table what is still there. */
const maxPasses = 5;

/** Removes the rows of a person from all tables until none are left. Returns their number. */
export async function eraseFromTables({ find, remove }: ErasableTables, person: Person): Promise<number> {
  let rows = 0;
  for (let pass = 0; pass < maxPasses; pass++) {
    const found = await find(person);
    if (found.length === 0) return rows;
    for (const [table, days] of Map.groupBy(found, (one) => one.table))
      for (const some of chunksOf(days, daysPerStatement))
        await remove(person, table, { first: some[0]?.day ?? '', last: some.at(-1)?.day ?? '' });
    rows += found.reduce((sum, one) => sum + one.rows, 0);
  }
  throw new Problem('conflict', {
    message: 'Rows of the person still arrive in the Iceberg tables. Try again in an hour.',
  });
}

/** A person as events name them: after sign-in by `user_id`, before it by `anonymous_id` only. */
export type Person = { readonly column: 'user_id' | 'anonymous_id'; readonly id: string };

type Erased = { readonly rows: number; readonly objects: number };

/** Replaces each object by one request; repeat it to finish. The ledger keeps ids, so resent events stay duplicates. */
export async function erasePerson(ports: ErasePorts, person: Person): Promise<Erased> {
  const hold = holdingLake(ports);
  await hold();
  try {
    const erased = { rows: 0, objects: 0 };
    // A run that was under way may have published after its partition was looked at.
    for (let found = true; found; ) {
      const pass = await erasePass(ports, person, hold);
      erased.rows += pass.rows;
      erased.objects += pass.objects;
      found = pass.rows > 0;
    }
    return erased;
  } finally {
    await ports.lease.release();
  }
}

const renewedAfterMs = 60_000;

/** Takes the lease, and takes it for longer where that was a minute ago. */
function holdingLake({ lease, clock }: ErasePorts): () => Promise<void> {
  let takenAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = clock.now();
    if (now.getTime() - takenAt < renewedAfterMs) return;
    if (!(await lease.take(now)))
      throw new Problem('conflict', {
        message: 'The stored events are being compacted or erased. Try again in a few minutes.',
      });
    takenAt = now.getTime();
  };
}

async function erasePass(ports: ErasePorts, person: Person, hold: () => Promise<void>): Promise<Erased> {
  const erased = { rows: 0, objects: 0 };
  for await (const place of ports.objects()) {
    // Compaction must not read what is replaced here.
    await hold();
    const bytes = await ports.read(place.key);
    const rows = bytes === null ? 0 : countRows(linesOf(place.object, bytes), person);
    if (bytes === null || rows === 0) continue;
    await ports.write(place, await without(place.object, bytes, person));
    erased.rows += rows;
    erased.objects += 1;
  }
  return erased;
}

function countRows(lines: Iterable<string>, person: Person): number {
  let rows = 0;
  for (const line of lines) if (isOf(person, line)) rows += 1;
  return rows;
}

const Ids = v.object({ user_id: v.nullish(v.string()), anonymous_id: v.nullish(v.string()) });

/** Rows are JSON as JSON.stringify writes it: most of them need not be parsed. */
function isOf({ column, id }: Person, line: string): boolean {
  if (!line.includes(JSON.stringify(id))) return false;
  const row = v.safeParse(Ids, JSON.parse(line));
  return row.success && row.output[column] === id;
}

/** The object in its own form; it is kept where no row is left, for its key says which runs it holds. */
async function without(object: StoredObject, bytes: Uint8Array, person: Person): Promise<Uint8Array> {
  if ('runId' in object) return packRows(Array.from(linesOf(object, bytes)).filter((line) => !isOf(person, line)));
  const packer = rowPacker();
  for (const line of linesOf(object, bytes)) if (!isOf(person, line)) await packer.add(Buffer.from(`${line}\n`));
  return packer.end();
}

/** With an audit entry before and after, which name the person by a digest: nothing that was erased stays in them. */
export async function eraseWithAudit(
  ports: Operator & { readonly erasing: ErasePorts; readonly tables: ErasableTables | null },
  workspace_id: WorkspaceId,
  person: Person,
): Promise<Erased & { readonly iceberg_rows?: number }> {
  const hex = sha256(person.id).toString('hex');
  const digest = person.column === 'user_id' ? { user_sha256: hex } : { anonymous_sha256: hex };
  const note = async (action: string, figures: object) => {
    const entry = auditOf(ports, { workspace_id, action, subject: { ...digest, ...figures } });
    if (!(await ports.registry.commit([entry]))) throw new Problem('conflict');
  };
  await note('events.erase', {});
  // Objects first: a wait for Athena must not hold their lease.
  const objects = await erasePerson(ports.erasing, person);
  const erased = { ...objects, ...(ports.tables && { iceberg_rows: await eraseFromTables(ports.tables, person) }) };
  await note('events.erased', { ...erased });
  return erased;
}
