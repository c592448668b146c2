import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { functionNames } from '../lib/function-specs.ts';
import { deliveryStore } from '../shared/adapters/dynamodb/deliveries/deliveries.ts';
import { dueDeliveries } from '../shared/adapters/dynamodb/deliveries/due-deliveries.ts';
import { redrive } from '../shared/adapters/sqs/redrive.ts';
import type { SweepRequest } from '../shared/contract/messages.ts';
import { Fault } from '../shared/contract/problems.ts';
import { LocalStores, queueNames, stackOutputs } from '../shared/contract/stack-outputs.ts';
import { retractOpenAttempts } from '../shared/domain/lineage/ingest/deliveries/finish-delivery.ts';
import { type FakeHost, startFakeHost } from './codehost/fake-host.ts';
import { type Credentials, writeCredentials } from './credentials.ts';
import { awsEnvironment } from './emulators/environment.ts';
import { freePort } from './emulators/free-port.ts';
import { type DevelopmentIssuer, startIssuer } from './issuer/issuer.ts';
import { type LocalOptions, readOptions, usage } from './options.ts';
import { isOrphan } from './parent.mjs';
import { makeFolderPrivate } from './private.ts';
import { type StoreClients, withClients } from './resources/clients.ts';
import { markStores } from './resources/mark-stores.ts';
import { loadSampleOnce } from './seed/load-sample.ts';
import { connectSample } from './seed/sample-repository.ts';
import { seed } from './seed/seed.ts';
import { usersOf } from './seed/workspace.ts';
import { type Service, startService } from './service.ts';
import { currentTemplate } from './template/current.ts';
import { issuerAddress, type Template } from './template/template.ts';
import { outputs } from './template/wiring.ts';

/** Runs the command of the local service. */
export async function runCommand(
  args: readonly string[],
  onReady: (running: Running, options: LocalOptions) => unknown,
): Promise<void> {
  try {
    const options = readOptions(args);
    if (options === 'help') process.stdout.write(usage);
    else await runUntilStopped(options, (running) => onReady(running, options));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

export type Running = { readonly baseUrl: string; readonly credentials: Credentials };

async function runUntilStopped(options: LocalOptions, onReady: (running: Running) => unknown): Promise<void> {
  // Emulators write into the data folder by themselves: from here on only this user can read new files.
  process.umask(0o077);
  const running = new AsyncDisposableStack();
  stopOnSignal(running);
  try {
    await lockFolder(options.folder, running);
    const { port, host } = options;
    if (host !== undefined)
      log(
        `Listens on ${host}: every computer that can reach this machine can reach the service. It needs tokens, and sign-in needs the key.`,
      );
    // Known before the rest is started for nothing. A free port found now could be another's by the time it is needed.
    if (port !== 0) await freePort(port);
    // A container publishes ports by their numbers.
    const issuer = await startIssuer(options.folder, host && port ? port + 1 : 0, host);
    running.defer(issuer.stop);
    const codeHost = options.seed === 'sample' ? await startFakeHost() : null;
    if (codeHost) running.defer(codeHost.stop);
    const starting = startService({
      port,
      ...(host && { host }),
      folder: options.folder,
      template: () => bundledTemplate(issuer),
      environment: codeHost ? allowing(codeHost, process.env) : process.env,
      strictAws: options.strictAws,
      verbose: options.verbose,
      log,
      beforePolling: (stores) =>
        withClients(stores.emulators, async (clients) => {
          await markStores(clients, localStores(stores));
          await resumeWork(clients, localStores(stores));
        }),
    });
    running.defer(async () => (await starting.catch(() => null))?.stop());
    const service = await starting;
    if (options.watch) running.defer(await watching(service));
    await onReady(await openFor(options, service, { issuer, codeHost }));
  } catch (error) {
    // What a stop interrupts has not failed.
    if (running.disposed) return;
    await running.disposeAsync();
    throw error;
  }
}

const isCheckout = process.env['TRIBUTARY_PACKAGE'] === undefined;

const log = (line: string): void => console.error(line);

async function bundledTemplate({ baseUrl }: DevelopmentIssuer): Promise<Template> {
  const [template] = await Promise.all([currentTemplate(), bundled()]);
  return { ...template, Parameters: { [issuerAddress]: { Type: 'String', Default: baseUrl } } };
}

/** A package holds only the bundles: it has no sources and no bundler. */
const bundled = async (): Promise<void> => {
  if (isCheckout) await (await import('../lib/bundle-functions.ts')).bundleChangedFunctions(functionNames);
};

/** The fake host is on loopback, which the service asks where a setting names it, and not otherwise. */
function allowing({ url }: FakeHost, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const chosen = environment['CODEHOST_ALLOWED_HOSTS'];
  const { host } = new URL(url);
  return { ...environment, CODEHOST_ALLOWED_HOSTS: chosen ? `${chosen},${host}` : host };
}

type Outside = { readonly issuer: DevelopmentIssuer; readonly codeHost: FakeHost | null };

async function openFor(options: LocalOptions, service: Service, { issuer, codeHost }: Outside): Promise<Running> {
  const { baseUrl } = service;
  const stores = localStores(service);
  const seeded = await seed(options, stores, issuer);
  issuer.offer(usersOf(seeded));
  const sign_in_url = issuer.signInUrl(`${baseUrl}/`);
  const seededHere = { base_url: baseUrl, sign_in_url, ...seeded, local: stores };
  if (options.seed === 'sample') await loadSampleOnce(options.folder, seededHere, () => sweepNow(service));
  const code_host = codeHost ? await connectSample(codeHost, seededHere) : undefined;
  const credentials = { ...seededHere, ...(code_host && { code_host }) };
  await writeCredentials(options.credentials, credentials);
  // Who tries the sample asks at once; other starts are spared what they do not call. Before, it would delay the load.
  if (options.seed === 'sample') for (const one of service.functions.values()) one.warm();
  return { baseUrl, credentials };
}

/** What the sweep does once an hour, for who looks at the sample at once. */
async function sweepNow({ functions }: Service): Promise<void> {
  const sweep = [...functions.values()].find(({ name }) => name === 'sweep');
  for (const task of ['gaps', 'names'] as const) await sweep?.invoke({ task, hourly: true } satisfies SweepRequest);
}

/** Answers how to stop; it waits for no build that is under way. */
async function watching(service: Service): Promise<() => void> {
  if (!isCheckout)
    throw new Fault('watch_without_sources', '--watch needs a clone: the package has no sources to watch.');
  const { watchFunctions } = await import('../lib/bundle-functions.ts');
  const stop = await watchFunctions(functionNames, () => restartAll(service));
  return () => void stop();
}

function restartAll({ functions }: Service): void {
  for (const one of functions.values()) void one.restart();
  console.log('Sources changed: the next request runs them.');
}

function stopOnSignal(running: AsyncDisposableStack): void {
  const stop = (): void => void running.disposeAsync().finally(() => process.exit(0));
  // A second signal ends the process where the first could not.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  // A signal that ends npm goes no further: without its parent the service would hold the folder and serve nobody.
  if (process.env['npm_lifecycle_event']) setInterval(() => isOrphan() && stop(), 250).unref();
  // The parent process is gone, or asks this process to end.
  process.once('disconnect', stop);
}

export function localStores({ wiring, emulators }: Pick<Service, 'wiring' | 'emulators'>): LocalStores {
  const values = outputs(wiring);
  const named = Object.entries(stackOutputs).map(([name, output]) => [name, values[output]]);
  return v.parse(LocalStores, {
    region: awsEnvironment.region,
    endpoints: emulators.endpoints,
    access_key_id: emulators.keys.accessKeyId,
    secret_access_key: emulators.keys.secretAccessKey,
    ...Object.fromEntries(named),
  });
}

/** Keeps other services and users out of the folder with keys and payloads. The lock ends with the process. */
async function lockFolder(folder: string | null, running: AsyncDisposableStack): Promise<void> {
  if (folder === null) return;
  await mkdir(folder, { recursive: true });
  await makeFolderPrivate(folder);
  const lock = new DatabaseSync(path.join(folder, 'lock.sqlite'), { timeout: 0 });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (cause) {
    throw new Fault(
      'folder_in_use',
      `Another service keeps its state in ${folder}: stop it, or give another --data folder.`,
      { cause },
    );
  }
  running.defer(() => lock.close());
}

/** Takes up what the last run left before any worker runs: attempts of that run say nothing of their deliveries. */
async function resumeWork({ dynamodb, sqs }: StoreClients, stores: LocalStores): Promise<void> {
  const table = { client: dynamodb, name: stores.table };
  const retracted = await retractOpenAttempts(
    { due: dueDeliveries(table), deliveries: deliveryStore(table) },
    new Date(),
  );
  if (retracted > 0) log(`${retracted} deliveries were being projected when the service ended: they begin again.`);
  for (const queue of queueNames) {
    const deadLetterQueueUrl = stores[`${queue}_dead_letter_queue_url`];
    const moving = await redrive(sqs, { deadLetterQueueUrl, queueUrl: stores[`${queue}_queue_url`] });
    if (moving > 0) log(`${moving} dead letters of the ${queue} queue are tried again.`);
  }
}
