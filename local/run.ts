import { mkdir } from 'node:fs/promises';
import { bundleFolder, bundleFunctions, watchFunctions } from '../lib/bundle-functions.ts';
import { functionNames } from '../lib/function-specs.ts';
import { type Credentials, writeCredentials } from './credentials.ts';
import { type DevelopmentIssuer, startIssuer } from './issuer/issuer.ts';
import type { LocalOptions } from './options.ts';
import { seed } from './seed/seed.ts';
import { type Service, startService } from './service.ts';
import { localStores } from './stores.ts';
import { synthesize } from './synthesize.ts';
import type { Template } from './template/template.ts';

/** What runs, and how to use it. */
export type Running = { readonly baseUrl: string; readonly credentials: Credentials };

/** Runs the service until a signal, which ends it and everything that it started. */
export async function runUntilStopped(options: LocalOptions, onReady: (running: Running) => unknown): Promise<void> {
  const issuer = await startIssuer(options.folder);
  const starting = startService({
    port: options.port,
    folder: options.folder,
    template: () => bundleAndSynthesize(issuer),
    environment: process.env,
    log: (line) => console.error(line),
  });
  stopOnSignal(async () => {
    const service = await starting.catch(() => null);
    await Promise.all([service?.stop(), issuer.stop()]);
  });
  const service = await starting;
  if (options.watch) await watchFunctions(functionNames, () => restartAll(service));
  await onReady(await openFor(options, service, issuer));
}

async function bundleAndSynthesize(issuer: DevelopmentIssuer): Promise<Template> {
  // Both need the folders, and synthesis only their place: so that they can go on side by side.
  await Promise.all(functionNames.map((name) => mkdir(bundleFolder(name), { recursive: true })));
  const [template] = await Promise.all([synthesize(issuer), bundleFunctions(functionNames)]);
  return template;
}

async function openFor(options: LocalOptions, service: Service, issuer: DevelopmentIssuer): Promise<Running> {
  for (const one of service.functions.values()) one.warm();
  const { baseUrl } = service;
  const stores = localStores(service);
  const seeded = await seed(options, stores, issuer);
  const credentials = { base_url: baseUrl, ...seeded, local: stores };
  if (options.credentials) await writeCredentials(options.credentials, credentials);
  return { baseUrl, credentials };
}

function restartAll({ functions }: Service): void {
  for (const one of functions.values()) void one.restart();
  console.log('Sources changed: the next request runs them.');
}

function stopOnSignal(stop: () => Promise<unknown>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      // A second signal ends the process where the first could not.
      void stop().finally(() => process.exit(0));
    });
}
