import * as v from 'valibot';
import { AppConfig, orNull } from './codehost-apps.ts';
import { anyId, text, textBetween, timestamp } from './fields.ts';
import { limits } from './limits.ts';

export const installationStatuses = ['unverified', 'active', 'suspended', 'deleted'] as const;

/** As the host numbers installations; no character that could end a part of a storage key. */
const installationId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/));
const ofApp = { codehost_app_config_id: orNull(anyId) };
const state = textBetween(limits.codehost.state);

export const StartInstallation = v.strictObject({ workspace_id: anyId, state, ...ofApp });
export type StartInstallation = v.InferOutput<typeof StartInstallation>;

export const StartedInstallation = v.object({
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

export const InstallationList = v.object({
  workspace_id: v.string(),
  app_slug: textOrNull,
  configs: v.array(AppConfig),
  configured: v.boolean(),
  installations: v.array(Installation),
});

export const InstallationParams = v.object({ installation_id: anyId });
export const InstallationQuery = v.object({ workspace_id: anyId, installation_id: anyId });
