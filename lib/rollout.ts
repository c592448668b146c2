import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { Functions } from './functions.ts';
import type { Tenant } from './tenant.ts';

type RolloutProps = {
  readonly pace: NonNullable<Tenant['rollout']>;
  readonly functions: Functions;
  /** Any of them takes a version back that has just begun. */
  readonly alarms: readonly Alarm[];
};

/** Lets a new version of each function take over step by step, and the one before again where an alarm rings. */
export class Rollout extends Construct {
  constructor(scope: Construct, id: string, { pace, functions, alarms }: RolloutProps) {
    super(scope, id);
    const application = new LambdaApplication(this, 'Application');
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    acknowledge(role, {
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]':
        'The policy that CodeDeploy documents for moving an alias between versions.',
    });
    const deploymentConfig = LambdaDeploymentConfig.fromLambdaDeploymentConfigName(
      this,
      'Pace',
      `CodeDeployDefault.Lambda${pace}`,
    );
    for (const [name, alias] of functions.aliases)
      new LambdaDeploymentGroup(this, name, {
        application,
        role,
        alias,
        deploymentConfig,
        alarms: [...alarms],
        autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
      });
  }
}
