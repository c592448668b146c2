import type { Clock } from '../../base/time/timestamp.ts';
import type { OpenGraph, UsedName } from '../generations/graph-record.ts';
import type { ClaimWriter } from '../graph/claim-writer.ts';
import type { DerivationStore } from '../graph/derivation.ts';
import type { RelationDirectory } from '../graph/name-parts.ts';
import type { GraphId } from '../graph/node.ts';
import type { UnfinishedRuns } from '../graph/runs.ts';
import type { SchemaStore } from '../graph/schema.ts';
import type { ScopeIdentity, ScopeStore } from '../graph/scope-store.ts';
import type { Connector } from '../names/connector.ts';
import type { AddedEvents, RunStore } from '../sources/openlineage/run-store.ts';
import type { SqlParser } from '../sql/types.ts';

/** The stores that projections write to. They serve every graph, and hold no state of a delivery. */
export type GraphWriters = {
  readonly claims: ClaimWriter;
  readonly derivations: DerivationStore;
  readonly schemas: SchemaStore;
  readonly scopes: ScopeStore;
  readonly directory: RelationDirectory;
  readonly runs: RunStore;
  readonly unfinished: UnfinishedRuns;
  readonly clock: Clock;
  /** Does the work of one run, by its key, one at a time: what comes before it has begun is done with it. */
  readonly runsTogether: (key: string, work: RunWork, observe: (work: RunWork) => Promise<void>) => Promise<void>;
  /** Loads the parser when the first statement needs it. */
  readonly sqlParser: () => Promise<SqlParser>;
};

/** The events of one run that a delivery brought, and where in it they stand. */
export type RunEvents = AddedEvents & {
  readonly graph: GraphId;
  readonly scope: ScopeIdentity;
  /** Whose statements about columns the events' are. */
  readonly schemaScope: ScopeIdentity;
  readonly job: { readonly namespace: string; readonly name: string };
  readonly deliveryId: string;
  readonly location: string;
};

export type RunWork = RunEvents & { readonly writers: GraphWriters };

/** The state of one projection: the graph, the connectors that name its relations, and the names that it uses. */
export type ProjectionContext = OpenGraph & {
  readonly connectors: readonly Connector[];
  /** Called with the names in the content before anything is written. */
  readonly recordNames: (names: readonly UsedName[]) => Promise<void>;
};

export type Warning = { readonly code: string; readonly message: string };

/** The code of the shrink guard's warning. */
export const snapshotShrank = 'snapshot_shrank';
