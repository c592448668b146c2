import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource, type SqsEventSourceProps } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { Fault } from '../shared/contract/fault.ts';
import { type FunctionName, type FunctionSpec, functionNames, functionSpecs } from './function-specs.ts';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';

type FunctionsProps = Omit<ServiceFunctionProps, 'name' | 'bundle'> & {
  /** The folder of a function's bundle. */
  readonly bundleOf: (name: FunctionName) => string;
};

/** All functions, with the queues that feed two of them. */
export class Functions extends Construct {
  readonly byName: ReadonlyMap<FunctionName, LambdaFunction>;

  constructor(scope: Construct, id: string, props: FunctionsProps) {
    super(scope, id);
    this.byName = new Map(
      functionNames.map((name) => {
        const { lambda } = new ServiceFunction(this, pascalCase(name), {
          ...props,
          name,
          bundle: props.bundleOf(name),
        });
        return [name, lambda];
      }),
    );
    for (const [name, lambda] of this.byName) {
      const { fedBy } = functionSpecs[name];
      if (fedBy) lambda.addEventSource(eventSource(props, fedBy));
    }
  }

  named(name: FunctionName): LambdaFunction {
    const found = this.byName.get(name);
    if (!found) throw new Fault('function_unknown', `There is no function ${name}.`);
    return found;
  }
}

type QueueName = NonNullable<FunctionSpec['fedBy']>;

const batches = {
  // Many small batches become one object: fewer PUTs, and files that a query likes to read.
  events: { batchSize: 1000, maxBatchingWindow: Duration.seconds(5), maxConcurrency: 10 },
  // The governor of the graph's write rate.
  projection: { batchSize: 10, maxConcurrency: 20 },
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
