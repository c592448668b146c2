import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  type MetricOptions,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Rule as EventRule } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { queueNames } from '../shared/contract/stack-outputs.ts';
import { acknowledge } from './acknowledge.ts';
import { functionSpecs, pascalCase, workerNames } from './function-specs.ts';
import { busyFunctions, type OwnMetric, ownMetric, type Watched } from './own-metrics.ts';

const runbook = 'docs/runbook.md';

/** When an alarm rings: its metric beyond the threshold, in each of this many periods. */
export type Rule = {
  readonly section: string;
  readonly above?: number;
  readonly below?: number;
  readonly periods?: number;
  /** The number of periods; by default all of them have to be beyond the threshold. */
  readonly of?: number;
  /** Silence is what this alarm is about. */
  readonly silenceRings?: true;
};

const every = (minutes: number) => ({ period: Duration.minutes(minutes) });

/** Beyond it, nine deliveries of ten are not where they should be: some seconds. */
const lagMs = 300_000;

/**
 * What rings, whom it tells, and which section of the runbook says what to do. An alarm is charged by its metrics, so
 * one sees all functions where the answer to it is the same.
 */
export class Alarms extends Construct {
  readonly topic: Topic;
  readonly #byName = new Map<string, Alarm>();

  constructor(scope: Construct, id: string, watched: Watched) {
    super(scope, id);
    const { tenant } = watched;
    this.topic = new Topic(this, 'Topic', { displayName: `Tributary ${tenant.name}`, enforceSSL: true });
    acknowledge(this.topic, {
      'AwsSolutions-SNS2': 'Alarms name figures and sections of a document; a separate key would cost more than they.',
    });
    // `enforceSSL` gives the topic a policy, which replaces the default one: publishers need their own statement.
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    if (tenant.alarmEmail) this.topic.addSubscription(new EmailSubscription(tenant.alarmEmail));
    this.#watchQueues(watched);
    this.#watchFunctions(watched);
    this.#watchService(watched);
    if (tenant.backup) this.#watchBackups(watched);
  }

  /** Those that ring soon after a version that cannot do its work. */
  get ofVersions(): readonly Alarm[] {
    const names = ['ServerErrors', 'InternalError', 'Unavailable', 'DeliveryFailed'];
    return [...this.#byName].flatMap(([name, alarm]) => (names.includes(name) ? [alarm] : []));
  }

  #watchQueues({ stores, missedCalls }: Watched): void {
    const missed = missedCalls.metricApproximateNumberOfMessagesVisible(every(1));
    this.watch('ScheduleDeadLetters', missed, { section: 'missed-schedules', above: 0 });
    for (const queueName of queueNames) {
      const { queue, deadLetters } = stores.queues[queueName];
      const name = pascalCase(queueName);
      const waiting = deadLetters.metricApproximateNumberOfMessagesVisible(every(1));
      this.watch(`${name}DeadLetters`, waiting, { section: 'dead-letters', above: 0 });
      const lag = queue.metricApproximateAgeOfOldestMessage(every(5));
      this.watch(`${name}Backlog`, lag, { section: 'backlog', above: 900 });
    }
  }

  #watchFunctions({ functions, tenant }: Watched): void {
    // Time and memory that ran out. In a function that only the API calls, they are responses with 5xx.
    // A failed call of a schedule is among its dead letters.
    const queued = workerNames.filter((one) => functionSpecs[one].fedBy);
    for (const name of new Set([...queued, ...tenant.functionUrls])) {
      const errors = functions.named(name).metricErrors(every(5));
      this.watch(`${name}Errors`, errors, { section: 'worker-errors', above: 0 });
    }
    for (const name of busyFunctions) {
      const throttles = functions.named(name).metricThrottles(every(5));
      this.watch(`${name}Throttles`, throttles, { section: 'throttles', above: 0, periods: 2 });
    }
    // Its schedule wakes it each minute.
    const invocations = functions.named('sweep').metricInvocations(every(15));
    this.watch('SweepSilent', invocations, { section: 'sweep-silent', below: 1, silenceRings: true });
    if (!tenant.canary) return;
    // The least of its errors is 0 if one round of the period ended well.
    const rounds = functions.named('canary').metricErrors({ ...every(5), statistic: 'Minimum' });
    this.watch('CanarySilent', rounds, { section: 'canary', above: 0, periods: 3, silenceRings: true });
  }

  #watchService({ api, tenant }: Watched): void {
    const own = (name: OwnMetric, options: MetricOptions = every(5)) => ownMetric(tenant, name, options);
    // The average of a metric that is 0 or 1 for each request is the rate. One failure among few requests does not ring.
    const failing = api.metricServerError({ ...every(1), statistic: 'Average' });
    this.watch('ServerErrors', failing, { section: 'server-errors', above: 0.01, periods: 2, of: 5 });
    // A function that answers 500 or 503 has not failed as Lambda counts it.
    this.watch('InternalError', own('internalError'), { section: 'internal-errors', above: 0 });
    this.watch('Unavailable', own('unavailable'), { section: 'unavailable', above: 0, periods: 2 });
    this.watch('DeliveryFailed', own('deliveryFailed'), { section: 'failed-deliveries', above: 0 });
    const lag = own('projectionLag', { ...every(5), statistic: 'p90' });
    this.watch('ProjectionLag', lag, { section: 'projection-lag', above: lagMs, periods: 3 });
    const uncollected = own('orderNotCollected', every(60));
    this.watch('OrderNotCollected', uncollected, { section: 'orders-not-collected', above: 0, periods: 3 });
  }

  /**
   * Fields and states are those of "Monitoring AWS Backup events using Amazon EventBridge" in the developer guide of AWS
   * Backup: a backup has a `state`, a restore a `status`, which is never EXPIRED. The event of a failed restore need not
   * name the source, so each tenant hears of every failed restore of its account.
   */
  #watchBackups({ stores: { tables, buckets } }: Watched): void {
    const ended = ['FAILED', 'ABORTED'];
    const resourceArn = [tables.main.tableArn, buckets.raw.bucketArn, buckets.lake.bucketArn];
    const jobs = { Backup: { state: [...ended, 'EXPIRED'], resourceArn }, Restore: { status: ended } };
    for (const [job, detail] of Object.entries(jobs))
      new EventRule(this, `${job}Failed`, {
        description: `A ${job.toLowerCase()} job of AWS Backup failed: ${runbook}#backups`,
        eventPattern: { source: ['aws.backup'], detailType: [`${job} Job State Change`], detail },
        targets: [new SnsTopic(this.topic, { authorizeUsingRole: true })],
      });
  }

  /** Rings if the metric breaks the rule, and says in its description what to do. */
  watch(id: string, metric: IMetric, { section, above, below, periods = 1, of = periods, silenceRings }: Rule): void {
    const alarm = new Alarm(this, id, {
      metric,
      threshold: above ?? below ?? 0,
      comparisonOperator:
        below === undefined ? ComparisonOperator.GREATER_THAN_THRESHOLD : ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: of,
      datapointsToAlarm: periods,
      treatMissingData: silenceRings ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      alarmDescription: `What to do: ${runbook}#${section}`,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    alarm.addOkAction(new SnsAction(this.topic));
    this.#byName.set(id, alarm);
  }
}
