import { describe, expect, it } from 'vitest';
import type { ConnectorId, WorkspaceId } from '../../../shared/contract/ids.ts';
import { showContext } from '../../../shared/domain/agents/context/show-context.ts';
import { noActivity } from '../../../shared/domain/lineage/providers/activity.ts';
import { noCounters, type ProviderRecord } from '../../../shared/domain/lineage/providers/provider.ts';
import { diagnoseAccess } from '../../../shared/domain/workspaces/access/diagnosis/diagnose-access.ts';

const workspace = 'ws_1' as WorkspaceId;
const connector = { id: 'con_1' as ConnectorId, workspace_id: workspace, name: 'warehouse', kind: 'postgres' };
const at = '2026-11-28T12:00:00.000Z';

/** 300 feeds that were stopped, and one that was not, last in the order of their ids. */
async function* feeds(): AsyncGenerator<ProviderRecord> {
  for (let number = 0; number <= 300; number++) {
    const status = number === 300 ? 'active' : 'disabled';
    const provider = { id: `${number}`.padStart(4, '0'), connector_id: connector.id, status, status_at: at };
    yield {
      provider: { ...provider, provider_type: 'openlineage' },
      counters: noCounters,
      activity: { ...noActivity, last_success_at: at },
    } as unknown as ProviderRecord;
  }
}

const member = { workspace_id: workspace, user_id: 'u', role: 'admin', email: 'u@shop.test' };
const ports = {
  registry: {
    workspaces: { find: async () => ({ record: { id: workspace, name: 'shop' } }) },
    members: { ofUser: async () => [member] },
    connectors: { list: async () => [connector], find: async () => ({ record: connector }) },
  },
  providers: { list: feeds },
  summaries: { get: async () => new Map() },
  policiesOf: async () => new Map(),
  clock: { now: () => new Date(at) },
};

describe('a connector with hundreds of feeds', () => {
  it('has the status of all of them in the context of an agent (C-AGENT-4)', async () => {
    const caller = { kind: 'session', userId: 'u', email: null };
    const context = await showContext(ports as never, caller as never);
    expect(context.workspaces[0]?.connectors[0]?.status).toBe('active');
  });

  it('accepts deliveries if one of them does (C-DIAGNOSIS-1)', async () => {
    const admission = {
      needed: { scope: 'write', role: 'editor' },
      caller: { kind: 'session', userId: 'u', email: null },
      workspace,
      membership: { role: 'admin', patsEnabled: true },
    };
    const question = { workspace, connectorId: connector.id, admission, presentsToken: true };
    const { chain, root_cause } = await diagnoseAccess(ports as never, question as never);
    expect(root_cause).toBeNull();
    expect(chain.find(({ step }) => step === 'provider')?.status).toBe('ok');
  });
});
