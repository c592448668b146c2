import { expect, it } from 'vitest';
import type { ConnectorId, UserId, WorkspaceId } from '../../../shared/contract/ids.ts';
import { generateCandidates, type MemoryPorts } from '../../../shared/domain/agents/memory/generate.ts';
import { type GraphId, graphOf } from '../../../shared/domain/lineage/graph/node.ts';

const workspace = 'ws_1' as WorkspaceId;

it('finds the target of a sentence in the graph that is live, also after names were changed (C-MEMORY-6)', async () => {
  const ports = {
    namesOf: async () => ({ connectors: [{ id: 'con_1' as ConnectorId }], generation: 2, changes: 1, forgotten: {} }),
    directory: {
      named: async (graph: GraphId, _: ConnectorId, table: string) =>
        graph === graphOf(workspace, 2) && table === 'orders' ? [{ ref: 'shop.core.orders' }] : [],
    },
    registry: {
      memory: { find: async () => null, create: (record: unknown) => record },
      commit: async () => true,
    },
    clock: { now: () => new Date(0) },
  } as unknown as MemoryPorts;
  const request = { correction_text: 'orders excludes returns', limit: 5, query_request_id: null };
  const [candidate] = await generateCandidates(ports, { workspace, userId: 'usr_1' as UserId }, request as never);
  expect(candidate?.target_key).toBe('shop.core.orders');
});
