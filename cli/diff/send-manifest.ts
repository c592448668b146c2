import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import * as v from 'valibot';
import { routes } from '../../shared/contract/api/routes.ts';
import { limits } from '../../shared/contract/limits.ts';
import { UsageError } from '../outcome.ts';
import { commitOf, putUpload } from '../push/push-document.ts';
import type { Session } from '../session.ts';
import type { Terminal } from '../terminal/terminal.ts';

export type PullRequestOptions = {
  readonly repository?: string;
  readonly commit?: string;
  readonly pullRequest?: number;
  readonly project?: string;
};

type Manifest = { readonly bytes: Buffer; readonly folder: string; readonly projectId: string | undefined };

const zip = promisify(gzip);

/** Sends the manifest of a pull request's commit, so that the service checks the pull request at its code host. */
export async function sendManifest(
  session: Session,
  { bytes, folder, projectId }: Manifest,
  options: PullRequestOptions,
): Promise<unknown> {
  const [api, workspace, connector] = [await session.api(), await session.workspace(), await session.connector()];
  const fields = {
    workspace_id: workspace.id,
    connector_id: connector.id,
    project_id: projectId,
    ...placeOf(session.terminal, folder, options),
  };
  session.progress.say('sending the manifest');
  const whole = new Uint8Array(await zip(joined({ ...fields }, bytes)));
  if (whole.length <= limits.inlineBytes)
    return api.ask(routes.postManifest, { bytes: whole, headers: { 'content-encoding': 'gzip' } });
  const packed = new Uint8Array(await zip(bytes));
  const announced = { workspace_id: workspace.id, kind: 'dbt_manifest', idempotency_key: undefined } as const;
  const upload_id = await putUpload(api, { ...announced, bytes: packed, encoding: 'gzip' });
  return api.ask(routes.postManifest, { body: { ...fields, upload_id } });
}

const joined = (fields: object, manifest: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify(fields).slice(0, -1)},"manifest":`), manifest, Buffer.from('}')]);

function placeOf(terminal: Terminal, folder: string, options: PullRequestOptions) {
  const event = eventOf(terminal);
  return {
    repository: required('--repository', options.repository ?? terminal.env['GITHUB_REPOSITORY']),
    commit_sha: required('--commit', options.commit ?? event?.head.sha ?? commitOf(terminal, folder)),
    pull_request: required('--pull-request', options.pullRequest ?? event?.number),
  };
}

function required<T>(option: string, value: T | null | undefined): T {
  if (value !== null && value !== undefined) return value;
  throw new UsageError(`The pull request to upload for is not known: ${option} is missing.`);
}

const Event = v.object({ pull_request: v.object({ number: v.number(), head: v.object({ sha: v.string() }) }) });

/** What GitHub Actions runs for: its `GITHUB_SHA` is a merge that nobody pushed. */
function eventOf({ env }: Terminal) {
  const file = env['GITHUB_EVENT_PATH'];
  if (!file) return null;
  try {
    return v.parse(Event, JSON.parse(readFileSync(file, 'utf8'))).pull_request;
  } catch {
    // Not of a pull request: then the options say which.
    return null;
  }
}
