import { type Emulators, startEmulators } from './emulators/start.ts';
import { createResources } from './resources/create.ts';
import { currentTemplate } from './template/current.ts';
import { outputs, type Wiring, wire } from './template/wiring.ts';

export type ScratchStores = Pick<Emulators, 'endpoints' | 'innerEndpoints' | 'keys' | 'stop'> & {
  readonly names: Readonly<Record<string, string>>;
  readonly wiring: Wiring;
};

export async function startScratchStores(folder: string | null = null): Promise<ScratchStores> {
  const [declared, emulators] = await Promise.all([currentTemplate(), startEmulators(folder)]);
  const wiring = wire(declared, emulators.endpoints.sqs);
  await createResources(emulators, wiring);
  return { ...emulators, names: outputs(wiring), wiring };
}
