import { FLAGS } from 'aws-cdk-lib/cx-api';
import type { IConstruct } from 'constructs';

/** The version of the CDK whose flags were adopted. A flag of a later version keeps the behaviour from before it. */
const adopted = '2.276.0';

/** The flags that stay as they were. */
const exceptions: Readonly<Record<string, unknown>> = {
  // The service imports what its data export, so that CloudFormation refuses to remove what is in use.
  '@aws-cdk/core:defaultCrossStackReferences': 'strong',
  // CloudFormation passes the tags of a stack on to resources without tags in the template.
  '@aws-cdk/core:explicitStackTags': false,
  // Errors of a stack are shown by the command that would deploy it.
  '@aws-cdk/core:annotationsInValidationReport': false,
  // A synthesis takes nine seconds longer with them. `cdk synth` and cfn-lint check the templates.
  '@aws-cdk/core:validateAgainstDefaultRules': false,
};

const isAdopted = (version: string | undefined): boolean =>
  version !== undefined && version.localeCompare(adopted, 'en', { numeric: true }) <= 0;

/** CDK behaviours that every synthesis of the stack uses, on the command line and in process alike. */
export const featureFlags: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(FLAGS).flatMap(([flag, { introducedIn, recommendedValue }]) =>
    isAdopted(introducedIn.v2) ? [[flag, exceptions[flag] ?? recommendedValue]] : [],
  ),
);

/**
 * Gives a stack these flags whatever its app sets: a flag of the app could replace a table. The list of partitions stays
 * the app's.
 */
export function pinFlags({ node }: IConstruct): void {
  for (const [flag, { introducedIn, recommendedValue, unconfiguredBehavesLike }] of Object.entries(FLAGS))
    if (introducedIn.v2 !== undefined && !Array.isArray(recommendedValue))
      node.setContext(flag, featureFlags[flag] ?? unconfiguredBehavesLike?.v2 ?? false);
}
