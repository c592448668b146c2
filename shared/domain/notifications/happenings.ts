import type { LineageDiff } from '../../contract/diff.ts';
import type { Gap } from '../../contract/gaps.ts';
import type { ProviderInstanceId, WorkspaceId } from '../../contract/ids.ts';
import { limits } from '../../contract/limits.ts';
import type { Notification } from '../../contract/messages.ts';
import type { CheckStatus, CheckStore } from '../agents/checks/check.ts';
import { canonicalDigest, jsonDigest } from '../base/digest.ts';
import type { Clock } from '../base/time/timestamp.ts';
import type { ProjectPlace, ShapeStore, StoredShapes } from '../events/shapes/note-shapes.ts';
import type { ProjectShapes } from '../events/shapes/shapes.ts';
import type { GapStore } from '../lineage/gaps/ports.ts';
import type { Delivery } from '../lineage/ingest/deliveries/delivery.ts';
import type { DeliveryStore, Finish } from '../lineage/ingest/deliveries/ports.ts';

/** What is notified of a delivery that ends so; null if nothing is. */
function ofDelivery(delivery: Delivery, { state, completed_at, warnings, attempts }: Finish): Notification | null {
  if (state !== 'failed' && state !== 'held') return null;
  const { delivery_id, connector_id, provider_instance_id, provider_type, kind, received_at, scope_key } = delivery;
  const occurred_at = completed_at ?? received_at;
  const codes = [...new Set(warnings.map(({ code }) => code))];
  return {
    // A delivery that is retried may fail again.
    id: idOf(`delivery.${state}`, delivery_id, occurred_at, attempts),
    type: state === 'held' ? 'delivery.held' : 'delivery.failed',
    occurred_at,
    summary:
      state === 'held'
        ? `A ${provider_type} snapshot would retract a large share of the evidence and needs an admin’s approval: ${delivery_id}.`
        : `A ${provider_type} delivery failed (${codes.join(', ') || 'no reason recorded'}): ${delivery_id}.`,
    data: {
      delivery_id,
      state,
      kind,
      provider_type,
      provider_instance_id,
      connector_id,
      received_at,
      scope_key,
      codes,
    },
  };
}

function ofGap(provider_instance_id: ProviderInstanceId, { id, gap_type, opened_at, details }: Gap): Notification {
  return {
    id: idOf('gap.opened', id),
    type: 'gap.opened',
    occurred_at: opened_at,
    summary: `A feed has a gap (${gap_type}): ${details.reason}.`,
    data: { gap_id: id, gap_type, provider_instance_id, reason: details.reason, last_receipt: details.last_receipt },
  };
}

function ofCheck({ result }: CheckStatus, name: string): Notification {
  const { id, check_id, severity, evaluated_at, delivery_id, violations_total } = result;
  const violations = result.violations.slice(0, limits.webhook.listed).map(({ about: _, ...violation }) => violation);
  return {
    id: idOf('check.failed', id),
    type: 'check.failed',
    occurred_at: evaluated_at,
    summary: `The check “${name}” fails (${severity}) in ${counted(violations_total, 'place')}.`,
    data: { check_id, name, severity, result_id: id, delivery_id, violations, violations_total },
  };
}

type Compared = {
  readonly connector: string;
  readonly now: Date;
  readonly diff: Pick<LineageDiff, 'grade' | 'relations' | 'columns' | 'summary' | 'truncated'>;
};

/** The notification of a branch that breaks something; null if it breaks nothing. The same branch gives the same notification, which is sent once. */
export function ofComparison({ connector, now, diff }: Compared): Notification | null {
  if (diff.grade !== 'breaking') return null;
  const breaking = [
    ...diff.relations.map(({ relation_ref, change, grade, breaks }) => ({ relation_ref, change, grade, breaks })),
    ...diff.columns.map(({ relation_ref, column, change, grade, breaks }) => ({
      relation_ref,
      column,
      change,
      grade,
      breaks,
    })),
  ]
    .filter(({ grade }) => grade === 'breaking')
    .map(({ grade: _, breaks, ...changed }) => ({
      ...changed,
      breaks: breaks.map(({ relation_ref }) => relation_ref),
    }));
  const broken = new Set(breaking.flatMap(({ breaks }) => breaks));
  return {
    id: idOf('diff.breaking', connector, canonicalDigest(breaking)),
    type: 'diff.breaking',
    occurred_at: now.toISOString(),
    summary: `A branch has ${counted(diff.summary.grades.breaking, 'breaking change')}, for ${counted(broken.size, 'relation')} at least.`,
    data: {
      connector_id: connector,
      changes: breaking.slice(0, limits.webhook.listed),
      changes_total: diff.summary.grades.breaking,
      breaks: [...broken].sort().slice(0, limits.webhook.listed),
      truncated: diff.truncated.any || breaking.length > limits.webhook.listed || broken.size > limits.webhook.listed,
    },
  };
}

const changeWords = { new_event: 'new event', new_field: 'new field', new_type: 'new type of', gone: 'gone:' } as const;

/** The notification of changes to the fields of a project's events; null if there are none. */
function ofShapes(
  { workspace_id, project_id }: ProjectPlace,
  found: StoredShapes | null,
  next: ProjectShapes,
  now: Date,
): Notification | null {
  const changes = next.changes.filter((change) => !found?.shapes.changes.includes(change));
  const [first] = changes;
  if (first === undefined || found === null) return null;
  const more = changes.length > 1 ? `, and ${counted(changes.length - 1, 'more change')}` : '';
  return {
    id: idOf('shape.changed', workspace_id, project_id, found.revision),
    type: 'shape.changed',
    occurred_at: now.toISOString(),
    summary: `The events of a project changed: ${changeWords[first.kind]} ${[first.event, first.path].filter(Boolean).join(' ')}${more}.`,
    data: {
      collection_project_id: project_id,
      changes: changes.slice(0, limits.webhook.listed),
      changes_total: changes.length,
    },
  };
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const idOf = (...parts: readonly (string | number)[]): string => jsonDigest(parts).toString('base64url').slice(0, 22);

/** Tells the webhooks of a workspace of something that happened; never throws. */
export type Announce = (workspace: WorkspaceId, notification: Notification) => Promise<void>;

// Each store records the notification in the same write as the change. If sending is interrupted, the sweep sends it.

/** The deliveries of a store, which announces those that failed and those that are held. */
export const announcingDeliveries = <S extends Pick<DeliveryStore, 'finish'>>(store: S, announce: Announce): S => ({
  ...store,
  finish: async (delivery, from, finish) => {
    const notification = ofDelivery(delivery, finish);
    const ended = await store.finish(delivery, from, finish, notification);
    if (ended && notification) await announce(delivery.workspace_id, notification);
    return ended;
  },
});

export const announcingGaps = <S extends Pick<GapStore, 'commit'>>(store: S, announce: Announce): S => ({
  ...store,
  commit: async (workspace, provider, review) => {
    const notification = review.opened.map((gap) => ofGap(provider, gap));
    const committed = await store.commit(workspace, provider, review, notification);
    if (committed) for (const one of notification) await announce(workspace, one);
    return committed;
  },
});

export const announcingChecks = <S extends Pick<CheckStore, 'commit' | 'find'>>(store: S, announce: Announce): S => ({
  ...store,
  commit: async (before, status) => {
    const { workspace_id, check_id, state } = status.result;
    const begins = state === 'failed' && before?.record.result.state !== 'failed';
    const check = begins ? await store.find(workspace_id, check_id) : null;
    const notification = begins ? ofCheck(status, check?.record.name ?? check_id) : null;
    const committed = await store.commit(before, status, notification);
    if (committed && notification) await announce(workspace_id, notification);
    return committed;
  },
});

export const announcingShapes = <S extends Pick<ShapeStore, 'replace'>>(
  store: S,
  clock: Clock,
  announce: Announce,
): S => ({
  ...store,
  replace: async (place, found, next) => {
    const notification = ofShapes(place, found, next, clock.now());
    const replaced = await store.replace(place, found, next, notification);
    if (replaced === 'replaced' && notification) await announce(place.workspace_id, notification);
    return replaced;
  },
});
