import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { FunctionName } from './function-specs.ts';
import { ownMetric } from './own-metrics.ts';
import type { Watched } from './watched.ts';

const runbook = 'docs/runbook.md';

/** When an alarm rings: its metric beyond the threshold, in each of so many periods. */
type Rule = {
  readonly section: string;
  readonly above?: number;
  readonly below?: number;
  readonly periods?: number;
  /** Silence is what this alarm is about. */
  readonly silenceRings?: true;
};

const every = (minutes: number) => ({ period: Duration.minutes(minutes) });

/** Functions behind which something waits that was accepted, or a caller who was promised an answer. */
const throttled = ['collect', 'ingest', 'store-events', 'projector'] as const satisfies readonly FunctionName[];
const answering = ['collect', 'ingest', 'queries'] as const satisfies readonly FunctionName[];

/** What rings, whom it tells, and which section of the runbook says what to do. */
export class Alarms extends Construct {
  readonly #topic: Topic;

  constructor(scope: Construct, id: string, watched: Watched) {
    super(scope, id);
    const { tenant } = watched;
    this.#topic = new Topic(this, 'Topic', { displayName: `Tributary ${tenant.name}`, enforceSSL: true });
    acknowledge(this.#topic, {
      'AwsSolutions-SNS2':
        'Alarms name figures and sections of a document; a key of its own would cost more than they.',
    });
    if (tenant.alarmEmail) this.#topic.addSubscription(new EmailSubscription(tenant.alarmEmail));
    this.#watchQueues(watched);
    this.#watchFunctions(watched);
    this.#watchService(watched);
  }

  #watchQueues({ stores }: Watched): void {
    for (const [name, { queue, deadLetters }] of [
      ['Events', stores.events],
      ['Projection', stores.projection],
    ] as const) {
      const waiting = deadLetters.metricApproximateNumberOfMessagesVisible(every(1));
      this.#watch(`${name}DeadLetters`, waiting, { section: 'dead-letters', above: 0 });
      const lag = queue.metricApproximateAgeOfOldestMessage(every(5));
      this.#watch(`${name}Backlog`, lag, { section: 'backlog', above: 900 });
    }
  }

  #watchFunctions({ functions }: Watched): void {
    for (const [name, lambda] of functions.byName)
      this.#watch(`${name}Errors`, lambda.metricErrors(every(5)), { section: 'function-errors', above: 0 });
    for (const name of throttled)
      this.#watch(`${name}Throttles`, functions.named(name).metricThrottles(every(5)), {
        section: 'throttles',
        above: 0,
        periods: 2,
      });
    // Its schedule wakes it each minute.
    const invocations = functions.named('sweep').metricInvocations(every(15));
    this.#watch('SweepSilent', invocations, { section: 'sweep-silent', below: 1, silenceRings: true });
  }

  #watchService({ api, tenant }: Watched): void {
    // The average of a metric that is 0 or 1 for each request is the rate.
    const failing = api.metricServerError({ ...every(5), statistic: 'Average' });
    this.#watch('ServerErrors', failing, { section: 'server-errors', above: 0.01 });
    // A function that answers 500 or 503 has not failed as Lambda counts it.
    for (const name of answering) {
      const internal = ownMetric(tenant, name, 'internalError', every(5));
      this.#watch(`${name}InternalError`, internal, { section: 'internal-errors', above: 0 });
      const unavailable = ownMetric(tenant, name, 'unavailable', every(5));
      this.#watch(`${name}Unavailable`, unavailable, { section: 'unavailable', above: 0, periods: 2 });
    }
    for (const name of ['sweep', 'projector'] as const) {
      const failed = ownMetric(tenant, name, 'deliveryFailed', every(5));
      this.#watch(`${name}DeliveryFailed`, failed, { section: 'failed-deliveries', above: 0 });
    }
    const uncollected = ownMetric(tenant, 'sweep', 'orderNotCollected', every(60));
    this.#watch('OrderNotCollected', uncollected, { section: 'orders-not-collected', above: 0, periods: 3 });
  }

  #watch(id: string, metric: IMetric, { section, above, below, periods = 1, silenceRings }: Rule): void {
    const alarm = new Alarm(this, id, {
      metric,
      threshold: above ?? below ?? 0,
      comparisonOperator:
        below === undefined ? ComparisonOperator.GREATER_THAN_THRESHOLD : ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: periods,
      treatMissingData: silenceRings ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      alarmDescription: `What to do: ${runbook}#${section}`,
    });
    alarm.addAlarmAction(new SnsAction(this.#topic));
    alarm.addOkAction(new SnsAction(this.#topic));
  }
}
