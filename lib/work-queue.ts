import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';

const guarded = {
  enforceSSL: true,
  retentionPeriod: Duration.days(14),
  // A message may be all that there is of accepted events.
  removalPolicy: RemovalPolicy.RETAIN,
};

type WorkQueueProps = {
  /** The time that the worker of this queue may take. */
  readonly workerTimeout: Duration;
  /** Receives before a message goes to the dead letters. */
  readonly attempts: number;
  readonly key: IKey | undefined;
};

/** A standard queue and its dead letters. */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { workerTimeout, attempts, key }: WorkQueueProps) {
    super(scope, id);
    const encryption = key
      ? { encryption: QueueEncryption.KMS, encryptionMasterKey: key }
      : { encryption: QueueEncryption.SQS_MANAGED };
    this.deadLetters = new Queue(this, 'DeadLetters', { ...guarded, ...encryption });
    this.queue = new Queue(this, 'Queue', {
      ...guarded,
      ...encryption,
      // Lambda asks for six times the function's time-out, so that throttled retries do not overtake a running worker.
      visibilityTimeout: Duration.seconds(workerTimeout.toSeconds() * 6),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: attempts },
    });
  }
}
