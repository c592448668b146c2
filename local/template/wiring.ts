import * as v from 'valibot';
import { Fault } from '../../shared/contract/problems.ts';
import { awsEnvironment } from '../emulators/environment.ts';
import { type Resource, resourcesOf, type Template, type TemplateValue } from './template.ts';

type Identity = { readonly ref: string; readonly attributes: Readonly<Record<string, string>> };
type Identities = ReadonlyMap<string, Identity>;

const { region, account } = awsEnvironment;
const arn = (service: string, rest: string) => `arn:aws:${service}:${region}:${account}:${rest}`;

/** What names a resource beside its id. */
type Naming = (id: string, queueEndpoint: string, resource: Resource) => Partial<Identity>;

const named: Naming = () => ({});

const namings: Readonly<Record<string, Naming>> = {
  'AWS::DynamoDB::Table': (id) => ({ attributes: { Arn: arn('dynamodb', `table/${id}`) } }),
  'AWS::S3::Bucket': (id) => ({ ref: id.toLowerCase(), attributes: { Arn: `arn:aws:s3:::${id.toLowerCase()}` } }),
  'AWS::SQS::Queue': (id, endpoint) => ({
    ref: `${endpoint}/${account}/${id}`,
    attributes: { Arn: arn('sqs', id), QueueName: id, QueueUrl: `${endpoint}/${account}/${id}` },
  }),
  'AWS::Lambda::Function': (id) => ({ attributes: { Arn: arn('lambda', `function:${id}`) } }),
  'AWS::Lambda::Version': () => ({ attributes: { Version: '1' } }),
  // On a laptop there is one version of a function, and its alias is another name of it.
  'AWS::Lambda::Alias': (_id, _endpoint, { Properties }) => {
    const { FunctionName } = v.parse(v.object({ FunctionName: v.object({ Ref: v.string() }) }), Properties);
    return { ref: arn('lambda', `function:${FunctionName.Ref}:live`) };
  },
  'AWS::Lambda::Url': (id) => ({
    attributes: { FunctionUrl: `https://${id.toLowerCase()}.lambda-url.${region}.on.aws/` },
  }),
  'AWS::Lambda::EventSourceMapping': named,
  'AWS::Lambda::EventInvokeConfig': named,
  'AWS::Lambda::Permission': named,
  'AWS::Events::Rule': (id) => ({ attributes: { Arn: arn('events', `rule/${id}`) } }),
  'AWS::ApiGateway::RestApi': named,
  'AWS::ApiGateway::Stage': named,
  'AWS::ApiGateway::Deployment': named,
  // These do not run on a laptop: permissions, logs, alarms and the catalogue of the lake.
  'AWS::ApiGateway::DomainName': (id) => ({ attributes: { RegionalDomainName: id, RegionalHostedZoneId: id } }),
  'AWS::ApiGateway::BasePathMapping': named,
  'AWS::Route53::RecordSet': named,
  'AWS::WAFv2::WebACLAssociation': named,
  'AWS::Budgets::Budget': named,
  'AWS::Backup::BackupVault': (id) => ({ attributes: { BackupVaultName: id } }),
  'AWS::Backup::BackupPlan': (id) => ({ attributes: { BackupPlanId: id } }),
  'AWS::Backup::BackupSelection': named,
  'AWS::CodeDeploy::Application': named,
  'AWS::CodeDeploy::DeploymentGroup': named,
  'AWS::IAM::Role': (id) => ({ attributes: { Arn: `arn:aws:iam::${account}:role/${id}` } }),
  'AWS::IAM::Policy': named,
  'AWS::S3::BucketPolicy': named,
  'AWS::SQS::QueuePolicy': named,
  'AWS::Logs::LogGroup': (id) => ({ attributes: { Arn: arn('logs', `log-group:${id}:*`) } }),
  'AWS::Logs::LogStream': named,
  'AWS::CloudWatch::Alarm': named,
  'AWS::CloudWatch::Dashboard': named,
  'AWS::SNS::Topic': (id) => ({ ref: arn('sns', id), attributes: { TopicArn: arn('sns', id) } }),
  'AWS::SNS::TopicPolicy': named,
  'AWS::SNS::Subscription': named,
  'AWS::Glue::Database': named,
  'AWS::Glue::Table': named,
  'AWS::Glue::TableOptimizer': named,
  'AWS::KinesisFirehose::DeliveryStream': (id) => ({ attributes: { Arn: arn('firehose', `deliverystream/${id}`) } }),
  'AWS::Athena::WorkGroup': named,
  'AWS::Scheduler::Schedule': named,
  'AWS::XRay::SamplingRule': named,
};

const stores = new Set(['AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::SQS::Queue']);

/** Names every resource and parameter. Throws for an unknown type, so that nothing deployed is missing on a laptop. */
function identify(template: Template, queueEndpoint: string, suffix: string): Identities {
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
    const name = stores.has(resource.Type) ? `${id}${suffix}` : id;
    return [id, { ref: name, attributes: {}, ...naming(name, queueEndpoint, resource) }] as const;
  });
  return new Map<string, Identity>([...parameters, ...resources]);
}

const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::Region': awsEnvironment.region,
  'AWS::AccountId': awsEnvironment.account,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::StackName': 'local',
};

/** Resolves intrinsic functions. Throws for an unknown one: a guess would wire something else than is deployed. */
function resolve(identities: Identities, value: TemplateValue): TemplateValue {
  if (Array.isArray(value)) return value.map((item) => resolve(identities, item));
  if (!isObject(value)) return value;
  const [first, ...others] = Object.entries(value);
  if (first && others.length === 0 && (first[0] === 'Ref' || first[0].startsWith('Fn::')))
    return answer(identities, first[0], first[1]);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => !isNoValue(item))
      .map(([key, item]) => [key, resolve(identities, item)]),
  );
}

function answer(identities: Identities, name: string, argument: TemplateValue): TemplateValue {
  switch (name) {
    case 'Ref':
      return reference(identities, text(argument));
    case 'Fn::GetAtt':
      return attribute(identities, argument);
    case 'Fn::Join': {
      const [separator, parts] = list(argument);
      return list(resolve(identities, parts ?? []))
        .map(text)
        .join(text(separator));
    }
    case 'Fn::Sub':
      return substitute(identities, argument);
    case 'Fn::Select': {
      const [index, items] = list(argument);
      return list(resolve(identities, items ?? []))[Number(index)] ?? '';
    }
    case 'Fn::Split': {
      const [separator, whole] = list(argument);
      return text(resolve(identities, whole ?? '')).split(text(separator));
    }
    default:
      throw new Fault('intrinsic_function', `The local service knows no intrinsic function ${name}.`);
  }
}

function reference(identities: Identities, id: string): string {
  const found = pseudoParameters[id] ?? identities.get(id)?.ref;
  if (found === undefined) throw new Fault('template_reference', `The template refers to ${id}, which is not in it.`);
  return found;
}

function attribute(identities: Identities, argument: TemplateValue): string {
  const [id = '', name = ''] = typeof argument === 'string' ? argument.split('.') : list(argument).map(text);
  const found = identities.get(id)?.attributes[name];
  if (found === undefined)
    throw new Fault('template_attribute', `The local service knows no attribute ${name} of ${id}.`);
  return found;
}

function substitute(identities: Identities, argument: TemplateValue): string {
  const [pattern, variables] = Array.isArray(argument) ? argument : [argument, {}];
  return text(pattern).replace(/\$\{([^!}{]+)\}/g, (_, name: string) => {
    const variable = isObject(variables ?? null) ? Object(variables)[name] : undefined;
    if (variable !== undefined) return text(resolve(identities, variable));
    return name.includes('.') ? attribute(identities, name) : reference(identities, name);
  });
}

const isObject = (value: TemplateValue): value is { readonly [key: string]: TemplateValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isNoValue = (value: TemplateValue): boolean => isObject(value) && value['Ref'] === 'AWS::NoValue';

function text(value: TemplateValue | undefined): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new Fault('template_text', 'An intrinsic function of the template takes a text here.');
}

function list(value: TemplateValue): readonly TemplateValue[] {
  if (Array.isArray(value)) return value;
  throw new Fault('template_list', 'An intrinsic function of the template takes a list here.');
}

export type Wiring = { readonly template: Template; readonly identities: Identities };

/** @param suffix tells the tables, buckets and queues of one set apart from those of another on the same emulators */
export const wire = (template: Template, queueEndpoint: string, suffix = ''): Wiring => ({
  template,
  identities: identify(template, queueEndpoint, suffix),
});

type Wired<P> = {
  readonly id: string;
  readonly ref: string;
  readonly resource: Resource;
  readonly properties: P;
};

export function wired<S extends v.GenericSchema>(wiring: Wiring, type: string, schema: S): Wired<v.InferOutput<S>>[] {
  return resourcesOf(wiring.template, type).map(([id, resource]) => {
    const properties = v.safeParse(schema, resolve(wiring.identities, resource.Properties));
    if (!properties.success)
      throw new Fault(
        'template_wiring',
        `${type} ${id} has properties that the local service cannot read: ${v.summarize(properties.issues)}`,
      );
    return { id, ref: wiring.identities.get(id)?.ref ?? id, resource, properties: properties.output };
  });
}

export function resourceByArn({ identities }: Wiring, arn: string): string {
  for (const [id, { attributes }] of identities) if (attributes['Arn'] === arn) return id;
  throw new Fault('template_arn', `No resource of the template has the ARN ${arn}.`);
}

export const functionNamed = (name: string): string => name.split(':function:').at(-1)?.split(/[:/]/)[0] ?? name;

export const outputs = ({ template, identities }: Wiring): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(template.Outputs).map(([name, { Value }]) => [
      name,
      v.parse(v.string(), resolve(identities, Value)),
    ]),
  );
