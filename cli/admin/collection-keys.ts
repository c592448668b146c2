import type { WorkspaceId } from '../../shared/contract/ids.ts';
import {
  createProjectKey,
  createServerKey,
  revokeProjectKey,
  revokeServerKey,
} from '../../shared/domain/access/collection-keys.ts';
import type { ServerKey } from '../../shared/domain/access/records.ts';
import { type Commands, type Context, numberOf, UsageError, type Values } from './command.ts';
import { projectAt, required } from './places.ts';

export const collectionKeyCommands: Commands = {
  'project-keys create': {
    operands: ['WORKSPACE', 'PROJECT', 'NAME'],
    options: ['environment', 'rate', 'burst'],
    says: 'makes a public key for one environment; it is shown once',
    run: async (context, [workspace = '', project = '', name = ''], values) => {
      const environment = values.environment?.[0];
      if (environment === undefined) throw new UsageError('--environment is required');
      const input = { name, environment, rate: rateOf(values) };
      return createProjectKey(context.ports, await keyHome(context, workspace, project), input);
    },
  },
  'project-keys list': {
    operands: ['WORKSPACE', 'PROJECT'],
    says: 'lists the public keys of a collection project',
    run: async (context, [workspace = '', project = '']) =>
      ofProject(context, workspace, project, context.ports.registry.projectKeys),
  },
  'project-keys show': {
    operands: ['WORKSPACE', 'PROJECT', 'NAME'],
    says: 'shows a public key, without the key itself',
    run: async (context, [workspace = '', project = '', name = '']) => {
      const keys = await ofProject(context, workspace, project, context.ports.registry.projectKeys);
      return required(
        keys.find((key) => key.name === name),
        'public key',
      );
    },
  },
  'project-keys revoke': {
    operands: ['WORKSPACE', 'PROJECT', 'NAME'],
    says: 'ends a public key within a minute',
    run: async (context, [workspace = '', project = '', name = '']) =>
      revokeProjectKey(context.ports, await keyHome(context, workspace, project), name),
  },
  'server-keys create': {
    operands: ['WORKSPACE', 'PROJECT', 'NAME'],
    says: 'makes a key that marks events as trusted; it is shown once',
    run: async (context, [workspace = '', project = '', name = '']) =>
      createServerKey(context.ports, await keyHome(context, workspace, project), name),
  },
  'server-keys list': {
    operands: ['WORKSPACE', 'PROJECT'],
    says: 'lists the server keys of a collection project',
    run: async (context, [workspace = '', project = '']) =>
      ofProject(context, workspace, project, context.ports.registry.serverKeys),
  },
  'server-keys show': {
    operands: ['WORKSPACE', 'PROJECT', 'NAME'],
    says: 'shows a server key, without the key itself',
    run: async (context, [workspace = '', project = '', name = '']) => {
      const keys = await ofProject(context, workspace, project, context.ports.registry.serverKeys);
      return required(
        keys.find((key) => key.name === name),
        'server key',
      );
    },
  },
  'server-keys revoke': {
    operands: ['WORKSPACE', 'PROJECT', 'NAME'],
    says: 'ends a server key within a minute',
    run: async (context, [workspace = '', project = '', name = '']) =>
      revokeServerKey(context.ports, await keyHome(context, workspace, project), name),
  },
};

async function keyHome(context: Context, workspace: string, project: string) {
  const { workspace_id, id } = await projectAt(context.ports.registry, workspace, project);
  return { workspace_id, project_id: id };
}

async function ofProject<Key extends ServerKey>(
  context: Context,
  workspace: string,
  project: string,
  keys: { readonly list: (workspace: WorkspaceId) => Promise<readonly Key[]> },
): Promise<readonly Key[]> {
  const { workspace_id, project_id } = await keyHome(context, workspace, project);
  return (await keys.list(workspace_id)).filter((key) => key.project_id === project_id);
}

function rateOf(values: Values) {
  const [per_second, burst] = [numberOf(values, 'rate'), numberOf(values, 'burst')];
  if (per_second === undefined && burst === undefined) return null;
  if (per_second === undefined) throw new UsageError('--burst needs --rate');
  return { per_second, burst: burst ?? per_second };
}
