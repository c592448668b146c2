import { withoutTrailing } from '../../contract/fields.ts';
import type { AppConfigId, UserId, WorkspaceId } from '../../contract/ids.ts';
import type { CodehostMessage } from '../../contract/messages.ts';
import { Problem } from '../../contract/problems.ts';
import type { Clock } from '../base/time/timestamp.ts';
import type { Collection, Listed, Registry } from '../workspaces/access/records.ts';
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

/** Whom the host takes a request for. */
export type AppCredentials = {
  readonly appId: string;
  readonly apiBaseUrl: string;
  /** PEM, as the host gives it out. */
  readonly privateKey: string;
};

export type HostInstallation = Pick<
  InstallationRecord,
  | 'account_login'
  | 'account_type'
  | 'html_url'
  | 'permissions'
  | 'repository_selection'
  | 'target_id'
  | 'target_type'
  | 'suspended_at'
>;

/** Reads an app and its installations from the host. Throws `HostFailure`. */
export type AppsOfHost = {
  readonly app: (credentials: AppCredentials) => Promise<{ readonly id: string; readonly slug: string }>;
  /** Null where the app has no such installation. */
  readonly installation: (credentials: AppCredentials, id: string) => Promise<HostInstallation | null>;
  /** Whether the person whom the host sent back with the code may see the installation. */
  readonly personSees: (
    client: Pick<AppRecord, 'codehost_base_url' | 'api_base_url'> & {
      readonly clientId: string;
      readonly clientSecret: string;
    },
    code: string,
    installation: string,
  ) => Promise<boolean>;
};

/** The app that the deployment itself has; null if it has none. */
export type ServiceApp = Pick<
  AppRecord,
  'app_id' | 'app_slug' | 'client_id' | 'api_base_url' | 'codehost_base_url' | 'secrets_ref'
>;

export type CodehostPorts = {
  readonly registry: CodehostRegistry;
  readonly secrets: SecretStore;
  readonly host: AppsOfHost;
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

/** Why the code host was not asked, or did not answer; each is a sentence for people, and holds nothing of a secret. */
const hostFailures = {
  private_key_unreadable: 'The private key is no RSA key in PEM.',
  app_refused: 'The host does not know the app by this key.',
  address_refused: 'The address of the host is not public, and the deployment does not allow it by name.',
  unreachable: 'The host could not be reached.',
  rate_limited: 'The host asks to wait.',
  not_allowed: 'The host refuses this to the app: it lacks a permission, or is suspended.',
  not_found: 'The host has no such thing, or does not show it to the app.',
  too_large: 'The answer of the host is larger than is read.',
  not_taken: 'The host does not take the request.',
  failed: 'The host failed.',
} as const;
export type HostFailureReason = keyof typeof hostFailures;

/** An answer of the code host that is none, or none that was hoped for. */
export class HostFailure extends Error {
  override readonly name = 'HostFailure';
  readonly reason: HostFailureReason;
  /** When it may be requested again, if it says so. */
  readonly retryAfterSeconds: number | null;

  constructor(reason: HostFailureReason, options: ErrorOptions & { readonly retryAfterSeconds?: number | null } = {}) {
    super(hostFailures[reason], options);
    this.reason = reason;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}
