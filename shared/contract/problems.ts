import * as v from 'valibot';

/** `hint`: what the caller can do about it, if that is the same each time. */
type ProblemSpec = { readonly status: number; readonly message: string; readonly hint?: string };

/** Every error code with its HTTP status and the rule it names: C-ERROR-8 to C-ERROR-10. */
export const problems = {
  invalid_json: { status: 400, message: 'The body is not well-formed JSON, or an object has the same key twice.' },
  invalid_compression: { status: 400, message: 'The body is not valid gzip.' },
  invalid_content_length: { status: 400, message: 'The Content-Length header is not a whole number of bytes.' },
  openlineage_body_required: { status: 400, message: 'A body is required.' },
  openlineage_invalid_json: {
    status: 400,
    message: 'The body is not well-formed JSON, or an object has the same key twice.',
  },
  openlineage_invalid_event: { status: 400, message: 'The body is not one JSON object.' },
  openlineage_invalid_batch: { status: 400, message: 'The body must be a non-empty array or { "events": [...] }.' },
  invalid_batch_empty: { status: 400, message: 'The batch has no event.' },
  unauthorized: { status: 401, message: 'A valid bearer token is required.' },
  invalid_project_key: { status: 401, message: 'The project key is unknown or revoked.' },
  invalid_server_key: { status: 401, message: 'The server key is unknown, revoked or belongs to another project.' },
  origin_not_allowed: { status: 403, message: 'The origin is not allowed by the project.' },
  insufficient_scope: { status: 403, message: 'The token does not have the scope that this route requires.' },
  insufficient_workspace_role: { status: 403, message: 'Your role in the workspace does not permit this request.' },
  workspace_token_mismatch: { status: 403, message: 'The token belongs to another workspace.' },
  session_required: {
    status: 403,
    message: 'This route requires a session token. Personal access tokens are not accepted.',
  },
  pats_disabled: { status: 403, message: 'Personal access tokens are disabled for the workspace.' },
  not_found: { status: 404, message: 'Not found: it does not exist, or you have no access to it.' },
  method_not_allowed: { status: 405, message: 'The route does not support this method.' },
  body_timeout: { status: 408, message: 'The body did not arrive in time.' },
  ambiguous_relation: {
    status: 409,
    message: 'Several relations have this name. Choose one by its connector.',
  },
  conflict: { status: 409, message: 'The resource is not in the state that the request expects.' },
  lineage_idempotency_conflict: { status: 409, message: 'The idempotency key was already used for different content.' },
  lineage_provider_scope_conflict: {
    status: 409,
    message: 'The idempotency key was already used for another connector or provider.',
  },
  lineage_provider_paused: { status: 409, message: 'The provider is paused.' },
  lineage_provider_disabled: { status: 409, message: 'The provider is disabled.' },
  body_too_large: { status: 413, message: 'The body exceeds the size limit.' },
  event_too_large: { status: 413, message: 'An event exceeds 32 KiB.' },
  openlineage_body_too_large: { status: 413, message: 'The body exceeds 8 MiB.' },
  openlineage_batch_too_large: { status: 413, message: 'The batch exceeds 1,000 events.' },
  unsupported_media_type: { status: 415, message: 'The content type is not supported.' },
  unsupported_content_encoding: { status: 415, message: 'The content encoding is not supported.' },
  openlineage_content_encoding_unsupported: {
    status: 415,
    message: 'A compressed body is not supported.',
    hint: 'Leave `compression` out of the HTTP transport of the OpenLineage client: in its configuration transport.compression, in the environment OPENLINEAGE__TRANSPORT__COMPRESSION.',
  },
  invalid_batch: { status: 422, message: 'The body is not a valid batch.' },
  invalid_event: { status: 422, message: 'An event breaks a rule.' },
  unsupported_event: {
    status: 422,
    message: 'An event is of a kind that is not supported.',
    hint: 'One unsupported event rejects the whole batch. Drop such events in before_send of the SDK.',
  },
  validation_error: { status: 422, message: 'A field breaks a rule.' },
  openlineage_workspace_required: {
    status: 422,
    message: 'workspace_id is required unless the token is bound to a workspace.',
  },
  lineage_snapshot_invalid: {
    status: 422,
    message: 'A complete snapshot needs its exact scope, a key, and a lossless export.',
  },
  lineage_connector_mismatch: {
    status: 422,
    message: 'The document describes a different platform than the connector.',
  },
  invalid_grant: { status: 422, message: 'The code was already used, has expired or belongs to another caller.' },
  rate_limited: { status: 429, message: 'The rate limit is reached.' },
  internal_error: { status: 500, message: 'The service failed. Retry the request.' },
  collection_disabled: { status: 503, message: 'Collection is disabled.' },
  delivery_unavailable: { status: 503, message: 'The event store is unavailable. Retry the batch with the same ids.' },
  unavailable: { status: 503, message: 'The service is unavailable. Retry the request.' },
} as const satisfies Record<string, ProblemSpec>;

/** The message of `not_found` for a path without a route. */
export const noEndpoint = 'No such endpoint.';

type CatalogueEntry = keyof typeof problems;

/** An empty batch on the compatible routes is `invalid_batch` with 400; on the native route it is 422. */
export type ProblemCode = Exclude<CatalogueEntry, 'invalid_batch_empty'>;

const RelationCandidate = v.object({
  /** Null if no connector owns the relation. */
  connector_id: v.nullable(v.string()),
  connector_name: v.nullable(v.string()),
  relation_ref: v.string(),
  upstream_count: v.number(),
  downstream_count: v.number(),
});
export type RelationCandidate = Readonly<v.InferOutput<typeof RelationCandidate>>;

const FieldError = v.object({ path: v.string(), message: v.string() });
export type FieldError = Readonly<v.InferOutput<typeof FieldError>>;

const hintOf = (entry: CatalogueEntry): string | null => {
  const spec: ProblemSpec = problems[entry];
  return spec.hint ?? null;
};

/** An expected refusal: thrown by a step of a request, rendered once by the error envelope. Never carries a value. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly errors: readonly FieldError[];
  readonly retryAfterSeconds: number | null;
  readonly hint: string | null;
  /** Of `method_not_allowed`: the methods that the path takes. */
  readonly allowedMethods: readonly string[];
  /** Of `ambiguous_relation`: what the name may mean. */
  readonly candidates: readonly RelationCandidate[];

  constructor(
    entry: CatalogueEntry,
    detail: {
      errors?: readonly FieldError[];
      retryAfterSeconds?: number;
      hint?: string;
      allowedMethods?: readonly string[];
      candidates?: readonly RelationCandidate[];
      message?: string;
      cause?: unknown;
    } = {},
  ) {
    super(detail.message ?? problems[entry].message, { cause: detail.cause });
    this.name = 'Problem';
    this.code = entry === 'invalid_batch_empty' ? 'invalid_batch' : entry;
    this.status = problems[entry].status;
    this.errors = detail.errors ?? [];
    this.retryAfterSeconds = detail.retryAfterSeconds ?? null;
    this.hint = detail.hint ?? hintOf(entry);
    this.allowedMethods = detail.allowedMethods ?? [];
    this.candidates = detail.candidates ?? [];
  }
}

/** The one body of every error: C-ERROR-1. */
export const ErrorEnvelope = v.object({
  detail: v.object({
    code: v.string(),
    message: v.string(),
    request_id: v.string(),
    hint: v.optional(v.nullable(v.string())),
    errors: v.optional(v.array(FieldError)),
    /** Of `ambiguous_relation` (C-IDENTITY-16): each relation that the name may mean, and how many neighbours it has. */
    candidates: v.optional(v.array(RelationCandidate)),
  }),
});
export type ErrorEnvelope = v.InferOutput<typeof ErrorEnvelope>;

export const errorEnvelope = (problem: Problem, requestId: string): ErrorEnvelope => ({
  detail: {
    code: problem.code,
    message: problem.message,
    request_id: requestId,
    ...(problem.hint !== null && { hint: problem.hint }),
    ...(problem.errors.length > 0 && { errors: problem.errors.map((error) => ({ ...error })) }),
    ...(problem.candidates.length > 0 && { candidates: problem.candidates.map((one) => ({ ...one })) }),
  },
});

/** Our own error for what should not happen. Its message may be logged: it never holds a value that a caller sent. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
