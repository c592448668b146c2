import { roles } from '../../shared/contract/vocabulary.ts';
import { linkProject, unlinkProject } from '../../shared/domain/workspaces/access/collection-project-list.ts';
import { addMember, removeMember } from '../../shared/domain/workspaces/access/members.ts';
import { createWorkspace, removeWorkspace, setPatsEnabled } from '../../shared/domain/workspaces/access/workspaces.ts';
import { UsageError } from '../outcome.ts';
import { type Commands, wordOf } from './command.ts';
import { orNull, required, toForget, workspaceOf } from './places.ts';

export const workspaceCommands: Commands = {
  'workspaces create': {
    operands: ['NAME'],
    options: ['no-pats'],
    says: 'creates a workspace, or returns the existing one of that name',
    run: ({ ports }, [name = ''], values) => createWorkspace(ports, { name, pats_enabled: values['no-pats'] !== true }),
  },
  'workspaces list': {
    operands: [],
    says: 'lists the workspaces of the deployment',
    run: ({ ports }) => ports.registry.workspaces.all(),
  },
  'workspaces show': {
    operands: ['WORKSPACE'],
    says: 'shows a workspace',
    run: ({ ports }, [workspace = '']) => workspaceOf(ports.registry, workspace),
  },
  'workspaces remove': {
    operands: ['WORKSPACE'],
    says: 'deletes a workspace with its projects, keys, tokens and memberships; collected data stays',
    run: async ({ ports }, [workspace = '']) => {
      const found = await orNull(workspaceOf(ports.registry, workspace));
      return { removed: found !== null && (await removeWorkspace(ports, found.id)) };
    },
  },
  'workspaces pats': {
    operands: ['WORKSPACE', 'on|off'],
    says: 'allows or forbids personal access tokens in the workspace',
    run: async ({ ports }, [workspace = '', word = '']) => {
      const { id } = await workspaceOf(ports.registry, workspace);
      if (word !== 'on' && word !== 'off') throw new UsageError('the last word is on or off');
      return setPatsEnabled(ports, id, word === 'on');
    },
  },
};

export const memberCommands: Commands = {
  'members add': {
    operands: ['WORKSPACE', 'USER'],
    options: ['role', 'email'],
    says: 'gives a user (the sub of the session tokens) a role: viewer, editor or admin',
    run: async ({ ports }, [workspace = '', user_id = ''], values) => {
      const { id } = await workspaceOf(ports.registry, workspace);
      const role = wordOf(values, 'role', roles);
      return addMember(ports, id, { user_id, role, email: values.email ?? null });
    },
  },
  'members list': {
    operands: ['WORKSPACE'],
    says: 'lists the members of a workspace',
    run: async ({ ports: { registry } }, [workspace = '']) =>
      registry.members.list((await workspaceOf(registry, workspace)).id),
  },
  'members show': {
    operands: ['WORKSPACE', 'USER'],
    says: 'shows a member',
    run: async ({ ports: { registry } }, [workspace = '', user = '']) => {
      const members = await registry.members.list((await workspaceOf(registry, workspace)).id);
      return required(
        members.find(({ user_id }) => user_id === user),
        'member',
      );
    },
  },
  'members remove': {
    operands: ['WORKSPACE', 'USER'],
    says: 'removes a member',
    run: async ({ ports }, [workspace = '', user = '']) => ({
      removed: await removeMember(ports, (await workspaceOf(ports.registry, workspace)).id, user),
    }),
  },
};

export const linkedProjectCommands: Commands = {
  'linked-projects link': {
    operands: ['WORKSPACE', 'PROJECT_ID'],
    says: 'links a dbt or SQLMesh project, so that the workspace accepts its snapshots',
    run: async ({ ports }, [workspace = '', project = '']) =>
      linkProject(ports, (await workspaceOf(ports.registry, workspace)).id, project),
  },
  'linked-projects list': {
    operands: ['WORKSPACE'],
    says: 'lists the linked projects of a workspace',
    run: async ({ ports: { registry } }, [workspace = '']) =>
      registry.linkedProjects.list((await workspaceOf(registry, workspace)).id),
  },
  'linked-projects show': {
    operands: ['WORKSPACE', 'PROJECT_ID'],
    says: 'shows a linked project',
    run: async ({ ports: { registry } }, [workspace = '', project_id = '']) => {
      const { id } = await workspaceOf(registry, workspace);
      return required((await registry.linkedProjects.find({ workspace_id: id, project_id }))?.record, 'linked project');
    },
  },
  'linked-projects unlink': {
    operands: ['WORKSPACE', 'PROJECT_ID'],
    says: 'unlinks a project; its lineage stays',
    run: async ({ ports }, [workspace = '', project = '']) => {
      const removed = await unlinkProject(ports, (await workspaceOf(ports.registry, workspace)).id, project);
      return { removed, ...(removed && { next: toForget(workspace, project) }) };
    },
  },
};
