import type { KeyObject } from 'node:crypto';
import * as v from 'valibot';

export type HostApp = {
  readonly id: number;
  readonly slug: string;
  readonly publicKey: KeyObject;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookSecret: string;
  webhookUrl: string | null;
};

export type HostInstallation = {
  readonly id: number;
  readonly appId: number;
  readonly account: { readonly login: string; readonly id: number; readonly type: string };
  permissions: Record<string, string>;
  suspendedAt: string | null;
};

const line = v.pipe(v.number(), v.integer(), v.minValue(1));

export const Annotation = v.object({
  path: v.pipe(v.string(), v.nonEmpty()),
  start_line: line,
  end_line: line,
  annotation_level: v.picklist(['notice', 'warning', 'failure']),
  message: v.pipe(
    v.string(),
    v.check((text) => Buffer.byteLength(text) <= 64 * 1024),
  ),
  title: v.exactOptional(v.pipe(v.string(), v.maxLength(255))),
});

export type HostCheckRun = {
  readonly id: number;
  readonly name: string;
  readonly head_sha: string;
  readonly app_id: number;
  external_id: string;
  status: string;
  conclusion: string | null;
  output: { title: string | null; summary: string | null; text: string | null };
  readonly annotations: v.InferOutput<typeof Annotation>[];
  /** How many annotations each request brought. */
  readonly requests: number[];
};

export type HostPull = {
  readonly number: number;
  state: 'open' | 'closed';
  head: string;
  /** The branch whose head it is, and whose: of a fork, another's than the repository's. */
  readonly branch: string;
  readonly owner: string;
  readonly base: { readonly ref: string; sha: string };
};

type HostArtifact = {
  readonly id: number;
  readonly name: string;
  readonly runId: number;
  readonly headSha: string;
  readonly zip: Uint8Array;
  readonly expired: boolean;
};

/** A repository: its files by `ref:path`, if a ref is a commit, or a branch without commits. */
export type HostRepository = {
  readonly owner: string;
  readonly name: string;
  readonly installationId: number;
  readonly files: Map<string, string>;
  /** The commits at which branches are. */
  readonly branches: Map<string, string>;
  readonly pulls: Map<number, HostPull>;
  readonly checkRuns: HostCheckRun[];
  readonly artifacts: HostArtifact[];
};

/** Of an installation, or of a person who sees installations. */
export type HostToken = {
  readonly installationId: number | null;
  readonly sees: readonly number[];
  readonly expiresAt: number;
};

/** A user of GitLab with an access token. */
export type HostUser = {
  readonly id: number;
  readonly username: string;
  readonly token: string;
  scopes: string[];
  readonly installationIds: number[];
};

/** A comment on a pull request or a note on a merge request. */
export type HostNote = {
  readonly id: number;
  readonly repository: HostRepository;
  readonly number: number;
  body: string;
  readonly author: { readonly id: number; readonly login: string };
};

type HostStatus = {
  readonly id: number;
  readonly repository: HostRepository;
  readonly sha: string;
  readonly status: string;
  readonly name: string;
  readonly description: string | null;
  readonly target_url: string | null;
};

/** What the next requests are answered with instead. */
type HostLimit = {
  readonly status: 403 | 429 | 500;
  readonly headers: Readonly<Record<string, string>>;
  readonly message: string;
  times: number;
};

export type HostState = {
  readonly apps: HostApp[];
  readonly installations: HostInstallation[];
  readonly repositories: HostRepository[];
  readonly users: HostUser[];
  readonly notes: HostNote[];
  readonly statuses: HostStatus[];
  /** Codes of people who were sent back, and the installations that each may see. */
  readonly codes: Map<string, readonly number[]>;
  /** Tokens of installations and of people, until their time. */
  readonly tokens: Map<string, HostToken>;
  limit: HostLimit | null;
  /** `METHOD /path` of each request, in their order. */
  readonly log: string[];
};

export const emptyHost = (): HostState => ({
  apps: [],
  installations: [],
  repositories: [],
  users: [],
  notes: [],
  statuses: [],
  codes: new Map(),
  tokens: new Map(),
  limit: null,
  log: [],
});
