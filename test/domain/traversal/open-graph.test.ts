import { describe, expect, it } from 'vitest';
import type { ConnectorId, WorkspaceId } from '../../../shared/contract/ids.ts';
import type { NamesReader } from '../../../shared/domain/lineage/generations/graph-record.ts';
import type { Connector } from '../../../shared/domain/lineage/names/connector.ts';
import { defaultPolicy, type Policy } from '../../../shared/domain/lineage/policy/policy.ts';
import { openGraph, type QueryReader } from '../../../shared/domain/lineage/traversal/open-graph.ts';

const workspace = 'ws_open' as WorkspaceId;
const lake = { id: 'con_lake' as ConnectorId } as Connector;
const names = { connectors: [lake], generation: 0, changes: 0, forgotten: {} };
const policies: ReadonlyMap<ConnectorId, Policy> = new Map([[lake.id, defaultPolicy]]);

async function opened(namesOf: (reading: string[]) => NamesReader) {
  const reading: string[] = [];
  const policiesOf = async (_: WorkspaceId, connectors: readonly ConnectorId[]) => {
    reading.push(`policies of ${connectors}`);
    return policies;
  };
  const ports = { namesOf: namesOf(reading), policiesOf } as unknown as QueryReader;
  return { context: (await openGraph(ports, workspace, new Date())).context, reading };
}

describe('opening the graph of a workspace', () => {
  it('reads the policies alongside its record', async () => {
    const { context, reading } = await opened((read) => async (_, alongside) => {
      const others = alongside?.([lake.id]);
      read.push('record');
      await others;
      return names;
    });
    expect(context.policies).toBe(policies);
    expect(reading).toEqual([`policies of ${lake.id}`, 'record']);
  });

  it('reads them afterwards if the names are read for several at once, and nothing alongside', async () => {
    const { context, reading } = await opened((read) => async () => {
      read.push('record');
      return names;
    });
    expect(context.policies).toBe(policies);
    expect(reading).toEqual(['record', `policies of ${lake.id}`]);
  });
});
