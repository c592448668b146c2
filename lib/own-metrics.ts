import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { metricNames, metricNamespace, tenantDimension } from '../shared/contract/metric-names.ts';
import type { Tenant } from './tenant.ts';

export type OwnMetric = keyof typeof metricNames;

/** A metric that the functions of the tenant publish, over all of them; its sum where nothing else is asked for. */
export const ownMetric = (
  { name: tenant }: Pick<Tenant, 'name'>,
  metric: OwnMetric,
  options: MetricOptions = {},
): Metric =>
  new Metric({
    namespace: metricNamespace,
    metricName: metricNames[metric],
    dimensionsMap: { [tenantDimension]: tenant },
    statistic: 'Sum',
    ...options,
  });
