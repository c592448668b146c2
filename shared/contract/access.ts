import * as v from 'valibot';
import { anyId, pageOf, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { adminAccess, type FunctionRoutes, PageQuery, servedBy, WorkspaceQuery } from './route.ts';
import { clientKinds, tokenScopes } from './vocabulary.ts';

const { min, max } = limits.token.expiryDays;

/** C-TOKEN-2. */
export const CreateToken = v.strictObject({
  workspace_id: anyId,
  name: text(limits.token.name),
  expires_in_days: v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max)),
  scopes: v.pipe(v.array(v.picklist(tokenScopes)), v.minLength(1), v.maxLength(tokenScopes.length)),
  client_kind: v.optional(v.picklist(clientKinds), 'other'),
});
export type CreateToken = v.InferOutput<typeof CreateToken>;

const tokenFields = {
  id: v.string(),
  name: v.string(),
  workspace_id: v.string(),
  scopes: v.array(v.picklist(tokenScopes)),
  client_kind: v.picklist(clientKinds),
  created_at: timestamp,
  expires_at: timestamp,
};

/** The only answer that holds the token itself. */
export const CreatedToken = v.object({ ...tokenFields, token: v.string() });
export type CreatedToken = v.InferOutput<typeof CreatedToken>;

/** What a token was made for by an agent's authorization. */
export const TokenDevice = v.object({
  device_id: v.string(),
  device_name: v.string(),
  client_id: v.nullable(v.string()),
  client_name: v.string(),
  client_version: v.nullable(v.string()),
  platform: v.nullable(v.string()),
  resource: v.nullable(v.string()),
});
export type TokenDevice = v.InferOutput<typeof TokenDevice>;

const TokenItem = v.object({
  ...tokenFields,
  created_by: v.string(),
  device: v.nullable(TokenDevice),
  last_used_at: v.nullable(timestamp),
  revoked_at: v.nullable(timestamp),
});

const TokenPage = pageOf(TokenItem);

/** Personal access tokens: C-TOKEN-1 to C-TOKEN-3. */
export const accessRoutes = servedBy('access', {
  createToken: {
    method: 'POST',
    path: '/v1/auth/tokens',
    summary: 'Creates a personal access token. Only this response contains it.',
    access: { kind: 'member', scope: 'admin', role: 'admin', workspace: 'body', session: true },
    body: { kind: 'json', schema: CreateToken, maxBytes: limits.json.bodyBytes },
    replies: { 201: { description: 'Created.', schema: CreatedToken } },
  },
  listTokens: {
    method: 'GET',
    path: '/v1/auth/tokens',
    summary: 'Lists the personal access tokens of a workspace.',
    access: adminAccess,
    query: PageQuery,
    replies: { 200: { description: 'A page of tokens, without their secrets.', schema: TokenPage } },
  },
  revokeToken: {
    method: 'DELETE',
    path: '/v1/auth/tokens/{token_id}',
    summary: 'Revokes a personal access token immediately.',
    access: adminAccess,
    query: WorkspaceQuery,
    replies: { 204: { description: 'Revoked.' } },
  },
} as const satisfies FunctionRoutes);
