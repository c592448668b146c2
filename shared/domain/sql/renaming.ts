import { fieldsOf, listOf, type Syntax, tableNameOf } from './syntax.ts';
import type { RelationName } from './types.ts';

/** A relation and the name that its rows have from then on. */
export type Renaming = {
  readonly from: RelationName;
  readonly to: RelationName;
  /** The rows of the other have the first name then. */
  readonly isSwap: boolean;
};

/** `ALTER TABLE t RENAME TO u`, and Snowflake's `SWAP WITH u`; null for any other statement. */
export function renamingOf({ kind, fields }: Syntax): Renaming | null {
  if (kind !== 'alter_table') return null;
  const from = tableNameOf(fieldsOf(fields['name']) ?? {});
  const [only, ...more] = listOf(fields['actions']).map((action) => fieldsOf(action) ?? {});
  const swapped = fieldsOf(only?.['SwapWith']);
  const named = swapped ?? fieldsOf(only?.['RenameTable']);
  const to = named === null || more.length > 0 ? [] : tableNameOf(named);
  if (from.length === 0 || to.length === 0) return null;
  // A new name of one part stays in the schema.
  return { from, isSwap: swapped !== null, to: to.length === 1 ? [...from.slice(0, -1), ...to] : to };
}
