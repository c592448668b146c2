import type { scopeRoutes } from '../../shared/contract/routes/scopes.ts';
import type { ConnectorFinder } from '../../shared/domain/access/find-connector.ts';
import { type ForgetScopePorts, forgetScope } from '../../shared/domain/operations/scopes/forget-scope.ts';
import { type ListScopesPorts, listScopes } from '../../shared/domain/operations/scopes/list-scopes.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

type ScopePorts = ListScopesPorts & {
  readonly forgetting: Omit<ForgetScopePorts, 'actor'>;
  readonly connector: ConnectorFinder;
};

/** Serves the routes of the scopes of evidence. */
export const scopeImplementations = (ports: ScopePorts): Implementations<typeof scopeRoutes> => ({
  listScopes: async ({ workspace, query: { connector_id, q = '', limit, cursor = null } }) => {
    const connectorId = connector_id === undefined ? null : await ports.connector(workspace, connector_id);
    return { status: 200, body: await listScopes(ports, workspace, { connectorId, q, limit, cursor }) };
  },
  forgetScope: async ({ workspace, caller: { userId }, body: { scope_key: scopeKey, dry_run: dryRun } }) => {
    const request = { workspace, scopeKey, dryRun };
    return { status: 200, body: await forgetScope({ ...ports.forgetting, actor: userId }, request) };
  },
});
