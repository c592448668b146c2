import type { Command, OptionValues } from 'commander';
import {
  createProjectKey,
  createServerKey,
  revokeProjectKey,
  revokeServerKey,
} from '../../shared/domain/workspaces/access/collection-keys.ts';
import {
  addEnvironment,
  addOrigin,
  createCollectionProject,
  removeEnvironment,
  removeOrigin,
  revokeCollectionProject,
} from '../../shared/domain/workspaces/access/collection-projects.ts';
import { setEventsRetention } from '../../shared/domain/workspaces/access/collection-settings.ts';
import type { Operator } from '../../shared/domain/workspaces/access/operator.ts';
import type { CollectionProject, Registry } from '../../shared/domain/workspaces/access/records.ts';
import { appendValue, integer } from '../framework.ts';
import { UsageError } from '../outcome.ts';
import { type Actions, projectOf } from './command.ts';

type Run<O> = (
  ports: Operator,
  project: CollectionProject,
  operands: readonly string[],
  options: O,
) => Promise<unknown>;

/** An action of a command whose first operands are a workspace and a collection project. */
const inProject = <O extends OptionValues>({ inWorkspace }: Actions, run: Run<O>) =>
  inWorkspace(async ({ ports }, { id }, [project = '', ...operands], options: O) =>
    run(ports, await projectOf(ports.registry, id, project), operands, options),
  );

type NewProject = { readonly environment?: readonly string[]; readonly origin?: readonly string[] };

export function registerProjects(admin: Command, actions: Actions): void {
  const projects = admin.command('projects').description('projects that collect events');
  projects
    .command('create <WORKSPACE> <NAME>')
    .description('creates a collection project, or returns the existing one of that name')
    .option('--environment <name>', 'an environment; repeatable', appendValue)
    .option('--origin <origin>', 'an origin whose pages may send; repeatable', appendValue)
    .action(
      actions.inWorkspace(({ ports }, { id }, [name = ''], { environment = [], origin = [] }: NewProject) =>
        createCollectionProject(ports, id, { name, environments: [...environment], origins: [...origin] }),
      ),
    );
  projects
    .command('list <WORKSPACE>')
    .description('lists the collection projects of a workspace')
    .action(actions.inWorkspace(({ ports }, { id }) => ports.registry.collectionProjects.list(id)));
  projects
    .command('update <WORKSPACE> <PROJECT>')
    .description('sets how many days the events of a project are kept; 0 keeps them forever')
    .requiredOption('--events-retention-days <n>', 'number of days', integer({ min: 0, max: 36_500 }))
    .action(
      inProject(actions, (ports, project, _, { eventsRetentionDays: days }: { eventsRetentionDays: number }) =>
        setEventsRetention(ports, project, days === 0 ? null : days),
      ),
    );
  projects
    .command('revoke <WORKSPACE> <PROJECT>')
    .description('deletes a collection project and revokes all its keys')
    .action(inProject(actions, revokeCollectionProject));
}

export function registerEnvironments(admin: Command, actions: Actions): void {
  const environments = admin.command('environments').description('the environments of a collection project');
  environments
    .command('add <WORKSPACE> <PROJECT> <ENVIRONMENT>')
    .description('adds an environment to a collection project')
    .action(inProject(actions, (ports, project, [name = '']) => addEnvironment(ports, project, name)));
  environments
    .command('list <WORKSPACE> <PROJECT>')
    .description('lists the environments of a collection project')
    .action(inProject(actions, async (_, project) => project.environments));
  environments
    .command('remove <WORKSPACE> <PROJECT> <ENVIRONMENT>')
    .description('deletes an environment and revokes its keys; its events stay')
    .action(inProject(actions, (ports, project, [name = '']) => removeEnvironment(ports, project, name)));
}

export function registerOrigins(admin: Command, actions: Actions): void {
  const origins = admin.command('origins').description('the web origins that may send to a collection project');
  origins
    .command('add <WORKSPACE> <PROJECT> <ORIGIN>')
    .description('allows browsers to send from an exact scheme://host[:port]')
    .action(inProject(actions, (ports, project, [origin = '']) => addOrigin(ports, project, origin)));
  origins
    .command('list <WORKSPACE> <PROJECT>')
    .description('lists the allowed origins of a collection project')
    .action(inProject(actions, async (_, project) => project.origins));
  origins
    .command('remove <WORKSPACE> <PROJECT> <ORIGIN>')
    .description('removes an allowed origin')
    .action(inProject(actions, (ports, project, [origin = '']) => removeOrigin(ports, project, origin)));
}

type NewKey = { readonly environment: string; readonly rate?: number; readonly burst?: number };

const whole = integer({ min: 1, max: 1_000_000 });

export function registerProjectKeys(admin: Command, actions: Actions): void {
  const keys = admin.command('project-keys').description('public keys of web pages');
  keys
    .command('create <WORKSPACE> <PROJECT> <NAME>')
    .description('creates a public key for one environment; it is shown only once')
    .requiredOption('--environment <name>', 'the environment of the events')
    .option('--rate <n>', 'events per second', whole)
    .option('--burst <n>', 'events at once; default: the rate', whole)
    .action(
      inProject(actions, (ports, project, [name = ''], { environment, rate, burst = rate }: NewKey) => {
        if (rate === undefined && burst !== undefined) throw new UsageError('--burst needs --rate');
        const limit = rate === undefined || burst === undefined ? null : { per_second: rate, burst };
        return createProjectKey(ports, project, { name, environment, rate: limit });
      }),
    );
  registerKeys(keys, actions, { kind: 'public key', keysOf: (all) => all.projectKeys, revoke: revokeProjectKey });
}

export function registerServerKeys(admin: Command, actions: Actions): void {
  const keys = admin.command('server-keys').description('secret keys of backends');
  keys
    .command('create <WORKSPACE> <PROJECT> <NAME>')
    .description('creates a key that marks events as trusted; it is shown only once')
    .action(inProject(actions, (ports, project, [name = '']) => createServerKey(ports, project, name)));
  registerKeys(keys, actions, { kind: 'server key', keysOf: (all) => all.serverKeys, revoke: revokeServerKey });
}

type Kind = {
  readonly kind: string;
  readonly keysOf: (registry: Registry) => Pick<Registry['serverKeys'], 'list'>;
  readonly revoke: typeof revokeServerKey;
};

function registerKeys(keys: Command, actions: Actions, { kind, keysOf, revoke }: Kind): void {
  keys
    .command('list <WORKSPACE> <PROJECT>')
    .description(`lists the ${kind}s of a collection project`)
    .action(
      inProject(actions, async ({ registry }, { workspace_id, id }) =>
        (await keysOf(registry).list(workspace_id)).filter(({ project_id }) => project_id === id),
      ),
    );
  keys
    .command('revoke <WORKSPACE> <PROJECT> <NAME>')
    .description(`revokes a ${kind} within a minute`)
    .action(inProject(actions, (ports, project, [name = '']) => revoke(ports, project, name)));
}
