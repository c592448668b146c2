import { marshall } from '@aws-sdk/util-dynamodb';
import { Upload, type UploadStore } from '../../../domain/lineage/ingest/uploads/upload.ts';
import { uploadKey } from '../keys/delivery-keys.ts';
import { getRecord, putItem } from '../requests/items.ts';
import type { Table } from '../requests/table.ts';

/** Announced uploads over the table; each expires. */
export const uploadStore = (table: Table): UploadStore => ({
  add: async (upload) => {
    const ttl = Math.ceil(Date.parse(upload.complete_before) / 1_000);
    await putItem(table, marshall({ ...uploadKey(upload.workspace_id, upload.upload_id), ...upload, ttl }));
  },
  find: (workspace, id) => getRecord(table, Upload, uploadKey(workspace, id)),
});
