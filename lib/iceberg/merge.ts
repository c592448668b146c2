import { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { CfnDeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import {
  eventColumns,
  eventKeyColumns,
  icebergDatabase,
  icebergPrefix,
  icebergTables,
  icebergWorkGroup,
  landingDay,
} from '../../shared/contract/lake.ts';
import { acknowledge } from '../acknowledge.ts';
import type { Alarms } from '../alarms.ts';
import { allowKey } from '../rights.ts';
import type { Stores } from '../stores.ts';
import { allowDefaultDatabase, allowTableFiles, allowTables } from './rights.ts';

/** Days of receipt, before today, whose landed rows are merged: failures may last this long. */
const mergedDays = 3;
/** Days for which landed rows are kept, so that what was not merged in time is merged by hand. */
const landedDays = 30;
/** The stream delivers within minutes; before, an event that was received earlier may still be missing. */
const settledMinutes = 15;

const quoted = (name: string): string => `"${name}"`;
const [events, landing] = [quoted(icebergTables.events), quoted(icebergTables.landing)];
const ago = (days: number): string => `current_date - INTERVAL '${days}' DAY`;
const dayBefore = (days: number): string => `date_format(${ago(days)}, '%Y-%m-%d')`;
const utc = (time: string): string => `CAST(${time} AT TIME ZONE 'UTC' AS timestamp(6))`;
const receivedAt = (row: string): string => `from_iso8601_timestamp(${row}"received_at")`;

/** The value of a landed column as the table of events has it. */
function storedValue(column: string): string {
  const landed = `landed.${quoted(column)}`;
  if (column === 'received_at') return utc(receivedAt('landed.'));
  return column === 'trusted' ? `${landed} = 'true'` : `nullif(${landed}, '')`;
}

/**
 * Stores each landed event that is not there, the first received one of its id; as often as it is run. An id that was
 * stored within `dedupDays` before is a repeat.
 */
export const mergeStatement = (dedupDays: number): string => `MERGE INTO ${events} AS stored
USING (
  SELECT * FROM (
    SELECT *, row_number() OVER (
      PARTITION BY ${eventKeyColumns.map(quoted).join(', ')} ORDER BY "received_at", "request_id"
    ) AS place
    FROM ${landing}
    WHERE ${quoted(landingDay)} >= ${dayBefore(mergedDays)}
      AND ${receivedAt('')} < current_timestamp - INTERVAL '${settledMinutes}' MINUTE
  ) AS numbered
  WHERE place = 1
) AS landed
ON ${eventKeyColumns.map((column) => `stored.${quoted(column)} = landed.${quoted(column)}`).join(' AND ')}
  AND stored."received_at" >= ${utc(receivedAt('landed.'))} - INTERVAL '${dedupDays}' DAY
  AND stored."received_at" >= CAST(${ago(dedupDays + mergedDays + 1)} AS timestamp(6))
WHEN NOT MATCHED THEN INSERT (${eventColumns.map(quoted).join(', ')})
  VALUES (${eventColumns.map(storedValue).join(', ')})`;

/** Removes landed rows that were merged long ago. */
export const expireStatement = `DELETE FROM ${landing} WHERE ${quoted(landingDay)} < ${dayBefore(landedDays)}`;

/** Makes few large files of many small ones, and removes those that no version of five days needs. */
const upkeepStatements = {
  optimize: `OPTIMIZE ${events} REWRITE DATA USING BIN_PACK`,
  vacuumEvents: `VACUUM ${events}`,
  vacuumLanding: `VACUUM ${landing}`,
} as const;

type IcebergMergeProps = {
  readonly tenant: string;
  readonly stores: Stores;
  /** They notify of every statement that failed or was never started, and of events that the stream did not deliver. */
  readonly alarms: Alarms;
  readonly dedupDays: number;
};

const section = 'iceberg';

/** Once a day, apart from each other and from the merge of the hour. */
const daily = (hour: number): string => `cron(30 ${hour} * * ? *)`;

/** The statements of Athena that store each landed event once, and look after the tables. */
export class IcebergMerge extends Construct {
  readonly #role: Role;
  readonly #workGroup: CfnWorkGroup;
  readonly #database: string;
  readonly #deadLetters: Queue;

  constructor(scope: Construct, id: string, { tenant, stores, alarms, dedupDays }: IcebergMergeProps) {
    super(scope, id);
    const { key, buckets } = stores;
    this.#database = icebergDatabase(tenant);
    this.#workGroup = workGroupOf(this, tenant);
    this.#role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('scheduler.amazonaws.com') });
    this.#role.addToPolicy(
      new PolicyStatement({ actions: ['athena:StartQueryExecution'], resources: [workGroupArn(this, tenant)] }),
    );
    allowTables(this.#role, this.#database, Object.values(icebergTables));
    allowDefaultDatabase(this.#role);
    allowTableFiles(this.#role, buckets.lake, [icebergPrefix]);
    if (key) allowKey(this.#role, key);
    this.#deadLetters = this.#failedCalls(stores);
    this.#watch(alarms, stores.stream);
    this.#every('Merge', 'rate(1 hour)', mergeStatement(dedupDays));
    this.#every('Expire', daily(1), expireStatement);
    this.#every('Optimize', daily(2), upkeepStatements.optimize);
    this.#every('VacuumEvents', daily(3), upkeepStatements.vacuumEvents);
    this.#every('VacuumLanding', daily(4), upkeepStatements.vacuumLanding);
  }

  /** Calls that Athena refused, or did not take within the hour. */
  #failedCalls({ key }: Stores): Queue {
    const queue = new Queue(this, 'DeadLetters', {
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      // A call holds no data: the next one, or somebody, makes it again.
      removalPolicy: RemovalPolicy.DESTROY,
      ...(key
        ? { encryption: QueueEncryption.KMS, encryptionMasterKey: key }
        : { encryption: QueueEncryption.SQS_MANAGED }),
    });
    acknowledge(queue, { 'AwsSolutions-SQS3': 'The queue holds the dead letters of schedules.' });
    this.#role.addToPolicy(new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] }));
    return queue;
  }

  #watch(alarms: Alarms, stream: CfnDeliveryStream | null): void {
    const waiting = this.#deadLetters.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(1) });
    alarms.watch('IcebergDeadLetters', waiting, { section, above: 0 });
    if (stream)
      alarms.watch('IcebergUndelivered', failedRows(stream), {
        section,
        above: 0,
      });
    new Rule(this, 'Failed', {
      description: `A statement on the Iceberg tables failed: docs/runbook.md#${section}`,
      eventPattern: {
        source: ['aws.athena'],
        detailType: ['Athena Query State Change'],
        detail: { currentState: ['FAILED'], workgroupName: [this.#workGroup.name] },
      },
      targets: [new SnsTopic(alarms.topic)],
    });
  }

  #every(id: string, scheduleExpression: string, QueryString: string): void {
    const input = {
      QueryString,
      WorkGroup: this.#workGroup.name,
      QueryExecutionContext: { Database: this.#database },
      // Athena runs a statement once for each token, of 32 to 128 characters. A retry has the time of the first attempt.
      ClientRequestToken: `${this.#workGroup.name}-iceberg-${id}-<aws.scheduler.scheduled-time>`,
    };
    const schedule = new CfnSchedule(this, id, {
      scheduleExpression,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: `arn:${Stack.of(this).partition}:scheduler:::aws-sdk:athena:startQueryExecution`,
        roleArn: this.#role.roleArn,
        input: JSON.stringify(input),
        // After an hour the next merge does the work, and the alarm says what was not done.
        retryPolicy: { maximumEventAgeInSeconds: 3_600 },
        deadLetterConfig: { arn: this.#deadLetters.queueArn },
      },
    });
    schedule.node.addDependency(this.#role, this.#workGroup);
  }
}

const failedRows = ({ ref }: CfnDeliveryStream): Metric =>
  new Metric({
    namespace: 'AWS/Firehose',
    metricName: 'DeliveryToIceberg.FailedRowCount',
    dimensionsMap: { DeliveryStreamName: ref },
    statistic: 'Sum',
    period: Duration.minutes(5),
  });

const workGroupArn = (scope: Construct, tenant: string): string =>
  Stack.of(scope).formatArn({ service: 'athena', resource: 'workgroup', resourceName: icebergWorkGroup(tenant) });

const workGroupOf = (scope: Construct, tenant: string): CfnWorkGroup =>
  new CfnWorkGroup(scope, 'WorkGroup', {
    name: icebergWorkGroup(tenant),
    description: 'Stores landed events once',
    recursiveDeleteOption: true,
    workGroupConfiguration: {
      enforceWorkGroupConfiguration: true,
      engineVersion: { selectedEngineVersion: 'Athena engine version 3' },
      // Results are figures of rows: Athena keeps them for a day, and no bucket is needed.
      managedQueryResultsConfiguration: { enabled: true },
      publishCloudWatchMetricsEnabled: true,
    },
  });
