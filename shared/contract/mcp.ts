import * as v from 'valibot';
import { documentedAs } from './documented-as.ts';
import { text } from './fields.ts';

const externalDocs = { url: 'https://modelcontextprotocol.io/specification' };

/** A message of the Model Context Protocol, which is JSON-RPC 2.0. */
export const McpMessage = v.pipe(
  v.looseObject({ jsonrpc: v.literal('2.0'), method: v.optional(text(200)) }),
  documentedAs({ type: 'object', description: 'A JSON-RPC 2.0 message of the Model Context Protocol.', externalDocs }),
);

export const McpHeaders = v.object({
  accept: v.optional(text(1_000)),
  'mcp-protocol-version': v.optional(text(100)),
});
