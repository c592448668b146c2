import { type HttpFunction, httpFunctions } from '../shared/contract/route.ts';
import { settings } from '../shared/contract/settings.ts';

type QueueName = 'events' | 'projection';

/** What a function may do with a store; being allowed to also tells it the store's name, by its environment. */
export type Grants = {
  readonly table?: 'read' | 'readWrite';
  readonly eventLedger?: 'read' | 'update' | 'readWrite';
  readonly raw?: 'read' | 'write' | 'readWrite';
  readonly lake?: 'write' | 'readWrite';
  readonly sends?: readonly QueueName[];
  /** Verifies session tokens of the tenant's issuer. */
  readonly signIn?: true;
  /** Tells where the tenant's issuer signs people in. */
  readonly tellsSignIn?: true;
  /** Serves the explorer. */
  readonly pages?: true;
};

export type FunctionSpec = Grants & {
  readonly memoryMiB: number;
  readonly timeoutSeconds: number;
  /** The young generation of the heap, where V8 would let it grow with the function's memory. */
  readonly semiSpaceMiB?: number;
  readonly settings?: Readonly<Record<string, string>>;
  /** The queue whose messages it works. */
  readonly fedBy?: QueueName;
};

const workers = ['store-events', 'projector', 'sweep'] as const;
/** Serves the explorer, and whatever no route has. */
export const pageFunction = 'web';
export type FunctionName = HttpFunction | typeof pageFunction | (typeof workers)[number];
export const functionNames: readonly FunctionName[] = [...httpFunctions, pageFunction, ...workers];

/** API Gateway waits 29 seconds for an answer, so no longer one is of use. */
const answering = { timeoutSeconds: 29, signIn: true } as const;

/** Of a large document little lives long: a wide young generation would fill the memory with the rest (ADR 20). */
const reading = { semiSpaceMiB: 8 } as const;

/** Every function of the service: its size, its time and its rights. More memory also means more processor. */
export const functionSpecs: Readonly<Record<FunctionName, FunctionSpec>> = {
  collect: {
    memoryMiB: 1024,
    timeoutSeconds: 29,
    table: 'read',
    eventLedger: 'update',
    lake: 'write',
    sends: ['events'],
    settings: defaultsOf('COLLECTION_ENABLED', 'COLLECTION_SINK', 'COLLECT_RATE', 'COLLECT_BURST'),
  },
  ingest: {
    ...answering,
    ...reading,
    memoryMiB: 1769,
    table: 'readWrite',
    raw: 'write',
    sends: ['projection'],
  },
  uploads: {
    ...answering,
    ...reading,
    memoryMiB: 3008,
    table: 'readWrite',
    raw: 'readWrite',
    sends: ['projection'],
  },
  queries: { ...answering, memoryMiB: 1769, table: 'readWrite', raw: 'read', sends: ['projection'] },
  diff: { ...answering, memoryMiB: 3008, table: 'readWrite', raw: 'read' },
  export: { ...answering, memoryMiB: 1769, timeoutSeconds: 300, table: 'readWrite', raw: 'read' },
  policy: { ...answering, memoryMiB: 1024, table: 'readWrite', sends: ['projection'] },
  access: { ...answering, memoryMiB: 1024, table: 'readWrite', eventLedger: 'read', tellsSignIn: true },
  // A whole scope may be looked at while somebody waits; artifacts are stored with raw bytes.
  agent: { ...answering, memoryMiB: 3008, table: 'readWrite', raw: 'readWrite', sends: ['projection'] },
  system: { ...answering, memoryMiB: 1024, table: 'read', raw: 'read', settings: defaultsOf('HEALTH_STORES') },
  mcp: { ...answering, memoryMiB: 1024, table: 'readWrite' },
  web: { memoryMiB: 512, timeoutSeconds: 29, tellsSignIn: true, pages: true },
  'store-events': {
    memoryMiB: 1024,
    timeoutSeconds: 120,
    eventLedger: 'readWrite',
    lake: 'readWrite',
    fedBy: 'events',
  },
  // Writing what a manifest of 200 MiB states takes minutes of the processor.
  projector: {
    ...reading,
    memoryMiB: 3008,
    timeoutSeconds: 900,
    table: 'readWrite',
    raw: 'readWrite',
    sends: ['projection'],
    fedBy: 'projection',
  },
  sweep: {
    memoryMiB: 1024,
    timeoutSeconds: 300,
    table: 'readWrite',
    raw: 'readWrite',
    sends: ['projection'],
  },
};

function defaultsOf(...names: readonly (keyof typeof settings)[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, settings[name].otherwise]));
}

/** What Node is started with. */
export const nodeOptions = ({ semiSpaceMiB }: Pick<FunctionSpec, 'semiSpaceMiB'>): string =>
  ['--enable-source-maps', ...(semiSpaceMiB ? [`--max-semi-space-size=${semiSpaceMiB}`] : [])].join(' ');

/** The settings that a tenant may choose for itself. */
export const settingNames: readonly string[] = Object.values(functionSpecs).flatMap(({ settings = {} }) =>
  Object.keys(settings),
);
