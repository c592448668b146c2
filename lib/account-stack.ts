import { CfnAccount } from 'aws-cdk-lib/aws-apigateway';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';

/**
 * The role by which API Gateway writes its logs. An account has one for each Region, so it belongs to no tenant. It stays
 * when the stack is deleted, because every API of the account uses it.
 */
export class AccountStack extends Stack {
  constructor(scope: Construct) {
    super(scope, 'tributary-account', { description: 'Tributary: the role by which API Gateway writes logs' });
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
