import type { Connector } from './connector.ts';
import { platformOf } from './connector-platform.ts';
import { foldPart, splitName } from './relation-ref.ts';

/** The name of a column as its platform folds it; a `column_ref` is quoted as a `relation_ref` is (C-IDENTITY-13). */
export function columnNameOf(connector: Connector, columnRef: string): string {
  const [name, ...more] = splitName(columnRef) ?? [];
  return name === undefined || more.length > 0 ? columnRef : foldPart(platformOf(connector), name);
}
