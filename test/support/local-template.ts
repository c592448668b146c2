import path from 'node:path';
import * as v from 'valibot';
import { Template, type TemplateValue } from '../../local/template/template.ts';

const fixtures = path.resolve(import.meta.dirname, '..', 'fixtures', 'local-service');

const lambda = (name: string, timeout = 10, variables: { readonly [key: string]: TemplateValue } = {}) => ({
  Type: 'AWS::Lambda::Function',
  Properties: { Handler: 'index.handler', MemorySize: 128, Timeout: timeout, Environment: { Variables: variables } },
  Metadata: { 'aws:asset:path': path.join(fixtures, name) },
});

const resource = (parent: TemplateValue, part: string) => ({
  Type: 'AWS::ApiGateway::Resource',
  Properties: { ParentId: parent, PathPart: part },
});

const method = (at: TemplateValue, target: string) => ({
  Type: 'AWS::ApiGateway::Method',
  Properties: {
    HttpMethod: 'ANY',
    ResourceId: at,
    Integration: {
      Type: 'AWS_PROXY',
      Uri: { 'Fn::Join': ['', ['arn:aws:apigateway:', { 'Fn::GetAtt': [target, 'Arn'] }, '/invocations']] },
    },
  },
});

const root = { 'Fn::GetAtt': ['Api', 'RootResourceId'] };

const gatewayResponse = (type: string, code: string, status?: string) => ({
  Type: 'AWS::ApiGateway::GatewayResponse',
  Properties: {
    ResponseType: type,
    ...(status && { StatusCode: status }),
    ResponseParameters: { 'gatewayresponse.header.X-Request-ID': 'context.requestId' },
    ResponseTemplates: { 'application/json': `{"detail":{"code":"${code}","request_id":"$context.requestId"}}` },
  },
});

/** A small service of fixtures: an echo, a stream, a queue worker with dead letters, and one that never answers. */
export const localTemplate: Template = v.parse(Template, {
  Resources: {
    Api: { Type: 'AWS::ApiGateway::RestApi' },
    Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { StageName: 'live' } },
    Echo: lambda('echo', 10, { SETTING: 'template', QUEUE: { Ref: 'Queue' } }),
    Stream: lambda('stream'),
    Worker: lambda('worker'),
    Hang: lambda('hang', 1),
    Things: resource(root, 'things'),
    Thing: resource({ Ref: 'Things' }, '{thing_id}'),
    Special: resource({ Ref: 'Things' }, 'special'),
    Files: resource(root, 'files'),
    File: resource({ Ref: 'Files' }, '{proxy+}'),
    Lines: resource(root, 'lines'),
    Collect: resource(root, 'collect'),
    Collected: resource({ Ref: 'Collect' }, '{proxy+}'),
    Received: resource(root, 'received'),
    Never: resource(root, 'never'),
    ThingsAny: method({ Ref: 'Things' }, 'Echo'),
    ThingAny: method({ Ref: 'Thing' }, 'Echo'),
    SpecialAny: method({ Ref: 'Special' }, 'Echo'),
    FileAny: method({ Ref: 'File' }, 'Echo'),
    CollectedAny: method({ Ref: 'Collected' }, 'Echo'),
    LinesAny: method({ Ref: 'Lines' }, 'Stream'),
    ReceivedAny: method({ Ref: 'Received' }, 'Worker'),
    NeverAny: method({ Ref: 'Never' }, 'Hang'),
    NotFound: gatewayResponse('MISSING_AUTHENTICATION_TOKEN', 'not_found', '404'),
    TooLarge: gatewayResponse('REQUEST_TOO_LARGE', 'body_too_large'),
    Late: gatewayResponse('INTEGRATION_TIMEOUT', 'unavailable'),
    Default4: gatewayResponse('DEFAULT_4XX', 'validation_error'),
    Default5: gatewayResponse('DEFAULT_5XX', 'internal_error'),
    Dead: { Type: 'AWS::SQS::Queue', Properties: {} },
    Queue: {
      Type: 'AWS::SQS::Queue',
      Properties: {
        VisibilityTimeout: 1,
        RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': ['Dead', 'Arn'] }, maxReceiveCount: 2 },
      },
    },
    Mapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        EventSourceArn: { 'Fn::GetAtt': ['Queue', 'Arn'] },
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
        Targets: [{ Arn: { 'Fn::GetAtt': ['Worker', 'Arn'] }, Input: '{"task":"due"}' }],
      },
    },
  },
  Outputs: { QueueUrl: { Value: { Ref: 'Queue' } }, DeadUrl: { Value: { Ref: 'Dead' } } },
});
