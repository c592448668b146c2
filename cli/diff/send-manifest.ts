import { routes } from '../../shared/contract/api/routes.ts';
import { limits } from '../../shared/contract/limits.ts';
import { dbtScope } from '../../shared/domain/lineage/ingest/scope-names.ts';
import { joinJson, putUpload, zip } from '../push/push-document.ts';
import type { Session } from '../session.ts';
import { type PullRequestOptions, placeOf } from './pull-request.ts';

type Manifest = { readonly bytes: Buffer; readonly folder: string; readonly projectId: string | undefined };

/** Sends the manifest of a pull request's commit, so that the service checks the pull request at its code host. */
export async function sendManifest(
  session: Session,
  { bytes, folder, projectId }: Manifest,
  options: PullRequestOptions,
): Promise<unknown> {
  const fields = {
    workspace_id: (await session.workspace()).id,
    connector_id: (await session.connector(dbtScope(projectId))).id,
    project_id: projectId,
    ...placeOf(session.terminal, folder, options),
  };
  session.progress.say('sending the manifest');
  const whole = new Uint8Array(await zip(joinJson(fields, { manifest: bytes })));
  if (whole.length <= limits.inlineBytes)
    return session.ask(routes.postManifest, { bytes: whole, headers: { 'content-encoding': 'gzip' } });
  const packed = new Uint8Array(await zip(bytes));
  const upload_id = await putUpload(session, { kind: 'dbt_manifest', bytes: packed, encoding: 'gzip' });
  return session.ask(routes.postManifest, { body: { ...fields, upload_id } });
}
