import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { metricDimensions, metricNames, metricNamespace } from '../shared/contract/metric-names.ts';
import type { FunctionName } from './function-specs.ts';
import type { Tenant } from './tenant.ts';

/** A metric that a function of the tenant publishes; its sum where nothing else is asked for. */
export const ownMetric = (
  { name: tenant }: Pick<Tenant, 'name'>,
  service: FunctionName,
  metric: keyof typeof metricNames,
  options: MetricOptions = {},
): Metric =>
  new Metric({
    namespace: metricNamespace,
    metricName: metricNames[metric],
    dimensionsMap: { [metricDimensions.service]: service, [metricDimensions.tenant]: tenant },
    statistic: 'Sum',
    ...options,
  });
