import * as v from 'valibot';
import { Fault } from '../../shared/contract/problems.ts';
import type { LocalFunctions } from '../lambda/functions.ts';
import { functionNamed, resourceByArn, type Wiring, wired } from '../template/wiring.ts';
import type { EventSourceMapping } from './queue-poller.ts';

const MappingProperties = v.object({
  EventSourceArn: v.string(),
  FunctionName: v.string(),
  BatchSize: v.optional(v.number(), 10),
  MaximumBatchingWindowInSeconds: v.optional(v.number(), 0),
  FunctionResponseTypes: v.optional(v.array(v.string()), []),
  ScalingConfig: v.optional(v.object({ MaximumConcurrency: v.number() })),
});

/** More would only take turns on a laptop's processors. */
const localConcurrency = 4;

export const eventSourcesOf = (
  wiring: Wiring,
  functions: LocalFunctions,
  { strictAws }: { readonly strictAws: boolean },
): EventSourceMapping[] =>
  wired(wiring, 'AWS::Lambda::EventSourceMapping', MappingProperties).map(({ id, properties }) => {
    const target = functions.get(functionNamed(properties.FunctionName));
    if (!target)
      throw new Fault(
        'mapping_without_function',
        `The event source mapping ${id} names a function that is not in the template.`,
      );
    return {
      queueUrl: wiring.identities.get(resourceByArn(wiring, properties.EventSourceArn))?.ref ?? '',
      queueArn: properties.EventSourceArn,
      target,
      batchSize: properties.BatchSize,
      windowMs: properties.MaximumBatchingWindowInSeconds * 1000,
      waitsForWindow: strictAws,
      followsRecursion: strictAws,
      concurrency: concurrencyOf(properties, strictAws),
      reportsItemFailures: properties.FunctionResponseTypes.includes('ReportBatchItemFailures'),
    };
  });

/** A function that takes one message at a time needs its memory for it, and its only container has that memory once. */
function concurrencyOf(
  { BatchSize, ScalingConfig }: v.InferOutput<typeof MappingProperties>,
  strictAws: boolean,
): number {
  if (BatchSize === 1 && !strictAws) return 1;
  return Math.min(localConcurrency, ScalingConfig?.MaximumConcurrency ?? localConcurrency);
}
