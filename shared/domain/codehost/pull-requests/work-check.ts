import type { CheckSettings, RepositoryChecks } from '../../../contract/codehost-checks.ts';
import type { DiffProject, LineageDiff } from '../../../contract/diff.ts';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import type { CheckPullRequest } from '../../../contract/messages.ts';
import { Problem } from '../../../contract/problems.ts';
import type { Lease } from '../../base/concurrency.ts';
import { isJsonObject, readJson } from '../../base/json/read-json.ts';
import type { Connector } from '../../lineage/names/connector.ts';
import { code, type OwnersOf } from '../../lineage/report/diff-report.ts';
import { dbtFieldErrors } from '../../lineage/sources/dbt/manifest.ts';
import { appOf, credentialsOf } from '../apps.ts';
import { type CheckReport, type CodeHost, HostFailure, type PullRequest, type RepositoryPlace } from '../code-host.ts';
import { refreshInstallation } from '../keep-installation.ts';
import type { CodehostQueue, CodehostReader } from '../ports.ts';
import { checkReportOf, unevaluatedReport } from './check-report.ts';
import { modelFiles, ownersBy } from './model-files.ts';
import type { CheckSettingsStore, ManifestStore } from './ports.ts';

/** The longest delay of a queue message. For longer delays the message is sent again. */
const maxDelaySeconds = 900;
const busySeconds = 20;

/** Checks a pull request; if the host asks to wait, or cannot be reached, the message goes back for that time. */
export async function workCheck(ports: CheckPorts, message: CheckPullRequest): Promise<void> {
  const now = ports.clock.now();
  const wait = message.not_before === null ? 0 : (Date.parse(message.not_before) - now.getTime()) / 1_000;
  if (wait > 1) return later(ports, message, wait);
  try {
    await checkPullRequest(ports, message);
  } catch (error) {
    if (error instanceof CommitBusy) return resend(ports, message, busySeconds);
    if (!(error instanceof HostFailure)) throw error;
    if (isPassing(error)) return resend(ports, message, error.retryAfterSeconds ?? 30 * 2 ** message.attempt, error);
    // A permission that was taken, or a suspension, shows at the installation; nothing else can be done about it here.
    await lookAgain(ports, message);
  }
}

const isPassing = ({ reason }: HostFailure): boolean =>
  ['rate_limited', 'unreachable', 'failed', 'moved'].includes(reason);

async function resend(
  ports: CheckPorts,
  message: CheckPullRequest,
  seconds: number,
  error?: HostFailure,
): Promise<void> {
  if (message.attempt >= limits.codehost.attempts) throw error ?? new CommitBusy();
  const not_before = new Date(ports.clock.now().getTime() + seconds * 1_000).toISOString();
  await later(ports, { ...message, attempt: message.attempt + 1, not_before }, seconds);
}

const later = ({ codehostQueue }: CheckPorts, message: CheckPullRequest, seconds: number): Promise<void> =>
  codehostQueue.send(message, { delaySeconds: Math.min(maxDelaySeconds, Math.ceil(seconds)) });

async function lookAgain(
  ports: CheckPorts,
  { workspace_id, config_id, installation_id }: CheckPullRequest,
): Promise<void> {
  const app = await appOf(ports, workspace_id, config_id);
  const found = app && (await ports.registry.installations.find({ workspace_id, config_id, installation_id }));
  if (app && found) await refreshInstallation(ports, app, found, false);
}

type CheckPorts = CodehostReader & {
  readonly manifests: Pick<ManifestStore, 'find' | 'bytes'>;
  readonly settings: Pick<CheckSettingsStore, 'find'>;
  /** Lets one worker at a time write about a commit. */
  readonly leaseOf: (workspace: WorkspaceId, repository: string, commit: string) => Lease;
  readonly codehostQueue: CodehostQueue;
  readonly connectorsOf: (workspace: WorkspaceId) => Promise<readonly Connector[]>;
  /** Compares a branch with the live lineage. Throws `Problem`. */
  readonly diff: (workspace: WorkspaceId, project: DiffProject) => Promise<LineageDiff>;
};

/** Another worker writes of the same commit: the message comes again. */
class CommitBusy extends Error {}

/**
 * Checks a pull request as it is now, whatever asked for it: its head's manifest against what is live, shown at its head. Does nothing if the pull request, the app or the installation is gone. Throws `HostFailure` and `CommitBusy`.
 */
async function checkPullRequest(ports: CheckPorts, message: CheckPullRequest): Promise<void> {
  const { workspace_id: workspace, config_id, installation_id, repository, number } = message;
  const app = await appOf(ports, workspace, config_id);
  const installation = await ports.registry.installations.find({ workspace_id: workspace, config_id, installation_id });
  if (!app || installation?.record.status !== 'active') return;
  const credentials = await credentialsOf(ports.secrets, app);
  if (credentials === null) return;
  const host = ports.hosts[app.kind];
  const place = { credentials, installation: installation_id, repository };
  const pull = await host.pullRequests.find(place, number);
  if (!pull?.isOpen) return;
  const lease = ports.leaseOf(workspace, repository, pull.head);
  if (!(await lease.take(ports.clock.now()))) throw new CommitBusy();
  try {
    const report = await judge(ports, workspace, { host, place, pull });
    if (report) await host.pullRequests.publish(place, pull, report);
  } finally {
    await lease.release();
  }
}

type Checked = { readonly host: CodeHost; readonly place: RepositoryPlace; readonly pull: PullRequest };

/** Null of a repository that nobody named, and for whose commit nobody sent a manifest. */
async function judge(ports: CheckPorts, workspace: WorkspaceId, checked: Checked): Promise<CheckReport | null> {
  const { host, place, pull } = checked;
  const chosen = (await ports.settings.find(workspace))?.record;
  const isNamed = (one: { readonly repository: string }) =>
    one.repository.toLowerCase() === place.repository.toLowerCase();
  const settings = chosen?.repositories.find(isNamed) ?? null;
  const branch = await branchManifest(ports, { workspace, host, place, commit: pull.head, settings });
  if (branch === 'unreadable') return unevaluatedReport('The manifest cannot be read', unreadable);
  if (branch === null) return settings && unevaluatedReport('Waiting for the manifest of this commit', waiting);
  return compared(ports, workspace, { ...checked, branch, onBreaking: chosen?.on_breaking ?? 'neutral' });
}

const unreadable =
  'The manifest of this commit is not a JSON object, is too large, or is missing from its artifact. It is not known what merging would break.';

const waiting =
  'Tributary found no manifest for this commit: not from `tributary diff --upload`, in an artifact of a workflow run, or as a file of the repository. It is not known what merging would break. This check updates when a manifest arrives.';

type Comparing = Checked & {
  readonly branch: BranchManifest;
  readonly onBreaking: CheckSettings['on_breaking'];
};

async function compared(ports: CheckPorts, workspace: WorkspaceId, comparing: Comparing): Promise<CheckReport> {
  const { host, place, pull, branch, onBreaking } = comparing;
  const connector = (await ports.connectorsOf(workspace)).find(({ id }) => id === branch.connectorId);
  if (!connector)
    return unevaluatedReport(
      'Connector not found',
      'The connector that this repository is compared with does not exist.',
    );
  const request: DiffProject = {
    workspace_id: workspace,
    connector_id: connector.id,
    manifest: branch.manifest,
    ...(branch.projectId !== undefined && { project_id: branch.projectId }),
    match_by: branch.settings.match_by,
    max_depth: limits.impact.depth.max,
    max_nodes: limits.impact.nodes.max,
  };
  try {
    if (dbtFieldErrors(branch.manifest).length > 0) throw new Problem('validation_error');
    const diff = await ports.diff(workspace, request);
    const fileOf = modelFiles(connector, branch.manifest, branch.settings);
    const ownersOfPath = await owners(host, place, pull.base);
    // What the repository has no file of is nobody's by it.
    const ownersOf: OwnersOf = (ref) => {
      const file = fileOf(ref);
      return file === null ? [] : ownersOfPath(file.path);
    };
    return checkReportOf({ diff, commit: pull.head, fileOf, ownersOf }, onBreaking);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const places = error.errors.map(({ path, message }) => `- ${code(path)} ${message}`).slice(0, 20);
    return unevaluatedReport(
      'The manifest cannot be compared',
      [`${error.message} It is not known what merging would break.`, '', ...places].join('\n'),
    );
  }
}

/** By the base: a pull request does not say itself who owns what. */
async function owners({ pullRequests, owners: { paths, syntax } }: CodeHost, place: RepositoryPlace, base: string) {
  for (const path of paths) {
    const file = await pullRequests.file(place, path, base);
    if (file) return ownersBy(file, syntax);
  }
  return () => [];
}

type BranchManifest = {
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly connectorId: string;
  readonly projectId: string | undefined;
  readonly settings: Pick<RepositoryChecks, 'project_path' | 'match_by'>;
};

type ManifestRequest = {
  readonly workspace: WorkspaceId;
  readonly host: CodeHost;
  readonly place: RepositoryPlace;
  readonly commit: string;
  readonly settings: RepositoryChecks | null;
};

const unnamed = { project_path: '', match_by: 'auto' } as const;

/**
 * The manifest of a commit: the one that was sent for it, else that of a workflow's artifact, else the file that is
 * configured. Null where there is none yet; `unreadable` where there is one and it is no JSON object.
 */
async function branchManifest(
  ports: CheckPorts,
  request: ManifestRequest,
): Promise<BranchManifest | 'unreadable' | null> {
  const { workspace, place, commit, settings } = request;
  const { pullRequests } = request.host;
  const sent = await ports.manifests.find(workspace, place.repository, commit);
  if (sent) {
    const to = { connectorId: sent.connector_id, projectId: sent.project_id ?? settings?.project_id ?? null };
    return read(await ports.manifests.bytes(sent), to, settings ?? unnamed);
  }
  if (settings === null) return null;
  const found =
    (await pullRequests.artifact(place, settings.artifact_name, commit)) ??
    (settings.manifest_path === null ? null : await pullRequests.file(place, settings.manifest_path, commit));
  return found && read(found, { connectorId: settings.connector_id, projectId: settings.project_id }, settings);
}

function read(
  bytes: Uint8Array,
  { connectorId, projectId }: { readonly connectorId: string; readonly projectId: string | null },
  settings: BranchManifest['settings'],
): BranchManifest | 'unreadable' {
  const value = readJson(bytes).value;
  if (!isJsonObject(value)) return 'unreadable';
  const { metadata } = value;
  const named =
    isJsonObject(metadata) && typeof metadata['project_name'] === 'string' ? metadata['project_name'] : undefined;
  return { manifest: value, connectorId, projectId: projectId ?? named, settings };
}
