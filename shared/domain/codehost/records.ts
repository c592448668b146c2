import * as v from 'valibot';
import { appStatuses, CodehostKind } from '../../contract/codehost-apps.ts';
import { installationStatuses } from '../../contract/codehost-installations.ts';
import { timestamp } from '../../contract/fields.ts';
import { AppConfigId, UserId, WorkspaceId } from '../../contract/ids.ts';

const textOrNull = v.nullable(v.string());
const timeOrNull = v.nullable(timestamp);

/** An app of the code host that a workspace configured; its secrets lie elsewhere, under `secrets_ref`. */
export const AppRecord = v.object({
  workspace_id: WorkspaceId,
  id: AppConfigId,
  kind: CodehostKind,
  app_id: v.string(),
  app_slug: v.string(),
  client_id: textOrNull,
  api_base_url: v.string(),
  codehost_base_url: v.string(),
  secrets_ref: v.string(),
  webhook_configured: v.boolean(),
  status: v.picklist(appStatuses),
  last_error: textOrNull,
  last_validated_at: timeOrNull,
  created_at: timestamp,
  created_by: v.string(),
  updated_at: timestamp,
});
export type AppRecord = v.InferOutput<typeof AppRecord>;

/** Which workspace an app is of: a webhook names none. */
export const AppPlace = v.object({ id: AppConfigId, workspace_id: WorkspaceId });
export type AppPlace = v.InferOutput<typeof AppPlace>;

/** The secrets of an app. They never change under one reference: another set has another reference. */
export const AppSecrets = v.object({
  private_key: v.string(),
  client_secret: textOrNull,
  /** The one that holds, then the one before until its time is over. */
  webhook_secrets: v.array(v.object({ secret: v.string(), valid_until: timeOrNull })),
});
export type AppSecrets = v.InferOutput<typeof AppSecrets>;

/** An installation of an app on an account, as last reported by the host. */
export const InstallationRecord = v.object({
  workspace_id: WorkspaceId,
  config_id: AppConfigId,
  installation_id: v.string(),
  status: v.picklist(installationStatuses),
  account_login: textOrNull,
  account_type: textOrNull,
  html_url: textOrNull,
  permissions: v.record(v.string(), v.string()),
  repository_selection: textOrNull,
  target_id: textOrNull,
  target_type: textOrNull,
  suspended_at: timeOrNull,
  deleted_at: timeOrNull,
  installed_by: textOrNull,
  last_error: textOrNull,
  created_at: timestamp,
  updated_at: timestamp,
});
export type InstallationRecord = v.InferOutput<typeof InstallationRecord>;

/** Which workspace has an installation of an app; no two have one. */
export const InstallationPlace = v.object({
  config_id: AppConfigId,
  installation_id: v.string(),
  workspace_id: WorkspaceId,
});
export type InstallationPlace = v.InferOutput<typeof InstallationPlace>;

/** An installation that a user began: the newest of the user in the workspace, taken once. */
export const InstallationStart = v.object({
  workspace_id: WorkspaceId,
  user_id: UserId,
  config_id: AppConfigId,
  /** SHA-256 of the state in hex. */
  state_hash: v.string(),
  expires_at: timestamp,
});
export type InstallationStart = v.InferOutput<typeof InstallationStart>;
