import * as v from 'valibot';
import { AppConfig } from './codehost-apps.ts';
import { anyId, orNull, text, textBetween, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { adminAccess, type FunctionRoutes, type Route, servedBy, WorkspaceQuery } from './route.ts';

export const installationStatuses = ['unverified', 'active', 'suspended', 'deleted'] as const;

/** As the host numbers installations; no character that could end a part of a storage key. */
const installationId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/));
const ofApp = { codehost_app_config_id: orNull(anyId) };
const state = textBetween(limits.codehost.state);

export const StartInstallation = v.strictObject({ workspace_id: anyId, state, ...ofApp });
export type StartInstallation = v.InferOutput<typeof StartInstallation>;

const StartedInstallation = v.object({
  workspace_id: v.string(),
  mode: AppConfig.entries.mode,
  app_slug: v.string(),
  install_url: v.string(),
  codehost_app_config_id: v.nullable(v.string()),
});

export const AddInstallation = v.strictObject({ workspace_id: anyId, installation_id: installationId, ...ofApp });
export type AddInstallation = v.InferOutput<typeof AddInstallation>;

/** What the host sends people back with. Without `state`, the caller's open start is meant. */
export const InstallationCallback = v.strictObject({
  workspace_id: anyId,
  installation_id: installationId,
  ...ofApp,
  state: orNull(state),
  code: orNull(text(limits.codehost.code)),
  setup_action: orNull(text(limits.codehost.setupAction)),
});
export type InstallationCallback = v.InferOutput<typeof InstallationCallback>;

const textOrNull = v.nullable(v.string());
const timeOrNull = v.nullable(timestamp);

export const Installation = v.object({
  id: v.string(),
  workspace_id: v.string(),
  installation_id: v.string(),
  status: v.picklist(installationStatuses),
  created_at: timestamp,
  updated_at: timestamp,
  account_login: textOrNull,
  account_type: textOrNull,
  api_base_url: textOrNull,
  app_id: textOrNull,
  app_slug: textOrNull,
  deleted_at: timeOrNull,
  codehost_app_config_id: textOrNull,
  codehost_base_url: textOrNull,
  html_url: textOrNull,
  installed_by: textOrNull,
  last_error: textOrNull,
  /** What the account granted, by name. */
  permissions: v.record(v.string(), v.string()),
  /** What checks of pull requests need and the account did not grant. */
  missing_permissions: v.array(v.string()),
  repository_selection: textOrNull,
  suspended_at: timeOrNull,
  target_id: textOrNull,
  target_type: textOrNull,
});
export type Installation = v.InferOutput<typeof Installation>;

const InstallationList = v.object({
  workspace_id: v.string(),
  app_slug: textOrNull,
  configs: v.array(AppConfig),
  configured: v.boolean(),
  installations: v.array(Installation),
});

const InstallationQuery = v.object({ workspace_id: anyId, installation_id: anyId });

const path = '/v1/codehost/installations';
const posting = {
  method: 'POST',
  access: { ...adminAccess, workspace: 'body', session: true },
} as const satisfies Partial<Route>;
const removal = {
  method: 'DELETE',
  access: adminAccess,
  replies: { 204: { description: 'The installation is removed from the workspace, but not from the host.' } },
  problems: ['not_found', 'conflict'],
} as const satisfies Partial<Route>;

/** Where apps of the code host are installed: C-CODEHOST-5 to C-CODEHOST-7. */
export const codehostInstallationRoutes = servedBy('codehost', {
  listInstallations: {
    method: 'GET',
    path,
    summary: 'Lists the accounts on which the workspace’s apps are installed.',
    access: adminAccess,
    query: WorkspaceQuery,
    replies: { 200: { description: 'The installations.', schema: InstallationList } },
  },
  addInstallation: {
    ...posting,
    path,
    summary: 'Adds an installation of the workspace’s own app.',
    body: { kind: 'json', schema: AddInstallation, maxBytes: limits.json.bodyBytes },
    replies: { 201: { description: 'The installation, also where it was there.', schema: Installation } },
    problems: ['not_found', 'conflict'],
  },
  startInstallation: {
    ...posting,
    path: `${path}/start`,
    summary: 'Returns the installation URL of an app. The callback returns the state.',
    body: { kind: 'json', schema: StartInstallation, maxBytes: limits.json.bodyBytes },
    replies: { 200: { description: 'Where to send the person.', schema: StartedInstallation } },
    problems: ['not_found', 'conflict'],
  },
  finishInstallation: {
    ...posting,
    path: `${path}/callback`,
    summary: 'Completes an installation with the parameters of the host’s callback.',
    body: { kind: 'json', schema: InstallationCallback, maxBytes: limits.json.bodyBytes },
    replies: { 200: { description: 'The installation.', schema: Installation } },
    problems: ['not_found', 'conflict', 'invalid_grant'],
  },
  deleteInstallation: {
    ...removal,
    path: `${path}/{installation_id}`,
    summary: 'Removes an installation.',
    query: WorkspaceQuery,
  },
  deleteNamedInstallation: {
    ...removal,
    path,
    summary: 'Removes the installation given in the query.',
    query: InstallationQuery,
  },
} as const satisfies FunctionRoutes);
