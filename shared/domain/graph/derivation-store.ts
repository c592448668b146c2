import type { WorkspaceId } from '../../contract/ids.ts';
import type { Derivation } from './derivation.ts';
import { type NodeId, nodeId, type ScopeId } from './ids.ts';
import { urnOf } from './node.ts';
import type { Order } from './order.ts';
import { openSorted, packSorted } from './sorted-blocks.ts';

/** A statement as its payload has it. */
export type StatementText = { readonly text: string; readonly truncated: boolean; readonly pointer: string };

/** A derivation with what an explanation tells of the item that states it. */
export type StatedDerivation = Derivation & {
  /** The place of the item among those of its delivery. */
  readonly itemIndex: number | null;
  readonly sql: StatementText | null;
};

type OrderOfScope = { readonly scope: ScopeId; readonly order: Order };

/** What orders of scopes state, packed, for questions about one relation of a large document. */
export type DerivationStore = {
  /** Keeps it until the order is forgotten. */
  readonly put: (workspace: WorkspaceId, place: OrderOfScope, packed: Uint8Array) => Promise<void>;
  /** Bytes of it, fewer where it ends before; null where nothing is kept: of small documents, and of orders that were loaded before this was. */
  readonly range: (
    workspace: WorkspaceId,
    place: OrderOfScope & { readonly from: number; readonly bytes: number },
  ) => Promise<Uint8Array | null>;
  readonly remove: (workspace: WorkspaceId, place: OrderOfScope) => Promise<void>;
};

/** Packs derivations by the node that each is of. */
export const packDerivations = (stated: readonly StatedDerivation[]): Uint8Array =>
  packSorted(Map.groupBy(stated, ({ output }) => nodeId(urnOf(output))));

/** The derivations of a node; none where the document states none. */
export type DerivationsOf<D extends Derivation = StatedDerivation> = (node: NodeId) => Promise<readonly D[]>;

/** Opens what an order states; null where nothing is kept of it. */
export async function openDerivations(
  { derivations }: { readonly derivations: Pick<DerivationStore, 'range'> },
  workspace: WorkspaceId,
  place: OrderOfScope,
): Promise<DerivationsOf | null> {
  const find = await openSorted((from, bytes) => derivations.range(workspace, { ...place, from, bytes }));
  return find && (async (node) => ((await find(node)) ?? []) as readonly StatedDerivation[]);
}
