import type { linkedProjectRoutes } from '../../shared/contract/routes/linked-projects.ts';
import { linkProject } from '../../shared/domain/access/linked-projects.ts';
import type { OperatorPorts } from '../../shared/domain/access/operator.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

/** Serves the linking of projects. */
export const linkedProjects = (ports: Omit<OperatorPorts, 'actor'>): Implementations<typeof linkedProjectRoutes> => ({
  linkProject: async ({ body: { project_id }, caller: { userId }, workspace }) => {
    const { record } = await linkProject({ ...ports, actor: userId }, workspace, project_id);
    return { status: 201, body: { workspace_id: workspace, project_id, created_at: record.created_at } };
  },
});
