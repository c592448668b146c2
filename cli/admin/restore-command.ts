import { UsageError } from '../command-error.ts';
import { type Commands, timeOf } from './command.ts';
import { workspaceOf } from './places.ts';

export const restoreCommands: Commands = {
  restore: {
    operands: [],
    options: ['from', 'at', 'resume'],
    says: "copies what a tenant's tables and buckets held at a time into the new stacks of another tenant, and compares the graphs",
    run: async (context, _operands, values) => {
      if (values.from === undefined) throw new UsageError('restore takes --from TENANT');
      if (context.connection.local) throw new UsageError('restore takes --tenant NAME: it works in an AWS account');
      if (values.from === values.tenant)
        throw new UsageError('restore takes two tenants: it never writes to the old one');
      const { restore } = await import('./restore.ts');
      const options = { from: values.from, at: timeOf(values, 'at'), isResumed: values.resume === true };
      return restore(context, options);
    },
  },
  hash: {
    operands: [],
    options: ['workspace'],
    says: 'tells the hash of all that the graph of a workspace says, with its counts',
    run: async (context, _operands, values) => {
      if (values.workspace === undefined) throw new UsageError('hash takes --workspace WORKSPACE');
      const { id } = await workspaceOf(context.ports.registry, values.workspace);
      const { graphHash } = await import('./restore.ts');
      return graphHash(context, id);
    },
  },
};
