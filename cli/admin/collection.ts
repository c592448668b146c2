import {
  createProjectKey,
  createServerKey,
  revokeProjectKey,
  revokeServerKey,
} from '../../shared/domain/access/collection-keys.ts';
import {
  addEnvironment,
  addOrigin,
  createCollectionProject,
  removeOrigin,
  revokeCollectionProject,
} from '../../shared/domain/access/collection-projects.ts';
import { type Commands, type Context, numberOf, UsageError, type Values } from './command.ts';
import { projectOf, workspaceOf } from './places.ts';

export const collectionProjectCommands: Commands = {
  'projects create': {
    operands: ['WORKSPACE', 'NAME'],
    options: ['environment', 'origin'],
    says: 'makes a collection project, or finds the one of that name',
    run: async ({ ports }, [workspace = '', name = ''], { environment = [], origin = [] }) => {
      const { id } = await workspaceOf(ports.registry, workspace);
      return createCollectionProject(ports, id, {
        name: name,
        environments: environment,
        origins: origin,
      });
    },
  },
  'projects list': {
    operands: ['WORKSPACE'],
    says: 'lists the collection projects of a workspace',
    run: async ({ ports: { registry } }, [workspace = '']) =>
      registry.collectionProjects.list((await workspaceOf(registry, workspace)).id),
  },
  'projects show': {
    operands: ['WORKSPACE', 'PROJECT'],
    says: 'shows a collection project',
    run: async ({ ports: { registry } }, [workspace = '', project = '']) =>
      projectOf(registry, (await workspaceOf(registry, workspace)).id, project),
  },
  'projects revoke': {
    operands: ['WORKSPACE', 'PROJECT'],
    says: 'ends a collection project and all its keys',
    run: async (context, [workspace = '', project = '']) =>
      revokeCollectionProject(context.ports, await placeOf(context, workspace, project)),
  },
  'environments add': {
    operands: ['WORKSPACE', 'PROJECT', 'ENVIRONMENT'],
    says: 'adds an environment to a collection project',
    run: async (context, [workspace = '', project = '', environment = '']) =>
      addEnvironment(context.ports, await placeOf(context, workspace, project), environment),
  },
  'environments list': {
    operands: ['WORKSPACE', 'PROJECT'],
    says: 'lists the environments of a collection project',
    run: async (context, [workspace = '', project = '']) => (await projectAt(context, workspace, project)).environments,
  },
  'origins add': {
    operands: ['WORKSPACE', 'PROJECT', 'ORIGIN'],
    says: 'lets browsers send from an exact scheme://host[:port]',
    run: async (context, [workspace = '', project = '', origin = '']) =>
      addOrigin(context.ports, await placeOf(context, workspace, project), origin),
  },
  'origins list': {
    operands: ['WORKSPACE', 'PROJECT'],
    says: 'lists the allowed origins of a collection project',
    run: async (context, [workspace = '', project = '']) => (await projectAt(context, workspace, project)).origins,
  },
  'origins remove': {
    operands: ['WORKSPACE', 'PROJECT', 'ORIGIN'],
    says: 'ends the permission of an origin',
    run: async (context, [workspace = '', project = '', origin = '']) =>
      removeOrigin(context.ports, await placeOf(context, workspace, project), origin),
  },
};

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
  'server-keys revoke': {
    operands: ['WORKSPACE', 'PROJECT', 'NAME'],
    says: 'ends a server key within a minute',
    run: async (context, [workspace = '', project = '', name = '']) =>
      revokeServerKey(context.ports, await keyHome(context, workspace, project), name),
  },
};

async function projectAt({ ports: { registry } }: Context, workspace: string, project: string) {
  const { id } = await workspaceOf(registry, workspace);
  return projectOf(registry, id, project);
}

async function placeOf(context: Context, workspace: string, project: string) {
  const { workspace_id, id } = await projectAt(context, workspace, project);
  return { workspace_id, id };
}

async function keyHome(context: Context, workspace: string, project: string) {
  const { workspace_id, id } = await projectAt(context, workspace, project);
  return { workspace_id, project_id: id };
}

type KeyList = Pick<Context['ports']['registry']['serverKeys'], 'list'>;

async function ofProject(context: Context, workspace: string, project: string, keys: KeyList) {
  const { workspace_id, project_id } = await keyHome(context, workspace, project);
  return (await keys.list(workspace_id)).filter((key) => key.project_id === project_id);
}

function rateOf(values: Values) {
  const [per_second, burst] = [numberOf(values, 'rate'), numberOf(values, 'burst')];
  if (per_second === undefined && burst === undefined) return null;
  if (per_second === undefined) throw new UsageError('--burst needs --rate');
  return { per_second, burst: burst ?? per_second };
}
