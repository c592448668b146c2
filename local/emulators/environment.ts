import { localCredentials } from '../place.ts';
import type { Emulators } from './start.ts';

/** The variables by which an AWS SDK finds the emulators. */
export const emulatorEnvironment = ({ endpoints }: Pick<Emulators, 'endpoints'>): Readonly<Record<string, string>> => ({
  ...localCredentials,
  AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
  AWS_ENDPOINT_URL_S3: endpoints.s3,
  AWS_ENDPOINT_URL_SQS: endpoints.sqs,
});
