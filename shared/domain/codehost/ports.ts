import type { AppConfigId, UserId, WorkspaceId } from '../../contract/ids.ts';
import type { CodehostMessage } from '../../contract/messages.ts';
import type { Collection, Listed, Registry } from '../access/registry.ts';
import type { Clock } from '../time/clock.ts';
import type { MayAsk } from './base-url.ts';
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

/** What the host says of an app and of where it is installed. Throws `HostFailure`. */
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

/** The app that the deployment itself has; null where it has none. */
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
export type CodehostReadPorts = Omit<CodehostPorts, 'secrets' | 'registry'> & {
  readonly secrets: Pick<SecretStore, 'get'>;
  readonly registry: Omit<CodehostRegistry, 'starts'>;
};

/** At least once, in any order. */
export type CodehostQueue = {
  readonly send: (message: CodehostMessage, options?: { readonly delaySeconds: number }) => Promise<void>;
};
