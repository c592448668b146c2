import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { type CfnElement, Stack } from 'aws-cdk-lib/core';
import * as v from 'valibot';

/** Allows actions of a service, named without its prefix, with the resources of some ARNs. */
export function allowActions(role: Role, service: string, names: readonly string[], resources: string[]): void {
  role.addToPolicy(new PolicyStatement({ actions: names.map((name) => `${service}:${name}`), resources }));
}

/** Allows the customer's key through the stores that are encrypted with it, and in no other way. */
export function allowKey(role: Role, { keyArn }: IKey): void {
  const { region, urlSuffix } = Stack.of(role);
  const services = ['dynamodb', 's3', 'sqs'].map((service) => `${service}.${region}.${urlSuffix}`);
  role.addToPolicy(
    new PolicyStatement({
      actions: ['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey'].map((name) => `kms:${name}`),
      resources: [keyArn],
      conditions: { StringEquals: { 'kms:ViaService': services } },
    }),
  );
}

/** A bucket as findings of a role spell it: by its id, or by the name under which the stack of the data exports its ARN. */
export function bucketInFindings(role: Role, { stack, bucketArn, node }: Bucket): string {
  if (stack === Stack.of(role)) return `<${stack.getLogicalId(node.defaultChild as CfnElement)}.Arn>`;
  const { 'Fn::ImportValue': name } = v.parse(
    v.object({ 'Fn::ImportValue': v.string() }),
    Stack.of(role).resolve(stack.exportValue(bucketArn)),
  );
  return name;
}
