import { functionSpecs } from '../../lib/function-specs.ts';
import { batches } from '../../lib/functions.ts';
import { newTable } from '../../lib/tables.ts';
import { defaultThrottle } from '../../lib/tenant.ts';
import { settings } from '../../shared/contract/settings.ts';
import { deliveryLists } from '../../shared/domain/lineage/ingest/deliveries/delivery.ts';
import measured from './figures.json' with { type: 'json' };
import { edgesPerRelation, eventsPerBatch, type Load } from './load.ts';

type Name = keyof typeof measured.figures;
type Figures = Readonly<Record<Name, number>>;

/** What the benches measured: the file has each figure with the command that measures it again. */
export const figures = Object.fromEntries(
  Object.entries(measured.figures).map(([name, { value }]) => [name, value]),
) as Figures;

/** What AWS allows an account in one Region without a raised quota, per second unless stated otherwise. */
export const aws = {
  /** Invocations at once of all functions. */
  lambdaConcurrency: 1_000,
  /** Units of an on-demand table; a new one takes less, as `newTable` has it. */
  tableWrites: 40_000,
  tableReads: 40_000,
  /** Units of a partition, and so of an item. */
  partitionWrites: 1_000,
  partitionReads: 3_000,
  /** An on-demand table takes twice its highest load so far within this many minutes. */
  tableDoublesMinutes: 30,
  /** A function of this many MiB has one processor. */
  processorMiB: 1_769,
} as const;

/** Taken, not measured: what a request to a store takes inside a Region, and how long an index lists at once. */
const assumed = { roundTripMs: 5 } as const;

/** A limited resource: its capacity, and how much of it a load uses. */
type Resource = { readonly name: string; readonly used: number; readonly capacity: number };

/** The share of it that is used: from one on it is saturated. */
export const utilisation = ({ used, capacity }: Resource): number => used / capacity;

/** What a load takes of everything that is bounded, the fullest first. */
export const resources = (load: Load, figures: Figures): Resource[] =>
  [entrance, functions, sweep, tables, oneWorkspace]
    .flatMap((part) => part(load, figures))
    .sort((a, b) => utilisation(b) - utilisation(a));

function entrance({ events, openLineage, readers, workspaces }: Load): Resource[] {
  const requests = openLineage + readers;
  return [
    {
      name: 'requests to API Gateway',
      used: events / eventsPerBatch + requests,
      capacity: defaultThrottle.rate,
    },
    {
      name: 'rate of a project key',
      used: events / workspaces,
      capacity: Number(settings.COLLECT_RATE.otherwise),
    },
    {
      name: 'rate of a workspace',
      used: requests / workspaces,
      capacity: Number(settings.LINEAGE_RATE.otherwise),
    },
  ];
}

/** Milliseconds of an invocation: processor time by the share that its memory buys, and its waits one after the other. */
const duration = (cpuMs: number, memoryMiB: number, waits: number): number =>
  cpuMs / Math.min(1, memoryMiB / aws.processorMiB) + waits * assumed.roundTripMs;

/** Events a second that one run at once of the worker of events stores. */
const storeRate = (figures: Figures): number =>
  1_000 / duration(figures.store_event_cpu_ms, functionSpecs['store-events'].memoryMiB, 0);

/** OpenLineage events a second that one run at once of the projector works: the messages of a batch wait side by side. */
function projectionRate(figures: Figures): number {
  const { batchSize } = batches.projection;
  const cpuMs = figures.project_cpu_ms * batchSize;
  return (1_000 * batchSize) / duration(cpuMs, functionSpecs.projector.memoryMiB, figures.project_requests);
}

/** What workers finish a second, if nothing else bounds them. */
export const workerRates = (figures: Figures) => ({
  events: storeRate(figures) * batches.events.maxConcurrency,
  projection: projectionRate(figures) * batches.projection.maxConcurrency,
});

function functions(load: Load, figures: Figures): Resource[] {
  const rates = workerRates(figures);
  const atOnce =
    (load.events / eventsPerBatch) * duration(figures.collect_cpu_ms, functionSpecs.collect.memoryMiB, 1) +
    load.openLineage * duration(figures.accept_cpu_ms, functionSpecs.ingest.memoryMiB, figures.accept_requests + 3) +
    load.readers * duration(figures.answer_cpu_ms, functionSpecs.queries.memoryMiB, figures.answer_requests);
  const working = batches.events.maxConcurrency + batches.projection.maxConcurrency;
  const { memoryMiB, timeoutSeconds } = functionSpecs['document-projector'];
  return [
    {
      name: 'concurrency of the account',
      used: atOnce / 1_000 + working,
      capacity: aws.lambdaConcurrency,
    },
    { name: 'workers of events', used: load.events, capacity: rates.events },
    {
      name: 'workers of the projection',
      used: load.openLineage,
      capacity: rates.projection,
    },
    {
      name: 'time of one document',
      used: duration(load.relations * edgesPerRelation * figures.edge_cpu_ms, memoryMiB, 0) / 1_000,
      capacity: timeoutSeconds,
    },
  ];
}

const minute = 60;
/** Seconds from one run of the sweep that archives payloads to the next. */
export const archivedEvery = 15 * minute;

/** What the sweep does about every delivery. */
function sweep({ openLineage, workspaces }: Load, figures: Figures): Resource[] {
  const { memoryMiB, timeoutSeconds } = functionSpecs.sweep;
  const lookedAtMs =
    workspaces * figures.sweep_cpu_ms_of_workspace + openLineage * minute * figures.sweep_cpu_ms_of_delivery;
  return [
    {
      name: 'minute of the sweep',
      used: duration(lookedAtMs, memoryMiB, 0) / 1_000,
      capacity: minute,
    },
    {
      name: 'archive of small payloads',
      used: duration(openLineage * archivedEvery * figures.archive_cpu_ms, memoryMiB, 0) / 1_000,
      // A run begins nothing more in its last minute.
      capacity: timeoutSeconds - minute,
    },
  ];
}

/** Write units a second of the main table. */
export const mainTableWrites = (load: Load, figures: Figures): number =>
  load.openLineage * (figures.accept_writes + figures.project_writes + figures.archive_writes);

/** Read units a second of the main table. */
const mainTableReads = ({ openLineage, readers }: Load, figures: Figures): number =>
  openLineage * (figures.accept_reads + figures.project_reads + figures.sweep_reads) + readers * figures.answer_reads;

function tables(load: Load, figures: Figures): Resource[] {
  const [ledger, main] = [load.events * figures.event_ledger_writes, mainTableWrites(load, figures)];
  const reads = mainTableReads(load, figures);
  return [
    { name: 'writes of a new event ledger', used: ledger, capacity: newTable.writes },
    { name: 'writes of a new main table', used: main, capacity: newTable.writes },
    { name: 'reads of a new main table', used: reads, capacity: newTable.reads },
    { name: 'writes of the event ledger', used: ledger, capacity: aws.tableWrites },
    { name: 'writes of the main table', used: main, capacity: aws.tableWrites },
    { name: 'reads of the main table', used: reads, capacity: aws.tableReads },
  ];
}

/** What lies in one place for each workspace. */
function oneWorkspace(load: Load, figures: Figures): Resource[] {
  const [openLineage, readers] = [load.openLineage / load.workspaces, load.readers / load.workspaces];
  const reads = figures.registry_reads_of_acceptance + figures.registry_reads_of_projection;
  const written = (name: string, used: number): Resource => ({ name, used, capacity: aws.partitionWrites });
  const lists = figures.entry_writes + figures.archive_writes;
  return [
    written('item of a table that all jobs read', openLineage * figures.popular_item_writes),
    written('item of a feed’s activity', openLineage * figures.activity_item_writes),
    written('item of a connector’s summary, all tables new', openLineage * figures.summary_item_writes),
    written('new columns of a workspace, all tables new', openLineage * figures.new_columns_writes),
    written('list of a workspace’s deliveries', (openLineage * lists) / deliveryLists),
    {
      name: 'registry of a workspace',
      used: openLineage * reads + readers * figures.registry_reads_of_answer,
      capacity: aws.partitionReads,
    },
  ];
}
