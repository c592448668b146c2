import { randomBytes } from 'node:crypto';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { limits } from '../../../contract/limits.ts';
import { Fault } from '../../../contract/problems.ts';
import { onceSuccessful } from '../../../domain/base/caching.ts';
import {
  SentNotification,
  type SentStore,
  Webhook,
  type WebhookReader,
  type WebhookRegistry,
} from '../../../domain/notifications/webhook.ts';
import { signingSecretKey, webhookCountKey } from '../keys/registry-keys.ts';
import { sentKey, sentList, sentListKey } from '../keys/resource-keys.ts';
import { attributes, getRecord, type Item, ifAbsent, putItem } from '../requests/items.ts';
import { queryPage } from '../requests/queries.ts';
import type { Table } from '../requests/table.ts';
import { retryRefused } from '../requests/transact.ts';
import { changing, updateItem } from '../requests/update-item.ts';
import { auditLog, commit } from './registry.ts';
import { countChange, listedBy, listedCollection, listedRecords } from './registry-collection.ts';

const shape = listedBy('webhook', Webhook, 'id');

export const webhookRegistry = (table: Table): WebhookRegistry => ({
  audit: auditLog(table),
  commit: (writes) => commit(table, writes),
  webhooks: {
    ...listedCollection(table, shape),
    // Two requests that delete one webhook must not count twice.
    remove: (webhook) => ({
      Delete: {
        TableName: table.name,
        Key: marshall(shape.key(webhook)),
        ConditionExpression: 'attribute_exists(pk)',
      },
    }),
  },
  counted: (workspace, change) => ({
    ...countChange(table, webhookCountKey(workspace), { change, max: limits.webhook.most }),
  }),
});

export const webhookReader = (table: Table): WebhookReader => ({ webhooks: listedRecords(table, shape) });

/** Notifications are listed for a month. */
const retentionSeconds = 30 * 86_400;

export function sentStore(table: Table): SentStore {
  const get: SentStore['get'] = (workspace, webhook, notification) =>
    getRecord(table, Stored, sentKey(workspace, webhook, notification));
  const write = async (sent: SentNotification, before: SentNotification | null) =>
    (await retryRefused(() => putItem(table, itemOf(sent), asRead(before)))) === null;
  return {
    get,
    open: async (sent) => {
      if (await write(sent, null)) return sent;
      // It was there; it may have expired since.
      return (await get(sent.workspace_id, sent.webhook_id, sent.notification.id)) ?? sent;
    },
    change: (before, after) => write(after, before),
    list: async (workspace, webhook, { state, limit, before }) => {
      const { items } = await queryPage(table, {
        list: sentList(workspace, webhook),
        before,
        filters: { state },
        limit,
      });
      return items.slice(0, limit).map((item) => v.parse(Stored, unmarshall(item)));
    },
  };
}

/** What happened is kept as JSON text: its data is whatever a type of notification says. */
const Stored = v.pipe(v.looseObject({ notification: v.pipe(v.string(), v.parseJson()) }), SentNotification);

function itemOf(sent: SentNotification): Item {
  const { workspace_id, webhook_id, place, notification } = sent;
  const ttl = Math.ceil(Date.parse(place.slice(0, place.indexOf('#'))) / 1000) + retentionSeconds;
  return marshall({
    ...sentKey(workspace_id, webhook_id, notification.id),
    ...sentListKey(workspace_id, webhook_id, place),
    ...sent,
    notification: JSON.stringify(notification),
    tries: sent.attempts.length,
    ttl,
  });
}

/** State and number of attempts change with each write of a notification. */
const asRead = (before: SentNotification | null) =>
  before === null
    ? ifAbsent
    : {
        ConditionExpression: '#state = :state AND tries = :tries',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: attributes({ ':state': before.state, ':tries': before.attempts.length }),
      };

/** The secret for cursors, created on first use. It guards no access: a forged cursor stays in its workspace. */
export const signingSecret = (table: Table): (() => Promise<Uint8Array>) => onceSuccessful(() => readOrMake(table));

async function readOrMake(table: Table): Promise<Uint8Array> {
  const { item } = await updateItem(table, signingSecretKey, {
    ...changing({ setIfMissing: { secret: { B: randomBytes(32) } } }),
    ReturnValues: 'ALL_NEW',
  });
  const secret = item?.['secret']?.B;
  if (!secret) throw new Fault('signing_secret_missing', 'the signing secret was not stored');
  return secret;
}
