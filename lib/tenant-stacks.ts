import type { Construct } from 'constructs';
import { DataStack } from './data-stack.ts';
import type { FunctionName } from './function-specs.ts';
import type { Issuer } from './identity.ts';
import { ServiceStack } from './service-stack.ts';
import type { Tenant } from './tenant.ts';

type TenantProps = {
  readonly tenant: Tenant;
  readonly bundleOf: (name: FunctionName) => string;
  /** The issuer of session tokens, where it is not the one that the tenant names. */
  readonly issuer?: Issuer;
};

/** The stacks of a tenant in the order in which they are deployed: its data, and the service that works on them. */
export function tenantStacks(scope: Construct, props: TenantProps): readonly [DataStack, ServiceStack] {
  const data = new DataStack(scope, props);
  return [data, new ServiceStack(scope, { ...props, data })];
}
