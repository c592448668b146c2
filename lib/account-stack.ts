import { CfnAccount } from 'aws-cdk-lib/aws-apigateway';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Annotations, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { adviseTenants } from './tenant.ts';

/**
 * The role that API Gateway writes its logs with. An account has one for each Region, so it belongs to no tenant. It stays
 * when the stack is deleted, because every API of the account uses it.
 */
export class AccountStack extends Stack {
  constructor(scope: Construct, props: StackProps = {}) {
    super(scope, 'tributary-account', { description: 'Tributary: the role for the logs of API Gateway', ...props });
    const policy = ManagedPolicy.fromAwsManagedPolicyName('service-role/AmazonAPIGatewayPushToCloudWatchLogs');
    const assumedBy = new ServicePrincipal('apigateway.amazonaws.com');
    const role = new Role(this, 'Role', { assumedBy, managedPolicies: [policy] });
    role.applyRemovalPolicy(RemovalPolicy.RETAIN);
    acknowledge(role, {
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
        'The policy that API Gateway documents for writing its logs.',
    });
    new CfnAccount(this, 'Account', { cloudWatchRoleArn: role.roleArn }).applyRemovalPolicy(RemovalPolicy.RETAIN);
  }
}

/**
 * What an app without a tenant deploys: `cdk deploy tributary-account`. With a single stack, a bare `cdk deploy` would
 * deploy it unseen. The second stack has an error, so it cannot be deployed. Returns the error: what to name instead.
 */
export function addAccountStacks(scope: Construct): string {
  const account = new AccountStack(scope);
  const advice = `${adviseTenants(scope.node)} The stack of the account is ${account.node.id}.`;
  const other = new Stack(scope, 'tenant-not-named');
  Annotations.of(other).addError(advice);
  acknowledge(other, { 'CloudFormation-Validate::F0001': 'A stack that is never deployed needs no resources.' });
  return advice;
}
