import { dynamodb, s3, sqs } from '../../adapters/aws.ts';
import { deliveryStore } from '../../adapters/dynamodb/deliveries/deliveries.ts';
import { namesReader } from '../../adapters/dynamodb/graph/scopes/scope-ends.ts';
import { announcementRemover } from '../../adapters/dynamodb/registry/announcements.ts';
import { policiesOf } from '../../adapters/dynamodb/registry/policies.ts';
import { named } from '../../adapters/dynamodb/registry/registry-readers.ts';
import { metered } from '../../adapters/dynamodb/requests/metered.ts';
import type { Table } from '../../adapters/dynamodb/requests/table.ts';
import type { Bucket } from '../../adapters/s3/bucket.ts';
import { fairQueue, projectionQueue, projectionQueues } from '../../adapters/sqs/projection.ts';
import { handBack } from '../../adapters/sqs/return-messages.ts';
import type { ConnectorId, WorkspaceId } from '../../contract/ids.ts';
import { once } from '../../domain/base/caching.ts';
import type { Announce } from '../../domain/notifications/happenings.ts';
import type { NotificationQueue } from '../../domain/notifications/webhook.ts';
import { environment } from '../environment.ts';
import { type HandBack, onAnnounceFailed, onAnnounceLate } from '../report-failures.ts';

// The stores that a function's environment names. Each asks only for its own name: a missing one fails the start of
// the functions that use it. What a function does not use is left out of its bundle.

export const rawBucket = (): Bucket => ({ client: s3(), name: environment('RAW_BUCKET') });

export const lakeBucket = (): Bucket => ({ client: s3(), name: environment('LAKE_BUCKET') });

/** Deliveries, for those who accept or end some. */
export const storedDeliveries = () => deliveryStore(table(), environment('RECEIPTS_DAYS'));

/** Takes every message of the projection. */
export const projections = () =>
  projectionQueues({
    client: sqs(),
    urls: { projection: environment('PROJECTION_QUEUE_URL'), documents: environment('DOCUMENTS_QUEUE_URL') },
  });

/** Takes recounts, checks and statements of collection, for those who send nothing else. */
export const evaluations = () => projectionQueue({ client: sqs(), url: environment('PROJECTION_QUEUE_URL') });

/** Gives messages back to the queue that feeds this function. */
export const returningMessages = (): HandBack => {
  const queue = { client: sqs(), url: environment('WORK_QUEUE_URL') };
  return (messages) => handBack(queue, messages);
};

export const notifications = (): NotificationQueue =>
  fairQueue({ client: sqs(), url: environment('NOTIFICATIONS_QUEUE_URL') });

/** Tells the webhooks of a workspace; if that fails, what happened is still seen where it is listed. */
export const announcing = (): Announce => {
  const queue = notifications();
  return (workspace_id, notification) =>
    queue
      .send({ version: 1, kind: 'tell_webhooks', workspace_id, notification })
      .catch((error) => onAnnounceFailed(workspace_id, error));
};

/** The same for what a write has left to be announced: once it is, it is left no longer, and until then the sweep finds it. */
export const announcingWritten = (): Announce => {
  const [queue, remove] = [notifications(), announcementRemover(table())];
  return async (workspace_id, notification) => {
    try {
      await queue.send({ version: 1, kind: 'tell_webhooks', workspace_id, notification });
      await remove(workspace_id, notification.id);
    } catch (error) {
      onAnnounceLate(workspace_id, error);
    }
  };
};

/** What is known of the graph in addition to its content. */
export function settings() {
  const from = table();
  return {
    namesOf: namesReader(named(from)),
    connectorsOf: (workspace: WorkspaceId) => named(from).connectors.list(workspace),
    policiesOf: (workspace: WorkspaceId, connectors: readonly ConnectorId[]) => policiesOf(from, workspace, connectors),
  };
}

const client = once(() => metered(dynamodb()));

/** Metered, because reads are counted for those who ask for them. */
export const table = (): Table => ({ client: client(), name: environment('TABLE_NAME') });
export const eventTable = (): Table => ({ client: dynamodb(), name: environment('EVENT_TABLE_NAME') });
