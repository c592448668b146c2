import { Metrics } from '@aws-lambda-powertools/metrics';
import { metricDimensions } from '../contract/metric-names.ts';

/** Powertools adds the namespace and the function, from its own environment. */
export const metrics = new Metrics({
  defaultDimensions: { [metricDimensions.tenant]: process.env['TENANT'] ?? 'none' },
});
