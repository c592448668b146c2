import { limits } from '../limits.ts';
import { LinkedProject, LinkProject } from '../linked-projects.ts';
import type { Route } from '../route.ts';

/** The projects that may send complete snapshots to a workspace: C-ADMIN-6. */
export const linkedProjectRoutes = {
  linkProject: {
    method: 'POST',
    path: '/v1/linked-projects',
    function: 'access',
    summary:
      'Lets a workspace take snapshots of a dbt or SQLMesh project under its stable id; a linked one stays linked.',
    access: { kind: 'member', scope: 'admin', role: 'admin', workspace: 'body' },
    body: { kind: 'json', schema: LinkProject, maxBytes: limits.json.bodyBytes },
    replies: { 201: { description: 'Linked.', schema: LinkedProject } },
    problems: ['validation_error', 'conflict'],
  },
} as const satisfies Record<string, Route>;
