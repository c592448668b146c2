import path from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { apiOf } from '../../shared/client/api.ts';
import { mcpServer } from '../../shared/mcp/server.ts';

it('describes to agents the tools, their limits and their fields that are recorded', async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  await mcpServer({ api: apiOf('https://service.test', undefined) }, '1').connect(far);
  await client.connect(near);
  const { tools } = await client.listTools();
  await client.close();
  const recorded = path.join(import.meta.dirname, '__snapshots__', 'mcp-tools.json.snap');
  await expect(`${JSON.stringify(tools, null, 2)}\n`).toMatchFileSnapshot(recorded);
});
