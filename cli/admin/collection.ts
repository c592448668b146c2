import { setEventsRetention } from '../../shared/domain/workspaces/access/collection-project-list.ts';
import {
  addEnvironment,
  addOrigin,
  createCollectionProject,
  removeEnvironment,
  removeOrigin,
  revokeCollectionProject,
} from '../../shared/domain/workspaces/access/collection-projects.ts';
import { UsageError } from '../outcome.ts';
import { type AdminContext, type Commands, numberOf } from './command.ts';
import { projectAt, workspaceOf } from './places.ts';

export const collectionProjectCommands: Commands = {
  'projects create': {
    operands: ['WORKSPACE', 'NAME'],
    options: ['environment', 'origin'],
    says: 'creates a collection project, or returns the existing one of that name',
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
    run: async ({ ports: { registry } }, [workspace = '', project = '']) => projectAt(registry, workspace, project),
  },
  'projects update': {
    operands: ['WORKSPACE', 'PROJECT'],
    options: ['events-retention-days'],
    says: 'sets how many days the events of a project are kept; 0 keeps them forever',
    run: async (context, [workspace = '', project = ''], values) => {
      const days = numberOf(values, 'events-retention-days');
      if (days === undefined) throw new UsageError('projects update takes --events-retention-days DAYS');
      return setEventsRetention(context.ports, await placeOf(context, workspace, project), days === 0 ? null : days);
    },
  },
  'projects revoke': {
    operands: ['WORKSPACE', 'PROJECT'],
    says: 'deletes a collection project and revokes all its keys',
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
    run: async (context, [workspace = '', project = '']) =>
      (await projectAt(context.ports.registry, workspace, project)).environments,
  },
  'environments remove': {
    operands: ['WORKSPACE', 'PROJECT', 'ENVIRONMENT'],
    says: 'deletes an environment and revokes its keys; its events stay',
    run: async (context, [workspace = '', project = '', environment = '']) =>
      removeEnvironment(context.ports, await placeOf(context, workspace, project), environment),
  },
  'origins add': {
    operands: ['WORKSPACE', 'PROJECT', 'ORIGIN'],
    says: 'allows browsers to send from an exact scheme://host[:port]',
    run: async (context, [workspace = '', project = '', origin = '']) =>
      addOrigin(context.ports, await placeOf(context, workspace, project), origin),
  },
  'origins list': {
    operands: ['WORKSPACE', 'PROJECT'],
    says: 'lists the allowed origins of a collection project',
    run: async (context, [workspace = '', project = '']) =>
      (await projectAt(context.ports.registry, workspace, project)).origins,
  },
  'origins remove': {
    operands: ['WORKSPACE', 'PROJECT', 'ORIGIN'],
    says: 'removes an allowed origin',
    run: async (context, [workspace = '', project = '', origin = '']) =>
      removeOrigin(context.ports, await placeOf(context, workspace, project), origin),
  },
};

async function placeOf(context: AdminContext, workspace: string, project: string) {
  const { workspace_id, id } = await projectAt(context.ports.registry, workspace, project);
  return { workspace_id, id };
}
