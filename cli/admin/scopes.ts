import { providerStore } from '../../shared/adapters/dynamodb/deliveries/providers.ts';
import { namesReader } from '../../shared/adapters/dynamodb/graph/scopes/scope-ends.ts';
import { scopeForgetter } from '../../shared/adapters/graph-stores.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import { Problem } from '../../shared/contract/problems.ts';
import type { EvidenceScope } from '../../shared/contract/scopes.ts';
import { scopesOfJob } from '../../shared/domain/lineage/sources/openlineage/job-scopes.ts';
import { forgetScope } from '../../shared/domain/operations/scopes/forget-scope.ts';
import { listScopes } from '../../shared/domain/operations/scopes/list-scopes.ts';
import { UsageError } from '../outcome.ts';
import { connectorOf } from './command.ts';
import type { AdminContext } from './open-registry.ts';

const scopesPerPage = 200;

type ScopeFilter = { readonly connector: string; readonly q: string };

export async function scopesOf(
  { ports, connection }: AdminContext,
  workspace: WorkspaceId,
  { connector, q }: ScopeFilter,
): Promise<EvidenceScope[]> {
  const connectorId = connector === 'all' ? null : (await connectorOf(ports.registry, workspace, connector)).id;
  const reading = {
    ...scopeForgetter(connection.table, connection.rawBucket),
    providers: providerStore(connection.table),
    namesOf: namesReader(ports.registry),
  };
  const found: EvidenceScope[] = [];
  let cursor: string | null = null;
  do {
    const page = await listScopes(reading, workspace, { connectorId, q, limit: scopesPerPage, cursor });
    found.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

/** Forgets the scopes of a job, in all feeds, or says what that would retract. */
export async function forgetJob(
  context: AdminContext,
  workspace: WorkspaceId,
  { connector, job, isMeant }: { readonly connector: string; readonly job: string; readonly isMeant: boolean },
) {
  const slash = job.lastIndexOf('/');
  if (slash < 1) throw new UsageError('scopes forget-job takes --job NAMESPACE/NAME');
  const isOfJob = scopesOfJob({ namespace: job.slice(0, slash), name: job.slice(slash + 1) });
  const found = (await scopesOf(context, workspace, { connector, q: '' })).filter((one) => isOfJob(one.scope_key));
  if (found.length === 0) throw new Problem('not_found', { message: 'No scope belongs to a job of that name.' });
  const answers = [];
  for (const { scope_key } of found) answers.push(await forget(context, workspace, { scopeKey: scope_key, isMeant }));
  return answers;
}

export async function forget(
  { ports, connection: { table, rawBucket } }: AdminContext,
  workspace: WorkspaceId,
  { scopeKey, isMeant }: { readonly scopeKey: string; readonly isMeant: boolean },
) {
  const request = { workspace, scopeKey, dryRun: !isMeant };
  const forgetting = { ...scopeForgetter(table, rawBucket), ...ports };
  const { scope, already_forgotten, dry_run } = await forgetScope(forgetting, request);
  const next = dry_run ? { to_forget_it: 'Nothing was retracted. Give --yes to forget it.' } : {};
  return { ...scope, dry_run, already_forgotten, ...next };
}
