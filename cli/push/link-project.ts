import type { Api } from '../../shared/client/api.ts';
import { ApiFailure } from '../../shared/client/api-failure.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { notFound } from '../command-error.ts';
import type { Place } from '../session.ts';
import { printable } from '../terminal/printable.ts';

/** Links a project to the workspace, where the caller may; says who can where not. */
export async function linkProject(api: Api, workspace: Place, project_id: string): Promise<void> {
  try {
    await api.ask(routes.linkProject, { body: { workspace_id: workspace.id, project_id } });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    const name = printable(project_id);
    throw notFound(`The project ${name} is not linked to the workspace, and you may not link it.`, [
      `An administrator of the workspace may: by this command, or tributary admin linked-projects link ${printable(workspace.name)} ${name}`,
      'Is the project named as it is linked? --project ID names it.',
    ]);
  }
}
