import type { Emulators } from './start.ts';

export const awsEnvironment = { region: 'us-east-1', account: '000000000000' } as const;

export const emulatorEnvironment = ({
  innerEndpoints: endpoints,
  keys,
}: Pick<Emulators, 'innerEndpoints' | 'keys'>): Readonly<Record<string, string>> => ({
  AWS_REGION: awsEnvironment.region,
  AWS_ACCESS_KEY_ID: keys.accessKeyId,
  AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
  AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
  AWS_ENDPOINT_URL_S3: endpoints.s3,
  AWS_ENDPOINT_URL_SQS: endpoints.sqs,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secretsManager,
});
