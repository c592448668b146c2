import type { CodehostKind } from '../../contract/codehost-apps.ts';
import type { WebhookHeaders } from '../../contract/codehost-checks.ts';
import type { AppRecord, InstallationRecord } from './records.ts';

/** What the service needs of a kind of code host. What throws, throws `HostFailure`. */
export type CodeHost = {
  readonly addresses: {
    /** The host of an app that names none. */
    readonly publicHost: string;
    /** The default address of a host's API. */
    readonly api: (host: string) => string;
    /** Where people install an app; null if the host has no such page. */
    readonly installation: (app: Pick<AppRecord, 'app_slug' | 'codehost_base_url'>) => string | null;
  };
  /** The level of each permission that checks need, as the host names them. */
  readonly permissions: Readonly<Record<string, 'read' | 'write'>>;
  readonly owners: OwnersFile;
  readonly apps: AppsOfHost;
  readonly webhooks: WebhooksOfHost;
  readonly pullRequests: PullRequestsOfHost;
};

export type CodeHosts = Readonly<Record<CodehostKind, CodeHost>>;

/** The file that says who owns which paths. */
export type OwnersFile = {
  /** Where the host looks for it, in its order. */
  readonly paths: readonly string[];
  /**
   * `one_list`: the last rule that fits decides; a slash within a pattern ties it to the root, and a pattern also fits
   * everything below its path. `sections`: every section has owners; only a slash at the beginning ties a pattern to the
   * root, and only one at the end fits what is below.
   */
  readonly syntax: 'one_list' | 'sections';
};

/** Whom the host takes a request for. */
export type AppCredentials = {
  readonly appId: string;
  readonly apiBaseUrl: string;
  /** The app's key or token, as the host gives it out. */
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

/** Reads an app and its installations from the host. */
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

type WebhooksOfHost = {
  /** Whether the host sent the bytes, by one of the secrets. Compares with every secret, in constant time. */
  readonly isFrom: (
    secrets: readonly string[],
    delivery: { readonly headers: WebhookHeaders; readonly bytes: Uint8Array; readonly now: Date },
  ) => boolean;
  /** The header of the event's name, and the headers of the delivery's id: the first that is there. */
  readonly names: { readonly event: keyof WebhookHeaders; readonly delivery: readonly (keyof WebhookHeaders)[] };
  /** Null of an event that requires nothing. */
  readonly read: (event: string, payload: unknown) => HostEvent | null;
};

/** What to look at because of a webhook; the host itself reports the state by then. */
export type HostEvent = {
  /** Null if the host does not name it: then those of the repository's account. */
  readonly installationId: string | null;
  /** The installation itself is what changed. */
  readonly isOfInstallation: boolean;
  readonly repository: string | null;
  readonly pullRequests: readonly number[];
  /** Or those whose head is this commit. */
  readonly commit: HeadCommit | null;
};

export type RepositoryPlace = {
  readonly credentials: AppCredentials;
  readonly installation: string;
  /** `owner/name`, with the groups of the owner if the host has such. */
  readonly repository: string;
};

export type PullRequest = {
  readonly number: number;
  readonly isOpen: boolean;
  /** The commit that would be merged. */
  readonly head: string;
  /** The branch into which. */
  readonly base: string;
};

/** A commit, with its branch (`owner:branch`) if known. */
export type HeadCommit = { readonly sha: string; readonly branch: string | null };

export type Annotation = {
  readonly path: string;
  readonly line: number;
  readonly level: 'notice' | 'warning' | 'failure';
  readonly title: string;
  readonly message: string;
};

/** The result of a check. */
export type CheckReport = {
  /** Differs between reports on the same commit. */
  readonly digest: string;
  readonly conclusion: 'success' | 'neutral' | 'failure';
  readonly title: string;
  readonly summary: string;
  readonly annotations: readonly Annotation[];
};

/** The name of the checks. Branch rules of a host refer to it. */
export const checkName = 'Tributary lineage';

export type PullRequestsOfHost = {
  readonly find: (place: RepositoryPlace, number: number) => Promise<PullRequest | null>;
  /** The open pull requests whose head is the commit. */
  readonly ofCommit: (place: RepositoryPlace, commit: HeadCommit) => Promise<readonly number[]>;
  /** Null where the file is not there; no byte of one that is too large. */
  readonly file: (place: RepositoryPlace, path: string, ref: string) => Promise<Uint8Array | null>;
  /** The manifest in the newest artifact of that name of the commit's workflow runs; no byte where it has none to read. */
  readonly artifact: (place: RepositoryPlace, name: string, commit: string) => Promise<Uint8Array | null>;
  /** Shows the report at the pull request and its head. Repeating it changes nothing, and completes what was interrupted. */
  readonly publish: (place: RepositoryPlace, pull: PullRequest, report: CheckReport) => Promise<void>;
};

/** Why the host did not respond or refused; each is a sentence for people, without anything secret. */
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
  moved: 'The pull request got a newer commit meanwhile.',
  failed: 'The host failed.',
} as const;
export type HostFailureReason = keyof typeof hostFailures;

/** A request to the code host that failed, or was refused. */
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
