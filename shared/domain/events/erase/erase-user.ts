import * as v from 'valibot';
import type { WorkspaceId } from '../../../contract/ids.ts';
import type { StoredObject } from '../../../contract/lake.ts';
import { Problem } from '../../../contract/problems.ts';
import { chunksOf } from '../../base/collections.ts';
import type { Lease } from '../../base/concurrency.ts';
import type { Clock } from '../../base/time/timestamp.ts';
import { type Operator, requireCommit } from '../../workspaces/access/operator.ts';
import { rowPacker } from '../compact/row-packer.ts';
import { linesOf, packRows } from '../store/store-batches.ts';
import { type Person, subjectOf } from './person.ts';

type PlacedObject = { readonly key: string; readonly object: StoredObject };

export type ErasePorts = {
  readonly clock: Clock;
  readonly lease: Lease;
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

export type Links = {
  /** The rows of the person itself. */
  readonly rows: number;
  /** Anonymous ids that stored events have with this user, and with no other. */
  readonly anonymous_ids: readonly string[];
  /** Those that they have with other users too: their events without a user stay. */
  readonly shared_anonymous_ids: readonly string[];
  /** Rows of groups, which stay, whose traits hold the id. */
  readonly group_rows: number;
};

/** Reads the stored events of a person, and removes nothing. */
export async function linksOf(ports: Pick<ErasePorts, 'objects' | 'read'>, person: Person): Promise<Links> {
  const ids = new Set<string>();
  let [rows, group_rows] = [0, 0];
  for await (const row of rowsOf(ports, [person.id])) {
    if (row[person.column]?.toWellFormed() === person.id) rows++;
    if (row.user_id?.toWellFormed() === person.id && row.anonymous_id) ids.add(row.anonymous_id);
    if (row.type === 'group' && JSON.stringify(row.traits ?? null).includes(JSON.stringify(person.id))) group_rows++;
  }
  const shared = new Set<string>();
  const isKnown = person.column === 'user_id' && ids.size > 0;
  if (isKnown)
    for await (const { user_id, anonymous_id } of rowsOf(ports, [...ids]))
      if (anonymous_id && ids.has(anonymous_id) && user_id && user_id !== person.id) shared.add(anonymous_id);
  const own = isKnown ? [...ids].filter((id) => !shared.has(id)) : [];
  return { rows, anonymous_ids: own.sort(), shared_anonymous_ids: [...shared].sort(), group_rows };
}

const Row = v.object({
  type: v.optional(v.string()),
  user_id: v.nullish(v.string()),
  anonymous_id: v.nullish(v.string()),
  traits: v.optional(v.unknown()),
});

/** The rows that hold one of some texts. */
async function* rowsOf({ objects, read }: Pick<ErasePorts, 'objects' | 'read'>, texts: readonly string[]) {
  const mayHold = holding(texts);
  for await (const { key, object } of objects()) {
    const bytes = await read(key);
    if (bytes === null) continue;
    for (const line of linesOf(object, bytes)) if (mayHold(line)) yield v.parse(Row, JSON.parse(line));
  }
}

/** Rows are JSON as JSON.stringify writes it: most of them need not be parsed. Old ones may hold half characters, which are shown as U+FFFD. */
function holding(texts: readonly string[]): (line: string) => boolean {
  const written = texts.map((text) => JSON.stringify(text));
  const isHalf = texts.some((text) => text.includes('\ufffd'));
  return (line) => written.some((text) => line.includes(text)) || (isHalf && line.includes('\\ud'));
}

type Erased = { readonly rows: number; readonly objects: number };

const none: Erased = { rows: 0, objects: 0 };

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
  const isOf = ofPerson(person);
  let rows = 0;
  for (const line of lines) if (isOf(line)) rows += 1;
  return rows;
}

function ofPerson({ column, id, linked = new Set() }: Person): (line: string) => boolean {
  const mayHold = holding([id, ...linked]);
  return (line) => {
    if (!mayHold(line)) return false;
    const row = v.safeParse(Row, JSON.parse(line));
    if (!row.success) return false;
    const { user_id, anonymous_id } = row.output;
    if (row.output[column]?.toWellFormed() === id) return true;
    return !user_id && typeof anonymous_id === 'string' && linked.has(anonymous_id);
  };
}

/** The object in its own form; it is kept where no row is left, for its key says which runs it holds. */
async function without(object: StoredObject, bytes: Uint8Array, person: Person): Promise<Uint8Array> {
  const isOf = ofPerson(person);
  if ('runId' in object) return packRows(Array.from(linesOf(object, bytes)).filter((line) => !isOf(line)));
  const packer = rowPacker();
  for (const line of linesOf(object, bytes)) if (!isOf(line)) await packer.add(Buffer.from(`${line}\n`));
  return packer.end();
}

/** With an audit entry before and after, which name the person by a digest: nothing that was erased stays in them. */
export async function eraseWithAudit(
  ports: Operator & { readonly erasing: ErasePorts; readonly tables: ErasableTables | null },
  workspace_id: WorkspaceId,
  person: Person,
): Promise<Erased & { readonly iceberg_rows?: number }> {
  const note = (action: string, figures: object) =>
    requireCommit(ports, [], { workspace_id, action, subject: { ...subjectOf(person), ...figures } });
  await note('events.erase', {});
  // Objects first: a wait for Athena must not hold their lease.
  const { linked = new Set(), ...named } = person;
  // First what only the links say: they are in the rows that go last, so that the same command finds them again.
  const before = linked.size > 0 ? await erasePerson(ports.erasing, { column: 'anonymous_id', id: '', linked }) : none;
  const own = await erasePerson(ports.erasing, named);
  const objects = { rows: before.rows + own.rows, objects: before.objects + own.objects };
  const erased = { ...objects, ...(ports.tables && { iceberg_rows: await eraseFromTables(ports.tables, named) }) };
  await note('events.erased', { ...erased });
  return erased;
}
