import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { tenantDimension } from '../contract/metric-names.ts';

/** One structured line an outcome, with ids; never a body, a token or a key. */
export const logger = new Logger();

/** Powertools takes the namespace from its own environment. */
export const metrics = new Metrics();
// Its own one, the function, would make a metric for each.
metrics.clearDefaultDimensions();
metrics.setDefaultDimensions({ [tenantDimension]: process.env['TENANT'] ?? 'none' });
