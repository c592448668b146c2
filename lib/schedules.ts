import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { SweepTask } from '../shared/contract/messages.ts';
import { acknowledge } from './acknowledge.ts';
import type { Functions } from './functions.ts';
import type { Tenant } from './tenant.ts';

/** The tasks of the sweep by the minutes between them: a rule takes five targets, and an account a few hundred rules. */
const sweeps: readonly (readonly [minutes: number, ...tasks: SweepTask[]])[] = [
  [1, 'due'],
  [5, 'gaps'],
  [15, 'garbage', 'checks', 'payloads', 'names'],
];

type Call = readonly [lambda: IFunction, event: object];

/** What wakes functions by the clock. A call that was missed is not repeated: the next one does its work. */
export class Schedules extends Construct {
  /** Calls that failed, or that waited longer than until the next one. They hold no data. */
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, functions: Functions, { canary }: Pick<Tenant, 'canary'>) {
    super(scope, id);
    this.deadLetters = new Queue(this, 'DeadLetters', {
      enforceSSL: true,
      encryption: QueueEncryption.SQS_MANAGED,
      // Long enough to look at them; the alarm is over when they are gone.
      retentionPeriod: Duration.days(1),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    acknowledge(this.deadLetters, { 'AwsSolutions-SQS3': 'The queue holds the dead letters of schedules.' });
    const [sweep, compactor, round] = (['sweep', 'compactor', 'canary'] as const).map((name) =>
      functions.aliasOf(name),
    );
    if (!sweep || !compactor || !round) return;
    this.#limit(sweep, 1);
    this.#limit(compactor, 60);
    // Its own alarm counts failed rounds.
    round.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(5) });
    for (const [minutes, ...tasks] of sweeps) {
      const calls = tasks.map((task): Call => [sweep, { task }]);
      this.#every(minutes, minutes === 5 && canary ? [...calls, [round, {}]] : calls);
    }
    this.#every(60, [[compactor, {}]]);
  }

  /** Lambda repeats a failed call twice, and keeps a throttled one for six hours otherwise: sixty sweeps after an hour. */
  #limit(lambda: IFunction, minutes: number): void {
    const onFailure = new SqsDestination(this.deadLetters as IQueue);
    lambda.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(minutes), onFailure });
  }

  #every(minutes: number, calls: readonly Call[]): void {
    new Rule(this, `Every${minutes}`, {
      description: `Wakes what runs every ${minutes} minutes`,
      schedule: Schedule.rate(Duration.minutes(minutes)),
      targets: calls.map(
        ([lambda, event]) =>
          new LambdaFunction(lambda, {
            event: RuleTargetInput.fromObject(event),
            retryAttempts: 0,
            maxEventAge: Duration.minutes(minutes),
            deadLetterQueue: this.deadLetters as IQueue,
          }),
      ),
    });
  }
}
