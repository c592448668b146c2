import { UsageError } from '../command-error.ts';
import type { Commands } from './command.ts';
import { workspaceOf } from './places.ts';

export const rebuildCommands: Commands = {
  rebuild: {
    operands: [],
    options: ['workspace', 'verify'],
    says: 'replays what a workspace was sent into a fresh graph and compares it with the live one; repairs that, without --verify',
    run: async (context, _operands, values) => {
      if (values.workspace === undefined) throw new UsageError('rebuild takes --workspace WORKSPACE');
      const { id } = await workspaceOf(context.ports.registry, values.workspace);
      const { rebuild } = await loaded();
      return rebuild(context, id, { isVerification: values.verify === true });
    },
  },
};

/** It needs stores to try things in, which the package of the command line alone does not have. */
async function loaded() {
  try {
    return await import('./rebuild.ts');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new UsageError('rebuild runs from a checkout of the repository alone: npm run tributary -- admin rebuild …');
  }
}
