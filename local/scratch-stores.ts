import { type Emulators, startEmulators } from './emulators/start.ts';
import { createResources } from './resources/create.ts';
import { currentTemplate } from './template/current.ts';
import { outputs, type Wiring, wire } from './template/wiring.ts';

export type ScratchStores = Pick<Emulators, 'endpoints' | 'innerEndpoints' | 'keys' | 'stop'> & {
  /** The names of tables, buckets and queues, by the stack's outputs. */
  readonly names: Readonly<Record<string, string>>;
  readonly wiring: Wiring;
};

/** Tables, buckets and queues as the stack declares them, empty, on their own emulators: in memory, or in an empty folder. */
export async function startScratchStores(folder: string | null = null): Promise<ScratchStores> {
  const [declared, emulators] = await Promise.all([currentTemplate(), startEmulators(folder)]);
  const wiring = wire(declared, emulators.endpoints.sqs);
  await createResources(emulators, wiring);
  return { ...emulators, names: outputs(wiring), wiring };
}
