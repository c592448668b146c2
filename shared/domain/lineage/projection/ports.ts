import type { Clock } from '../../base/time/timestamp.ts';
import type { ClaimWriter } from '../graph/claim-writer.ts';
import type { DerivationStore, DetailStore } from '../graph/derivation.ts';
import type { GraphId } from '../graph/ids.ts';
import type { RelationDirectory } from '../graph/name-parts.ts';
import type { RunStore } from '../graph/runs.ts';
import type { SchemaStore } from '../graph/schema.ts';
import type { ScopeStore } from '../graph/scope-store.ts';

/** The graph that the projection writes to, and its stores. */
export type ProjectionPorts<Content> = {
  readonly graph: GraphId;
  readonly claims: ClaimWriter;
  readonly details: DetailStore;
  readonly derivations: DerivationStore;
  readonly schemas: Pick<SchemaStore, 'put'>;
  readonly scopes: ScopeStore;
  readonly directory: RelationDirectory;
  readonly runs: RunStore<Content>;
  readonly clock: Clock;
};

export type Warning = { readonly code: string; readonly message: string };

/** The code of the shrink guard's warning. */
export const snapshotShrank = 'snapshot_shrank';
