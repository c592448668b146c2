import { withoutTrailing } from '../../contract/fields.ts';
import type { AppConfigId, UserId, WorkspaceId } from '../../contract/ids.ts';
import type { CheckPullRequest, CodehostMessage } from '../../contract/messages.ts';
import { Problem } from '../../contract/problems.ts';
import type { Clock } from '../base/time/timestamp.ts';
import type { Collection, Listed, Registry } from '../workspaces/access/records.ts';
import type { CodeHosts } from './code-host.ts';
import type {
  AppPlace,
  AppRecord,
  AppSecrets,
  InstallationPlace,
  InstallationRecord,
  InstallationStart,
} from './records.ts';

type InWorkspace = { readonly workspace_id: WorkspaceId };

/** What is registered of code hosts; everything in one `commit` takes effect, or nothing does. */
export type CodehostRegistry = Pick<Registry, 'audit' | 'commit'> & {
  readonly apps: Listed<AppRecord, InWorkspace & { readonly id: AppConfigId }>;
  readonly appPlaces: Collection<AppPlace, { readonly id: AppConfigId }>;
  readonly installations: Listed<
    InstallationRecord,
    InWorkspace & { readonly config_id: AppConfigId; readonly installation_id: string }
  >;
  readonly installationPlaces: Collection<
    InstallationPlace,
    { readonly config_id: AppConfigId; readonly installation_id: string }
  >;
  readonly starts: {
    /** Replaces the one that the user began before. */
    readonly begin: (start: InstallationStart) => Promise<void>;
    /** Removes it; of several calls one has it. */
    readonly take: (workspace: WorkspaceId, user: UserId) => Promise<InstallationStart | null>;
  };
};

/** Secrets by references that are used once. */
export type SecretStore = {
  readonly put: (ref: string, secrets: AppSecrets) => Promise<void>;
  readonly get: (ref: string) => Promise<AppSecrets | null>;
  /** Also where there is none. */
  readonly remove: (ref: string) => Promise<void>;
};

/** The app that the deployment itself has; null if it has none. */
export type ServiceApp = Pick<
  AppRecord,
  'kind' | 'app_id' | 'app_slug' | 'client_id' | 'api_base_url' | 'codehost_base_url' | 'secrets_ref'
>;

export type CodehostPorts = {
  readonly registry: CodehostRegistry;
  readonly secrets: SecretStore;
  readonly hosts: CodeHosts;
  readonly serviceApp: ServiceApp | null;
  readonly mayAsk: MayAsk;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
};

/** What those need who change no app. */
export type CodehostReader = Omit<CodehostPorts, 'secrets' | 'registry'> & {
  readonly secrets: Pick<SecretStore, 'get'>;
  readonly registry: Omit<CodehostRegistry, 'starts'>;
};

/** At least once, in any order. */
export type CodehostQueue = {
  readonly send: (message: CodehostMessage, options?: { readonly delaySeconds: number }) => Promise<void>;
};

/** Asks for a first attempt to check a pull request. */
export const sendCheck = (
  queue: CodehostQueue,
  place: Omit<CheckPullRequest, 'version' | 'kind' | 'attempt' | 'not_before'>,
): Promise<void> => queue.send({ version: 1, kind: 'check_pull_request', ...place, attempt: 0, not_before: null });

/** Whether a request may go to a URL, judged only by the URL. */
type MayAsk = (url: URL) => boolean;

const rule = 'must be an https URL of a public host, without credentials, query and fragment';

/**
 * The base URL of a code host, without a final slash. Throws `validation_error` at `path` where it may not be asked: what
 * its name resolves to is looked at when it is connected to.
 */
export function baseUrlOf(text: string, path: string, mayAsk: MayAsk): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    url === null ||
    !mayAsk(url) ||
    url.search !== '' ||
    url.hash !== '' ||
    url.username !== '' ||
    url.password !== ''
  )
    throw new Problem('validation_error', { errors: [{ path, message: rule }] });
  return url.origin + withoutTrailing('/', url.pathname);
}
