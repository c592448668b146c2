import { type Emulators, startEmulators } from './emulators/start.ts';
import { createResources } from './resources/create.ts';
import { currentTemplate } from './template/current.ts';
import type { Template } from './template/template.ts';
import { outputs, type Wiring, wire } from './template/wiring.ts';

export type ScratchStores = Pick<Emulators, 'endpoints' | 'innerEndpoints' | 'keys' | 'stop'> & {
  readonly names: Readonly<Record<string, string>>;
  readonly wiring: Wiring;
};

export async function startScratchStores(folder: string | null = null): Promise<ScratchStores> {
  const [template, emulators] = await Promise.all([currentTemplate(), startEmulators(folder)]);
  return createScratchStores(emulators, template);
}

/** Separate stores on emulators that others may use: `suffix` ends the names of their tables, buckets and queues. */
export async function createScratchStores(
  emulators: Emulators,
  template: Template,
  suffix = '',
): Promise<ScratchStores> {
  const wiring = wire(template, emulators.endpoints.sqs, suffix);
  await createResources(emulators, wiring);
  return { ...emulators, names: outputs(wiring), wiring };
}
