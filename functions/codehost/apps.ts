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
    return { workspace_id: workspace, configs, configured: configs.length > 0 };
  },
  putAppConfig: async ({ workspace, caller: { userId }, body }) => {
    const record = await putApp(ports, { workspace, userId }, body);
    return showApp({ ...record, mode: 'customer_owned' });
  },
  deleteAppConfig: async ({ workspace, caller: { userId }, params }) =>
    removeApp(ports, { workspace, userId }, params.config_id),
  deleteNamedAppConfig: async ({ workspace, caller: { userId }, query: { config_id: id = null } }) =>
    removeApp(ports, { workspace, userId }, id),
  validateAppConfig: async ({ workspace, body }) => validateApp(ports, workspace, body),
});
