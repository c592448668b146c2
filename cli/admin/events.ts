import { UsageError } from '../outcome.ts';
import type { Commands } from './command.ts';
import { workspaceOf } from './places.ts';

export const eventCommands: Commands = {
  'events erase': {
    operands: ['WORKSPACE'],
    options: ['user'],
    says: 'deletes the stored events of a user; run it again to resume after an interruption',
    run: async ({ ports, connection }, [workspace = ''], { user }) => {
      if (user === undefined || user === '') throw new UsageError('events erase takes --user ID');
      const { id } = await workspaceOf(ports.registry, workspace);
      const { eraseStored } = await import('./erase-stored.ts');
      return eraseStored(ports, connection, { workspace: id, user });
    },
  },
};
