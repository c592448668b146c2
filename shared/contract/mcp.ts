import * as v from 'valibot';
import { documentedAs, text } from './fields.ts';
import { limits } from './limits.ts';
import { type FunctionRoutes, servedBy } from './route.ts';

const externalDocs = { url: 'https://modelcontextprotocol.io/specification' };

/** A message of the Model Context Protocol, which is JSON-RPC 2.0. */
/** It comes back with each notification of progress. */
const Progress = v.object({ params: v.object({ _meta: v.object({ progressToken: v.string() }) }) });

export const McpMessage = v.pipe(
  v.looseObject({ jsonrpc: v.literal('2.0'), method: v.optional(text(200)) }),
  v.check(
    (message) => !v.is(Progress, message) || message.params._meta.progressToken.length <= 256,
    'has a progressToken of more than 256 characters',
  ),
  documentedAs({ type: 'object', description: 'A JSON-RPC 2.0 message of the Model Context Protocol.', externalDocs }),
);

export const McpRefusal = v.pipe(
  v.looseObject({ jsonrpc: v.literal('2.0'), error: v.looseObject({ code: v.number(), message: v.string() }) }),
  documentedAs({ type: 'object', required: ['jsonrpc', 'error'], description: 'A JSON-RPC 2.0 error.', externalDocs }),
);

const McpHeaders = v.object({
  /** Of a web page: only the service's own may ask, or a page could reach a server by another name. */
  origin: v.exactOptional(text(2_000)),
  accept: v.exactOptional(text(1_000)),
  'mcp-protocol-version': v.exactOptional(text(100)),
  /** From revision 2026-07-28 on: what the message has too, for gateways on the way. */
  'mcp-method': v.exactOptional(text(200)),
  'mcp-name': v.exactOptional(text(2_000)),
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
    problems: ['origin_not_allowed'],
    stream: true,
  },
} as const satisfies FunctionRoutes);
