import { type LogGroupProps, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { RemovalPolicy } from 'aws-cdk-lib/core';

/** How long every log is kept; it goes with its stack. */
export const retainedLogs: LogGroupProps = {
  retention: RetentionDays.THREE_MONTHS,
  removalPolicy: RemovalPolicy.DESTROY,
};
