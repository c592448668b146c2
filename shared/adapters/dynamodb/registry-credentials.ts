import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { AccessRequest, AccessToken, AuthorizationCode } from '../../domain/access/records.ts';
import type { Registry } from '../../domain/access/registry.ts';
import { accessRequestKey, authorizationCodeKey, tokenKey } from './keys/registry-keys.ts';
import { collection, listedCollection } from './registry-collection.ts';
import { secretShape } from './registry-readers.ts';
import type { Table } from './table.ts';

type Credentials = Pick<Registry, 'accessRequests' | 'tokens' | 'secrets' | 'authorizationCodes'>;

/** An expired token stays in the list for a month. */
const expiredRetentionSeconds = 30 * 86_400;

/** What agents are let in with: the requests for access, tokens, secrets and codes. */
export const credentials = (table: Table): Credentials => ({
  accessRequests: listedCollection(table, 'access_request', {
    schema: AccessRequest,
    key: ({ workspace_id, id }) => accessRequestKey(workspace_id, id),
  }),
  tokens: listedCollection(table, 'token', {
    schema: AccessToken,
    key: ({ workspace_id, id }) => tokenKey(workspace_id, id),
    extra: ({ expires_at }) => ({ ttl: Math.ceil(Date.parse(expires_at) / 1000) + expiredRetentionSeconds }),
  }),
  secrets: collection(table, secretShape),
  authorizationCodes: authorizationCodes(table),
});

const authorizationCodes = (table: Table): Registry['authorizationCodes'] => ({
  create: collection<{ readonly hash: string }, AuthorizationCode>(table, {
    schema: AuthorizationCode,
    key: ({ hash }) => authorizationCodeKey(hash),
    extra: ({ expires_at }) => ({ ttl: Math.ceil(Date.parse(expires_at) / 1000) }),
  }).create,
  take: async (hash) => {
    const { Attributes } = await table.client.send(
      new DeleteItemCommand({
        TableName: table.name,
        Key: marshall(authorizationCodeKey(hash)),
        ReturnValues: 'ALL_OLD',
      }),
    );
    return Attributes ? v.parse(AuthorizationCode, unmarshall(Attributes)) : null;
  },
});
