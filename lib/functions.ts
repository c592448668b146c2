import type { Alias, IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource, type SqsEventSourceProps } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { Fault } from '../shared/contract/fault.ts';
import type { QueueName } from '../shared/contract/stack-outputs.ts';
import { type FunctionName, functionNames, functionSpecs } from './function-specs.ts';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';

type FunctionsProps = Omit<ServiceFunctionProps, 'name' | 'bundle'> & {
  /** The folder of a function's bundle. */
  readonly bundleOf: (name: FunctionName) => string;
};

/** All functions, with the queues that feed workers. */
export class Functions extends Construct {
  readonly byName: ReadonlyMap<FunctionName, LambdaFunction>;
  /** Of functions whose new versions take over step by step. */
  readonly aliases: ReadonlyMap<FunctionName, Alias>;

  constructor(scope: Construct, id: string, props: FunctionsProps) {
    super(scope, id);
    const made = functionNames.map((name) => {
      const one = new ServiceFunction(this, pascalCase(name), { ...props, name, bundle: props.bundleOf(name) });
      return { name, ...one };
    });
    this.byName = new Map(made.map(({ name, lambda }) => [name, lambda]));
    this.aliases = new Map(made.flatMap(({ name, alias }) => (alias ? [[name, alias]] : [])));
    for (const name of functionNames) {
      const { fedBy } = functionSpecs[name];
      if (fedBy) this.asked(name).addEventSource(eventSource(props, fedBy));
    }
  }

  named(name: FunctionName): LambdaFunction {
    const found = this.byName.get(name);
    if (!found) throw new Fault('function_unknown', `There is no function ${name}.`);
    return found;
  }

  /** What whoever asks a function asks: its alias, where it has one. */
  asked(name: FunctionName): IFunction {
    // The library's own types disagree under exactOptionalPropertyTypes.
    return (this.aliases.get(name) as IFunction | undefined) ?? this.named(name);
  }
}

/** How each queue feeds its worker. */
export const batches = {
  // Many small batches become one object, and so many full ones take a quarter of their worker's time.
  events: { batchSize: 200, maxBatchingWindow: Duration.seconds(5), maxConcurrency: 10 },
  // The governor of the graph's write rate.
  projection: { batchSize: 10, maxConcurrency: 20 },
  // A document of 200 MiB takes a function's memory for itself.
  documents: { batchSize: 1, maxConcurrency: 4 },
  notifications: { batchSize: 10, maxConcurrency: 5 },
  // A host limits how much an app asks at once.
  codehost: { batchSize: 1, maxConcurrency: 4 },
} as const satisfies Record<QueueName, SqsEventSourceProps>;

const eventSource = ({ stores, tenant }: FunctionsProps, name: QueueName): SqsEventSource =>
  new SqsEventSource(stores[name].queue, {
    ...batches[name],
    reportBatchItemFailures: true,
    maxConcurrency: tenant.concurrency[name] ?? batches[name].maxConcurrency,
  });

const pascalCase = (name: string): string =>
  name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
