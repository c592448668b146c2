import * as v from 'valibot';
import { anyId, orNull, text, textUpTo, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { adminAccess, type FunctionRoutes, type Route, servedBy, WorkspaceQuery } from './route.ts';

const bounds = limits.codehost;
const modes = ['service', 'customer_owned'] as const;
const codehostKinds = ['github', 'gitlab'] as const;
const kind = v.picklist(codehostKinds);
/** Apps were of the first kind before there were others. */
export const CodehostKind = v.optional(kind, codehostKinds[0]);
export type CodehostKind = v.InferOutput<typeof CodehostKind>;
export const appStatuses = ['unvalidated', 'valid', 'invalid'] as const;

const credentials = {
  app_id: text(bounds.appId),
  app_slug: text(bounds.appSlug),
  private_key: text(bounds.privateKey),
};
/** Empty text is none: forms send it for what was left out, and anybody could sign by an empty secret. */
const choice = (max: number) =>
  v.pipe(
    textUpTo(max),
    v.transform((given) => given || null),
  );
const secret = v.pipe(
  choice(bounds.secret),
  // In base64: Standard Webhooks asks for 24 bytes at least.
  v.check(
    (given) => !given?.startsWith('whsec_') || given.length >= 'whsec_'.length + 32,
    'must hold a signing key of at least 24 bytes',
  ),
);

const choices = {
  kind: orNull(kind),
  api_base_url: orNull(choice(bounds.url)),
  client_id: orNull(choice(bounds.clientId)),
  client_secret: orNull(secret),
  config_id: orNull(anyId),
  codehost_base_url: orNull(choice(bounds.url)),
  webhook_secret: orNull(secret),
};

/** An app of the workspace's own, whose kind never changes (C-CODEHOST-16). What is left out of a configuration that is there stays as it was. */
export const PutAppConfig = v.strictObject({ workspace_id: anyId, ...credentials, ...choices });
export type PutAppConfig = v.InferOutput<typeof PutAppConfig>;

/** Of an app that is configured, or of one that would be: then with its key. */
export const ValidateAppConfig = v.pipe(
  v.strictObject({
    workspace_id: anyId,
    app_id: orNull(credentials.app_id),
    app_slug: orNull(credentials.app_slug),
    private_key: orNull(credentials.private_key),
    ...choices,
  }),
  v.check(
    ({ app_id, private_key }) => (app_id === null) === (private_key === null),
    'must have both app_id and private_key, or neither',
  ),
);
export type ValidateAppConfig = v.InferOutput<typeof ValidateAppConfig>;

const textOrNull = v.nullable(v.string());
const timeOrNull = v.nullable(timestamp);

/** Without anything secret. */
export const AppConfig = v.object({
  id: v.string(),
  workspace_id: v.string(),
  mode: v.picklist(modes),
  kind,
  app_id: v.string(),
  app_slug: v.string(),
  codehost_base_url: v.string(),
  api_base_url: v.string(),
  status: v.picklist(appStatuses),
  client_id: textOrNull,
  created_at: timeOrNull,
  created_by: textOrNull,
  last_error: textOrNull,
  last_validated_at: timeOrNull,
  updated_at: timeOrNull,
  webhook_configured: v.boolean(),
  /** Where the host sends webhooks, below the service's base URL. */
  webhook_path: v.string(),
});
export type AppConfig = v.InferOutput<typeof AppConfig>;

export const AppConfigList = v.object({
  workspace_id: v.string(),
  configs: v.array(AppConfig),
  configured: v.boolean(),
});

export const AppConfigValidation = v.object({
  valid: v.boolean(),
  app_id: textOrNull,
  app_slug: textOrNull,
  config: v.nullable(AppConfig),
  message: textOrNull,
});
export type AppConfigValidation = v.InferOutput<typeof AppConfigValidation>;

/** Without `config_id` it is the workspace's newest. */
const AppConfigQuery = v.object({ workspace_id: anyId, config_id: v.optional(anyId) });

const path = '/v1/codehost/app-configs';
const inBody = { ...adminAccess, workspace: 'body' } as const;
const removal = {
  method: 'DELETE',
  access: adminAccess,
  replies: { 204: { description: 'The app and its secrets are deleted.' } },
  problems: ['not_found', 'conflict'],
} as const satisfies Partial<Route>;

/** Apps of the code host: C-CODEHOST-1 to C-CODEHOST-4. */
export const codehostAppRoutes = servedBy('codehost', {
  listAppConfigs: {
    method: 'GET',
    path,
    summary: 'Lists the code host apps of the workspace.',
    access: adminAccess,
    query: WorkspaceQuery,
    replies: { 200: { description: 'The apps, without their secrets.', schema: AppConfigList } },
  },
  putAppConfig: {
    method: 'PUT',
    path,
    summary:
      'Configures a workspace’s own app. Replaces the configuration with this `config_id`, or the one of the same app.',
    access: { ...inBody, session: true },
    body: { kind: 'json', schema: PutAppConfig, maxBytes: limits.json.bodyBytes },
    replies: { 200: { description: 'The app, without its secrets.', schema: AppConfig } },
    problems: ['not_found', 'conflict'],
  },
  deleteAppConfig: {
    ...removal,
    path: `${path}/{config_id}`,
    summary: 'Deletes an app with its secrets and installations.',
    query: WorkspaceQuery,
  },
  deleteNamedAppConfig: {
    ...removal,
    path,
    summary: 'Deletes the app given in the query.',
    query: AppConfigQuery,
  },
  validateAppConfig: {
    method: 'POST',
    path: `${path}/validate`,
    summary: 'Validates the credentials of an app with the code host.',
    access: inBody,
    body: { kind: 'json', schema: ValidateAppConfig, maxBytes: limits.json.bodyBytes },
    replies: { 200: { description: 'Whether the host knows the app by its key.', schema: AppConfigValidation } },
    problems: ['not_found'],
  },
} as const satisfies FunctionRoutes);
