import type { CheckSettings } from '../../../contract/codehost-checks.ts';
import type { DiffProject, LineageDiff } from '../../../contract/diff.ts';
import type { WorkspaceId } from '../../../contract/ids.ts';
import { limits } from '../../../contract/limits.ts';
import type { CheckPullRequest } from '../../../contract/messages.ts';
import { Problem } from '../../../contract/problems.ts';
import type { Connector } from '../../identity/connector.ts';
import type { OwnersOf } from '../../report/diff-report.ts';
import { code } from '../../report/markdown.ts';
import { dbtFieldErrors } from '../../sources/dbt/manifest.ts';
import { appOf, credentialsOf } from '../apps.ts';
import type { CodehostReadPorts } from '../ports.ts';
import { type BranchManifest, branchManifest } from './branch-manifest.ts';
import { codeownersPaths, ownersBy } from './codeowners.ts';
import { modelFiles } from './model-files.ts';
import type {
  CheckSettingsStore,
  CommitLeases,
  ManifestStore,
  PullRequest,
  PullRequestsOfHost,
  RepositoryPlace,
} from './ports.ts';
import { publishVerdict } from './publish-verdict.ts';
import { noVerdict, type Verdict, verdictOf } from './verdict.ts';

export type CheckPorts = CodehostReadPorts & {
  readonly pullRequests: PullRequestsOfHost;
  readonly manifests: Pick<ManifestStore, 'find' | 'bytes'>;
  readonly settings: Pick<CheckSettingsStore, 'find'>;
  readonly leases: CommitLeases;
  readonly connectorsOf: (workspace: WorkspaceId) => Promise<readonly Connector[]>;
  /** Compares a branch with what is live. Throws `Problem`. */
  readonly diff: (workspace: WorkspaceId, project: DiffProject) => Promise<LineageDiff>;
};

/** Another worker writes of the same commit: the message comes again. */
export class CommitBusy extends Error {}

/**
 * Checks a pull request as it is now, whatever asked for it: its head's manifest against what is live, as a check run of
 * its head. Does nothing where the pull request, the app or the installation is gone. Throws `HostFailure` and `CommitBusy`.
 */
export async function checkPullRequest(ports: CheckPorts, message: CheckPullRequest): Promise<void> {
  const { workspace_id: workspace, config_id, installation_id, repository, number } = message;
  const app = await appOf(ports, workspace, config_id);
  const installation = await ports.registry.installations.find({ workspace_id: workspace, config_id, installation_id });
  if (!app || installation?.record.status !== 'active') return;
  const credentials = await credentialsOf(ports.secrets, app);
  if (credentials === null) return;
  const place = { credentials, installation: installation_id, repository };
  const pull = await ports.pullRequests.find(place, number);
  if (!pull?.isOpen) return;
  const release = await ports.leases.take(workspace, repository, pull.head, ports.clock.now());
  if (release === null) throw new CommitBusy();
  try {
    const verdict = await judge(ports, workspace, place, pull);
    if (verdict) await publishVerdict(ports.pullRequests, place, pull.head, verdict);
  } finally {
    await release();
  }
}

/** Null of a repository that nobody named, and for whose commit nobody sent a manifest. */
async function judge(
  ports: CheckPorts,
  workspace: WorkspaceId,
  place: RepositoryPlace,
  pull: PullRequest,
): Promise<Verdict | null> {
  const chosen = (await ports.settings.find(workspace))?.record;
  const isNamed = (one: { readonly repository: string }) =>
    one.repository.toLowerCase() === place.repository.toLowerCase();
  const settings = chosen?.repositories.find(isNamed) ?? null;
  const branch = await branchManifest(ports, { workspace, place, commit: pull.head, settings });
  if (branch === 'unreadable') return noVerdict('The manifest cannot be read', unreadable);
  if (branch === null) return settings && noVerdict('Waiting for the manifest of this commit', waiting);
  return compared(ports, workspace, { place, pull, branch, onBreaking: chosen?.on_breaking ?? 'neutral' });
}

const unreadable =
  'The manifest of this commit is no JSON object, is too large, or its artifact holds no `manifest.json`. What merging would break is not known.';

const waiting =
  'No manifest of this commit was found: neither sent by `tributary diff --upload`, nor in an artifact of a workflow run, nor as a file of the repository. What merging would break is not known. This check changes when one comes.';

type Comparing = {
  readonly place: RepositoryPlace;
  readonly pull: PullRequest;
  readonly branch: BranchManifest;
  readonly onBreaking: CheckSettings['on_breaking'];
};

async function compared(ports: CheckPorts, workspace: WorkspaceId, comparing: Comparing): Promise<Verdict> {
  const { place, pull, branch, onBreaking } = comparing;
  const connector = (await ports.connectorsOf(workspace)).find(({ id }) => id === branch.connectorId);
  if (!connector)
    return noVerdict('The connector is gone', 'The connector that this repository is compared with is not there.');
  const asked: DiffProject = {
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
    const diff = await ports.diff(workspace, asked);
    const fileOf = modelFiles(connector, branch.manifest, branch.settings);
    const ownersOfPath = await owners(ports.pullRequests, place, pull.base);
    // What the repository has no file of is nobody's by it.
    const ownersOf: OwnersOf = (ref) => {
      const file = fileOf(ref);
      return file === null ? [] : ownersOfPath(file.path);
    };
    return verdictOf({ diff, commit: pull.head, fileOf, ownersOf }, onBreaking);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const places = error.errors.map(({ path, message }) => `- ${code(path)} ${message}`).slice(0, 20);
    return noVerdict(
      'The manifest cannot be compared',
      [`${error.message} What merging would break is not known.`, '', ...places].join('\n'),
    );
  }
}

/** By the base: a pull request does not say itself who owns what. */
async function owners(host: PullRequestsOfHost, place: RepositoryPlace, base: string) {
  for (const path of codeownersPaths) {
    const file = await host.file(place, path, base);
    if (file) return ownersBy(file);
  }
  return () => [];
}
