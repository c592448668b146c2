import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import type { CodehostRegistry } from '../../../domain/codehost/ports.ts';
import {
  AppPlace,
  AppRecord,
  InstallationPlace,
  InstallationRecord,
  InstallationStart,
} from '../../../domain/codehost/records.ts';
import {
  codehostAppKey,
  codehostAppPlaceKey,
  codehostInstallationKey,
  installationPlaceKey,
  installationStartKey,
} from '../keys/codehost-keys.ts';
import type { Table } from '../requests/table.ts';
import { auditLog, commit } from './registry.ts';
import { collection, listedCollection } from './registry-collection.ts';

/** Apps of code hosts and where they are installed, over the table. */
export const codehostRegistry = (table: Table): CodehostRegistry => ({
  ...installationRegistry(table),
  starts: starts(table),
});

/** The same for those who begin no installation. */
export const installationRegistry = (table: Table): Omit<CodehostRegistry, 'starts'> => ({
  audit: auditLog(table),
  commit: (writes) => commit(table, writes),
  apps: listedCollection(table, 'codehost_app', {
    schema: AppRecord,
    key: ({ workspace_id, id }) => codehostAppKey(workspace_id, id),
  }),
  appPlaces: collection(table, { schema: AppPlace, key: ({ id }) => codehostAppPlaceKey(id) }),
  installations: listedCollection(table, 'codehost_installation', {
    schema: InstallationRecord,
    key: ({ workspace_id, config_id, installation_id }) =>
      codehostInstallationKey(workspace_id, config_id, installation_id),
  }),
  installationPlaces: collection(table, {
    schema: InstallationPlace,
    key: ({ config_id, installation_id }) => installationPlaceKey(config_id, installation_id),
  }),
});

const starts = (table: Table): CodehostRegistry['starts'] => ({
  begin: async (start) => {
    const ttl = Math.ceil(Date.parse(start.expires_at) / 1_000);
    const Item = marshall({ ...installationStartKey(start.workspace_id, start.user_id), ...start, ttl });
    await table.client.send(new PutItemCommand({ TableName: table.name, Item }));
  },
  take: async (workspace, user) => {
    const { Attributes } = await table.client.send(
      new DeleteItemCommand({
        TableName: table.name,
        Key: marshall(installationStartKey(workspace, user)),
        ReturnValues: 'ALL_OLD',
      }),
    );
    return Attributes ? v.parse(InstallationStart, unmarshall(Attributes)) : null;
  },
});
