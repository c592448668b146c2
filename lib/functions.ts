import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { Fault } from '../shared/contract/fault.ts';
import { type FunctionName, functionNames } from './function-specs.ts';
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
    this.named('store-events').addEventSource(
      new SqsEventSource(props.stores.events.queue, {
        reportBatchItemFailures: true,
        // Many small batches become one object: fewer PUTs, and files that a query likes to read.
        batchSize: 1000,
        maxBatchingWindow: Duration.seconds(5),
        maxConcurrency: props.tenant.concurrency.events ?? 10,
      }),
    );
    this.named('projector').addEventSource(
      new SqsEventSource(props.stores.projection.queue, {
        reportBatchItemFailures: true,
        batchSize: 10,
        // The governor of the graph's write rate.
        maxConcurrency: props.tenant.concurrency.projection ?? 20,
      }),
    );
  }

  named(name: FunctionName): LambdaFunction {
    const found = this.byName.get(name);
    if (!found) throw new Fault('function_unknown', `There is no function ${name}.`);
    return found;
  }
}

const pascalCase = (name: string): string =>
  name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
