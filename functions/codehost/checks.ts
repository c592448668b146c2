import type { codehostCheckRoutes } from '../../shared/contract/codehost-checks.ts';
import { putCheckSettings, showCheckSettings } from '../../shared/domain/codehost/pull-requests/check-settings.ts';
import {
  type ReceiveManifestPorts,
  receiveManifest,
} from '../../shared/domain/codehost/pull-requests/receive-manifest.ts';
import { type ReceivePorts, receiveWebhook } from '../../shared/domain/codehost/webhooks/receive-webhook.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';

export const checkImplementations = (
  ports: ReceivePorts & ReceiveManifestPorts & Parameters<typeof putCheckSettings>[0],
): Implementations<typeof codehostCheckRoutes> => ({
  receiveWebhook: async ({ params, headers, bytes }) =>
    receiveWebhook(ports, { configId: params.config_id, headers, bytes }),
  postManifest: async (request) => receiveManifest(ports, request),
  getCheckSettings: async ({ workspace }) => showCheckSettings(ports, workspace),
  putCheckSettings: async ({ workspace, caller: { userId }, body }) =>
    putCheckSettings(ports, { workspace, userId }, body),
});
