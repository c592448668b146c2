import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { routes } from '../../shared/contract/api/routes.ts';
import { limits } from '../../shared/contract/limits.ts';
import { dbtScope } from '../../shared/domain/lineage/ingest/scope-names.ts';
import { putUpload } from '../push/push-document.ts';
import type { Session } from '../session.ts';
import { type PullRequestOptions, placeOf } from './pull-request.ts';

type Manifest = { readonly bytes: Buffer; readonly folder: string; readonly projectId: string | undefined };

const zip = promisify(gzip);

/** Sends the manifest of a pull request's commit, so that the service checks the pull request at its code host. */
export async function sendManifest(
  session: Session,
  { bytes, folder, projectId }: Manifest,
  options: PullRequestOptions,
): Promise<unknown> {
  const [api, workspace, connector] = [
    await session.api(),
    await session.workspace(),
    await session.connector(dbtScope(projectId)),
  ];
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
