import {
  createProjectKey,
  createServerKey,
  revokeProjectKey,
  revokeServerKey,
} from '../../shared/domain/workspaces/access/collection-keys.ts';
import type { Registry } from '../../shared/domain/workspaces/access/registry.ts';
import { UsageError } from '../outcome.ts';
import { type AdminContext, type Command, type Commands, numberOf, type Values } from './command.ts';
import { projectAt, required } from './places.ts';

/** What the commands of one kind of key differ in. */
type Kind = {
  readonly called: string;
  readonly keysOf: (registry: Registry) => Pick<Registry['serverKeys'], 'list'>;
  readonly create: Pick<Command, 'options' | 'says' | 'run'>;
  readonly revoke: typeof revokeServerKey;
};

export const collectionKeyCommands: Commands = {
  ...keyCommands('project-keys', {
    called: 'public key',
    keysOf: ({ projectKeys }) => projectKeys,
    create: {
      options: ['environment', 'rate', 'burst'],
      says: 'creates a public key for one environment; it is shown only once',
      run: async (context, [workspace = '', project = '', name = ''], values) => {
        const environment = values.environment?.[0];
        if (environment === undefined) throw new UsageError('--environment is required');
        const input = { name, environment, rate: rateOf(values) };
        return createProjectKey(context.ports, await keyHome(context, workspace, project), input);
      },
    },
    revoke: revokeProjectKey,
  }),
  ...keyCommands('server-keys', {
    called: 'server key',
    keysOf: ({ serverKeys }) => serverKeys,
    create: {
      says: 'creates a key that marks events as trusted; it is shown only once',
      run: async (context, [workspace = '', project = '', name = '']) =>
        createServerKey(context.ports, await keyHome(context, workspace, project), name),
    },
    revoke: revokeServerKey,
  }),
};

function keyCommands(words: string, { called, keysOf, create, revoke }: Kind): Commands {
  const ofProject = async (context: AdminContext, workspace: string, project: string) => {
    const { workspace_id, project_id } = await keyHome(context, workspace, project);
    const keys = await keysOf(context.ports.registry).list(workspace_id);
    return keys.filter((key) => key.project_id === project_id);
  };
  return {
    [`${words} create`]: { operands: ['WORKSPACE', 'PROJECT', 'NAME'], ...create },
    [`${words} list`]: {
      operands: ['WORKSPACE', 'PROJECT'],
      says: `lists the ${called}s of a collection project`,
      run: (context, [workspace = '', project = '']) => ofProject(context, workspace, project),
    },
    [`${words} show`]: {
      operands: ['WORKSPACE', 'PROJECT', 'NAME'],
      says: `shows a ${called}, without the key itself`,
      run: async (context, [workspace = '', project = '', name = '']) => {
        const keys = await ofProject(context, workspace, project);
        return required(
          keys.find((key) => key.name === name),
          called,
        );
      },
    },
    [`${words} revoke`]: {
      operands: ['WORKSPACE', 'PROJECT', 'NAME'],
      says: `revokes a ${called} within a minute`,
      run: async (context, [workspace = '', project = '', name = '']) =>
        revoke(context.ports, await keyHome(context, workspace, project), name),
    },
  };
}

async function keyHome(context: AdminContext, workspace: string, project: string) {
  const { workspace_id, id } = await projectAt(context.ports.registry, workspace, project);
  return { workspace_id, project_id: id };
}

function rateOf(values: Values) {
  const [per_second, burst] = [numberOf(values, 'rate'), numberOf(values, 'burst')];
  if (per_second === undefined && burst === undefined) return null;
  if (per_second === undefined) throw new UsageError('--burst needs --rate');
  return { per_second, burst: burst ?? per_second };
}
