import { type Emulators, startEmulators } from './emulators/start.ts';
import { createResources } from './resources/create.ts';
import type { Template } from './template/template.ts';
import { outputs, type Wiring, wire } from './template/wiring.ts';

export type ScratchStores = Pick<Emulators, 'endpoints' | 'innerEndpoints' | 'keys' | 'stop'> & {
  /** The names of tables, buckets and queues, by the stack's outputs. */
  readonly names: Readonly<Record<string, string>>;
  readonly wiring: Wiring;
};

/**
 * Tables, buckets and queues as the stack declares them, empty, on emulators that forget them when they stop.
 *
 * @param template what the stack declares, where it is known: to synthesize it costs half a second of a processor
 */
export async function startScratchStores(template?: Template): Promise<ScratchStores> {
  const [declared, emulators] = await Promise.all([template ?? synthesized(), startEmulators(null)]);
  const wiring = wire(declared, emulators.endpoints.sqs);
  await createResources(emulators, wiring);
  return { ...emulators, names: outputs(wiring), wiring };
}

const synthesized = async (): Promise<Template> => (await import('./scratch-template.ts')).storesTemplate();
