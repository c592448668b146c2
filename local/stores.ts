import * as v from 'valibot';
import { LocalStores, stackOutputs } from '../shared/contract/stack-outputs.ts';
import { place } from './place.ts';
import type { Service } from './service.ts';
import { outputs } from './template/wiring.ts';

/** How the command line reaches the stores of a running service. */
export function localStores({ wiring, emulators }: Pick<Service, 'wiring' | 'emulators'>): LocalStores {
  const values = outputs(wiring);
  const named = Object.entries(stackOutputs).map(([name, output]) => [name, values[output]]);
  return v.parse(LocalStores, {
    region: place.region,
    endpoints: emulators.endpoints,
    ...Object.fromEntries(named),
  });
}
