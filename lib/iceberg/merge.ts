import { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { CfnDeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration, Stack } from 'aws-cdk-lib/core';
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
import type { Alarms } from '../alarms.ts';
import { allowActions, allowKey } from '../rights.ts';
import type { Stores } from '../stores.ts';
import { allowDefaultDatabase, allowTableFiles, allowTables } from './rights.ts';

/** Days of receipt, before today, whose landed rows are merged: failures may last this long. */
const mergedDays = 3;
/** Days for which landed rows are kept, so that what was not merged in time is merged by hand. */
const landedDays = 30;
/** The stream delivers within minutes; before, an event that was received earlier may still be missing. */
const settledMinutes = 15;

const quoted = (name: string): string => `"${name}"`;
const { events, landing } = icebergTables;
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

type IcebergMergeProps = {
  readonly tenant: string;
  readonly stores: Stores;
  /** They notify of every statement that failed or was never started, and of events that the stream did not deliver. */
  readonly alarms: Alarms;
  readonly dedupDays: number;
  /** Takes the calls that Athena refused, or did not take within the hour. */
  readonly deadLetters: Queue;
};

const section = 'iceberg';

/** The statements of Athena that store each landed event once, and forget what landed long ago. */
export class IcebergMerge extends Construct {
  readonly #role: Role;
  readonly #workGroup: CfnWorkGroup;
  readonly #database: string;
  readonly #deadLetters: Queue;

  constructor(scope: Construct, id: string, { tenant, stores, alarms, dedupDays, deadLetters }: IcebergMergeProps) {
    super(scope, id);
    const { key, buckets } = stores;
    this.#deadLetters = deadLetters;
    this.#database = icebergDatabase(tenant);
    this.#workGroup = workGroupOf(this, tenant);
    this.#role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('scheduler.amazonaws.com') });
    allowActions(this.#role, 'athena', ['StartQueryExecution'], [workGroupArn(this, tenant)]);
    allowTables(this.#role, this.#database, Object.values(icebergTables));
    allowDefaultDatabase(this.#role);
    allowTableFiles(this.#role, buckets.lake, [icebergPrefix]);
    if (key) allowKey(this.#role, key);
    allowActions(this.#role, 'sqs', ['SendMessage'], [deadLetters.queueArn]);
    this.#watch(alarms, stores.stream);
    // Apart from each other: two statements on a table at once may collide.
    this.#at('cron(0 * * * ? *)', 'Merge', mergeStatement(dedupDays));
    this.#at('cron(30 1 * * ? *)', 'Expire', expireStatement);
  }

  #watch(alarms: Alarms, stream: CfnDeliveryStream | null): void {
    if (stream) alarms.watch('IcebergUndelivered', failedRows(stream), { section, above: 0 });
    new Rule(this, 'Failed', {
      description: `A statement on the Iceberg tables failed: docs/runbook.md#${section}`,
      eventPattern: {
        source: ['aws.athena'],
        detailType: ['Athena Query State Change'],
        detail: { currentState: ['FAILED'], workgroupName: [this.#workGroup.name] },
      },
      targets: [new SnsTopic(alarms.topic, { authorizeUsingRole: true })],
    });
  }

  #at(scheduleExpression: string, id: string, QueryString: string): void {
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
