import { AccessDiagnosisBundle, AccessDiagnosisRequest } from '../access-diagnosis.ts';
import { limits } from '../limits.ts';
import type { Route } from '../route.ts';

/** Why somebody may do something with a connector, or may not. */
export const accessDiagnosisRoutes = {
  diagnoseAccess: {
    method: 'POST',
    path: '/v1/access/diagnosis',
    function: 'access',
    summary: 'Walks what stands between a user and an action on a connector, and names the first link that is broken.',
    access: { kind: 'member', scope: 'read', role: 'viewer', workspace: 'body' },
    body: { kind: 'json', schema: AccessDiagnosisRequest, maxBytes: limits.json.bodyBytes },
    replies: { 200: { description: 'The links in order, and what is wrong.', schema: AccessDiagnosisBundle } },
    problems: [],
  },
} as const satisfies Record<string, Route>;
