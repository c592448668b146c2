import { createHmac } from 'node:crypto';
import type { WebhookKey } from './ports.ts';
import type { Webhook } from './webhook.ts';

/** The header that holds the signature of a notification. */
export const signatureHeader = 'X-Tributary-Signature';

/** The secret of a webhook: derived, so that none has to be stored, and another one for each version. */
export async function secretOf(
  key: WebhookKey,
  { workspace_id, id, secret_version }: Pick<Webhook, 'workspace_id' | 'id' | 'secret_version'>,
): Promise<string> {
  const derived = createHmac('sha256', await key()).update(`webhook\n${workspace_id}\n${id}\n${secret_version}`);
  return `whsec_${derived.digest('base64url')}`;
}

/** `t=<seconds since 1970>,v1=<hex>`, the HMAC-SHA-256 of `<t>.<body>`: C-HOOK-3. */
export function signatureOf(secret: string, body: string, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}
