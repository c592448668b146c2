import { limits } from '../limits.ts';
import { PolicyParams } from '../policy.ts';
import { PolicyPreview, PreviewPolicy } from '../policy-preview.ts';
import type { Route } from '../route.ts';

/** What a policy would change before it is set: C-POLICY-15. */
export const policyPreviewRoutes = {
  previewPolicy: {
    method: 'POST',
    path: '/v1/connectors/{connector_id}/lineage-policy/preview',
    function: 'diff',
    summary: 'Says which edges a policy of a connector would hide, show or weigh otherwise; changes nothing.',
    access: { kind: 'member', scope: 'admin', role: 'admin', workspace: 'body' },
    params: PolicyParams,
    body: { kind: 'json', schema: PreviewPolicy, maxBytes: limits.json.bodyBytes },
    replies: { 200: { description: 'What would change of a part of the graph.', schema: PolicyPreview } },
    problems: ['not_found', 'validation_error', 'rate_limited'],
  },
} as const satisfies Record<string, Route>;
