import { randomBytes } from 'node:crypto';
import { dynamodb } from '../../shared/adapters/aws.ts';
import { registry } from '../../shared/adapters/dynamodb/registry/registry.ts';
import type { Table } from '../../shared/adapters/dynamodb/requests/table.ts';
import type { WorkspaceId } from '../../shared/contract/ids.ts';
import type { Role, TokenScope } from '../../shared/contract/vocabulary.ts';
import { systemClock } from '../../shared/domain/base/time/timestamp.ts';
import type { Operator } from '../../shared/domain/workspaces/access/operator.ts';
import { createToken } from '../../shared/domain/workspaces/access/tokens.ts';
import { addMember, createWorkspace, setPatsEnabled } from '../../shared/domain/workspaces/access/workspaces.ts';
import type { HttpRequest } from '../../shared/runtime/api-gateway.ts';
import { startIssuer } from './issuer.ts';
import { startStores } from './stores.ts';

/** Stores, an issuer, and a registry to fill: what authentication really reads. */
export async function startAccessWorld() {
  const [stores, issuer] = await Promise.all([startStores(), startIssuer()]);
  Object.assign(process.env, {
    OIDC_ISSUER: issuer.issuer,
    OIDC_AUDIENCE: issuer.audience,
    OIDC_JWKS_URL: issuer.jwksUrl,
    OIDC_DISCOVERY_URL: `${issuer.issuer}/.well-known/openid-configuration`,
  });
  const table: Table = { client: dynamodb(), name: stores.environment.TABLE_NAME };
  const operator: Operator = { registry: registry(table), clock: systemClock, randomBytes, actor: 'test' };
  return {
    stores,
    table,
    issuer,
    operator,
    /** A workspace with one member a role, each named `<workspace name>-<role>`. */
    workspace: async (name: string, pats_enabled = true) => {
      const { record } = await createWorkspace(operator, { name });
      if (!pats_enabled) await setPatsEnabled(operator, record.id, false);
      for (const role of ['viewer', 'editor', 'admin'] as const) await addRole(operator, record.id, name, role);
      return record;
    },
    token: (workspace_id: WorkspaceId, user: string, scopes: readonly TokenScope[], at?: Date) =>
      createToken(at ? { ...operator, clock: { now: () => at } } : operator, {
        workspace_id,
        user_id: user as Parameters<typeof createToken>[1]['user_id'],
        name: 'a token',
        expires_in_days: 1,
        scopes: [...scopes],
        client_kind: 'ci',
      }),
    stop: async () => {
      await Promise.all([stores.stop(), issuer.stop()]);
    },
  };
}

export type AccessWorld = Awaited<ReturnType<typeof startAccessWorld>>;

const addRole = (operator: Operator, workspace: WorkspaceId, name: string, role: Role) =>
  addMember(operator, workspace, { user_id: `${name}-${role}`, role });

/** A request as the gateway hands it over. */
export function request(
  method: string,
  resource: string,
  { token, body, headers = {}, ...rest }: RequestParts = {},
): HttpRequest {
  const isJson = body !== undefined && !(body instanceof Uint8Array) && typeof body !== 'string';
  return {
    method,
    resource,
    path: resource,
    params: {},
    query: {},
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && token !== null && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    bytes: Buffer.from(isJson ? JSON.stringify(body) : ((body as string | Uint8Array | undefined) ?? '')),
    gatewayId: 'gateway',
    base: 'https://service.test',
    ...rest,
  };
}

type RequestParts = Partial<Pick<HttpRequest, 'params' | 'query' | 'headers'>> & {
  readonly token?: string | null;
  readonly body?: unknown;
};
