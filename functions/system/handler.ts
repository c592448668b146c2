import { systemRoutes } from '../../shared/contract/routes/system.ts';
import { systemPorts } from '../../shared/runtime/composition/queries.ts';
import { httpFunction } from '../../shared/runtime/http.ts';
import { describeService } from './describe-service.ts';
import { systemImplementations } from './system.ts';

/** What the service says of itself, to anybody. */
export const handler = httpFunction(
  systemRoutes,
  systemImplementations({ ...systemPorts(), describe: describeService }),
);
