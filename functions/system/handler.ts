import { systemRoutes } from '../../shared/contract/system.ts';
import { systemPorts } from '../../shared/runtime/composition/queries.ts';
import { httpFunction } from '../../shared/runtime/http.ts';
import { describeService, systemImplementations } from './system.ts';

export const handler = httpFunction(
  systemRoutes,
  systemImplementations({ ...systemPorts(), describe: describeService }),
);
