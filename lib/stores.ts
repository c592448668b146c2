import type { CfnDeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { icebergDatabase } from '../shared/contract/lake.ts';
import { icebergOutput, type QueueName, queueNames, stackOutputs } from '../shared/contract/stack-outputs.ts';
import { Buckets } from './buckets.ts';
import { functionSpecs, pascalCase, workerOf } from './function-specs.ts';
import { EventStream } from './iceberg/stream.ts';
import { IcebergTables } from './iceberg/tables.ts';
import { Tables } from './tables.ts';
import type { Tenant } from './tenant.ts';

const guarded = {
  enforceSSL: true,
  retentionPeriod: Duration.days(14),
  // A message may be all that there is of accepted events.
  removalPolicy: RemovalPolicy.RETAIN,
};

/** Receives before a message goes to the dead letters. */
const attempts = 5;

type WorkQueueProps = { readonly name: QueueName; readonly key: IKey | undefined };

class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { name, key }: WorkQueueProps) {
    super(scope, id);
    const encryption = key
      ? { encryption: QueueEncryption.KMS, encryptionMasterKey: key }
      : { encryption: QueueEncryption.SQS_MANAGED };
    this.deadLetters = new Queue(this, 'DeadLetters', { ...guarded, ...encryption });
    this.queue = new Queue(this, 'Queue', {
      ...guarded,
      ...encryption,
      // Lambda asks for six times the function's time-out, so that throttled retries do not overtake a running worker.
      visibilityTimeout: Duration.seconds(functionSpecs[workerOf(name)].timeoutSeconds * 6),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: attempts },
    });
  }
}

type StoresProps = {
  readonly isProtected: boolean;
  readonly key?: IKey | undefined;
  readonly warm?: Tenant['warmThroughput'];
  readonly ledgerRecovery: boolean;
  /** Whose events go into Iceberg tables; nobody's where it is left out. */
  readonly icebergOf?: string | undefined;
};

/** Everything that holds data: tables, buckets and queues. */
export class Stores extends Construct {
  readonly tables: Tables;
  readonly buckets: Buckets;
  readonly queues: Readonly<Record<QueueName, WorkQueue>>;
  readonly stream: CfnDeliveryStream | null;
  readonly icebergOf: string | undefined;
  readonly key: IKey | undefined;

  constructor(scope: Construct, id: string, { isProtected, key, warm = {}, icebergOf, ledgerRecovery }: StoresProps) {
    super(scope, id);
    this.key = key;
    this.icebergOf = icebergOf;
    this.tables = new Tables(this, 'Tables', { isProtected, key, warm, ledgerRecovery });
    this.buckets = new Buckets(this, 'Buckets', { key });
    const queues = queueNames.map((name) => [name, new WorkQueue(this, pascalCase(name), { name, key })]);
    this.queues = Object.fromEntries(queues);
    this.stream = icebergOf === undefined ? null : this.#streamOf(icebergOf);
    this.#tell();
  }

  #streamOf(tenant: string): CfnDeliveryStream {
    const { lake } = this.buckets;
    const { all: tables } = new IcebergTables(this, 'Iceberg', { tenant, lake });
    return new EventStream(this, 'EventStream', { tenant, lake, key: this.key, tables }).stream;
  }

  #tell(): void {
    const values: Record<string, string> = {
      [stackOutputs.table]: this.tables.main.tableName,
      [stackOutputs.event_table]: this.tables.eventLedger.tableName,
      [stackOutputs.raw_bucket]: this.buckets.raw.bucketName,
      [stackOutputs.lake_bucket]: this.buckets.lake.bucketName,
    };
    for (const name of queueNames) {
      values[stackOutputs[`${name}_queue_url`]] = this.queues[name].queue.queueUrl;
      values[stackOutputs[`${name}_dead_letter_queue_url`]] = this.queues[name].deadLetters.queueUrl;
    }
    if (this.icebergOf !== undefined) values[icebergOutput] = icebergDatabase(this.icebergOf);
    for (const [name, value] of Object.entries(values)) new CfnOutput(Stack.of(this), name, { value });
  }
}
