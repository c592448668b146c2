import leven from 'leven';
import * as v from 'valibot';
import { arrayPlaces } from '../contract/array-places.ts';
import { fieldErrors, placeOfName } from '../contract/field-errors.ts';
import { storableRule, unstorableAt } from '../contract/fields.ts';
import { type FieldError, Problem } from '../contract/problems.ts';
import type { Body, DocumentBody, JsonBody, Route } from '../contract/route.ts';
import { inflate, inflateChunks } from '../domain/base/body.ts';
import { malformedJson, parseExactJson, readJson } from '../domain/base/json/read-json.ts';
import { readDeclaredBody } from '../domain/lineage/sources/read-body.ts';
import type { HttpRequest } from './api-gateway.ts';

/** Whether nothing was sent where nothing is needed. */
export const isLeftOut = (body: Body, bytes: Uint8Array): boolean =>
  body.kind === 'json' && body.optional === true && bytes.byteLength === 0;

export type JsonText = {
  readonly json: unknown;
  /** For a document: the digest of the whole body. `json` has only the fields that are read. */
  readonly documentDigest: string | null;
};

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The JSON value of a body, inflated up to the limit (413), without duplicate keys (400). */
export async function readJsonBody(body: JsonBody, bytes: Uint8Array, encoding: 'gzip' | null): Promise<JsonText> {
  if (isDocument(body)) return readDocumentBody(body, [bytes], encoding);
  const plain = encoding === 'gzip' ? inflate(bytes, inflatedLimit(body)) : bytes;
  const read = readJson(plain, body.exact ? parseExactJson : undefined);
  if (!read.ok) throw malformedJson('invalid_json', read);
  return { json: read.value, documentDigest: null };
}

async function readDocumentBody(body: DocumentBody, chunks: Chunks, encoding: 'gzip' | null) {
  const plain = encoding === 'gzip' ? inflateChunks(chunks, inflatedLimit(body)) : chunks;
  const read = await readDeclaredBody(body.document, plain);
  if (!read.ok) throw malformedJson('invalid_json', read);
  return { json: read.body, documentDigest: read.documentDigest };
}

const isDocument = (body: JsonBody): body is DocumentBody => body.document !== undefined;

const inflatedLimit = ({ maxBytes, maxInflatedBytes = maxBytes }: JsonBody): number => maxInflatedBytes;

type FieldTexts = Pick<HttpRequest, 'params' | 'query' | 'headers'>;

export type RequestFields = { readonly params: unknown; readonly query: unknown; readonly headers: unknown };

/** The fields outside the body, each place by its schema; 422 lists the errors of all of them. */
export function readFields(route: Route, request: FieldTexts): RequestFields {
  const read = outside(route, request);
  if (read.errors.length > 0) throw new Problem('validation_error', { errors: read.errors });
  return read.fields;
}

/** The same with the body: one 422 for everything. */
export function readFieldsAndBody(
  route: Route,
  request: FieldTexts,
  json: unknown,
): RequestFields & { readonly body: unknown } {
  const read = outside(route, request);
  const body = bodyOf(route, json);
  const errors = [...read.errors, ...body.errors];
  if (errors.length > 0) throw new Problem('validation_error', { errors });
  return { ...read.fields, body: body.output };
}

/** The body by its schema, if the other fields have been read; 422 lists its errors. */
export function readBodyFields(route: Route, json: unknown): unknown {
  const { output, errors } = bodyOf(route, json);
  if (errors.length > 0) throw new Problem('validation_error', { errors });
  return output;
}

/** The valid value of a document's body that came by another way than the request: 400, 413 and 422 as if it were the request's. */
export async function readValidDocument<Value>(
  route: DocumentBody<Value>,
  chunks: AsyncIterable<Uint8Array>,
  encoding: 'gzip' | null,
): Promise<{ readonly body: Value; readonly documentDigest: string }> {
  const { json, documentDigest } = await readDocumentBody(route, chunks, encoding);
  const { output, errors } = parse(route.schema, json, '', documents);
  if (errors.length > 0) throw new Problem('validation_error', { errors });
  return { body: output as Value, documentDigest };
}

const outside = (route: Route, { params, query, headers }: FieldTexts) => {
  const read = {
    params: parse(route.params, params, '/params'),
    query: parse(route.query, query, '/query'),
    headers: parse(route.headers, headers, '/headers'),
  };
  return {
    fields: { params: read.params.output, query: read.query.output, headers: read.headers.output },
    errors: [
      ...read.params.errors,
      ...read.query.errors,
      ...unknownParameters(route, Object.keys(query)),
      ...read.headers.errors,
      ...preconditionErrors(route, headers),
    ],
  };
};

/** No answer has an ETag, so that a write would ignore its condition: C-ERROR-16. */
const preconditionErrors = ({ method }: Route, headers: HttpRequest['headers']): FieldError[] =>
  ['if-match', 'if-none-match', 'if-unmodified-since']
    .filter((name) => method !== 'GET' && headers[name] !== undefined)
    .map((name) => ({
      path: `/headers/${name}`,
      message: 'is not supported; a policy takes expected_revision instead',
    }));

/** A parameter that the route does not have is most likely misspelt, and the answer would ignore it: C-ERROR-14. */
function unknownParameters({ query: schema, access }: Route, names: readonly string[]): FieldError[] {
  if (access.kind === 'public') return [];
  const entries = schema !== undefined && 'entries' in schema ? schema.entries : null;
  const documented = typeof entries === 'object' && entries !== null ? Object.keys(entries) : [];
  return (
    names
      // Clients name the workspace everywhere; a route that needs none still takes it.
      .filter((name) => name !== 'workspace_id' && !documented.includes(name))
      .map((name) => {
        const near = documented.find((one) => name.length <= 64 && leven(one, name) <= Math.max(2, one.length / 3));
        const hint = near === undefined ? '' : `; did you mean ${near}?`;
        return { path: placeOfName(['query', name]), message: `is not a parameter of this request${hint}` };
      })
  );
}

const bodyOf = ({ body }: Route, json: unknown): Parsed =>
  body?.kind === 'json' ? parse(body.schema, json, '', body.document ? documents : []) : { output: null, errors: [] };

/** What they hold is read an item at a time, and an item is refused by itself. */
const documents = ['export', 'manifest', 'project'];

type Parsed = { readonly output: unknown; readonly errors: readonly FieldError[] };

function parse(
  schema: v.GenericSchema | undefined,
  value: unknown,
  root: string,
  except: readonly string[] = [],
): Parsed {
  if (schema === undefined) return { output: {}, errors: [] };
  const arrays = arrayPlaces(schema, value, root);
  if (arrays.length > 0)
    return { output: null, errors: arrays.map((path) => ({ path, message: 'must be an object' })) };
  const result = v.safeParse(schema, value);
  if (!result.success) return { output: null, errors: fieldErrors(root, result.issues) };
  const path = unstorableAt(result.output, root, except);
  return path === null
    ? { output: result.output, errors: [] }
    : { output: null, errors: [{ path, message: storableRule }] };
}
