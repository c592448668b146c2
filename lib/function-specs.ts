import path from 'node:path';
import { canaryPartition } from '../shared/contract/collection.ts';
import { compactedPrefix, comparisonsPrefix, lakePrefix, stagingPrefix } from '../shared/contract/lake.ts';
import { Fault } from '../shared/contract/problems.ts';
import { type HttpFunction, httpFunctions } from '../shared/contract/route.ts';
import { settings } from '../shared/contract/settings.ts';
import type { QueueName, SecretKind } from '../shared/contract/stack-outputs.ts';

/**
 * The size of a function, and what it may do with a store; being allowed to also tells it the store's name, by its
 * environment. A test compares it with the commands that are left in the function's bundle.
 */
export type FunctionSpec = {
  readonly memoryMiB: number;
  readonly timeoutSeconds: number;
  /** The young generation of the heap, where V8 would let it grow with the function's memory. */
  readonly semiSpaceMiB?: number;
  /** Those that it has beside what `settingsOf` adds. */
  readonly settings?: readonly (keyof typeof settings)[];
  readonly table?: readonly TableAction[];
  /** The only partition of the table that it reaches; it then reaches no index. */
  readonly partition?: string;
  readonly eventLedger?: readonly TableAction[];
  readonly raw?: readonly ObjectAction[];
  /** The prefix of the raw bucket's only objects that it may put. */
  readonly rawPuts?: string;
  readonly lake?: readonly ObjectAction[];
  /** The prefix of the lake's objects that it may delete; by default the staged ones. */
  readonly lakeDeletes?: readonly string[];
  readonly sends?: readonly QueueName[];
  /** Puts events into the stream of a tenant that has one. */
  readonly streams?: true;
  /** The queue whose messages it works. */
  readonly fedBy?: QueueName;
  /** Secrets of one kind, under the tenant's prefix. */
  readonly secrets?: { readonly of: SecretKind; readonly actions: readonly SecretAction[] };
  readonly signIn?: true;
  readonly tellsSignIn?: true;
  readonly asksApi?: true;
  readonly pages?: true;
};
type TableAction = (typeof project)[number];
type SecretAction = (typeof keepSecrets)[number];
type ObjectAction = (typeof allOfObjects)[number];

/** Those that nobody waits for. */
export const workerNames = [
  'store-events',
  'projector',
  'document-projector',
  'notifier',
  'pull-requests',
  'sweep',
  'compactor',
  'canary',
] as const;
/** The folder of the bundle of a function, which a package of the constructs has too. */
export const bundleFolder = (name: string): string =>
  path.resolve(import.meta.dirname, '..', 'dist', 'functions', name);

/** Serves the explorer, and whatever no route has. */
export const pageFunction = 'web';
export type FunctionName = HttpFunction | typeof pageFunction | (typeof workerNames)[number];
export const functionNames: readonly FunctionName[] = [...httpFunctions, pageFunction, ...workerNames];

/** API Gateway waits 29 seconds for an answer, so no longer one is of use. */
const answering = { timeoutSeconds: 29, signIn: true } as const;

/** Little of a large document outlives its item: a large young generation would fill the memory with garbage (ADR 7). */
const reading = { semiSpaceMiB: 8 } as const;

const projections = ['projection', 'documents'] as const satisfies readonly QueueName[];

const read = ['BatchGetItem', 'GetItem', 'Query'] as const;
/** Reads, and notes that a token was used. */
const readAndTouch = [...read, 'UpdateItem'] as const;
const write = [...readAndTouch, 'PutItem'] as const;
/** A condition on another item is its own right. */
const manage = [...write, 'DeleteItem', 'ConditionCheckItem'] as const;
const project = [...manage, 'BatchWriteItem', 'PartiQLInsert', 'PartiQLUpdate', 'PartiQLDelete'] as const;
const keepSecrets = ['GetSecretValue', 'CreateSecret', 'DeleteSecret'] as const;
const allOfObjects = ['GetObject', 'PutObject', 'DeleteObject'] as const;

/** Those of who asks code hosts. */
const codehostSettings = [
  'CODEHOST_ALLOWED_HOSTS',
  'CODEHOST_APP_ID',
  'CODEHOST_APP_SLUG',
  'CODEHOST_CLIENT_ID',
  'CODEHOST_BASE_URL',
  'CODEHOST_API_URL',
] as const;

const projecting = {
  ...reading,
  memoryMiB: 3008,
  timeoutSeconds: 900,
  table: project,
  eventLedger: ['GetItem'],
  raw: allOfObjects,
  sends: [...projections, 'notifications'],
  settings: ['RECEIPTS_DAYS'],
} as const satisfies FunctionSpec;

const notifying = {
  sends: ['notifications'],
  // The secrets of webhooks are derived from one key.
  secrets: { of: 'webhooks', actions: ['GetSecretValue', 'CreateSecret'] },
  settings: ['WEBHOOK_ALLOWED_HOSTS'],
} as const satisfies Partial<FunctionSpec>;

/** A name as the id of a construct. */
export const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The function that works the messages of a queue. */
export function workerOf(queue: QueueName): FunctionName {
  const worker = functionNames.find((name) => functionSpecs[name].fedBy === queue);
  if (worker === undefined) throw new Fault('queue_without_worker', `No function works the queue ${queue}.`);
  return worker;
}

/** Every function of the service: its size, its time and its rights. More memory also means more processor. */
export const functionSpecs: Readonly<Record<FunctionName, FunctionSpec>> = {
  collect: {
    memoryMiB: 1024,
    timeoutSeconds: 29,
    table: ['GetItem', 'Query'],
    eventLedger: ['UpdateItem'],
    lake: ['PutObject'],
    sends: ['events'],
    streams: true,
    settings: ['COLLECTION_ENABLED', 'COLLECTION_SINK', 'COLLECT_RATE', 'COLLECT_BURST', 'DEDUP_GUESS_SECONDS'],
  },
  ingest: {
    ...answering,
    ...reading,
    memoryMiB: 1769,
    table: write,
    raw: ['PutObject'],
    sends: projections,
    settings: ['RECEIPTS_DAYS'],
  },
  uploads: {
    ...answering,
    ...reading,
    memoryMiB: 3008,
    table: write,
    raw: ['GetObject', 'PutObject'],
    sends: projections,
  },
  queries: { ...answering, memoryMiB: 1769, table: write, raw: ['GetObject'], sends: projections },
  diff: {
    ...answering,
    memoryMiB: 3008,
    table: readAndTouch,
    raw: ['GetObject'],
    rawPuts: comparisonsPrefix,
    sends: ['notifications'],
  },
  export: { ...answering, memoryMiB: 1769, timeoutSeconds: 300, table: readAndTouch, raw: ['GetObject'] },
  policy: { ...answering, memoryMiB: 1024, table: write, sends: ['projection'] },
  access: {
    ...answering,
    memoryMiB: 1024,
    table: manage,
    raw: ['GetObject'],
    eventLedger: ['BatchGetItem', 'GetItem'],
    sends: ['projection'],
    tellsSignIn: true,
  },
  // A whole scope may be looked at while somebody waits; artifacts are stored with raw bytes.
  agent: {
    ...answering,
    memoryMiB: 3008,
    table: manage,
    raw: ['GetObject', 'PutObject'],
    sends: ['projection', 'notifications'],
  },
  webhooks: { ...answering, ...notifying, memoryMiB: 512, table: [...write, 'DeleteItem'] },
  codehost: {
    ...answering,
    memoryMiB: 1024,
    table: [...write, 'DeleteItem'],
    raw: ['GetObject', 'PutObject'],
    secrets: { of: 'codehost', actions: keepSecrets },
    sends: ['codehost'],
    settings: codehostSettings,
  },
  system: {
    ...answering,
    memoryMiB: 1024,
    table: ['BatchGetItem', 'GetItem', 'UpdateItem'],
    raw: ['GetObject'],
    settings: ['HEALTH_STORES'],
  },
  mcp: { ...answering, memoryMiB: 1024, table: ['BatchGetItem', 'GetItem', 'UpdateItem'] },
  web: { memoryMiB: 512, timeoutSeconds: 29, tellsSignIn: true, pages: true },
  'store-events': {
    memoryMiB: 1024,
    timeoutSeconds: 120,
    table: ['GetItem', 'PutItem', 'DeleteItem'],
    eventLedger: ['GetItem', 'PutItem', 'UpdateItem'],
    lake: allOfObjects,
    sends: ['projection', 'notifications'],
    settings: ['EVENTS_DEDUP_DAYS'],
    fedBy: 'events',
  },
  projector: { ...projecting, fedBy: 'projection' },
  // Writing what a manifest of 200 MiB states takes minutes of the processor, and half of the memory.
  'document-projector': { ...projecting, fedBy: 'documents' },
  // A receiver that does not answer takes its ten seconds; messages of a batch wait side by side.
  notifier: { ...notifying, memoryMiB: 512, table: [...read, 'PutItem'], timeoutSeconds: 60, fedBy: 'notifications' },
  'pull-requests': {
    ...reading,
    memoryMiB: 3008,
    timeoutSeconds: 300,
    table: [...write, 'DeleteItem'],
    raw: ['GetObject'],
    secrets: { of: 'codehost', actions: ['GetSecretValue'] },
    sends: ['codehost'],
    fedBy: 'codehost',
    settings: codehostSettings,
  },
  // A whole processor: after an outage it sends millions of deliveries again.
  sweep: {
    memoryMiB: 1769,
    timeoutSeconds: 300,
    table: project,
    raw: allOfObjects,
    sends: [...projections, 'notifications'],
    settings: ['RECEIPTS_DAYS'],
  },
  // A whole processor packs what is read; an object of 96 MiB is held twice, beside what is read next.
  compactor: {
    memoryMiB: 1769,
    timeoutSeconds: 900,
    table: ['GetItem', 'Query'],
    eventLedger: ['PutItem', 'DeleteItem'],
    lake: allOfObjects,
    lakeDeletes: [stagingPrefix, lakePrefix, compactedPrefix],
    settings: ['EVENTS_DEDUP_DAYS'],
  },
  // It mostly waits: more would cost more, and no round is shorter for it.
  canary: { memoryMiB: 256, timeoutSeconds: 120, table: ['GetItem'], partition: canaryPartition, asksApi: true },
};

/**
 * The settings of a function, as they are if a tenant says nothing of them: those of its specification, the rate of its
 * callers if these sign in, and how it sends requests if it uses tables or queues.
 */
export function settingsOf({ settings: own = [], signIn, table, eventLedger, sends }: FunctionSpec) {
  const ofCallers = signIn ? (['LINEAGE_RATE', 'LINEAGE_BURST'] as const) : [];
  const ofStores = (table ?? eventLedger ?? sends) ? (['DIRECT_REQUESTS'] as const) : [];
  const names = [...ofCallers, ...own, ...ofStores];
  return Object.fromEntries(names.map((name): [string, string] => [name, settings[name].otherwise]));
}

/** The settings that a tenant may choose for itself. */
export const settingNames: readonly string[] = [
  ...new Set(Object.values(functionSpecs).flatMap((spec) => Object.keys(settingsOf(spec)))),
];
