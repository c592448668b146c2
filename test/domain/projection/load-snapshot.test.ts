import { expect, it } from 'vitest';
import type { WorkspaceId } from '../../../shared/contract/ids.ts';
import { graphOf, scopeId } from '../../../shared/domain/lineage/graph/node.ts';
import { snapshotOrder } from '../../../shared/domain/lineage/graph/order.ts';
import { loadSnapshot } from '../../../shared/domain/lineage/projection/load-snapshot.ts';
import type { SnapshotWriters } from '../../../shared/domain/lineage/projection/snapshot-status.ts';

it('reads no state of a scope before the scope is registered', async () => {
  const { promise: registered, resolve } = Promise.withResolvers<void>();
  const read: string[] = [];
  const ports = {
    scopes: {
      register: () => registered,
      heads: async () => {
        read.push('head');
        return [];
      },
    },
  } as unknown as SnapshotWriters;
  const load = loadSnapshot(ports, {
    graph: graphOf('ws_1' as WorkspaceId, 0),
    scope: { scope: scopeId('s'), scopeKey: 's', kind: 'snapshot', providerType: 'p', providerInstanceId: 'p' },
    order: snapshotOrder(1),
    complete: true,
    deliveryId: 'del_1',
    receivedAt: '2026-11-29T00:00:00.000Z',
    derivations: [],
    shrinkGuard: { mode: 'off', share: 0.5 },
    released: false,
  });
  await new Promise((done) => setImmediate(done));
  expect(read).toEqual([]);
  resolve();
  await expect(load).rejects.toThrow('no head');
  expect(read).toEqual(['head']);
});
