import type { AppConfigId, UserId, WorkspaceId } from '../../../contract/ids.ts';
import type { Key } from './key.ts';
import { registeredKey } from './registry-keys.ts';

/** Keys of what is known of code hosts; the rules are those of `key.ts`. */

export const codehostAppKey = (workspace: WorkspaceId, app: AppConfigId): Key =>
  registeredKey(workspace, 'codehost_app', app);

export const codehostInstallationKey = (workspace: WorkspaceId, app: AppConfigId, installation: string): Key =>
  registeredKey(workspace, 'codehost_installation', `${app}#${installation}`);

/** The installation that a user began. */
export const installationStartKey = (workspace: WorkspaceId, user: UserId): Key => ({
  pk: `W#${workspace}#IS#${user}`,
  sk: 'START',
});

/** Of whichever workspace: a webhook names none. */
export const codehostAppPlaceKey = (app: AppConfigId): Key => ({ pk: `CODEHOST#${app}`, sk: 'APP' });

/** Of whichever workspace: so that no two have one installation. */
export const installationPlaceKey = (app: AppConfigId, installation: string): Key => ({
  pk: `CODEHOST#${app}`,
  sk: `PLACE#${installation}`,
});

/** That a webhook was received. */
export const webhookKey = (workspace: WorkspaceId, app: AppConfigId, delivery: string): Key => ({
  pk: `W#${workspace}#HD#${app}`,
  sk: delivery,
});

/** The manifest that was sent for a commit. */
export const commitManifestKey = (workspace: WorkspaceId, repositoryDigest: string, commit: string): Key => ({
  pk: `W#${workspace}#HM#${repositoryDigest}`,
  sk: commit,
});

/** Held while a worker writes the check run of a commit. */
export const commitLeaseKey = (workspace: WorkspaceId, repositoryDigest: string, commit: string): Key => ({
  pk: `W#${workspace}#HL#${repositoryDigest}`,
  sk: commit,
});

/** How pull requests are checked. */
export const checkSettingsKey = (workspace: WorkspaceId): Key => ({ pk: `W#${workspace}`, sk: 'CODEHOST_CHECKS' });
