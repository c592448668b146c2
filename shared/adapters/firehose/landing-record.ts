import * as v from 'valibot';
import type { RowOrigin } from '../../contract/collection.ts';
import { landingColumns, landingDay } from '../../contract/iceberg.ts';
import { parseExactJson } from '../../domain/events/receive/exact-json.ts';

const Event = v.record(v.string(), v.unknown());

/**
 * The events of a batch as the stream takes them, each id once: rows with every column as text, in JSON. Objects are JSON
 * text, so that a number keeps the digits that were sent (C-LAKE-4).
 */
export function landingRecords(lines: readonly string[], origin: RowOrigin): readonly Uint8Array[] {
  const rows = new Map<string, string>();
  for (const line of lines) {
    const row = landingRow(line, origin);
    const id = row['id'] ?? '';
    if (!rows.has(id)) rows.set(id, JSON.stringify(row));
  }
  return Array.from(rows.values(), (row) => Buffer.from(row));
}

function landingRow(line: string, origin: RowOrigin): Readonly<Record<string, string>> {
  const event = v.parse(Event, parseExactJson(line));
  const row: Readonly<Record<string, unknown>> = {
    ...event,
    ...origin,
    [landingDay]: origin.received_at.slice(0, 10),
  };
  return Object.fromEntries(landingColumns.map((column) => [column, textOf(row[column])]));
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  // Parquet holds UTF-8, which has no half of a surrogate pair.
  return typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value);
}
