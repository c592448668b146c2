import * as v from 'valibot';
import { CollectionBatch } from '../../../contract/collection.ts';
import { placeOf } from '../../../contract/field-errors.ts';
import { type FieldError, Problem } from '../../../contract/problems.ts';
import type { Batch } from './batch.ts';
import { compactLines } from './compact-lines.ts';
import { parseExactJson } from './exact-json.ts';
import { requireValidEvents } from './validate-events.ts';

/** Reads a CollectionBatch (C-COLLECT-1): 400 `invalid_json`, 422 `invalid_batch`; later 413 and 422 of its events. */
export function parseNativeBatch(text: string): Batch {
  const batch = v.safeParse(CollectionBatch, parseExactJson(text));
  if (!batch.success) throw new Problem('invalid_batch', { errors: batch.issues.map(fieldError) });
  const { project_key, events } = batch.output;
  return { projectKey: project_key, size: events.length, lines: () => nativeLines(events) };
}

const fieldError = (issue: v.InferIssue<typeof CollectionBatch>): FieldError => ({
  path: placeOf(issue),
  message: issue.message,
});

const pathOf = (index: number) => `/events/${index}`;

function nativeLines(events: readonly unknown[]): readonly string[] {
  const lines = compactLines(events, pathOf);
  requireValidEvents(events, pathOf);
  return lines;
}
