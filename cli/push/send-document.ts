import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Api } from '../../shared/client/api.ts';
import { routes } from '../../shared/contract/api/routes.ts';
import { limits } from '../../shared/contract/limits.ts';
import type { DeclaredKind } from '../../shared/contract/vocabulary.ts';
import { UsageError } from '../command-error.ts';
import { upload } from './upload.ts';

/** A declared document as it is sent: fields as JSON, the document's files as the bytes that they hold. */
export type OutgoingDocument = {
  readonly kind: DeclaredKind;
  readonly fields: Readonly<Record<string, string | undefined>>;
  readonly parts: Readonly<Record<string, Buffer>>;
  /** Names the delivery; it is made of the content and of `commit` where there is none. */
  readonly key: string | undefined;
  readonly commit: string | null;
  /** Takes the document although its platform is not the connector's; no part of its key. */
  readonly force?: boolean | undefined;
};

const compressFrom = 32 * 1024;
const zip = promisify(gzip);

const declaredRoutes = {
  dbt_manifest: routes.postDbtManifest,
  sqlmesh_project: routes.postSqlmeshProject,
  datahub_catalog: routes.postDatahubExport,
} as const satisfies Record<DeclaredKind, unknown>;

/** Sends a document, by an upload where it is too large for a request, and answers the receipt. */
export async function sendDocument(api: Api, workspace_id: string, document: OutgoingDocument): Promise<unknown> {
  const key = document.key ?? keyOf(document);
  const body = joined(
    { ...document.fields, workspace_id, source_event_key: key, force: document.force },
    document.parts,
  );
  if (body.length > limits.declared.bodyBytes)
    throw new UsageError(`The document has ${body.length} bytes, and at most ${limits.declared.bodyBytes} are taken.`);
  const isCompressed = body.length > compressFrom;
  const bytes = new Uint8Array(isCompressed ? await zip(body) : body);
  const encoding = isCompressed ? 'gzip' : null;
  if (bytes.length > limits.inlineBytes)
    return upload(api, { workspace_id, kind: document.kind, idempotency_key: key, bytes, encoding });
  return api.ask(declaredRoutes[document.kind], {
    bytes,
    headers: { ...(encoding && { 'content-encoding': encoding }) },
  });
}

/** The same content of the same commit is the same delivery, whatever repeats the command. */
function keyOf({ kind, fields, parts, commit }: OutgoingDocument): string {
  const digest = createHash('sha256').update(joined(fields, parts)).digest('hex');
  return [kind, commit ?? 'no-commit', digest].join(':');
}

/** One JSON object of fields and of parts that are JSON already: they are not parsed and written anew. */
function joined(
  fields: Readonly<Record<string, string | boolean | undefined>>,
  parts: OutgoingDocument['parts'],
): Buffer {
  const head = JSON.stringify(fields).slice(0, -1);
  const tail = Object.entries(parts).flatMap(([name, bytes]) => [Buffer.from(`,${JSON.stringify(name)}:`), bytes]);
  return Buffer.concat([Buffer.from(head), ...tail, Buffer.from('}')]);
}
