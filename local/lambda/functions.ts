import path from 'node:path';
import type { ResourceLimits } from 'node:worker_threads';
import * as v from 'valibot';
import { Fault } from '../../shared/contract/problems.ts';
import { functionNamed, type Wiring, wired } from '../template/wiring.ts';
import { type Capacity, LocalFunction } from './local-function.ts';

export type LocalFunctions = ReadonlyMap<string, LocalFunction>;

const FunctionProperties = v.object({
  Handler: v.literal('index.handler'),
  MemorySize: v.number(),
  Timeout: v.number(),
  RecursiveLoop: v.optional(v.picklist(['Allow', 'Terminate']), 'Terminate'),
  Environment: v.object({ Variables: v.record(v.string(), v.string()) }),
});

/** V8 reads `NODE_OPTIONS` only for a process. The young generation is three semi-spaces. */
function limitsOf(nodeOptions: string): ResourceLimits {
  const found = nodeOptions.matchAll(/--max-(old|semi)-space-size=(\d{1,6})/g);
  const sizes = new Map(Array.from(found, ([, space, size]) => [space, Number(size)]));
  const [old, semi] = [sizes.get('old'), sizes.get('semi')];
  if (!old || !semi) throw new Fault('template_heap', 'NODE_OPTIONS of the template do not size both generations.');
  return { maxOldGenerationSizeMb: old, maxYoungGenerationSizeMb: 3 * semi };
}

const root = path.resolve(import.meta.dirname, '..', '..');

const AssetMetadata = v.object({ 'aws:asset:path': v.string() });

/** How a laptop differs from the cloud: no metrics to send, and a log for people. */
const localSettings = {
  POWERTOOLS_METRICS_DISABLED: 'true',
  POWERTOOLS_LOG_LEVEL: 'WARN',
};

const MappingProperties = v.object({ FunctionName: v.string() });

/** `chosen` are the user's variables, which replace the template's settings of the same name. */
export function localFunctions(
  wiring: Wiring,
  reach: Readonly<Record<string, string>>,
  chosen: Readonly<Record<string, string | undefined>>,
  capacityOf: (isFedByQueue: boolean) => Capacity,
): LocalFunctions {
  const mappings = wired(wiring, 'AWS::Lambda::EventSourceMapping', MappingProperties);
  const fed = new Set(mappings.map(({ properties }) => functionNamed(properties.FunctionName)));
  return new Map(
    wired(wiring, 'AWS::Lambda::Function', FunctionProperties).map(({ id, resource, properties }) => {
      const { NODE_OPTIONS = '', ...variables } = properties.Environment.Variables;
      const settings: Readonly<Record<string, string>> = { ...variables, ...localSettings };
      const name = settings['POWERTOOLS_SERVICE_NAME'] ?? id;
      const definition = {
        name,
        arn: wiring.identities.get(id)?.attributes['Arn'] ?? id,
        file: path.resolve(root, v.parse(AssetMetadata, resource.Metadata)['aws:asset:path'], 'index.mjs'),
        memoryMiB: properties.MemorySize,
        resourceLimits: limitsOf(NODE_OPTIONS),
        timeoutMs: properties.Timeout * 1000,
        allowsRecursion: properties.RecursiveLoop === 'Allow',
        environment: { ...settings, ...overrides(resource.Properties, settings, chosen), ...reach },
      };
      return [id, new LocalFunction(definition, capacityOf(fed.has(id)))];
    }),
  );
}

/** Only settings may be chosen: what the template computes is wiring. */
function overrides(
  properties: unknown,
  settings: Readonly<Record<string, string>>,
  chosen: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const raw = v.parse(
    v.object({ Environment: v.object({ Variables: v.record(v.string(), v.unknown()) }) }),
    properties,
  );
  const computed = (name: string): boolean => typeof raw.Environment.Variables[name] === 'object';
  return Object.fromEntries(
    Object.keys(settings).flatMap((name) => {
      const choice = chosen[name];
      return choice === undefined || computed(name) ? [] : [[name, choice]];
    }),
  );
}
