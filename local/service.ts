import { statfs } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { SQSClient } from '@aws-sdk/client-sqs';
import { limits } from '../shared/contract/limits.ts';
import { localSettings } from '../shared/contract/settings.ts';
import { awsEnvironment, emulatorEnvironment } from './emulators/environment.ts';
import { type Emulators, startEmulators } from './emulators/start.ts';
import { awsLimits } from './gateway/aws-rules.ts';
import { functionUrlsOf } from './gateway/function-url.ts';
import { type Gateway, gatewayOf, requestListener } from './gateway/gateway.ts';
import { answerExpectation, answerMalformed } from './gateway/malformed-request.ts';
import { type LocalFunctions, localFunctions } from './lambda/functions.ts';
import type { Capacity } from './lambda/local-function.ts';
import { closeServer, listenOnLoopback } from './listen.ts';
import { createResources } from './resources/create.ts';
import type { Template } from './template/template.ts';
import { type Wiring, wire } from './template/wiring.ts';
import { eventSourcesOf } from './triggers/event-sources.ts';
import { pollQueue } from './triggers/queue-poller.ts';
import { startSchedules } from './triggers/schedules.ts';

type ServiceOptions = {
  readonly port: number;
  readonly host?: string;
  readonly folder: string | null;
  /** The template to serve; its bundles must exist when the first request comes. */
  readonly template: () => Promise<Template>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Holds gateway, functions and pollers to what AWS does, if a laptop could do more or sooner. */
  readonly strictAws?: boolean;
  readonly verbose?: boolean;
  readonly log: (line: string) => void;
  /** Awaited when the stores are there, before any function is fed from a queue. */
  readonly beforePolling?: (stores: Pick<Service, 'wiring' | 'emulators'>) => Promise<void>;
};

export type Service = {
  readonly baseUrl: string;
  readonly emulators: Emulators;
  readonly wiring: Wiring;
  readonly functions: LocalFunctions;
  /** The function URLs, by the name of the function. */
  readonly functionUrls: Readonly<Record<string, string>>;
  /** Ends at once: what was under way is taken up again at the next start. */
  readonly stop: () => Promise<void>;
};

/** The largest body that this machine's memory is asked to hold; the cloud takes less and has uploads instead. */
const maxBodyBytes = 256 * 1024 * 1024;

/** More threads than processors would only take turns. What comes beyond waits. */
const capacity: Capacity = {
  containers: 2,
  eventsPerContainer: 32,
  maxWaiting: 2_000,
  busyAfterMs: 50,
  idleMs: 90_000,
};
const strictCapacity: Capacity = { ...capacity, containers: 4, eventsPerContainer: 1, busyAfterMs: 0 };

/** Nobody waits for what a queue feeds, so one thread is enough: it costs the least memory. */
const capacityOf = (isFedByQueue: boolean): Capacity => (isFedByQueue ? { ...capacity, containers: 1 } : capacity);

export async function startService(options: ServiceOptions): Promise<Service> {
  const started = new AsyncDisposableStack();
  try {
    return { ...(await startAll(started, options)), stop: () => started.disposeAsync() };
  } catch (error) {
    await started.disposeAsync();
    throw error;
  }
}

/** Starts the parts in dependency order; `started` stops them in the opposite one. */
async function startAll(started: AsyncDisposableStack, options: ServiceOptions): Promise<Omit<Service, 'stop'>> {
  const { folder, environment, log, strictAws = false, verbose = false } = options;
  const starting = startEmulators(folder && path.join(folder, 'stores'));
  started.defer(async () => (await starting.catch(() => null))?.stop());
  const [emulators, template] = await Promise.all([starting, options.template()]);
  const wiring = wire(template, emulators.endpoints.sqs);
  await createResources(emulators, wiring);
  await options.beforePolling?.({ wiring, emulators });
  const functions = localFunctions(
    wiring,
    { ...emulatorEnvironment(emulators), ...(folder && { LOCAL_FOLDER: path.resolve(folder) }) },
    environment,
    strictAws ? () => strictCapacity : capacityOf,
  );
  started.defer(async () => void (await Promise.all([...functions.values()].map((one) => one.restart()))));
  const stopping = new AbortController();
  const { endpoints, keys: credentials } = emulators;
  const sqs = new SQSClient({ region: awsEnvironment.region, endpoint: endpoints.sqs, credentials });
  started.defer(() => sqs.destroy());
  started.defer(() => stopping.abort());
  for (const source of eventSourcesOf(wiring, functions, { strictAws }))
    void pollQueue({ sqs, source, signal: stopping.signal, log });
  startSchedules(wiring, functions, { signal: stopping.signal, log });
  const bodyLimits = {
    maxBytes: strictAws ? awsLimits.body : maxBodyBytes,
    timeoutMs: Number(environment['BODY_TIMEOUT_MS'] ?? localSettings.BODY_TIMEOUT_MS.otherwise),
  };
  const settings = { limits: bodyLimits, strictAws, verbose, onFailure: fullDiskReport(folder, log), log };
  const serve = (gateway: Gateway, port: number): Promise<string> => {
    const server = gatewayServer(gateway);
    started.defer(() => closeServer(server));
    return listenOnLoopback(server, port, options.host);
  };
  const baseUrl = await serve(gatewayOf(wiring, functions, settings), options.port);
  const functionUrls: Record<string, string> = {};
  for (const [id, gateway] of functionUrlsOf(wiring, functions, settings))
    functionUrls[functions.get(id)?.name ?? id] = await serve(gateway, 0);
  return { baseUrl, emulators, wiring, functions, functionUrls };
}

function gatewayServer(gateway: Gateway): Server {
  // What Node would refuse by itself, without a body, is answered in the envelope.
  const server = createServer({ requireHostHeader: false }, requestListener(gateway));
  server.on('clientError', answerMalformed);
  server.on('checkExpectation', answerExpectation);
  server.on('connect', (_request, socket) =>
    answerMalformed(new Error('The method CONNECT is not supported.'), socket),
  );
  // The gateway bounds the time of a body itself, with an answer in the envelope.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 65_000;
  return server;
}

const minIntervalMs = 10_000;

function fullDiskReport(folder: string | null, log: (line: string) => void): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    if (folder === null || performance.now() - last < minIntervalMs) return;
    last = performance.now();
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < limits.fullDiskBytes) log(`The disk that holds ${folder} is full: nothing can be stored.`);
  };
}
