import { randomBytes } from 'node:crypto';
import { dynamodb } from '../../shared/adapters/aws.ts';
import { registry } from '../../shared/adapters/dynamodb/registry.ts';
import { accessRoutes } from '../../shared/contract/routes/access.ts';
import { environment } from '../../shared/runtime/environment.ts';
import { httpFunction } from '../../shared/runtime/http.ts';
import { tokenRoutes } from './tokens.ts';

const { TABLE_NAME } = environment('TABLE_NAME');

export const handler = httpFunction(
  accessRoutes,
  tokenRoutes({
    registry: registry({ client: dynamodb(), name: TABLE_NAME }),
    now: () => new Date(),
    randomBytes,
  }),
);
