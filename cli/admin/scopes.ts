import { providerStore } from '../../shared/adapters/dynamodb/deliveries/providers.ts';
import { namesReader } from '../../shared/adapters/dynamodb/graph/scopes/scope-ends.ts';
import { scopeForgetter } from '../../shared/adapters/graph-stores.ts';
import type { ConnectorId, WorkspaceId } from '../../shared/contract/ids.ts';
import { Problem } from '../../shared/contract/problems.ts';
import type { EvidenceScope } from '../../shared/contract/scopes.ts';
import { scopesOfJob } from '../../shared/domain/lineage/sources/openlineage/static-event.ts';
import { forgetScope } from '../../shared/domain/operations/scopes/forget-scope.ts';
import { listScopes } from '../../shared/domain/operations/scopes/list-scopes.ts';
import { UsageError } from '../outcome.ts';
import type { AdminContext, Commands } from './command.ts';
import { connectorOf, workspaceOf } from './places.ts';

const scopesPerPage = 200;

export const scopeCommands: Commands = {
  'scopes list': {
    operands: ['WORKSPACE', 'CONNECTOR|all'],
    options: ['q'],
    says: 'lists evidence scopes (projects, job designs and job runs) and how much of each is active; --q filters by part of a key',
    run: async (context, [workspace = '', connector = ''], { q }) => {
      const { id, connectorId } = await placeOf(context, workspace, connector);
      return scopesOf(context, id, { connectorId, q: q ?? '' });
    },
  },
  'scopes forget': {
    operands: ['WORKSPACE', 'SCOPE_KEY'],
    options: ['yes'],
    says: 'previews what forgetting a scope would retract; --yes retracts it',
    run: async (context, [workspace = '', scopeKey = ''], { yes }) => {
      const { id } = await workspaceOf(context.ports.registry, workspace);
      return forget(context, id, { scopeKey, isMeant: yes === true });
    },
  },
  'scopes forget-job': {
    operands: ['WORKSPACE', 'CONNECTOR|all'],
    options: ['job', 'yes'],
    says: 'does the same for an OpenLineage job in every feed, with its design and runs: --job NAMESPACE/NAME',
    run: async (context, [workspace = '', connector = ''], { job, yes }) => {
      const slash = (job ?? '').lastIndexOf('/');
      if (job === undefined || slash < 1) throw new UsageError('scopes forget-job takes --job NAMESPACE/NAME');
      const named = { namespace: job.slice(0, slash), name: job.slice(slash + 1) };
      const { id, connectorId } = await placeOf(context, workspace, connector);
      const isOfJob = scopesOfJob(named);
      const found = (await scopesOf(context, id, { connectorId, q: '' })).filter((one) => isOfJob(one.scope_key));
      if (found.length === 0) throw new Problem('not_found', { message: 'No scope belongs to a job of that name.' });
      const answers = [];
      for (const { scope_key } of found)
        answers.push(await forget(context, id, { scopeKey: scope_key, isMeant: yes === true }));
      return answers;
    },
  },
};

async function placeOf({ ports: { registry } }: AdminContext, workspace: string, connector: string) {
  const { id } = await workspaceOf(registry, workspace);
  return { id, connectorId: connector === 'all' ? null : (await connectorOf(registry, id, connector)).id };
}

type ScopeFilter = { readonly connectorId: ConnectorId | null; readonly q: string };

async function scopesOf({ ports, connection }: AdminContext, workspace: WorkspaceId, requested: ScopeFilter) {
  const { table, bucket } = storesOf(connection);
  const reading = {
    ...scopeForgetter(table, bucket),
    providers: providerStore(table),
    namesOf: namesReader(ports.registry),
  };
  const found: EvidenceScope[] = [];
  let cursor: string | null = null;
  do {
    const page = await listScopes(reading, workspace, { ...requested, limit: scopesPerPage, cursor });
    found.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

async function forget(
  { ports, connection }: AdminContext,
  workspace: WorkspaceId,
  { scopeKey, isMeant }: { readonly scopeKey: string; readonly isMeant: boolean },
) {
  const { table, bucket } = storesOf(connection);
  const request = { workspace, scopeKey, dryRun: !isMeant };
  const { scope, already_forgotten, dry_run } = await forgetScope(
    { ...scopeForgetter(table, bucket), ...ports },
    request,
  );
  const next = dry_run ? { to_forget_it: 'Nothing was retracted. Give --yes to forget it.' } : {};
  return { ...scope, dry_run, already_forgotten, ...next };
}

const storesOf = ({ dynamodb, s3, names }: AdminContext['connection']) => ({
  table: { client: dynamodb, name: names.table },
  bucket: { client: s3, name: names.raw_bucket },
});
