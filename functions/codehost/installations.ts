import type { codehostInstallationRoutes } from '../../shared/contract/codehost-installations.ts';
import { addInstallation, finishInstallation, startInstallation } from '../../shared/domain/codehost/install.ts';
import { listInstallations, removeInstallation } from '../../shared/domain/codehost/installations.ts';
import type { CodehostPorts } from '../../shared/domain/codehost/ports.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

export const installationImplementations = (
  ports: CodehostPorts,
): Implementations<typeof codehostInstallationRoutes> => ({
  listInstallations: async ({ workspace }) => listInstallations(ports, workspace),
  addInstallation: async ({ workspace, caller: { userId }, body }) =>
    addInstallation(ports, { workspace, userId }, body),
  startInstallation: async ({ workspace, caller: { userId }, body }) =>
    startInstallation(ports, { workspace, userId }, body),
  finishInstallation: async ({ workspace, caller: { userId }, body }) =>
    finishInstallation(ports, { workspace, userId }, body),
  deleteInstallation: async ({ workspace, caller: { userId }, params }) =>
    removeInstallation(ports, { workspace, userId }, params.installation_id),
  deleteNamedInstallation: async ({ workspace, caller: { userId }, query }) =>
    removeInstallation(ports, { workspace, userId }, query.installation_id),
});
