import { limits } from '../limits.ts';
import { McpHeaders, McpMessage } from '../mcp.ts';
import type { Route } from '../route.ts';

/** The Model Context Protocol by streamable HTTP, without sessions: C-AGENT-5. */
export const mcpRoutes = {
  postMcp: {
    method: 'POST',
    path: '/mcp',
    function: 'mcp',
    summary: 'Takes a message of the Model Context Protocol: tools and resources that ask this API as the caller.',
    access: { kind: 'signed_in', scope: 'read' },
    headers: McpHeaders,
    body: { kind: 'json', schema: McpMessage, maxBytes: limits.inlineBytes },
    replies: {
      200: { description: 'The answer to a request.', schema: McpMessage },
      202: { description: 'A notification is taken.' },
      400: { description: 'The message is none of the protocol.', schema: McpMessage },
      406: { description: 'The answer is in no media type that is accepted.', schema: McpMessage },
    },
    problems: [],
  },
} as const satisfies Record<string, Route>;
