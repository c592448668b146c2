import type { WorkspaceId } from '../../contract/ids.ts';
import { listingsPrefix } from '../../contract/raw-bucket.ts';
import type { DerivationStore } from '../../domain/graph/derivation-store.ts';
import type { ScopeId } from '../../domain/graph/ids.ts';
import type { Order } from '../../domain/graph/order.ts';
import { type Bucket, deleteObject, getRange, putObject } from './bucket.ts';

/** What orders state, an object each beside the long listings; written again where a load is repeated. */
export const derivationStore = (bucket: Bucket): DerivationStore => ({
  put: (workspace, place, packed) =>
    putObject(bucket, derivationsKey(workspace, place), packed, { type: 'application/octet-stream' }),
  ...derivationReader(bucket),
  remove: (workspace, place) => deleteObject(bucket, derivationsKey(workspace, place)),
});

export const derivationReader = (bucket: Bucket): Pick<DerivationStore, 'range'> => ({
  range: (workspace, { from, bytes, ...place }) => getRange(bucket, derivationsKey(workspace, place), { from, bytes }),
});

const derivationsKey = (
  workspace: WorkspaceId,
  { scope, order }: { readonly scope: ScopeId; readonly order: Order },
): string => `${listingsPrefix}${workspace}/${scope}/${order}.derivations`;
