import * as v from 'valibot';
import { resolutionMethods } from './vocabulary.ts';

/** What a reference was found to mean: C-IDENTITY-11. */
export const LineageResolution = v.object({
  method: v.picklist(resolutionMethods),
  /** Why it was not exact; null where it was. */
  fallback_reason: v.nullable(v.string()),
  /** Of an unresolved reference: up to ten of the nearest names (C-IDENTITY-12). */
  candidates: v.optional(v.array(v.string())),
});
export type LineageResolution = v.InferOutput<typeof LineageResolution>;
