import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { mcpServer } from '../../shared/mcp/server.ts';
import type { ToolContext } from '../../shared/mcp/tool.ts';

/** Serves until standard input ends. */
export async function serveStdio(context: ToolContext, version: string): Promise<void> {
  const server = mcpServer(context, version);
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  process.stdin.once('end', () => void server.close());
  await server.connect(new StdioServerTransport());
  await closed;
}
