import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { ApiFailure } from '../client/api-failure.ts';
import { UnknownPlace } from './places.ts';
import type { ToolContext } from './tool.ts';
import { getImpact } from './tools/impact.ts';
import { getRelation } from './tools/relations.ts';

/** A relation with its neighbours, as a resource: both parts of its address are percent-encoded. */
export const relationTemplate = {
  uriTemplate: 'tributary://relations/{connector}/{relation_ref}',
  name: 'relation',
  title: 'A relation and its neighbours',
  mimeType: 'application/json',
};

/** What is known of the relation of an address. Throws McpError. */
export async function relationOf(context: ToolContext, uri: string) {
  const [, connector = '', relation_ref = ''] = /^tributary:\/\/relations\/([^/]+)\/([^/]+)$/.exec(uri) ?? [];
  if (relation_ref === '')
    throw new McpError(ErrorCode.InvalidParams, `An address is ${relationTemplate.uriTemplate}.`);
  const named = { connector: decodeURIComponent(connector), relation_ref: decodeURIComponent(relation_ref) };
  try {
    const relation = await getRelation.call(context, named);
    const neighbours = await getImpact.call(context, { ...named, direction: 'both', max_depth: 1 });
    return { relation, neighbours };
  } catch (error) {
    if (error instanceof ApiFailure)
      throw new McpError(ErrorCode.InvalidParams, [error.message, error.detail?.hint].filter(Boolean).join(' '));
    if (error instanceof UnknownPlace) throw new McpError(ErrorCode.InvalidParams, error.message);
    throw error;
  }
}
