import { createHash } from 'node:crypto';
import { idOf, UploadId, type WorkspaceId } from '../../../../contract/ids.ts';
import { Problem } from '../../../../contract/problems.ts';
import type { Payload } from '../open-delivery.ts';
import type { Upload, UploadPlace, UploadStore } from './upload.ts';

/** The upload of that id, until its time is over. Throws `not_found`. */
export async function findUpload(
  { uploads }: { readonly uploads: UploadStore },
  workspace: WorkspaceId,
  id: string,
  now: Date,
): Promise<Upload> {
  const upload = await uploads.find(workspace, idOf(UploadId, id.toLowerCase()));
  if (!upload || upload.complete_before <= now.toISOString()) throw new Problem('not_found');
  return upload;
}

type UploadReader = { readonly place: Pick<UploadPlace, 'read'> };

/** What `read` makes of the bytes. Throws `conflict` if there are none, `validation_error` if they are others. */
export async function readUpload<T>(
  { place }: UploadReader,
  upload: Upload,
  read: (chunks: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  try {
    return await read(announced(upload, await place.read(upload)));
  } catch (error) {
    // What cannot be read is refused before its last byte has come.
    for await (const _ of announced(upload, await place.read(upload)));
    throw error;
  }
}

/** Storage holds a PUT to length and digest already; a local emulator does not. */
async function* announced(
  { content_length, sha256 }: Upload,
  chunks: AsyncIterable<Uint8Array> | null,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (chunks === null) throw new Problem('conflict', { message: 'The bytes of the upload have not been put yet.' });
  const hash = createHash('sha256');
  let length = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    length += chunk.byteLength;
    yield chunk;
  }
  const path = length !== content_length ? '/content_length' : hash.digest('hex') !== sha256 ? '/sha256' : null;
  if (path !== null) throw otherBytes(path);
}

export const otherBytes = (path: '/content_length' | '/sha256'): Problem =>
  new Problem('validation_error', { errors: [{ path, message: 'must be that of the bytes that were put' }] });

export const uploadPayload = ({ place }: { readonly place: Pick<UploadPlace, 'keep'> }, upload: Upload): Payload => ({
  digest: Buffer.from(upload.sha256, 'hex').toString('base64url'),
  contentType: 'application/json',
  contentEncoding: upload.content_encoding,
  deflated: null,
  keep: (delivery) => place.keep(upload, delivery),
});
