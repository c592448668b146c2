import { Argument, type Command } from 'commander';
import { queueNames } from '../../shared/contract/stack-outputs.ts';
import type { Person } from '../../shared/domain/events/erase/person.ts';
import { readmitPerson } from '../../shared/domain/events/erase/suppress-person.ts';
import { moment } from '../framework.ts';
import { UsageError } from '../outcome.ts';
import { type Actions, workspaceOf } from './command.ts';
import type { AdminContext } from './open-registry.ts';

type NamedPerson = { readonly user?: string; readonly anonymousId?: string };

function personOf({ user, anonymousId }: NamedPerson, command: string): Person {
  const id = user ?? anonymousId;
  if (!id || (user !== undefined && anonymousId !== undefined))
    throw new UsageError(`${command} takes --user ID or --anonymous-id ID, one of them`);
  return { column: user === undefined ? 'anonymous_id' : 'user_id', id };
}

export function registerEvents(admin: Command, { inWorkspace }: Actions): void {
  type Erasing = NamedPerson & { readonly dryRun?: boolean; readonly suppress?: boolean };
  admin
    .command('events')
    .description('the stored events of a workspace')
    .command('erase <WORKSPACE>')
    .description('removes the stored events of a person; the same again finishes what was interrupted')
    .option('--user <id>', 'a person by user id')
    .option('--anonymous-id <id>', 'a person by anonymous id')
    .option('--dry-run', 'says what would be removed, and which anonymous ids are linked')
    .option('--suppress', 'also stores no later events of the person, until suppressions remove')
    .action(
      inWorkspace(async (context, { id }, _, { dryRun = false, suppress = false, ...named }: Erasing) => {
        const person = personOf(named, 'events erase');
        return (await import('./erase-stored.ts')).eraseStored(context, id, person, { dryRun, suppress });
      }),
    );
}

export function registerSuppressions(admin: Command, { inWorkspace }: Actions): void {
  const suppressions = admin.command('suppressions').description('persons whose events are not stored');
  suppressions
    .command('list <WORKSPACE>')
    .description('lists them by digests: nothing holds their ids')
    .action(
      inWorkspace(async ({ ports }, { id }) =>
        (await ports.registry.suppressions.list(id)).map(({ linked, ...one }) => ({
          ...one,
          anonymous_ids: linked.length,
        })),
      ),
    );
  suppressions
    .command('remove <WORKSPACE>')
    .description('stores the later events of a person again')
    .option('--user <id>', 'a person by user id')
    .option('--anonymous-id <id>', 'a person by anonymous id')
    .action(
      inWorkspace(async ({ ports }, { id }, _, named: NamedPerson) => ({
        removed: await readmitPerson(ports, id, personOf(named, 'suppressions remove')),
      })),
    );
}

type Confirmation = { readonly yes?: boolean };
type OfJob = Confirmation & { readonly job: string };

export function registerScopes(admin: Command, { inWorkspace }: Actions): void {
  const scopes = admin.command('scopes').description('the sources of evidence, and how to retract it');
  scopes
    .command('list <WORKSPACE> <CONNECTOR|all>')
    .description(
      'lists evidence scopes (projects, job designs and job runs) and how much of each is active; --q filters by part of a key',
    )
    .option('--q <text>', 'part of a key')
    .action(
      inWorkspace(async (context, { id }, [connector = ''], { q = '' }: { readonly q?: string }) =>
        (await import('./scopes.ts')).scopesOf(context, id, { connector, q }),
      ),
    );
  scopes
    .command('forget <WORKSPACE> <SCOPE_KEY>')
    .description('previews what forgetting a scope would retract; --yes retracts it')
    .option('--yes', 'retracts it')
    .action(
      inWorkspace(async (context, { id }, [scopeKey = ''], { yes: isMeant = false }: Confirmation) =>
        (await import('./scopes.ts')).forget(context, id, { scopeKey, isMeant }),
      ),
    );
  scopes
    .command('forget-job <WORKSPACE> <CONNECTOR|all>')
    .description('does the same for an OpenLineage job in every feed, with its design and runs: --job NAMESPACE/NAME')
    .requiredOption('--job <job>', 'NAMESPACE/NAME')
    .option('--yes', 'retracts it')
    .action(
      inWorkspace(async (context, { id }, [connector = ''], { job, yes: isMeant = false }: OfJob) =>
        (await import('./scopes.ts')).forgetJob(context, id, { connector, job, isMeant }),
      ),
    );
}

export function registerStores(admin: Command, { onStores }: Actions): void {
  admin
    .command('redrive')
    .addArgument(new Argument(`<${queueNames.join('|')}>`).choices(queueNames))
    .description('moves dead letters back to their queue')
    .action(
      onStores(async ({ connection: { sqs, names } }, [named]) => {
        const { redrive } = await import('../../shared/adapters/sqs/redrive.ts');
        const [queue = 'events'] = queueNames.filter((name) => name === named);
        const deadLetterQueueUrl = names[`${queue}_dead_letter_queue_url`];
        return { moving: await redrive(sqs, { deadLetterQueueUrl, queueUrl: names[`${queue}_queue_url`] }) };
      }),
    );
  admin
    .command('rebuild')
    .description(
      'replays a workspace’s deliveries into a new graph, compares it with the live one and repairs differences; --verify only compares',
    )
    .option('--verify', 'only compares')
    .action(
      onStores(async (context, _, { verify: isVerification = false, ...options }: Named & { verify?: boolean }) => {
        const id = await requiredWorkspace(context, options, 'rebuild');
        return (await loadRebuild()).rebuild(context, id, { isVerification });
      }),
    );
  registerRestore(admin, { onStores });
}

type Named = { readonly workspace?: string };

/** The workspace of the option that all commands have and these require. */
async function requiredWorkspace({ ports }: AdminContext, { workspace }: Named, command: string) {
  if (workspace === undefined) throw new UsageError(`${command} takes --workspace WORKSPACE`);
  return (await workspaceOf(ports.registry, workspace)).id;
}

/** Needs local stores to work in, which the command line's package does not include. */
async function loadRebuild() {
  try {
    return await import('./rebuild.ts');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new UsageError('rebuild runs only from a checkout of the repository: npm run tributary -- admin rebuild …');
  }
}

type Restore = {
  readonly from: string;
  readonly tenant?: string;
  readonly at?: string;
  readonly resume?: boolean;
  readonly vault?: true;
  readonly yes?: boolean;
};

function registerRestore(admin: Command, { onStores }: Pick<Actions, 'onStores'>): void {
  admin
    .command('restore')
    .description(
      "restores a tenant's tables and buckets as of a time into the new stacks of another tenant, and compares the graphs",
    )
    .requiredOption('--from <tenant>', 'the tenant that is copied; it is only read')
    .option('--at <time>', 'the time whose state is restored; default: now', moment)
    .option('--resume', 'continues an interrupted restore')
    .option('--vault', 'restores the nightly copies of AWS Backup instead, and first shows which; --yes restores them')
    .option('--yes', 'restores from the vault')
    .action(
      onStores(async (context, _, { from, tenant, at: time, vault, ...flags }: Restore) => {
        const { resume: isResumed = false, yes: isMeant = false } = flags;
        if (context.connection.local) throw new UsageError('restore takes --tenant NAME: it works in an AWS account');
        if (from === tenant) throw new UsageError('restore takes two tenants: it never writes to the old one');
        const options = { from, at: time === undefined ? null : new Date(time), isResumed };
        if (!vault) return (await import('./restore.ts')).restore(context, options);
        return (await import('./restore-from-vault.ts')).restoreFromVault(context, { ...options, isMeant });
      }),
    );
  admin
    .command('hash')
    .description('prints a hash of the whole graph of a workspace, and its counts')
    .action(
      onStores(async (context, _, options: Named) => {
        const id = await requiredWorkspace(context, options, 'hash');
        return (await import('./restore.ts')).graphHash(context, id);
      }),
    );
}

export function registerOffboard(admin: Command, { onTenant }: Actions): void {
  admin
    .command('status')
    .description('shows whom the alarms of a tenant write to, and whether the address has confirmed it')
    .action(onTenant(async (tenant) => (await import('./alarm-mail.ts')).alarmMail(tenant)));
  admin
    .command('offboard')
    .description(
      'shows what deleting a tenant would delete and what stays; --yes deletes it, and continues what was interrupted',
    )
    .option('--yes', 'deletes the stacks, the tables and all objects')
    .action(
      onTenant(async (tenant, { yes: isMeant = false }: Confirmation) =>
        (await import('./offboard.ts')).offboard(tenant, { isMeant }),
      ),
    );
}

export function registerCanary(admin: Command, { onStores }: Actions): void {
  const canary = admin.command('canary').description('the canary, which tests the service every five minutes');
  canary
    .command('prepare')
    .description("creates the canary's workspace and new keys for it, valid for a year, and revokes the previous keys")
    .action(onStores(async (context) => (await import('./canary.ts')).prepareCanary(context)));
  canary
    .command('run')
    .description('runs the canary once from this machine against the API at an address')
    .option('--url <address>', 'address of the API')
    .action(
      onStores(async (context, _, { url }: { readonly url?: string }) => {
        if (url === undefined) throw new UsageError('canary run takes --url ADDRESS');
        return (await import('./canary.ts')).runCanary(context, url);
      }),
    );
}
