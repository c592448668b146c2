import * as v from 'valibot';
import type { Problem } from './problems.ts';

/** The one body of every error: C-ERROR-1. */
export const ErrorEnvelope = v.object({
  detail: v.object({
    code: v.string(),
    message: v.string(),
    request_id: v.string(),
    hint: v.optional(v.nullable(v.string())),
    errors: v.optional(v.array(v.object({ path: v.string(), message: v.string() }))),
    /** Of `ambiguous_relation` (C-IDENTITY-16): each relation that the name may mean, and how many neighbours it has. */
    candidates: v.optional(
      v.array(
        v.object({
          connector_id: v.nullable(v.string()),
          connector_name: v.nullable(v.string()),
          relation_ref: v.string(),
          upstream_count: v.number(),
          downstream_count: v.number(),
        }),
      ),
    ),
  }),
});
export type ErrorEnvelope = v.InferOutput<typeof ErrorEnvelope>;

/** What a caller is told of a problem. */
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
