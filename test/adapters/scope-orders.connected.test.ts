import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { graphOf, type NodeId, scopeId } from '../../shared/domain/lineage/graph/node.ts';
import { snapshotOrder } from '../../shared/domain/lineage/graph/order.ts';
import { graphPorts } from '../support/graph-ports.ts';
import { provideStores } from '../support/provide-stores.ts';

const stores = provideStores();

it('keeps what each attempt at an order listed, however many read the delivery otherwise', async () => {
  const { scopes } = graphPorts(stores.client);
  const place = [graphOf(`w${randomUUID().slice(0, 8)}` as WorkspaceId, 0), scopeId('provider:p')] as const;
  const order = snapshotOrder(1);
  const listing = (name: string) => ({ version: 1, nodes: [name as NodeId], edges: [] }) as const;
  const record = (name: string) =>
    scopes.recordOrder(...place, {
      order,
      complete: true,
      at: '2026-11-20T12:00:00.000Z',
      listing: listing(name),
      content: name,
      retracted: 0,
      warnings: [],
      deliveryId: 'del_1',
    });
  await record('first');
  await record('first');
  expect(await scopes.recorded(...place, order)).toMatchObject({ listing: listing('first'), also: [] });
  await record('second');
  await Promise.all([record('third'), record('fourth'), record('fifth')]);
  const { listing: last, also } = (await scopes.recorded(...place, order)) ?? {};
  const names = [last, ...(also ?? [])].flatMap((one) => one?.nodes ?? []);
  expect([...names].sort()).toEqual(['fifth', 'first', 'fourth', 'second', 'third']);
});
