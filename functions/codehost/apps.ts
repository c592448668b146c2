import type { codehostAppRoutes } from '../../shared/contract/codehost-apps.ts';
import { appsOf, showApp } from '../../shared/domain/codehost/apps.ts';
import { putApp } from '../../shared/domain/codehost/configure-app.ts';
import type { CodehostPorts } from '../../shared/domain/codehost/ports.ts';
import { removeApp } from '../../shared/domain/codehost/remove-app.ts';
import { validateApp } from '../../shared/domain/codehost/validate-app.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

export const appImplementations = (ports: CodehostPorts): Implementations<typeof codehostAppRoutes> => ({
  listAppConfigs: async ({ workspace }) => {
    const configs = (await appsOf(ports, workspace)).map(showApp);
    return { status: 200, body: { workspace_id: workspace, configs, configured: configs.length > 0 } };
  },
  putAppConfig: async ({ workspace, caller: { userId }, body }) => {
    const record = await putApp(ports, { workspace, userId }, body);
    return { status: 200, body: showApp({ ...record, mode: 'customer_owned' }) };
  },
  deleteAppConfig: async ({ workspace, caller: { userId }, params }) => {
    await removeApp(ports, { workspace, userId }, params.config_id);
    return { status: 204 };
  },
  deleteNamedAppConfig: async ({ workspace, caller: { userId }, query: { config_id: id = null } }) => {
    await removeApp(ports, { workspace, userId }, id);
    return { status: 204 };
  },
  validateAppConfig: async ({ workspace, body }) => ({
    status: 200,
    body: await validateApp(ports, workspace, body),
  }),
});
