import { lakeColumns } from './lake.ts';

/** The tables of Iceberg: what the stream has delivered, repeats included, and each event once. */
export const icebergTables = { landing: 'landing', events: 'events' } as const;

/** Below it lie the tables in the bucket of the lake, and what the stream could not deliver. */
export const icebergPrefix = 'iceberg/';
export const undeliveredPrefix = 'undelivered/';

/** A row of the lake; its environment, a partition there, is a column here. */
export const eventColumns = ['environment', ...Object.keys(lakeColumns)] as const;

/** The day of receipt in UTC, by which landed rows are partitioned. */
export const landingDay = 'received_date';

/**
 * Columns of a landed row, all of them text and none missing: Firehose delivers no record that lacks a column of its
 * table. Empty text is what the event does not say.
 */
export const landingColumns: readonly string[] = [...eventColumns, landingDay];

/** What makes an event one event: C-LAKE-1. */
export const eventKeyColumns = ['workspace_id', 'project_id', 'environment', 'id'] as const;
