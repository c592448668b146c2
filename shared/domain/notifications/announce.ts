import type { WorkspaceId } from '../../contract/ids.ts';
import type { Notification } from '../../contract/notification-messages.ts';
import type { CheckStore } from '../checks/ports.ts';
import type { DeliveryStore } from '../ingest/deliveries/ports.ts';
import type { GapStore } from '../operations/gaps/ports.ts';
import { ofCheck, ofDelivery, ofGap } from './happenings.ts';

/** Tells the webhooks of a workspace of something that happened; never throws. */
export type Announce = (workspace: WorkspaceId, notification: Notification) => Promise<void>;

// Each store leaves what is to be told in the write by which it happens: where telling breaks off, the sweep tells it.

/** The deliveries of a store, which announces those that failed and those that are held. */
export const announcingDeliveries = <S extends Pick<DeliveryStore, 'finish'>>(store: S, announce: Announce): S => ({
  ...store,
  finish: async (delivery, from, finish) => {
    const told = ofDelivery(delivery, finish);
    const ended = await store.finish(delivery, from, finish, told);
    if (ended && told) await announce(delivery.workspace_id, told);
    return ended;
  },
});

/** The gaps of a store, which announces those that open. */
export const announcingGaps = <S extends Pick<GapStore, 'commit'>>(store: S, announce: Announce): S => ({
  ...store,
  commit: async (workspace, provider, review) => {
    const told = review.opened.map((gap) => ofGap(provider, gap));
    const committed = await store.commit(workspace, provider, review, told);
    if (committed) for (const one of told) await announce(workspace, one);
    return committed;
  },
});

/** The checks of a store, which announces those that begin to fail. */
export const announcingChecks = <S extends Pick<CheckStore, 'commit' | 'find'>>(store: S, announce: Announce): S => ({
  ...store,
  commit: async (before, status) => {
    const { workspace_id, check_id, state } = status.result;
    const begins = state === 'failed' && before?.record.result.state !== 'failed';
    const check = begins ? await store.find(workspace_id, check_id) : null;
    const told = begins ? ofCheck(status, check?.record.name ?? check_id) : null;
    const committed = await store.commit(before, status, told);
    if (committed && told) await announce(workspace_id, told);
    return committed;
  },
});
