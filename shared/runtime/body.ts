import { Problem } from '../contract/problems.ts';
import type { Body, DocumentBody, JsonBody } from '../contract/route.ts';
import { gathered, inflated, isCorrupt, isInflated } from '../domain/base/json/inflate.ts';
import { malformedJson, readJson } from '../domain/base/json/read-json.ts';
import { readDeclaredBody } from '../domain/lineage/sources/read-body.ts';
import type { HttpRequest } from './api-gateway.ts';

type Head = Pick<HttpRequest, 'headers' | 'bytes'>;

/** Whether nothing was sent where nothing is needed. */
export const isLeftOut = (body: Body, bytes: Uint8Array): boolean =>
  body.kind === 'json' && body.optional === true && bytes.byteLength === 0;

/** Media type and encoding (415), and a readable length (400), from the headers; answers the encoding that the bytes have. */
export function checkBodyHead(body: Body, { headers, bytes }: Head): 'gzip' | null {
  requireJson(headers['content-type']);
  const encoding = encodingOf(body, headers['content-encoding']);
  requireLength(headers['content-length']);
  return encoding === 'gzip' && isInflated(bytes) ? null : encoding;
}

/** The JSON of a body. */
export type JsonText = {
  readonly json: unknown;
  /** Where the body holds a document: of all of it, of which `json` has as much as is read. */
  readonly documentDigest: string | null;
};

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The JSON value of a body, inflated up to the limit (413), without duplicate keys (400). */
export async function readJsonBody(body: JsonBody, chunks: Chunks, encoding: 'gzip' | null): Promise<JsonText> {
  if (isDocument(body)) return readDocumentBody(body, chunks, encoding);
  const bytes = await gathered(plain(body, chunks, encoding));
  const read = readJson(bytes);
  if (!read.ok) throw malformedJson('invalid_json', read);
  return { json: read.value, documentDigest: null };
}

/** The same of a body that holds a document. */
export async function readDocumentBody(body: DocumentBody, chunks: Chunks, encoding: 'gzip' | null) {
  const read = await readDeclaredBody(body.document, plain(body, chunks, encoding));
  if (!read.ok) throw malformedJson('invalid_json', read);
  return { json: read.body, documentDigest: read.documentDigest };
}

const isDocument = (body: JsonBody): body is DocumentBody => body.document !== undefined;

const plain = ({ maxBytes, maxInflatedBytes = maxBytes }: JsonBody, chunks: Chunks, encoding: 'gzip' | null): Chunks =>
  encoding === 'gzip' ? inflatedTo(maxInflatedBytes, chunks) : chunks;

/** 413 where the body as received exceeds the limit. */
export function checkSize({ maxBytes }: Pick<Body, 'maxBytes'>, bytes: Uint8Array): void {
  if (bytes.byteLength > maxBytes) throw new Problem('body_too_large');
}

function requireJson(contentType: string | undefined): void {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  const readable = charset === undefined || /^"?(utf-?8|us-ascii)"?$/.test(charset);
  if (type !== 'application/json' || !readable) throw new Problem('unsupported_media_type');
}

function encodingOf(body: Body, header: string | undefined): 'gzip' | null {
  const encoding = (header ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return null;
  if (body.kind === 'json' && body.gzip && (encoding === 'gzip' || encoding === 'x-gzip')) return 'gzip';
  throw new Problem('unsupported_content_encoding');
}

function requireLength(header: string | undefined): void {
  if (header !== undefined && !/^\d+$/.test(header)) throw new Problem('invalid_content_length');
}

/** Inflation stops at the limit, so that a bomb costs no more than an honest body. */
async function* inflatedTo(maxBytes: number, chunks: Chunks) {
  let length = 0;
  try {
    for await (const chunk of inflated(chunks)) {
      length += chunk.byteLength;
      if (length > maxBytes) throw new Problem('body_too_large');
      yield chunk;
    }
  } catch (error) {
    throw isCorrupt(error) ? new Problem('invalid_compression') : error;
  }
}
