import path from 'node:path';
import * as v from 'valibot';
import { Template, type TemplateValue } from '../../local/template/template.ts';

const fixtures = path.resolve(import.meta.dirname, '..', 'fixtures', 'local-service');

/** What the deployed functions have too: the size of both generations. */
const heap = { NODE_OPTIONS: '--max-old-space-size=102 --max-semi-space-size=2' };

const lambda = (name: string, timeout = 10, variables: { readonly [key: string]: TemplateValue } = {}) => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    Handler: 'index.handler',
    MemorySize: 128,
    Timeout: timeout,
    Environment: { Variables: { ...heap, ...variables } },
  },
  Metadata: { 'aws:asset:path': path.join(fixtures, name) },
});

const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });

const integrated = (target: string) => ({
  'x-amazon-apigateway-any-method': {
    'x-amazon-apigateway-integration': {
      type: 'aws_proxy',
      uri: `arn:aws:apigateway:x:lambda:path/x/functions/arn:aws:lambda:x:x:function:\${stageVariables.${target}}/invocations`,
    },
  },
});

const gatewayResponse = (code: string, statusCode?: string) => ({
  ...(statusCode && { statusCode }),
  responseParameters: { 'gatewayresponse.header.X-Request-ID': 'context.requestId' },
  responseTemplates: { 'application/json': `{"detail":{"code":"${code}","request_id":"$context.requestId"}}` },
});

const body = {
  paths: {
    '/things': integrated('echo'),
    '/things/{thing_id}': integrated('echo'),
    '/things/special': integrated('echo'),
    '/files/{proxy+}': integrated('echo'),
    '/collect/{proxy+}': integrated('echo'),
    '/lines': integrated('stream'),
    '/received': integrated('worker'),
    '/never': integrated('hang'),
  },
  'x-amazon-apigateway-gateway-responses': {
    MISSING_AUTHENTICATION_TOKEN: gatewayResponse('not_found', '404'),
    REQUEST_TOO_LARGE: gatewayResponse('body_too_large'),
    INTEGRATION_TIMEOUT: gatewayResponse('unavailable'),
    DEFAULT_4XX: gatewayResponse('validation_error'),
    DEFAULT_5XX: gatewayResponse('internal_error'),
  },
};

/** A small service of fixtures: an echo, a stream, a queue worker with dead letters, and one that never answers. */
export const localTemplate: Template = v.parse(Template, {
  Resources: {
    Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Body: body } },
    Stage: {
      Type: 'AWS::ApiGateway::Stage',
      Properties: {
        StageName: 'live',
        Variables: {
          echo: { Ref: 'Echo' },
          stream: { Ref: 'Stream' },
          worker: { Ref: 'Worker' },
          hang: { Ref: 'Hang' },
        },
      },
    },
    Echo: lambda('echo', 10, { SETTING: 'template', QUEUE: { Ref: 'Queue' } }),
    EchoUrl: { Type: 'AWS::Lambda::Url', Properties: { AuthType: 'NONE', TargetFunctionArn: arnOf('Echo') } },
    Stream: lambda('stream'),
    Worker: lambda('worker'),
    Hang: lambda('hang', 1),
    Dead: { Type: 'AWS::SQS::Queue', Properties: {} },
    Queue: {
      Type: 'AWS::SQS::Queue',
      Properties: {
        VisibilityTimeout: 1,
        RedrivePolicy: { deadLetterTargetArn: arnOf('Dead'), maxReceiveCount: 2 },
      },
    },
    Mapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        EventSourceArn: arnOf('Queue'),
        FunctionName: { Ref: 'Worker' },
        BatchSize: 100,
        MaximumBatchingWindowInSeconds: 5,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: 2 },
      },
    },
    Minutely: {
      Type: 'AWS::Events::Rule',
      Properties: {
        ScheduleExpression: 'rate(1 minute)',
        Targets: [{ Arn: arnOf('Worker'), Input: '{"task":"due"}' }],
      },
    },
  },
  Outputs: { QueueUrl: { Value: { Ref: 'Queue' } }, DeadUrl: { Value: { Ref: 'Dead' } } },
});
