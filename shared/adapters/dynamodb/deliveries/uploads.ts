import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { Upload, type UploadStore } from '../../../domain/lineage/ingest/uploads/upload.ts';
import { uploadKey } from '../keys/delivery-keys.ts';
import { batchGet } from '../requests/batch-get.ts';
import type { Table } from '../requests/table.ts';

/** Announced uploads over the table; each expires. */
export const uploadStore = (table: Table): UploadStore => ({
  add: async (upload) => {
    const ttl = Math.ceil(Date.parse(upload.complete_before) / 1_000);
    const Item = marshall({ ...uploadKey(upload.workspace_id, upload.upload_id), ...upload, ttl });
    await table.client.send(new PutItemCommand({ TableName: table.name, Item }));
  },
  find: async (workspace, id) => {
    const [item] = await batchGet(table, [uploadKey(workspace, id)], { consistent: true });
    return item ? v.parse(Upload, unmarshall(item)) : null;
  },
});
