import { expect, it } from 'vitest';
import type { ConnectorId, UserId, WorkspaceId } from '../../../shared/contract/ids.ts';
import { generateCandidates, type MemoryPorts } from '../../../shared/domain/agents/memory/generate.ts';
import { type GraphId, graphOf } from '../../../shared/domain/lineage/graph/node.ts';

const workspace = 'ws_1' as WorkspaceId;

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

async function targetOf(sentence: string): Promise<string | null | undefined> {
  const request = { correction_text: sentence, limit: 5, query_request_id: null };
  const [candidate] = await generateCandidates(ports, { workspace, userId: 'usr_1' as UserId }, request as never);
  return candidate?.target_key;
}

it('finds the target of a sentence in the graph that is live, also after names were changed (C-MEMORY-6)', async () => {
  expect(await targetOf('orders excludes returns')).toBe('shop.core.orders');
});

it('looks up the first 24 different words of a sentence', async () => {
  const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index} w${index}`).join(' ');
  expect(await targetOf(`${words(23)} orders`)).toBe('shop.core.orders');
  expect(await targetOf(`${words(24)} orders`)).toBeNull();
});
