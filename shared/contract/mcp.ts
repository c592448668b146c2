import * as v from 'valibot';
import { documentedAs, text } from './fields.ts';
import { limits } from './limits.ts';
import { type FunctionRoutes, servedBy } from './route.ts';

const externalDocs = { url: 'https://modelcontextprotocol.io/specification' };

/** A message of the Model Context Protocol, which is JSON-RPC 2.0. */
export const McpMessage = v.pipe(
  v.looseObject({ jsonrpc: v.literal('2.0'), method: v.optional(text(200)) }),
  documentedAs({ type: 'object', description: 'A JSON-RPC 2.0 message of the Model Context Protocol.', externalDocs }),
);

export const McpRefusal = v.pipe(
  v.looseObject({ jsonrpc: v.literal('2.0'), error: v.looseObject({ code: v.number(), message: v.string() }) }),
  documentedAs({ type: 'object', required: ['jsonrpc', 'error'], description: 'A JSON-RPC 2.0 error.', externalDocs }),
);

const McpHeaders = v.object({
  accept: v.optional(text(1_000)),
  'mcp-protocol-version': v.optional(text(100)),
  /** From revision 2026-07-28 on: what the message has too, for gateways on the way. */
  'mcp-method': v.optional(text(200)),
  'mcp-name': v.optional(text(2_000)),
});

const path = '/mcp';
export const resourceMetadata = '/.well-known/oauth-protected-resource';

/** The Model Context Protocol by streamable HTTP, without sessions: C-AGENT-5. */
export const mcpRoutes = servedBy('mcp', {
  postMcp: {
    method: 'POST',
    path,
    resourceMetadata: `${resourceMetadata}${path}`,
    summary:
      'Handles a message of the Model Context Protocol: tools and resources that call this API on the caller’s behalf.',
    access: { kind: 'signed_in', scope: 'read' },
    headers: McpHeaders,
    body: { kind: 'json', schema: McpMessage, maxBytes: limits.inlineBytes },
    replies: {
      200: {
        description: 'The answer to a request; a stream of it and its progress if the request has a progress token.',
        schema: McpMessage,
        alternative: 'text/event-stream',
      },
      202: { description: 'The notification is accepted.' },
      400: { description: 'The message is none of the protocol.', schema: McpRefusal },
      406: { description: 'The answer is in no media type that is accepted.', schema: McpRefusal },
    },
    stream: true,
  },
} as const satisfies FunctionRoutes);
