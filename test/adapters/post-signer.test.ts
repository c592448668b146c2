import { SQSClient } from '@aws-sdk/client-sqs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { postSigner } from '../../shared/adapters/dynamodb/requests/direct-requests.ts';

const word = fc.stringMatching(/^[A-Za-z0-9/+]{1,40}$/);
const provided = fc.record({
  keys: fc.record(
    { accessKeyId: word, secretAccessKey: word, sessionToken: word },
    { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
  ),
  region: fc.constantFrom('eu-central-1', 'us-east-1'),
  signingDate: fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
  body: fc.string({ unit: 'grapheme' }),
});

it('signs as the signer of the SDK does, day after day and account after account', async () => {
  let account: { keys: { accessKeyId: string; secretAccessKey: string }; region: string } | undefined;
  const ours = postSigner(
    {
      credentials: async () => account?.keys ?? { accessKeyId: '', secretAccessKey: '' },
      region: async () => account?.region ?? '',
    },
    'sqs',
  );
  await fc.assert(
    fc.asyncProperty(provided, async ({ keys, region, signingDate, body }) => {
      account = { keys, region };
      const headers = { host: 'sqs.test:9324', 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'A.B' };
      const request = { method: 'POST', protocol: 'http:', hostname: 'sqs.test', path: '/', query: {}, headers, body };
      const theirs = await new SQSClient({ region, credentials: keys }).config.signer();
      const unsignableHeaders = new Set(['x-amz-content-sha256']);
      const known = await theirs.sign(request as never, { signingDate, signingService: 'sqs', unsignableHeaders });
      const signed = await ours.sign(request as never, { signingDate });
      const { 'x-amz-content-sha256': _, ...expected } = known.headers;
      expect(signed.headers).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});
