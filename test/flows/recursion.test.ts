import path from 'node:path';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { afterEach, expect, it, vi } from 'vitest';
import { awsEnvironment } from '../../local/emulators/environment.ts';
import { type Service, startService } from '../../local/service.ts';
import { Template } from '../../local/template/template.ts';
import { outputs } from '../../local/template/wiring.ts';
import { localTemplate } from '../support/local-template.ts';

const fixture = path.resolve(import.meta.dirname, '..', 'fixtures', 'local-service', 'loop');
let service: Service;
afterEach(() => service.stop());

/** A queue whose worker sends to it, this many times. */
const looping = (until: number, RecursiveLoop: 'Allow' | 'Terminate') =>
  v.parse(Template, {
    Resources: {
      ...localTemplate.Resources,
      Own: { Type: 'AWS::SQS::Queue', Properties: {} },
      Done: { Type: 'AWS::SQS::Queue', Properties: {} },
      Loop: {
        Type: 'AWS::Lambda::Function',
        Properties: {
          Handler: 'index.handler',
          MemorySize: 128,
          Timeout: 10,
          RecursiveLoop,
          Environment: {
            Variables: {
              NODE_OPTIONS: '--max-old-space-size=64 --max-semi-space-size=8',
              QUEUE: { Ref: 'Own' },
              DONE: { Ref: 'Done' },
              UNTIL: String(until),
            },
          },
        },
        Metadata: { 'aws:asset:path': fixture },
      },
      Looping: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: {
          EventSourceArn: { 'Fn::GetAtt': ['Own', 'Arn'] },
          FunctionName: { Ref: 'Loop' },
          BatchSize: 1,
          FunctionResponseTypes: ['ReportBatchItemFailures'],
        },
      },
    },
    Outputs: { Own: { Value: { Ref: 'Own' } }, Done: { Value: { Ref: 'Done' } } },
  });

async function started(template: Template, strictAws: boolean) {
  const log: string[] = [];
  service = await startService({
    port: 0,
    folder: null,
    template: async () => template,
    environment: {},
    strictAws,
    log: (line) => log.push(line),
  });
  const { endpoints, keys } = service.emulators;
  const sqs = new SQSClient({ region: awsEnvironment.region, endpoint: endpoints.sqs, credentials: keys });
  const { Own, Done } = outputs(service.wiring);
  const isDone = async () => {
    const AttributeNames = ['ApproximateNumberOfMessages'] as const;
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: Done, AttributeNames: [...AttributeNames] }),
    );
    return Attributes?.ApproximateNumberOfMessages === '1';
  };
  await sqs.send(new SendMessageCommand({ QueueUrl: Own, MessageBody: '1' }));
  return { isDone, log };
}

const dropped = (log: readonly string[]) => log.some((line) => line.includes('recursive loop'));

it('a chain of a queue and its worker is dropped after sixteen links if AWS’s rules hold', async () => {
  const { isDone, log } = await started(looping(17, 'Terminate'), true);
  await vi.waitFor(() => expect(dropped(log)).toBe(true), 60_000);
  expect(await isDone()).toBe(false);
});

it.each([
  ['of sixteen links ends by itself', looping(16, 'Terminate'), true],
  ['goes on where the function allows it', looping(40, 'Allow'), true],
  ['goes on where the rules of AWS are not asked for', looping(40, 'Terminate'), false],
])('a chain %s', async (_, template, strictAws) => {
  const { isDone, log } = await started(template, strictAws);
  await vi.waitFor(async () => expect(await isDone()).toBe(true), 60_000);
  expect(dropped(log)).toBe(false);
});
