import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { metricNames, metricNamespace, tenantDimension } from '../shared/contract/metric-names.ts';
import type { FunctionName } from './function-specs.ts';
import type { Functions } from './functions.ts';
import type { Stores } from './stores.ts';
import type { Tenant } from './tenant.ts';

export type OwnMetric = keyof typeof metricNames;

/** A metric that the functions of the tenant publish, over all of them; its sum where nothing else is requested. */
export const ownMetric = ({ name: tenant }: Pick<Tenant, 'name'>, metric: OwnMetric, options: MetricOptions): Metric =>
  new Metric({
    namespace: metricNamespace,
    metricName: metricNames[metric],
    dimensionsMap: { [tenantDimension]: tenant },
    statistic: 'Sum',
    ...options,
  });

export type Watched = {
  readonly tenant: Tenant;
  readonly stores: Stores;
  readonly functions: Functions;
  readonly api: SpecRestApi;
  /** The dead letters of schedules. */
  readonly missedCalls: IQueue;
};

/** Those that run most: if the account has no concurrency left, they are the first to be throttled. */
export const busyFunctions = [
  'collect',
  'ingest',
  'store-events',
  'projector',
] as const satisfies readonly FunctionName[];
