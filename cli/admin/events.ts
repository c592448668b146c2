import type { Person } from '../../shared/domain/events/erase/erase-user.ts';
import { UsageError } from '../outcome.ts';
import type { Commands, Values } from './command.ts';
import { workspaceOf } from './places.ts';

export const eventCommands: Commands = {
  'events erase': {
    operands: ['WORKSPACE'],
    options: ['user', 'anonymous-id'],
    says: 'removes the stored events of a person; the same again finishes what was interrupted',
    run: async ({ ports, connection }, [workspace = ''], values) => {
      const person = personOf(values);
      const { id } = await workspaceOf(ports.registry, workspace);
      const { eraseStored } = await import('./erase-stored.ts');
      return eraseStored(ports, connection, { workspace: id, person });
    },
  },
};

function personOf({ user, 'anonymous-id': anonymous }: Values): Person {
  const id = user ?? anonymous;
  if (!id || (user !== undefined && anonymous !== undefined))
    throw new UsageError('events erase takes --user ID or --anonymous-id ID, one of them');
  return { column: user === undefined ? 'anonymous_id' : 'user_id', id };
}
