import { Metrics } from '@aws-lambda-powertools/metrics';
import { tenantDimension } from '../contract/metric-names.ts';

/** Powertools takes the namespace from its own environment. */
export const metrics = new Metrics();
// The one of its own, the function, would make a metric for each.
metrics.clearDefaultDimensions();
metrics.setDefaultDimensions({ [tenantDimension]: process.env['TENANT'] ?? 'none' });
