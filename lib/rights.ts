import { type Conditions, PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Stack } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';
import * as v from 'valibot';

/** Allows actions of a service, named without its prefix, with the resources of some ARNs. */
export function allowActions(
  role: Role,
  service: string,
  names: readonly string[],
  resources: string[],
  conditions: Conditions = {},
): void {
  role.addToPolicy(new PolicyStatement({ actions: names.map((name) => `${service}:${name}`), resources, conditions }));
}

/** Allows the customer's key through the stores that are encrypted with it, and in no other way. */
export function allowKey(role: Role, { keyArn }: IKey): void {
  const { region, urlSuffix } = Stack.of(role);
  const services = ['dynamodb', 's3', 'sqs'].map((service) => `${service}.${region}.${urlSuffix}`);
  const actions = ['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey'];
  allowActions(role, 'kms', actions, [keyArn], { StringEquals: { 'kms:ViaService': services } });
}

/** A bucket's ARN as findings of a role spell it. Another stack exports the ARN, and its findings name the export. */
export function bucketInFindings(role: Role, { stack, bucketArn }: Bucket): string {
  return inFindings(role, stack === Stack.of(role) ? bucketArn : stack.exportValue(bucketArn));
}

/**
 * An ARN as findings spell it. A stack with an account and a region has their values in its ARNs, another one has
 * references: references are in angle brackets.
 */
export const inFindings = (scope: IConstruct, arn: string): string => v.parse(Arn, Stack.of(scope).resolve(arn));

const Named = v.union([
  v.string(),
  v.pipe(
    v.object({ Ref: v.string() }),
    v.transform(({ Ref }) => `<${Ref}>`),
  ),
  v.pipe(
    v.object({ 'Fn::GetAtt': v.tuple([v.string(), v.string()]) }),
    v.transform(({ 'Fn::GetAtt': [id, attribute] }) => `<${id}.${attribute}>`),
  ),
  v.pipe(
    v.object({ 'Fn::ImportValue': v.string() }),
    v.transform(({ 'Fn::ImportValue': name }) => name),
  ),
]);
const Arn = v.union([
  Named,
  v.pipe(
    v.object({ 'Fn::Join': v.tuple([v.literal(''), v.array(Named)]) }),
    v.transform(({ 'Fn::Join': [, parts] }) => parts.join('')),
  ),
]);
