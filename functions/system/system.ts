import type { systemRoutes } from '../../shared/contract/routes/system.ts';
import { healthOf, type StoreCheck } from '../../shared/domain/operations/health.ts';
import type { Implementations } from '../../shared/runtime/implementation.ts';
import type { ServiceDescription } from './describe-service.ts';
import { documentationPolicy } from './documentation-page.ts';

type SystemPorts = {
  readonly checks: readonly StoreCheck[];
  readonly describe: () => ServiceDescription;
};

/** Serves what needs no credential. */
export const systemImplementations = ({ checks, describe }: SystemPorts): Implementations<typeof systemRoutes> => ({
  getHealth: async () => ({ status: 200, body: await healthOf(checks) }),
  getServiceDescription: async () => ({ status: 200, body: describe().service }),
  getCollectionDescription: async () => ({ status: 200, body: describe().collection }),
  getDocumentation: async () => ({ status: 200, headers: documentationPolicy, bytes: describe().page }),
});
