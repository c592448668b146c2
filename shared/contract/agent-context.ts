import * as v from 'valibot';
import { count, timestamp } from './fields.ts';
import { type FunctionRoutes, servedBy } from './route.ts';
import { connectorKinds, roles } from './vocabulary.ts';

export const AgentConnectorContext = v.object({
  id: v.string(),
  name: v.string(),
  kind: v.picklist(connectorKinds),
  /** That of its providers: the worst of those that were not stopped; `empty` where nothing was delivered yet. */
  status: v.picklist(['active', 'error', 'paused', 'disabled', 'empty']),
  last_error: v.nullable(v.string()),
  last_sync_at: v.nullable(timestamp),
  /** The most connected first. */
  sample_tables: v.array(v.string()),
  /** How long ago anything was last learnt of its tables, to a minute. */
  schema_age_seconds: v.nullable(count),
  table_count: count,
});
export type AgentConnectorContext = v.InferOutput<typeof AgentConnectorContext>;

export const AgentContextResponse = v.object({
  user_id: v.string(),
  user_email: v.nullable(v.string()),
  default_workspace_id: v.nullable(v.string()),
  workspaces: v.array(
    v.object({ id: v.string(), name: v.string(), role: v.picklist(roles), connectors: v.array(AgentConnectorContext) }),
  ),
});
export type AgentContextResponse = v.InferOutput<typeof AgentContextResponse>;

export const agentContextRoutes = servedBy('agent', {
  getAgentContext: {
    method: 'GET',
    path: '/v1/agent/context',
    summary:
      'Returns the caller’s workspaces with their roles, their connectors and the most connected tables of those.',
    access: { kind: 'signed_in', scope: 'read' },
    replies: { 200: { description: 'Everything that the caller can see.', schema: AgentContextResponse } },
  },
} as const satisfies FunctionRoutes);
