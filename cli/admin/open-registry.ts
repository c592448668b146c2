import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { registry } from '../../shared/adapters/dynamodb/registry/registry.ts';
import { systemClock } from '../../shared/domain/base/time/timestamp.ts';
import { connect } from '../connect.ts';
import type { AdminContext, Values } from './command.ts';

/** Reaches the stores of a deployment as an operator. */
export async function openRegistry(values: Values): Promise<AdminContext> {
  const connection = await connect(values);
  const { actor = userInfo().username } = values;
  return {
    connection,
    ports: {
      registry: registry({ client: connection.dynamodb, name: connection.names.table }),
      clock: systemClock,
      randomBytes,
      actor: `operator:${actor}`,
    },
  };
}
