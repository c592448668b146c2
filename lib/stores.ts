import { CfnOutput, Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { stackOutputs } from '../shared/contract/stack-outputs.ts';
import { Buckets } from './buckets.ts';
import { functionSpecs } from './function-specs.ts';
import { Tables } from './tables.ts';
import { WorkQueue } from './work-queue.ts';

/** Everything that holds data: tables, buckets and queues. */
export class Stores extends Construct {
  readonly tables: Tables;
  readonly buckets: Buckets;
  readonly events: WorkQueue;
  readonly projection: WorkQueue;

  constructor(scope: Construct, id: string, { isProtected }: { readonly isProtected: boolean }) {
    super(scope, id);
    this.tables = new Tables(this, 'Tables', { isProtected });
    this.buckets = new Buckets(this, 'Buckets');
    this.events = new WorkQueue(this, 'Events', { workerTimeout: timeoutOf('store-events'), attempts: 5 });
    this.projection = new WorkQueue(this, 'Projection', { workerTimeout: timeoutOf('projector'), attempts: 5 });
    this.#tell();
  }

  #tell(): void {
    const values = {
      [stackOutputs.table]: this.tables.main.tableName,
      [stackOutputs.event_table]: this.tables.eventLedger.tableName,
      [stackOutputs.raw_bucket]: this.buckets.raw.bucketName,
      [stackOutputs.lake_bucket]: this.buckets.lake.bucketName,
      [stackOutputs.events_queue_url]: this.events.queue.queueUrl,
      [stackOutputs.events_dead_letter_queue_url]: this.events.deadLetters.queueUrl,
      [stackOutputs.projection_queue_url]: this.projection.queue.queueUrl,
      [stackOutputs.projection_dead_letter_queue_url]: this.projection.deadLetters.queueUrl,
    };
    for (const [name, value] of Object.entries(values)) new CfnOutput(Stack.of(this), name, { value });
  }
}

const timeoutOf = (worker: 'store-events' | 'projector'): Duration =>
  Duration.seconds(functionSpecs[worker].timeoutSeconds);
