import type { WorkspaceId } from '../../../contract/ids.ts';
import type { Derivation } from '../graph/derivation.ts';
import type { Urn } from '../graph/node.ts';
import type { Order } from '../graph/order.ts';
import { type Described, type RelationSchema, schemaId } from '../graph/schema.ts';
import type { Listing, ScopeIdentity } from '../graph/scope-store.ts';
import type { Connector } from '../names/connector.ts';
import { type EdgeStatement, edgesOf } from './edges.ts';
import { contentDigestOf, listingOf } from './listing.ts';
import type { ProjectionPorts } from './ports.ts';

/** What replaces, or adds to, all that a scope states: a declared delivery, or an OpenLineage JobEvent or DatasetEvent. */
export type Snapshot = {
  readonly scope: ScopeIdentity & { readonly kind: 'snapshot' | 'static' };
  readonly order: Order;
  readonly complete: boolean;
  readonly deliveryId: string;
  readonly receivedAt: string;
  readonly derivations: readonly Derivation[];
  /** The same, packed, of a document that is too large to be read for a question about one of them. */
  readonly packed?: Uint8Array;
  /** What it states of columns of relations. */
  readonly schemas?: ReadonlyMap<Urn, RelationSchema>;
  readonly shrinkGuard: Connector['shrink_guard'];
  /** An administrator let a held snapshot pass. */
  readonly released: boolean;
  /** What was forgotten of the scope: the snapshot retracts nothing of it. */
  readonly forgottenUntil?: Order | null;
};

export type DescribedContent = Described & { readonly content: RelationSchema };

export type SnapshotPorts = Pick<
  ProjectionPorts<never>,
  'claims' | 'details' | 'derivations' | 'schemas' | 'scopes' | 'directory' | 'clock'
>;

/** One load of one snapshot, as it is handed from step to step. */
export type Load = {
  readonly ports: SnapshotPorts;
  readonly workspace: WorkspaceId;
  readonly snapshot: Snapshot;
  /** What the snapshot states. */
  readonly claims: readonly EdgeStatement[];
  readonly described: readonly DescribedContent[];
  readonly listing: Listing;
  /** Digest of all of it. */
  readonly content: string;
};

export function loadOf(ports: SnapshotPorts, workspace: WorkspaceId, snapshot: Snapshot): Load {
  const context = {
    deliveryId: snapshot.deliveryId,
    observedAt: snapshot.receivedAt,
    unmappedIsUnknown: snapshot.scope.kind === 'static',
  };
  const claims = edgesOf(snapshot.derivations, context);
  const described = describedBy(snapshot);
  const listing = listingOf(claims, described);
  return { ports, workspace, snapshot, claims, described, listing, content: contentDigestOf(listing) };
}

const describedBy = ({ schemas = new Map() }: Snapshot): DescribedContent[] =>
  [...schemas].map(([node, content]) => ({ node, content, schema: schemaId(content) }));
