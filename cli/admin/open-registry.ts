import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { registry } from '../../shared/adapters/dynamodb/registry/registry.ts';
import { systemClock } from '../../shared/domain/base/time/timestamp.ts';
import { type Operator, operatorName } from '../../shared/domain/workspaces/access/operator.ts';
import { type Connection, connect, type Target } from '../connect.ts';

export type AdminContext = { readonly ports: Operator; readonly connection: Connection };

export async function openRegistry(target: Target, actor = userInfo().username): Promise<AdminContext> {
  const connection = await connect(target);
  return {
    connection,
    ports: {
      registry: registry(connection.table),
      clock: systemClock,
      randomBytes,
      actor: operatorName(actor),
    },
  };
}
