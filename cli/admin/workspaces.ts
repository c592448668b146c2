import { Argument, type Command, Option } from 'commander';
import { idOf, TokenId } from '../../shared/contract/ids.ts';
import { type Role, roles } from '../../shared/contract/vocabulary.ts';
import { linkProject, unlinkProject } from '../../shared/domain/workspaces/access/collection-projects.ts';
import { revokeToken } from '../../shared/domain/workspaces/access/tokens.ts';
import {
  addMember,
  createWorkspace,
  removeMember,
  removeWorkspace,
  setPatsEnabled,
} from '../../shared/domain/workspaces/access/workspaces.ts';
import { integer } from '../framework.ts';
import { type Actions, orNull, toForget, workspaceOf } from './command.ts';

export function registerWorkspaces(admin: Command, { onStores, inWorkspace }: Actions): void {
  const workspaces = admin.command('workspaces').description('groups of users who share lineage and events');
  workspaces
    .command('create <NAME>')
    .description('creates a workspace, or returns the existing one of that name')
    .action(onStores(({ ports }, [name = '']) => createWorkspace(ports, { name })));
  workspaces
    .command('list')
    .description('lists the workspaces of the deployment')
    .action(onStores(({ ports }) => ports.registry.workspaces.all()));
  workspaces
    .command('remove <WORKSPACE>')
    .description('deletes a workspace with its projects, keys, tokens and memberships; collected data stays')
    .action(
      onStores(async ({ ports }, [workspace = '']) => {
        const found = await orNull(workspaceOf(ports.registry, workspace));
        return { removed: found !== null && (await removeWorkspace(ports, found.id)) };
      }),
    );
  workspaces
    .command('pats <WORKSPACE>')
    .addArgument(new Argument('<on|off>').choices(['on', 'off']))
    .description('allows or forbids personal access tokens in the workspace')
    .action(inWorkspace(({ ports }, { id }, [word]) => setPatsEnabled(ports, id, word === 'on')));
}

export function registerMembers(admin: Command, { inWorkspace }: Actions): void {
  const members = admin.command('members').description('users of a workspace and their roles');
  members
    .command('add <WORKSPACE> <USER>')
    .description('gives a user (the sub of the session tokens) a role: viewer, editor or admin')
    .addOption(new Option('--role <role>').choices(roles).makeOptionMandatory())
    .option('--email <address>')
    .action(
      inWorkspace(({ ports }, { id }, [user_id = ''], { role, email }: { role: Role; email?: string }) =>
        addMember(ports, id, { user_id, role, email: email ?? null }),
      ),
    );
  members
    .command('list <WORKSPACE>')
    .description('lists the members of a workspace')
    .action(inWorkspace(({ ports }, { id }) => ports.registry.members.list(id)));
  members
    .command('remove <WORKSPACE> <USER>')
    .description('removes a member')
    .action(inWorkspace(async ({ ports }, { id }, [user = '']) => ({ removed: await removeMember(ports, id, user) })));
}

export function registerLinkedProjects(admin: Command, { inWorkspace }: Actions): void {
  const projects = admin
    .command('linked-projects')
    .description('the dbt and SQLMesh projects that may send complete snapshots');
  projects
    .command('link <WORKSPACE> <PROJECT_ID>')
    .description('links a dbt or SQLMesh project, so that the workspace accepts its snapshots')
    .action(inWorkspace(({ ports }, { id }, [project = '']) => linkProject(ports, id, project)));
  projects
    .command('list <WORKSPACE>')
    .description('lists the linked projects of a workspace')
    .action(inWorkspace(({ ports }, { id }) => ports.registry.linkedProjects.list(id)));
  projects
    .command('unlink <WORKSPACE> <PROJECT_ID>')
    .description('unlinks a project; its lineage stays')
    .action(
      inWorkspace(async ({ ports }, { id, name }, [project = '']) => {
        const removed = await unlinkProject(ports, id, project);
        return { removed, ...(removed && { next: toForget(name, project) }) };
      }),
    );
}

export function registerTokens(admin: Command, { inWorkspace }: Actions): void {
  const tokens = admin.command('tokens').description('personal access tokens of a workspace');
  tokens
    .command('list <WORKSPACE>')
    .description('lists the personal access tokens of a workspace')
    .action(inWorkspace(({ ports }, { id }) => ports.registry.tokens.list(id)));
  tokens
    .command('revoke <WORKSPACE> <TOKEN_ID>')
    .description('revokes a personal access token immediately')
    .action(inWorkspace(async ({ ports }, { id }, [text = '']) => revokeToken(ports, id, idOf(TokenId, text))));
}

export function registerAudit(admin: Command, { inWorkspace }: Actions): void {
  admin
    .command('audit <WORKSPACE>')
    .description('lists audit entries, newest first')
    .option('--limit <n>', 'at most this number of entries', integer({ min: 1, max: 1_000_000 }), 100)
    .action(
      inWorkspace(({ ports }, { id }, _, { limit }: { limit: number }) => ports.registry.audit.latest(id, limit)),
    );
}
