import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { Api } from '../../shared/client/api.ts';
import { Unreachable } from '../../shared/client/api-failure.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { UploadTicket } from '../../shared/contract/uploads.ts';
import type { DeliveryKind } from '../../shared/contract/vocabulary.ts';
import { CommandError, exitCodes } from '../outcome.ts';

type Upload = {
  readonly workspace_id: string;
  readonly kind: DeliveryKind;
  readonly idempotency_key: string | undefined;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly encoding: 'gzip' | null;
  readonly binding?: { readonly connector_id?: string | undefined; readonly provider_key?: string | undefined };
};

export async function upload(api: Api, announced: Upload): Promise<unknown> {
  const upload_id = await putUpload(api, announced);
  return api.ask(routes.completeUpload, { params: { upload_id }, body: { workspace_id: announced.workspace_id } });
}

/** The same without completing it: answers its id. */
export async function putUpload(api: Api, { bytes, encoding, binding, ...announced }: Upload): Promise<string> {
  const ticket = v.parse(
    UploadTicket,
    await api.ask(routes.createUpload, {
      body: {
        ...announced,
        ...binding,
        content_length: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        ...(encoding && { content_encoding: encoding }),
      },
    }),
  );
  await put(ticket, bytes);
  return ticket.upload_id;
}

async function put({ method, url, headers }: UploadTicket, body: Uint8Array<ArrayBuffer>): Promise<void> {
  const { origin } = new URL(url);
  const response = await fetch(url, { method, headers, body }).catch((error: unknown) => {
    throw new Unreachable(origin, error);
  });
  if (response.ok) return;
  throw new CommandError(exitCodes.unavailable, `${origin} does not take the upload: it answers ${response.status}.`, [
    'Run the command again. What was already sent is not sent twice.',
  ]);
}
