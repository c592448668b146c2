import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { SQSClient } from '@aws-sdk/client-sqs';
import { emulatorEnvironment } from './emulators/environment.ts';
import { type Emulators, startEmulators } from './emulators/start.ts';
import { gatewayOf, requestListener } from './gateway/gateway.ts';
import { answerMalformed } from './gateway/malformed-request.ts';
import { type LocalFunctions, localFunctions } from './lambda/functions.ts';
import { localCredentials, place } from './place.ts';
import { createResources } from './resources/create.ts';
import type { Template } from './template/template.ts';
import { type Wiring, wire } from './template/wiring.ts';
import { eventSourcesOf } from './triggers/event-sources.ts';
import { pollQueue } from './triggers/queue-poller.ts';
import { startSchedules } from './triggers/schedules.ts';

export type ServiceOptions = {
  readonly port: number;
  /** Where state is kept, or null: it dies with the process. */
  readonly folder: string | null;
  /** The template to serve; its bundles must exist when the first request comes. */
  readonly template: () => Promise<Template>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: (line: string) => void;
};

export type Service = {
  readonly baseUrl: string;
  readonly emulators: Emulators;
  readonly wiring: Wiring;
  readonly functions: LocalFunctions;
  /** Ends at once: what was under way is taken up again at the next start. */
  readonly stop: () => Promise<void>;
};

/** The largest body that this machine's memory is asked to hold; the cloud takes less and has uploads instead. */
const maxBodyBytes = 256 * 1024 * 1024;

/** Serves a template on a laptop: its API, its functions, its queues, buckets, tables and schedules. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const started = new AsyncDisposableStack();
  try {
    return { ...(await startAll(started, options)), stop: () => started.disposeAsync() };
  } catch (error) {
    await started.disposeAsync();
    throw error;
  }
}

/** Starts the parts in the order in which they need one another; `started` stops them in the opposite one. */
async function startAll(started: AsyncDisposableStack, options: ServiceOptions): Promise<Omit<Service, 'stop'>> {
  const { folder, environment, log } = options;
  const starting = startEmulators(folder && path.join(folder, 'stores'));
  started.defer(async () => (await starting.catch(() => null))?.stop());
  const [emulators, template] = await Promise.all([starting, options.template()]);
  const wiring = wire(template, emulators.endpoints.sqs);
  await createResources(emulators, wiring);
  const functions = localFunctions(wiring, emulatorEnvironment(emulators), environment);
  started.defer(async () => void (await Promise.all([...functions.values()].map((one) => one.restart()))));
  const stopping = new AbortController();
  const sqs = new SQSClient(clientOf(emulators));
  started.defer(() => sqs.destroy());
  started.defer(() => stopping.abort());
  for (const source of eventSourcesOf(wiring, functions)) void pollQueue({ sqs, source, signal: stopping.signal, log });
  startSchedules(wiring, functions, { signal: stopping.signal, log });
  const limits = { maxBytes: maxBodyBytes, timeoutMs: Number(environment['BODY_TIMEOUT_MS'] ?? 30_000) };
  const server = createServer(requestListener(gatewayOf(wiring, functions, { limits, log })));
  server.on('clientError', answerMalformed);
  started.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  return { baseUrl: await listen(server, options.port), emulators, wiring, functions };
}

const clientOf = ({ endpoints }: Emulators) => ({
  region: place.region,
  endpoint: endpoints.sqs,
  credentials: {
    accessKeyId: localCredentials.AWS_ACCESS_KEY_ID,
    secretAccessKey: localCredentials.AWS_SECRET_ACCESS_KEY,
  },
});

async function listen(server: Server, port: number): Promise<string> {
  // The gateway bounds the time of a body itself, with an answer in the envelope.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 65_000;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has no port.');
  return `http://127.0.0.1:${address.port}`;
}
