import * as v from 'valibot';
import { UserId } from '../../contract/ids.ts';
import { Problem } from '../../contract/problems.ts';
import { type Author, auditEntry, type StoredRecord } from '../workspaces/access/records.ts';
import { type App, credentialsOf } from './apps.ts';
import { HostFailure } from './code-host.ts';
import type { CodehostReader } from './ports.ts';
import type { InstallationRecord } from './records.ts';

type InstallationReport = Pick<InstallationRecord, 'status' | 'last_error'> & Partial<InstallationRecord>;

const maxAttempts = 4;

/**
 * Stores an installation as the host reports it now, in the name of the user who added it. While the host does not
 * respond, it is stored unverified, with the reason. Throws `validation_error` if the host has no such installation, and
 * `conflict` if another workspace has it.
 */
export async function keepInstallation(
  ports: CodehostReader,
  author: Author | null,
  app: App,
  installation_id: string,
): Promise<InstallationRecord> {
  const report = await tellOf(ports, app, installation_id);
  if (report.status === 'deleted') throw unknownInstallation();
  return written(ports, { author: author ?? hostOf(app), app, installation_id }, report);
}

/** Takes what the host tells now of an installation that is there: it may be suspended or gone. Throws `HostFailure` where it must answer. */
export async function refreshInstallation(
  ports: CodehostReader,
  app: App,
  { record }: StoredRecord<InstallationRecord>,
  mustAnswer = true,
): Promise<InstallationRecord> {
  const report = await tellOf(ports, app, record.installation_id, mustAnswer);
  return written(ports, { author: hostOf(app), app, installation_id: record.installation_id }, report);
}

/** The actor in the audit log for changes that a host reports by webhook. */
const hostOf = ({ workspace_id }: App): Author => ({ workspace: workspace_id, userId: v.parse(UserId, 'codehost') });

/** Nothing to keep where the host has no such installation any more. */
export function nullIfUnknown(error: unknown): null {
  if (error instanceof Problem && error.code === 'validation_error') return null;
  throw error;
}

/** Truth is what the host tells when it is asked: events of it come late, twice and in any order. */
async function tellOf(ports: CodehostReader, app: App, id: string, mustAnswer = false): Promise<InstallationReport> {
  const known = await credentialsOf(ports.secrets, app);
  if (known === null) return { status: 'unverified', last_error: 'The secrets of the app are missing.' };
  try {
    const found = await ports.hosts[app.kind].apps.installation(known, id);
    if (found === null) return { status: 'deleted', last_error: null };
    return {
      ...found,
      status: found.suspended_at === null ? 'active' : 'suspended',
      deleted_at: null,
      last_error: null,
    };
  } catch (error) {
    if (mustAnswer || !(error instanceof HostFailure)) throw error;
    return { status: 'unverified', last_error: error.message };
  }
}

const unknownInstallation = () =>
  new Problem('validation_error', {
    errors: [{ path: '/installation_id', message: 'must be an installation of the app' }],
  });

type InstallationOf = { readonly author: Author; readonly app: App; readonly installation_id: string };

async function written(
  ports: CodehostReader,
  { author, app, installation_id }: InstallationOf,
  report: InstallationReport,
): Promise<InstallationRecord> {
  const { registry } = ports;
  const place = { workspace_id: author.workspace, config_id: app.id, installation_id };
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const before = await registry.installations.find(place);
    const record = recordOf(ports, before?.record ?? emptyRecord(ports, author, place), report);
    const writes = before
      ? [registry.installations.replace(before, record)]
      : [registry.installations.create(record), registry.installationPlaces.create(place)];
    const subject = { config_id: app.id, installation_id, status: record.status, account_login: record.account_login };
    const entry = { workspace_id: author.workspace, action: 'codehost_installation.put', subject };
    if (await registry.commit([...writes, registry.audit.create(auditEntry(ports, author.userId, entry))]))
      return record;
    const owner = await registry.installationPlaces.find(place);
    if (owner && owner.record.workspace_id !== author.workspace) break;
  }
  throw new Problem('conflict');
}

function recordOf(
  { clock }: CodehostReader,
  before: InstallationRecord,
  report: InstallationReport,
): InstallationRecord {
  const at = clock.now().toISOString();
  const deleted_at = report.status === 'deleted' ? (before.deleted_at ?? at) : null;
  // What was verified once is not less known because the host cannot be asked now.
  const status = report.status === 'unverified' ? before.status : report.status;
  return { ...before, ...report, status, deleted_at, updated_at: at };
}

const emptyRecord = (
  { clock }: CodehostReader,
  { userId }: Author,
  place: Pick<InstallationRecord, 'workspace_id' | 'config_id' | 'installation_id'>,
): InstallationRecord => ({
  ...place,
  status: 'unverified',
  account_login: null,
  account_type: null,
  html_url: null,
  permissions: {},
  repository_selection: null,
  target_id: null,
  target_type: null,
  suspended_at: null,
  deleted_at: null,
  installed_by: userId,
  last_error: null,
  created_at: clock.now().toISOString(),
  updated_at: clock.now().toISOString(),
});
