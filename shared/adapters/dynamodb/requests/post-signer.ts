import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import type { DynamoDBClient, DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { HostFailure } from '../../../domain/codehost/ports.ts';
import type { Post } from '../../../domain/notifications/ports.ts';
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts';

type Signer = Extract<NonNullable<DynamoDBClientConfig['signer']>, { readonly sign: unknown }>;
type Signed = Parameters<Signer['sign']>[0];
/** Credentials and region as a client's configuration resolves them. */
type Account = Pick<DynamoDBClient['config'], 'credentials' | 'region'>;

/** What a signature covers besides the body: what AWS asks for, in order. The SDK signs what its retries add as well. */
const covered = ['content-type', 'host', 'x-amz-date', 'x-amz-security-token', 'x-amz-target'] as const;

/**
 * Signs what is posted to the root of a service that takes JSON, by AWS Signature Version 4. The SDK makes a signer of
 * all services for each request, and its keys anew: that is half of what a request costs. `service` is the name in the
 * scope of the signature.
 */
export function postSigner({ credentials, region }: Account, service: string): Signer {
  const keyOf = lastSigningKey();
  return {
    sign: async (request, { signingDate = new Date(), signingRegion } = {}) => {
      const { accessKeyId, secretAccessKey, sessionToken } = await credentials();
      const date = new Date(signingDate).toISOString().replace(/[-:]|\.\d{3}/g, '');
      const scope = `${date.slice(0, 8)}/${signingRegion ?? (await region())}/${service}/aws4_request`;
      const headers = {
        ...request.headers,
        'x-amz-date': date,
        ...(sessionToken && { 'x-amz-security-token': sessionToken }),
      };
      const names = covered.filter((name) => name in headers);
      const text = `AWS4-HMAC-SHA256\n${date}\n${scope}\n${hash('sha256', canonical({ ...request, headers }, names))}`;
      const signature = createHmac('sha256', keyOf(secretAccessKey, scope)).update(text).digest('hex');
      const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
      return { ...request, headers: { ...headers, authorization } };
    },
  };
}

const canonical = ({ headers, body }: Signed, names: readonly string[]): string =>
  `POST\n/\n\n${names.map((name) => `${name}:${headers[name]}\n`).join('')}\n${names.join(';')}\n${hash('sha256', body ?? '')}`;

/** A key holds for a day: the one of before is the one that is asked for. */
function lastSigningKey(): (secret: string, scope: string) => KeyObject {
  let last: { readonly secret: string; readonly scope: string; readonly key: KeyObject } | null = null;
  return (secret, scope) => {
    if (last?.secret === secret && last.scope === scope) return last.key;
    const bytes = scope
      .split('/')
      .reduce<Buffer>((key, part) => createHmac('sha256', key).update(part).digest(), Buffer.from(`AWS4${secret}`));
    // As a key object: from bytes Node would make one for each signature.
    last = { secret, scope, key: createSecretKey(bytes) };
    return last.key;
  };
}

/** Sends notifications by a fetch that reaches public addresses alone. */
export const postBy =
  (fetch: GuardedFetch): Post =>
  async (url, headers, body) => {
    try {
      const { status } = await fetch(url, { method: 'POST', headers, body });
      return { status };
    } catch (error) {
      return { error: error instanceof HostFailure ? error.reason : 'unreachable' };
    }
  };
