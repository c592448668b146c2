import type { WorkspaceId } from '../../../contract/ids.ts';
import { Problem } from '../../../contract/problems.ts';
import type { EvidenceScope, ForgottenScope } from '../../../contract/scopes.ts';
import {
  type GraphRecord,
  newGraphRecord,
  type OpenGraph,
  openedGraph,
} from '../../lineage/generations/graph-record.ts';
import { scopeId } from '../../lineage/graph/node.ts';
import { type Forgetting, forgettingAt, type Order, orderUntil, withForgetting } from '../../lineage/graph/order.ts';
import type { ScopeHead, ScopeIdentity, ScopeStore } from '../../lineage/graph/scope-store.ts';
import { auditOf, type Operator } from '../../workspaces/access/operator.ts';
import { describeScope, type ScopeReader } from './describe-scope.ts';

export type ForgetScopePorts = Operator &
  ScopeReader & {
    readonly scopes: Pick<ScopeStore, 'orders' | 'heads'>;
    /** Takes the next order of a snapshot scope, as an accepted complete snapshot does. */
    readonly takeOrder: (workspace: WorkspaceId, scope: ScopeIdentity) => Promise<Order>;
  };

type Request = { readonly workspace: WorkspaceId; readonly scopeKey: string; readonly dryRun: boolean };

const mostAttempts = 8;
/** Every question reads them all. */
const mostForgotten = 500;
const runsCounted = 1_000;

/** From now on nothing stated until now counts, even if late or replayed; the past stays (C-FORGET-2 to C-FORGET-5). */
export async function forgetScope(
  ports: ForgetScopePorts,
  { workspace, scopeKey, dryRun }: Request,
): Promise<ForgottenScope> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const found = await ports.registry.graphs.find({ workspace_id: workspace });
    const record = found?.record ?? newGraphRecord(workspace);
    const place = openedGraph(workspace, record);
    const head = await headOf(ports, place, scopeKey);
    const scope = await describeScope(ports, place, head, runsCounted);
    const isNew = statesSomething(record, head, scope);
    const answer = { workspace_id: workspace, dry_run: dryRun, already_forgotten: !isNew };
    if (dryRun) return { ...answer, scope };
    const next = forgottenWith(record, head, await forgettingOf(ports, workspace, head), isNew);
    const subject = { scope_key: scopeKey, edges: scope.edges, relations: scope.relations };
    const audit = auditOf(ports, { workspace_id: workspace, action: 'scope.forget', subject });
    const { graphs, commit } = ports.registry;
    if (!(await commit([found ? graphs.replace(found, next) : graphs.create(next), audit]))) continue;
    const at = forgettingAt(next.forgotten, head.scope, null)?.at ?? null;
    return { ...answer, scope: { ...scope, forgotten_at: at } };
  }
  throw new Problem('conflict');
}

async function headOf({ scopes }: ForgetScopePorts, { graph }: OpenGraph, scopeKey: string): Promise<ScopeHead> {
  const [head] = await scopes.heads(graph, [scopeId(scopeKey)], { consistent: true });
  if (!head || head.scopeKey !== scopeKey)
    throw new Problem('not_found', { message: 'The workspace has no scope of that key.' });
  return head;
}

/** Whether the scope was never forgotten, or states something since. */
function statesSomething({ forgotten }: GraphRecord, { scope, started }: ScopeHead, counted: EvidenceScope): boolean {
  const last = forgettingAt(forgotten, scope, null);
  if (last === null) return true;
  return started > last.order || counted.edges + counted.relations > 0 || counted.counts_at_least;
}

/** The moment, and the order up to which all of the scope is forgotten: what was accepted before it, or observed until then. */
async function forgettingOf(
  { clock, takeOrder }: ForgetScopePorts,
  workspace: WorkspaceId,
  head: ScopeHead,
): Promise<Forgetting> {
  const order = head.kind === 'snapshot' ? await takeOrder(workspace, head) : null;
  const at = clock.now().toISOString();
  return { at, order: order ?? orderUntil(at) };
}

function forgottenWith(record: GraphRecord, { scope }: ScopeHead, next: Forgetting, isNew: boolean): GraphRecord {
  const moments = record.forgotten[scope] ?? [];
  if (moments.length === 0 && Object.keys(record.forgotten).length >= mostForgotten)
    throw new Problem('conflict', {
      message: `The workspace has ${mostForgotten} forgotten scopes, which is the limit.`,
    });
  return { ...record, forgotten: { ...record.forgotten, [scope]: withForgetting(moments, next, { isNew }) } };
}
