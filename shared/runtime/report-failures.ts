import type { Context, SQSRecord } from 'aws-lambda';
import type { UnprocessedMessage } from '../adapters/sqs/return-messages.ts';
import type { WorkspaceId } from '../contract/ids.ts';
import { metricNames } from '../contract/metric-names.ts';
import { type Delivery, maxAttempts } from '../domain/lineage/ingest/deliveries/delivery.ts';
import type { Recount } from '../domain/lineage/policy/recount.ts';
import type { SentNotification } from '../domain/notifications/webhook.ts';
import { logger, metrics } from './logger.ts';
import { describeError } from './problem-reply.ts';

/** Notes a failure that the request or the message survives. */
function warn(message: string, error: unknown, fields: object = {}, metric?: string): void {
  if (metric !== undefined) metrics.addMetric(metric, 'Count', 1);
  logger.warn(message, { ...fields, error: describeError(error) });
}

/** The message of a delivery was not sent: it is due, and so found by the sweep. */
export const onSendFailed = (delivery: Delivery, error: unknown): void =>
  warn('message not sent; the sweep will', error, loggedDelivery(delivery), metricNames.sendFailed);

/** The message of a recount was not sent: it is due, too. */
export const onRecountSendFailed = ({ workspace_id, connector_id, revision }: Recount, error: unknown): void =>
  warn('recount not sent; the sweep will', error, { workspace_id, connector_id, revision }, metricNames.sendFailed);

/** An attempt at projecting a delivery broke; it is made again, or was the last one. */
export function onAttemptFailed(delivery: Delivery, error: unknown): void {
  const { attempts } = delivery;
  metrics.addMetric(attempts < maxAttempts ? metricNames.attemptBroke : metricNames.deliveryFailed, 'Count', 1);
  logger.error('attempt broke', { ...loggedDelivery(delivery), attempts, error: describeError(error) });
}

/** Checks that a delivery touched were not asked for: the sweep looks at their whole scopes. */
export const onChecksSendFailed = (error: unknown): void =>
  warn('checks not sent; the sweep will', error, {}, metricNames.sendFailed);

/** The tables of a delivery were not counted: the next delivery that touches them is. */
export const onSummaryFailed = (error: unknown): void =>
  warn('tables not counted; the next delivery counts them', error);

export const onAnnounceFailed = (workspace_id: WorkspaceId, error: unknown): void =>
  warn('webhooks not told', error, { workspace_id }, metricNames.notificationLost);

/** Asking to tell the webhooks of something broke off: it is left to be announced. */
export const onAnnounceLate = (workspace_id: WorkspaceId, error: unknown): void =>
  warn('webhooks not notified yet; the sweep notifies them', error, { workspace_id }, metricNames.sendFailed);

/** No attempt delivered a notification: it is listed as failed. */
export function onUndelivered({ workspace_id, webhook_id, notification, attempts }: SentNotification): void {
  metrics.addMetric(metricNames.notificationFailed, 'Count', 1);
  const last = attempts.at(-1);
  const came = { status: last?.status ?? null, error: last?.error ?? null };
  logger.warn('notification not delivered', { workspace_id, webhook_id, notification_id: notification.id, ...came });
}

/** Events were not counted, so that counts are less than what happened, or their fields, until a later batch has them. */
export const onCountFailed = (error: unknown): void => warn('events not counted', error);

/** A limit applies for each process only, or a bucket is not charged: the store of buckets did not answer. */
export const onRateNotShared = (error: unknown): void =>
  warn('rate bucket out of reach', error, {}, metricNames.rateNotShared);

/** A delivery took effect: says so under the id of the request that brought it, and how long after it was accepted. */
export function onProjected(delivery: Delivery, now: Date): void {
  const lag_ms = Math.max(0, now.getTime() - Date.parse(delivery.received_at));
  metrics.addMetric(metricNames.projectionLag, 'Milliseconds', lag_ms);
  logger.info('delivery projected', { ...loggedDelivery(delivery), lag_ms });
}

const loggedDelivery = ({ workspace_id, delivery_id, request_id }: Delivery) => ({
  workspace_id,
  delivery_id,
  request_id,
});

/** Lets the queue show messages again; if it fails they show later. */
export type HandBack = (messages: readonly UnprocessedMessage[]) => Promise<void>;

/** Whether less than this many milliseconds are left to an invocation. */
export const timeLimit =
  (context: Pick<Context, 'getRemainingTimeInMillis'>, reserveMs: number): (() => boolean) =>
  () =>
    context.getRemainingTimeInMillis() < reserveMs;

/** How often the queue has handed a message out; 1 for the first time. */
export const receiveCountOf = ({ attributes }: Pick<SQSRecord, 'attributes'>): number =>
  Number(attributes.ApproximateReceiveCount);

export async function giveBack(handBack: HandBack, records: readonly SQSRecord[]): Promise<void> {
  if (records.length === 0) return;
  metrics.addMetric(metricNames.messageHandedBack, 'Count', records.length);
  const unprocessed = records.map((record) => ({
    receiptHandle: record.receiptHandle,
    receiveCount: receiveCountOf(record),
  }));
  await handBack(unprocessed).catch((error: unknown) =>
    warn('messages show again late', error, { messages: records.length }),
  );
}
