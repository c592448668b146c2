import { type Emulators, startEmulators } from './emulators/start.ts';
import { createResources } from './resources/create.ts';
import { currentTemplate } from './template/current.ts';
import { outputs, type Wiring, wire } from './template/wiring.ts';

export type ScratchStores = Pick<Emulators, 'endpoints' | 'innerEndpoints' | 'keys' | 'stop'> & {
  readonly names: Readonly<Record<string, string>>;
  readonly wiring: Wiring;
};

export async function startScratchStores(folder: string | null = null): Promise<ScratchStores> {
  return createScratchStores(await startEmulators(folder));
}

/** Separate stores on emulators that others may use: `suffix` ends the names of their tables, buckets and queues. */
export async function createScratchStores(emulators: Emulators, suffix = ''): Promise<ScratchStores> {
  const wiring = wire(await currentTemplate(), emulators.endpoints.sqs, suffix);
  await createResources(emulators, wiring);
  return { ...emulators, names: outputs(wiring), wiring };
}
