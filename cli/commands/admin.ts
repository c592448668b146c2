import type { Command } from 'commander';
import {
  registerEnvironments,
  registerOrigins,
  registerProjectKeys,
  registerProjects,
  registerServerKeys,
} from '../admin/collection.ts';
import { actionsOf } from '../admin/command.ts';
import { registerConnectors, registerFeeds } from '../admin/connectors.ts';
import {
  registerCanary,
  registerEvents,
  registerOffboard,
  registerScopes,
  registerStores,
  registerSuppressions,
} from '../admin/operations.ts';
import {
  registerAudit,
  registerLinkedProjects,
  registerMembers,
  registerTokens,
  registerWorkspaces,
} from '../admin/workspaces.ts';
import type { Context } from '../framework.ts';

/** In the order of the help. */
const registrations = [
  registerWorkspaces,
  registerMembers,
  registerConnectors,
  registerFeeds,
  registerLinkedProjects,
  registerProjects,
  registerEnvironments,
  registerOrigins,
  registerProjectKeys,
  registerServerKeys,
  registerEvents,
  registerSuppressions,
  registerScopes,
  registerTokens,
  registerAudit,
  registerStores,
  registerCanary,
  registerOffboard,
];

export function registerAdmin(program: Command, context: Context): void {
  const admin = program
    .command('admin')
    .description("sets up and runs a deployment through its stores, with AWS credentials or a local service's file")
    .option('--tenant <name>', 'the stack of a tenant, with AWS credentials')
    .option('--actor <name>', 'user named in the audit log (default: the user of this machine)');
  for (const register of registrations) register(admin, actionsOf(context));
}
