import * as v from 'valibot';
import { fieldErrors } from '../contract/field-errors.ts';
import { storableRule, unstorableAt } from '../contract/fields.ts';
import { type FieldError, Problem } from '../contract/problems.ts';
import type { DocumentBody, Route } from '../contract/route.ts';
import type { HttpRequest } from './api-gateway.ts';
import { readDocumentBody } from './body.ts';

export type RequestFields = { readonly params: unknown; readonly query: unknown; readonly headers: unknown };

/** The fields outside the body, each place by its schema; 422 lists the errors of all of them. */
export function readFields(route: Route, request: HttpRequest): RequestFields {
  const read = outside(route, request);
  if (read.errors.length > 0) throw new Problem('validation_error', { errors: read.errors });
  return read.fields;
}

/** The same with the body: one 422 for everything. */
export function readFieldsAndBody(
  route: Route,
  request: HttpRequest,
  json: unknown,
): RequestFields & { readonly body: unknown } {
  const read = outside(route, request);
  const body = readBodyFields(route, json);
  const errors = [...read.errors, ...body.errors];
  if (errors.length > 0) throw new Problem('validation_error', { errors });
  return { ...read.fields, body: body.output };
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

const outside = (route: Route, { params, query, headers }: HttpRequest) => {
  const read = {
    params: parse(route.params, params, '/params'),
    query: parse(route.query, query, '/query'),
    headers: parse(route.headers, headers, '/headers'),
  };
  return {
    fields: { params: read.params.output, query: read.query.output, headers: read.headers.output },
    errors: [...read.params.errors, ...read.query.errors, ...read.headers.errors],
  };
};

const readBodyFields = ({ body }: Route, json: unknown): Parsed =>
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
  const result = v.safeParse(schema, value);
  if (!result.success) return { output: null, errors: fieldErrors(root, result.issues) };
  const path = unstorableAt(result.output, root, except);
  return path === null
    ? { output: result.output, errors: [] }
    : { output: null, errors: [{ path, message: storableRule }] };
}
