import * as v from 'valibot';
import { Fault } from '../../shared/contract/fault.ts';
import { awsEnvironment } from '../aws-environment.ts';
import type { Resource, Template } from './template.ts';

/** What `Ref` and `Fn::GetAtt` answer for a resource. */
type Identity = { readonly ref: string; readonly attributes: Readonly<Record<string, string>> };
export type Identities = ReadonlyMap<string, Identity>;

const { region, account } = awsEnvironment;
const arn = (service: string, rest: string) => `arn:aws:${service}:${region}:${account}:${rest}`;

type Naming = (id: string, queueEndpoint: string, resource: Resource) => Identity;

const named: Naming = (id) => ({ ref: id, attributes: {} });

const namings: Readonly<Record<string, Naming>> = {
  'AWS::DynamoDB::Table': (id) => ({ ref: id, attributes: { Arn: arn('dynamodb', `table/${id}`) } }),
  'AWS::S3::Bucket': (id) => ({ ref: id.toLowerCase(), attributes: { Arn: `arn:aws:s3:::${id.toLowerCase()}` } }),
  'AWS::SQS::Queue': (id, endpoint) => ({
    ref: `${endpoint}/${account}/${id}`,
    attributes: { Arn: arn('sqs', id), QueueName: id, QueueUrl: `${endpoint}/${account}/${id}` },
  }),
  'AWS::Lambda::Function': (id) => ({ ref: id, attributes: { Arn: arn('lambda', `function:${id}`) } }),
  'AWS::Lambda::Version': (id) => ({ ref: id, attributes: { Version: '1' } }),
  // On a laptop there is one version of a function, and its alias is another name of it.
  'AWS::Lambda::Alias': (_id, _endpoint, { Properties }) => {
    const { FunctionName } = v.parse(v.object({ FunctionName: v.object({ Ref: v.string() }) }), Properties);
    return { ref: arn('lambda', `function:${FunctionName.Ref}:live`), attributes: {} };
  },
  'AWS::Lambda::EventSourceMapping': named,
  'AWS::Lambda::Permission': named,
  'AWS::Events::Rule': (id) => ({ ref: id, attributes: { Arn: arn('events', `rule/${id}`) } }),
  'AWS::ApiGateway::RestApi': (id) => ({ ref: id, attributes: { RootResourceId: `${id}/root` } }),
  'AWS::ApiGateway::Resource': named,
  'AWS::ApiGateway::Method': named,
  'AWS::ApiGateway::Stage': named,
  'AWS::ApiGateway::Deployment': named,
  'AWS::ApiGateway::GatewayResponse': named,
  // These have no part in what runs on a laptop: permissions, logs, alarms and the catalogue of the lake.
  'AWS::ApiGateway::Account': named,
  'AWS::ApiGateway::DomainName': (id) => ({
    ref: id,
    attributes: { RegionalDomainName: id, RegionalHostedZoneId: id },
  }),
  'AWS::ApiGateway::BasePathMapping': named,
  'AWS::Route53::RecordSet': named,
  'AWS::WAFv2::WebACLAssociation': named,
  'AWS::Budgets::Budget': named,
  'AWS::Backup::BackupVault': (id) => ({ ref: id, attributes: { BackupVaultName: id } }),
  'AWS::Backup::BackupPlan': (id) => ({ ref: id, attributes: { BackupPlanId: id } }),
  'AWS::Backup::BackupSelection': named,
  'AWS::CodeDeploy::Application': named,
  'AWS::CodeDeploy::DeploymentGroup': named,
  'AWS::IAM::Role': (id) => ({ ref: id, attributes: { Arn: `arn:aws:iam::${account}:role/${id}` } }),
  'AWS::IAM::Policy': named,
  'AWS::S3::BucketPolicy': named,
  'AWS::SQS::QueuePolicy': named,
  'AWS::Logs::LogGroup': (id) => ({ ref: id, attributes: { Arn: arn('logs', `log-group:${id}:*`) } }),
  'AWS::Logs::LogStream': named,
  'AWS::CloudWatch::Alarm': named,
  'AWS::CloudWatch::Dashboard': named,
  'AWS::SNS::Topic': (id) => ({ ref: arn('sns', id), attributes: { TopicArn: arn('sns', id) } }),
  'AWS::SNS::TopicPolicy': named,
  'AWS::SNS::Subscription': named,
  'AWS::Glue::Database': named,
  'AWS::Glue::Table': named,
  'AWS::KinesisFirehose::DeliveryStream': (id) => ({
    ref: id,
    attributes: { Arn: arn('firehose', `deliverystream/${id}`) },
  }),
  'AWS::Athena::WorkGroup': named,
  'AWS::Scheduler::Schedule': named,
  'AWS::XRay::SamplingRule': named,
};

/**
 * Names every resource and parameter of a template.
 * @throws where a resource type has no meaning here, so that nothing deployed is silently missing on a laptop.
 */
export function identify(template: Template, queueEndpoint: string): Identities {
  const parameters = Object.entries(template.Parameters).map(
    ([id, { Default = '' }]) => [id, { ref: Default, attributes: {} }] as const,
  );
  const resources = Object.entries(template.Resources).map(([id, resource]) => {
    const naming = namings[resource.Type];
    if (!naming)
      throw new Fault(
        'template_resource_type',
        `The local service knows no resource of type ${resource.Type} (${id}).`,
      );
    return [id, naming(id, queueEndpoint, resource)] as const;
  });
  return new Map<string, Identity>([...parameters, ...resources]);
}
