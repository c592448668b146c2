import type { CheckSettings } from '../../../contract/codehost-checks.ts';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import type { Connector } from '../../lineage/names/connector.ts';
import type { Author } from '../../workspaces/access/records.ts';
import type { CheckSettingsStore } from './ports.ts';

/** How pull requests of a workspace are checked: without a word of it, no repository is, and nothing fails. */
export async function showCheckSettings(
  { settings }: { readonly settings: CheckSettingsStore },
  workspace: WorkspaceId,
): Promise<CheckSettings> {
  return (
    (await settings.find(workspace))?.record ?? { workspace_id: workspace, on_breaking: 'neutral', repositories: [] }
  );
}

/** Throws `validation_error` where a connector is unknown or a repository named twice, and `conflict`. */
export async function putCheckSettings(
  ports: {
    readonly settings: CheckSettingsStore;
    readonly connectorsOf: (workspace: WorkspaceId) => Promise<readonly Connector[]>;
  },
  { workspace, userId }: Author,
  request: CheckSettings,
): Promise<CheckSettings> {
  const known = new Set<string>((await ports.connectorsOf(workspace)).map(({ id }) => id));
  const names = request.repositories.map(({ repository }) => repository.toLowerCase());
  const errors = request.repositories.flatMap(({ connector_id }, i) => [
    ...(known.has(connector_id)
      ? []
      : [{ path: `/repositories/${i}/connector_id`, message: 'must be a connector of the workspace' }]),
    ...(names.indexOf(names[i] ?? '') === i
      ? []
      : [{ path: `/repositories/${i}/repository`, message: 'must be named once' }]),
  ]);
  if (errors.length > 0) throw new Problem('validation_error', { errors });
  const settings = { ...request, workspace_id: workspace };
  if (!(await ports.settings.write(await ports.settings.find(workspace), settings, userId)))
    throw new Problem('conflict');
  return settings;
}
