import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AppSecrets } from '../records.ts';

const prefix = 'sha256=';

/**
 * Whether one of the webhook secrets that hold signed the bytes: HMAC-SHA-256, compared in constant time.
 * @param header `X-Hub-Signature-256`
 */
export function isSignedBy(
  { webhook_secrets }: Pick<AppSecrets, 'webhook_secrets'>,
  bytes: Uint8Array,
  header: string,
  now: Date,
): boolean {
  if (!header.startsWith(prefix)) return false;
  const given = Buffer.from(header.slice(prefix.length), 'hex');
  const at = now.toISOString();
  const holding = webhook_secrets.filter(({ valid_until }) => valid_until === null || valid_until > at);
  // Each is compared, whichever fits.
  const fits = holding.map(({ secret }) => {
    const expected = createHmac('sha256', secret).update(bytes).digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return fits.includes(true);
}
