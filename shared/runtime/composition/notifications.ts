import { randomBytes } from 'node:crypto';
import { webhookKey } from '../../adapters/app-secrets.ts';
import { secretsManagerClient } from '../../adapters/aws.ts';
import { sentStore, webhookReader, webhookRegistry } from '../../adapters/dynamodb/registry/webhooks.ts';
import { isAllowedUrl } from '../../adapters/outbound/allowed-address.ts';
import { guardedFetch, postBy } from '../../adapters/outbound/guarded-fetch.ts';
import { systemClock } from '../../domain/base/time/timestamp.ts';
import { environment } from '../environment.ts';
import { onUndelivered } from '../report-failures.ts';
import { notifications, returningMessages, table } from './stores.ts';

/** A receiver that takes longer has not answered. */
const bounds = { maxBytes: 64 * 1024, timeoutMs: 10_000 };

function sendingPorts(outbound: typeof guardedFetch) {
  const hosts = environment('WEBHOOK_ALLOWED_HOSTS');
  return {
    sent: sentStore(table()),
    queue: notifications(),
    key: webhookKey({ client: secretsManagerClient(), name: `${environment('SECRETS_PREFIX')}key` }),
    post: postBy(outbound(hosts, bounds)),
    isAllowed: (url: string) => isAllowedUrl(new URL(url), hosts),
    clock: systemClock,
  };
}

export const webhookPorts = () => ({
  ...sendingPorts(guardedFetch),
  registry: webhookRegistry(table()),
  randomBytes,
});

export const notifierPorts = (outbound = guardedFetch) => ({
  ...sendingPorts(outbound),
  registry: webhookReader(table()),
  onUndelivered,
  handBack: returningMessages(),
});
