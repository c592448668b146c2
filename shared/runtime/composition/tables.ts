import { dynamodb } from '../../adapters/aws.ts';
import type { Table } from '../../adapters/dynamodb/requests/table.ts';
import { environment } from '../environment.ts';

export const table = (): Table => ({ client: dynamodb(), name: environment('TABLE_NAME').TABLE_NAME });
export const eventTable = (): Table => ({ client: dynamodb(), name: environment('EVENT_TABLE_NAME').EVENT_TABLE_NAME });
