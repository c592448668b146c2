import { dynamodb } from '../../adapters/aws.ts';
import { metered } from '../../adapters/dynamodb/requests/metered.ts';
import type { Table } from '../../adapters/dynamodb/requests/table.ts';
import { once } from '../../domain/base/caching.ts';
import { environment } from '../environment.ts';

const client = once(() => metered(dynamodb()));

/** Metered, because reads are counted for those who ask for them. */
export const table = (): Table => ({ client: client(), name: environment('TABLE_NAME') });
export const eventTable = (): Table => ({ client: dynamodb(), name: environment('EVENT_TABLE_NAME') });
