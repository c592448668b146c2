import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  RecursiveLoop,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { metricNamespace } from '../shared/contract/metric-names.ts';
import { type FunctionName, type FunctionSpec, functionSpecs, nodeOptions } from './function-specs.ts';
import type { Issuer } from './identity.ts';
import { allow } from './rights.ts';
import type { Stores } from './stores.ts';
import type { Tenant } from './tenant.ts';

export type ServiceFunctionProps = {
  readonly name: FunctionName;
  readonly tenant: Tenant;
  readonly stores: Stores;
  readonly issuer: Issuer;
  /** The folder that holds this function's bundle. */
  readonly bundle: string;
};

/** One Lambda function with a role of its own that allows what its specification says and nothing else. */
export class ServiceFunction extends Construct {
  readonly lambda: LambdaFunction;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const spec = functionSpecs[props.name];
    const logGroup = new LogGroup(this, 'Logs', {
      retention: RetentionDays.THREE_MONTHS,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    this.lambda = new LambdaFunction(this, 'Function', {
      description: `Tributary ${props.tenant.name}: ${props.name}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(props.bundle),
      handler: 'index.handler',
      memorySize: spec.memoryMiB,
      timeout: Duration.seconds(spec.timeoutSeconds),
      tracing: Tracing.ACTIVE,
      // A chain of a queue and its worker is cut after 16 links otherwise, and recounts send to their own queue.
      recursiveLoop: spec.fedBy && spec.sends?.includes(spec.fedBy) ? RecursiveLoop.ALLOW : RecursiveLoop.TERMINATE,
      role,
      logGroup,
      environment: environmentOf(props, spec),
    });
    allow(role, props.stores, spec);
  }
}

function environmentOf({ name, tenant, stores, issuer }: ServiceFunctionProps, spec: FunctionSpec) {
  return {
    TENANT: tenant.name,
    POWERTOOLS_SERVICE_NAME: name,
    POWERTOOLS_METRICS_NAMESPACE: metricNamespace,
    POWERTOOLS_LOG_LEVEL: 'INFO',
    NODE_OPTIONS: nodeOptions(spec),
    ...settingsOf(spec, tenant),
    ...(spec.table && { TABLE_NAME: stores.tables.main.tableName }),
    ...(spec.eventLedger && { EVENT_TABLE_NAME: stores.tables.eventLedger.tableName }),
    ...(spec.raw && { RAW_BUCKET: stores.buckets.raw.bucketName }),
    ...(spec.lake && { LAKE_BUCKET: stores.buckets.lake.bucketName }),
    ...(spec.sends?.includes('events') && { EVENTS_QUEUE_URL: stores.events.queue.queueUrl }),
    ...(spec.sends?.includes('projection') && { PROJECTION_QUEUE_URL: stores.projection.queue.queueUrl }),
    ...(spec.signIn && { OIDC_ISSUER: issuer.issuer, OIDC_AUDIENCE: issuer.audience, OIDC_JWKS_URL: issuer.jwksUrl }),
    ...(spec.tellsSignIn && {
      OIDC_AUDIENCE: issuer.audience,
      OIDC_DISCOVERY_URL: issuer.discoveryUrl ?? discoveryOf(issuer.issuer),
    }),
    ...(spec.pages && { TOKEN_IN_FRAGMENT: String(issuer.isForDevelopment ?? false) }),
  };
}

const discoveryOf = (issuer: string): string => `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;

const settingsOf = ({ settings = {} }: FunctionSpec, { settings: chosen }: Tenant) =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, chosen[name] ?? value]));
