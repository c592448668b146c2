import type { Item } from './batch-get.ts';
import { type BatchedWrite, executeBatched } from './batch-statements.ts';
import type { Table } from './table.ts';
import { writeStamp } from './update-item.ts';

/** An item as it was read, and what is to go: these attributes, or all of it. */
export type Reduction<T> = { readonly one: T; readonly read: Item; readonly remove: readonly string[] | 'item' };

/**
 * Deletes items, or removes attributes from them, by the batch (ADR 13), each if nobody wrote to it since it was read (`w`
 * is another at each write). Answers for whom nothing is known to be done. An item that is gone needs nothing.
 */
export async function reduceUnchanged<T>(table: Table, reductions: readonly Reduction<T>[]): Promise<T[]> {
  const writes = reductions.flatMap(({ one, read, remove }) => {
    const statement = reductionOf(table, read, remove);
    return statement ? [{ one, statement }] : [];
  });
  const sent = new Set(writes.map(({ one }) => one));
  const others = reductions.flatMap(({ one }) => (sent.has(one) ? [] : [one]));
  return [...others, ...(await executeBatched(table, writes))];
}

const unchanged = 'WHERE "pk"=? AND "sk"=? AND "w"=?';

/** Null of several attributes: DynamoDB repeats the word REMOVE, and emulators do not all read that. */
function reductionOf(
  { name }: Table,
  { pk, sk, w }: Item,
  remove: Reduction<never>['remove'],
): BatchedWrite<never>['statement'] | null {
  if (!pk || !sk || !w) return null;
  if (remove === 'item') return { Statement: `DELETE FROM "${name}" ${unchanged}`, Parameters: [pk, sk, w] };
  if (remove.length !== 1) return null;
  const Statement = `UPDATE "${name}" SET "w"=? REMOVE "${remove[0]}" ${unchanged}`;
  return { Statement, Parameters: [writeStamp(), pk, sk, w] };
}
