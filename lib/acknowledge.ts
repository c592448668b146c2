import { Validations } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';

/** Lets a security rule rest on a construct and all below it, for a reason. */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  for (const [id, reason] of Object.entries(reasons)) Validations.of(construct).acknowledge({ id, reason });
}
