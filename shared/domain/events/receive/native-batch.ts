import * as v from 'valibot';
import { CollectionBatch } from '../../../contract/collection.ts';
import { Problem } from '../../../contract/problems.ts';
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

/** A field of the batch itself; a name that the contract does not know is not repeated. */
function fieldError(issue: v.InferIssue<typeof CollectionBatch>): { path: string; message: string } {
  const field = issue.path?.[0].key;
  const known = field === 'project_key' || field === 'events';
  return { path: known ? `/${field}` : '', message: issue.message };
}

const pathOf = (index: number) => `/events/${index}`;

function nativeLines(events: readonly unknown[]): readonly string[] {
  const lines = compactLines(events, pathOf);
  requireValidEvents(events, pathOf);
  return lines;
}
