// What a model that adds to its table needs of that table: its next run fails without these columns.
import { wordsIn, wordsOfIncrementalParts } from './incremental-parts.ts';
import type { Model } from './model-project.ts';

const adding: ReadonlySet<string> = new Set(['incremental', 'snapshot']);

/** Whether a run that is no full refresh keeps the table and adds to it. */
export const addsToTable = ({ settings }: Model): boolean => adding.has(settings?.materialized ?? '');

/**
 * In lower case, what names the columns of its table that a model needs: its settings, such as `unique_key`, what it reads
 * of the table, and what its tool adds.
 */
export function ownWords(model: Model): ReadonlySet<string> {
  const { settings, addedColumns, ownColumns = [] } = model;
  const added = [...addedColumns, ...ownColumns].map((name) => name.toLowerCase());
  if (!addsToTable(model)) return new Set(added);
  const named = Object.values(settings?.values ?? {}).flatMap(wordsIn);
  return new Set([...added, ...named, ...wordsOfIncrementalParts(settings?.template)]);
}
