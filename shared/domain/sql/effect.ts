import type { StatementKind } from '../../contract/vocabulary.ts';
import type { FromSource } from './from-source.ts';
import type { RelationName } from './types.ts';
import type { Row } from './values.ts';

/** What a statement does: the relation that it writes, and the columns that it gives. */
export type Effect = {
  readonly kind: StatementKind | null;
  readonly target: RelationName | null;
  readonly row: Row;
  /** The target lasts no longer than the session: later statements of the text read what it is made of. */
  readonly temporary?: boolean;
  /** What it takes rows from, which SQL Server's OUTPUT may name. */
  readonly sources?: readonly FromSource[];
};
