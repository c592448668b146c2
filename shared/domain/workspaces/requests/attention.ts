import type { AttentionItem, AttentionPage } from '../../../contract/access-requests.ts';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { type Role, roles, type Severity } from '../../../contract/vocabulary.ts';
import type { Check, CheckResult, CheckStore } from '../../agents/checks/check.ts';
import { newestFirst, type PageRequest } from '../../base/paging/cursor.ts';
import type { Delivery } from '../../lineage/ingest/deliveries/delivery.ts';
import type { HeldDeliveries } from '../../lineage/ingest/deliveries/ports.ts';
import type { AccessRequest, Registry } from '../access/records.ts';

export type AttentionPorts = {
  readonly registry: Pick<Registry, 'accessRequests'>;
  readonly deliveries: HeldDeliveries;
  readonly checks: Pick<CheckStore, 'list' | 'statuses'>;
};

/** Who asks; the role decides what is theirs to act on. */
type Viewer = { readonly workspace: WorkspaceId; readonly role: Role };
/** More than this many of a kind are not looked at: who works them off sees the next. */
const maxOfAKind = 200;

/** What waits for somebody of the reader's role, newest first. */
export async function listAttention(
  ports: AttentionPorts,
  { workspace, role }: Viewer,
  page: PageRequest,
): Promise<AttentionPage> {
  const found = await Promise.all([
    has(role, 'admin') ? pendingRequests(ports, workspace) : [],
    has(role, 'admin') ? heldItems(ports, workspace) : [],
    has(role, 'editor') ? failedChecks(ports, workspace) : [],
  ]);
  const list = ['attention', workspace, role] as const;
  const order = (one: AttentionItem) => [one.timestamp ?? '', one.event_id] as const;
  return { workspace_id: workspace, ...newestFirst(found.flat(), order, { ...page, list }) };
}

const has = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed);

async function pendingRequests({ registry }: AttentionPorts, workspace: WorkspaceId): Promise<AttentionItem[]> {
  const all = await registry.accessRequests.list(workspace);
  return all.filter(({ state }) => state === 'pending').map(requestItem);
}

const requestSeverity: Readonly<Record<Role, Severity>> = { viewer: 'info', editor: 'warning', admin: 'critical' };

const requestItem = (request: AccessRequest): AttentionItem => ({
  id: request.id,
  event_id: `${request.id}.${Date.parse(request.created_at)}`,
  kind: 'access_request',
  title: request.client
    ? `A member requests a token for ${request.client.client_name} on ${hostOf(request.client.redirect_uri)}`
    : `A member requests the role ${request.role}`,
  href: `/access?request=${request.id}`,
  description: request.reason,
  requester: request.user_id,
  timestamp: request.created_at,
  severity: requestSeverity[request.role],
});

/** Where the token goes: a client chooses its own name. */
const hostOf = (uri: string): string => URL.parse(uri)?.host || uri;

async function heldItems({ deliveries }: AttentionPorts, workspace: WorkspaceId): Promise<AttentionItem[]> {
  return (await deliveries.held(workspace, maxOfAKind)).filter(({ state }) => state === 'held').map(heldItem);
}

const heldItem = (delivery: Delivery): AttentionItem => ({
  id: delivery.delivery_id,
  event_id: `${delivery.delivery_id}.${delivery.attempts}`,
  kind: 'delivery',
  title: 'The shrink guard holds a snapshot',
  href: `/deliveries/${delivery.delivery_id}`,
  description: delivery.warnings[0]?.message ?? null,
  requester: null,
  timestamp: delivery.received_at,
  severity: 'warning',
});

/** Of the enabled checks; one of severity `info` asks nobody to act. */
async function failedChecks({ checks }: AttentionPorts, workspace: WorkspaceId): Promise<AttentionItem[]> {
  const all = (await checks.list(workspace)).filter(({ enabled, severity }) => enabled && severity !== 'info');
  const byId = new Map(all.map((check) => [check.id, check]));
  const statuses = all.length > 0 ? await checks.statuses(workspace, [...byId.keys()]) : [];
  return statuses.flatMap(({ result }) => {
    const check = byId.get(result.check_id);
    return check && result.state === 'failed' ? checkItem(check, result) : [];
  });
}

const checkItem = ({ id, name, severity }: Check, result: CheckResult): AttentionItem => ({
  id,
  event_id: result.id,
  kind: 'agent_check',
  title: `The check ${name} fails`,
  href: `/checks?check=${id}`,
  description: result.violations[0]?.message ?? null,
  requester: null,
  timestamp: result.since,
  severity,
});
