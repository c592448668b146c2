import { WorkspaceQuery } from '../access.ts';
import { CheckSettings, ManifestReceipt, PostManifest, PutCheckSettings } from '../codehost-checks.ts';
import { WebhookHeaders, WebhookParams, WebhookReceipt } from '../codehost-webhooks.ts';
import { limits } from '../limits.ts';
import type { Route } from '../route.ts';

const settingsPath = '/v1/codehost/check-settings';
const settings = { description: 'How pull requests are checked.', schema: CheckSettings };
const administering = { kind: 'member', scope: 'admin', role: 'admin', workspace: 'query' } as const;

/** Checks of pull requests: C-CODEHOST-8 to C-CODEHOST-15. */
export const codehostCheckRoutes = {
  receiveWebhook: {
    method: 'POST',
    path: '/v1/codehost/webhooks/{config_id}',
    function: 'codehost',
    summary: 'Takes a webhook of the code host; what it says is worked afterwards.',
    access: { kind: 'signature' },
    params: WebhookParams,
    headers: WebhookHeaders,
    body: { kind: 'bytes', maxBytes: limits.inlineBytes, example: { zen: 'Keep it logically awesome.' } },
    replies: { 202: { description: 'Kept and queued, or seen before.', schema: WebhookReceipt } },
    problems: ['invalid_json'],
  },
  postManifest: {
    method: 'POST',
    path: '/v1/codehost/manifests',
    function: 'codehost',
    summary: 'Takes the dbt manifest of a pull request’s commit, and checks the pull request by it.',
    access: { kind: 'member', scope: 'write', role: 'editor', workspace: 'body' },
    body: {
      kind: 'json',
      schema: PostManifest,
      maxBytes: limits.inlineBytes,
      maxInflatedBytes: limits.declared.bodyBytes,
      gzip: true,
    },
    replies: { 202: { description: 'Kept and queued.', schema: ManifestReceipt } },
    problems: ['not_found', 'conflict'],
  },
  getCheckSettings: {
    method: 'GET',
    path: settingsPath,
    function: 'codehost',
    summary: 'Shows how pull requests are checked.',
    access: administering,
    query: WorkspaceQuery,
    replies: { 200: settings },
    problems: [],
  },
  putCheckSettings: {
    method: 'PUT',
    path: settingsPath,
    function: 'codehost',
    summary: 'Says which repositories are checked against which connectors, and what a breaking change concludes.',
    access: { ...administering, workspace: 'body' },
    body: { kind: 'json', schema: PutCheckSettings, maxBytes: limits.json.bodyBytes },
    replies: { 200: settings },
    problems: ['not_found', 'conflict'],
  },
} as const satisfies Record<string, Route>;
