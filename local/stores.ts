import * as v from 'valibot';
import { LocalStores, stackOutputs } from '../shared/contract/stack-outputs.ts';
import { awsEnvironment } from './aws-environment.ts';
import type { Service } from './service.ts';
import { outputs } from './template/wiring.ts';

/** How the command line reaches the stores of a running service. */
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
