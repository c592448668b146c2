import { eventColumns, eventKeyColumns, icebergTables, landingDay } from '../../shared/contract/iceberg.ts';

/** Days of receipt, before today, of which landed rows are merged: so long may a delivery or its merge fail. */
const mergedDays = 3;
/** Days for which landed rows are kept, so that what was not merged in time is merged by hand. */
const landedDays = 30;
/** The stream delivers within minutes; before, an event that was received earlier may still be missing. */
const settledMinutes = 15;

const quoted = (name: string): string => `"${name}"`;
const [events, landing] = [quoted(icebergTables.events), quoted(icebergTables.landing)];
const ago = (days: number): string => `current_date - INTERVAL '${days}' DAY`;
const dayBefore = (days: number): string => `date_format(${ago(days)}, '%Y-%m-%d')`;
const utc = (time: string): string => `CAST(${time} AT TIME ZONE 'UTC' AS timestamp(6))`;
const receivedAt = (row: string): string => `from_iso8601_timestamp(${row}"received_at")`;

/** The value of a landed column as the table of events has it. */
function storedValue(column: string): string {
  const landed = `landed.${quoted(column)}`;
  if (column === 'received_at') return utc(receivedAt('landed.'));
  return column === 'trusted' ? `${landed} = 'true'` : `nullif(${landed}, '')`;
}

/**
 * Stores each landed event that is not there, the first received one of its id; as often as it is run. An id that was
 * stored within `dedupDays` before is a repeat.
 */
export const mergeStatement = (dedupDays: number): string => `MERGE INTO ${events} AS stored
USING (
  SELECT * FROM (
    SELECT *, row_number() OVER (
      PARTITION BY ${eventKeyColumns.map(quoted).join(', ')} ORDER BY "received_at", "request_id"
    ) AS place
    FROM ${landing}
    WHERE ${quoted(landingDay)} >= ${dayBefore(mergedDays)}
      AND ${receivedAt('')} < current_timestamp - INTERVAL '${settledMinutes}' MINUTE
  ) AS numbered
  WHERE place = 1
) AS landed
ON ${eventKeyColumns.map((column) => `stored.${quoted(column)} = landed.${quoted(column)}`).join(' AND ')}
  AND stored."received_at" >= ${utc(receivedAt('landed.'))} - INTERVAL '${dedupDays}' DAY
  AND stored."received_at" >= CAST(${ago(dedupDays + mergedDays + 1)} AS timestamp(6))
WHEN NOT MATCHED THEN INSERT (${eventColumns.map(quoted).join(', ')})
  VALUES (${eventColumns.map(storedValue).join(', ')})`;

/** Removes landed rows that were merged long ago. */
export const expireStatement = `DELETE FROM ${landing} WHERE ${quoted(landingDay)} < ${dayBefore(landedDays)}`;

/** Makes few large files of many small ones, and removes those that no version of five days needs. */
export const upkeepStatements = {
  optimize: `OPTIMIZE ${events} REWRITE DATA USING BIN_PACK`,
  vacuumEvents: `VACUUM ${events}`,
  vacuumLanding: `VACUUM ${landing}`,
} as const;
