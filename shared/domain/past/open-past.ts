import { type DerivationStore, openDerivations } from '../graph/derivation-store.ts';
import type { ScopeId } from '../graph/ids.ts';
import type { Order } from '../graph/order.ts';
import type { PastPlace, RereadPorts, StatedThen } from './derived-again.ts';

/** What those read again at most who compare whole times: some ten seconds of work. */
export const rereadBytes = 32 * 1024 * 1024;

export type PastPorts = RereadPorts & { readonly derivations: Pick<DerivationStore, 'range'> };

type OrderThen = { readonly scope: ScopeId; readonly order: Order; readonly deliveryId: string | null };

/** Opens what is kept of a document, or else reads it again. */
export async function openPast(ports: PastPorts, place: PastPlace, past: OrderThen): StatedThen {
  const { scope, order, deliveryId } = past;
  const kept = await openDerivations(ports, place.workspace, { scope, order });
  if (kept) return kept;
  // What reads documents takes longer to load than to answer most questions, which never need it.
  const { derivedAgain } = await import('./derived-again.ts');
  return derivedAgain(ports, place, deliveryId);
}
