import { expect, it } from 'vitest';
import type { WorkspaceId } from '../../../shared/contract/ids.ts';
import { type Names, newGraphRecord } from '../../../shared/domain/lineage/generations/graph-record.ts';
import type { Delivery } from '../../../shared/domain/lineage/ingest/deliveries/delivery.ts';
import { byNames } from '../../../shared/domain/lineage/projection/edges.ts';
import { connectorWith } from '../identity/connectors.ts';

const delivery = { workspace_id: 'w' as WorkspaceId, provider_instance_id: 'p' } as Delivery;

it('works a delivery again if a connector came between the two reads that its names were read by', async () => {
  const built = connectorWith();
  const between: Names = { connectors: [], generation: 0, changes: 1, forgotten: {} };
  const after: Names = { ...between, connectors: [built] };
  const answers = [between];
  const ports = {
    namesOf: async () => answers.pop() ?? structuredClone(after),
    graphs: { find: async () => ({ record: { ...newGraphRecord('w' as WorkspaceId), changes: 1 }, revision: 1 }) },
    usedNames: { keep: async () => false },
    pause: async () => {},
  };
  const seen: number[] = [];
  const { outcome } = await byNames(ports, delivery, async ({ connectors, recordNames }) => {
    seen.push(connectors.length);
    await recordNames([]);
    return connectors;
  });
  expect([seen, outcome]).toEqual([[0, 1], [built]]);
});
