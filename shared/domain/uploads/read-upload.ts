import { createHash } from 'node:crypto';
import { idOrNull, UploadId, type WorkspaceId } from '../../contract/ids.ts';
import { Problem } from '../../contract/problems.ts';
import type { UploadPlace, UploadStore } from './ports.ts';
import type { Upload } from './upload.ts';

/** The upload of that id, until its time is over. Throws `not_found`. */
export async function findUpload(
  { uploads }: { readonly uploads: UploadStore },
  workspace: WorkspaceId,
  id: string,
  now: Date,
): Promise<Upload> {
  const known = idOrNull(UploadId, id.toLowerCase());
  const upload = known && (await uploads.find(workspace, known));
  if (!upload || upload.complete_before <= now.toISOString()) throw new Problem('not_found');
  return upload;
}

/** The bytes that were put. Throws `conflict` where none were, or others than were announced. */
export async function uploadedBytes({ place }: { readonly place: UploadPlace }, upload: Upload): Promise<Uint8Array> {
  const bytes = await place.read(upload);
  if (bytes === null) throw new Problem('conflict', { message: 'The bytes of the upload have not been put yet.' });
  // Storage holds a PUT to both already; a local emulator does not.
  const isAnnounced = bytes.byteLength === upload.content_length && hexSha256(bytes) === upload.sha256;
  if (!isAnnounced) throw new Problem('conflict', { message: 'The bytes that were put are not those announced.' });
  return bytes;
}

const hexSha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
