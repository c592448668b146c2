import { connectorKinds } from '../../shared/contract/vocabulary.ts';
import { createConnector, removeConnector, updateConnector } from '../../shared/domain/access/connectors.ts';
import type { ConnectorSettings } from '../../shared/domain/access/inputs.ts';
import { UsageError } from '../command-error.ts';
import { type Commands, numberOf, type Option, type Values, wordOf } from './command.ts';
import { connectorOf, orNull, workspaceOf } from './places.ts';

const settingOptions: readonly Option[] = [
  'namespace',
  'default-database',
  'default-schema',
  'datahub-env',
  'datahub-platform-instance',
  'observed-retention-days',
  'shrink-guard',
];

export const connectorCommands: Commands = {
  'connectors create': {
    operands: ['WORKSPACE', 'NAME'],
    options: ['kind', ...settingOptions],
    says: 'makes a connector, or finds the one of that name',
    run: async ({ ports }, [workspace = '', name = ''], values) => {
      const { id } = await workspaceOf(ports.registry, workspace);
      const kind = wordOf(values, 'kind', connectorKinds);
      return createConnector(ports, id, { name, kind, ...settingsOf(values) });
    },
  },
  'connectors update': {
    operands: ['WORKSPACE', 'CONNECTOR'],
    options: settingOptions,
    says: 'changes the settings that are given',
    run: async ({ ports }, [workspace = '', connector = ''], values) => {
      const { id } = await workspaceOf(ports.registry, workspace);
      return updateConnector(ports, id, (await connectorOf(ports.registry, id, connector)).id, settingsOf(values));
    },
  },
  'connectors list': {
    operands: ['WORKSPACE'],
    says: 'lists the connectors of a workspace',
    run: async ({ ports: { registry } }, [workspace = '']) =>
      registry.connectors.list((await workspaceOf(registry, workspace)).id),
  },
  'connectors show': {
    operands: ['WORKSPACE', 'CONNECTOR'],
    says: 'shows a connector',
    run: async ({ ports: { registry } }, [workspace = '', connector = '']) =>
      connectorOf(registry, (await workspaceOf(registry, workspace)).id, connector),
  },
  'connectors remove': {
    operands: ['WORKSPACE', 'CONNECTOR'],
    says: 'removes a connector; its lineage stays',
    run: async ({ ports }, [workspace = '', connector = '']) => {
      const { id } = await workspaceOf(ports.registry, workspace);
      const found = await orNull(connectorOf(ports.registry, id, connector));
      return { removed: found !== null && (await removeConnector(ports, id, found.id)) };
    },
  },
};

/** The settings that were given; those that were not are left out, and so stay as they are. */
function settingsOf(values: Values): ConnectorSettings {
  const days = numberOf(values, 'observed-retention-days');
  const { namespace, 'default-database': database, 'default-schema': schema, 'datahub-env': env } = values;
  return {
    ...(namespace && { namespaces: namespace }),
    ...(database !== undefined && { default_database: database }),
    ...(schema !== undefined && { default_schema: schema }),
    ...(env !== undefined && { datahub_env: env }),
    ...(values['datahub-platform-instance'] && { datahub_platform_instances: values['datahub-platform-instance'] }),
    ...(days !== undefined && { observed_retention_days: days }),
    ...(values['shrink-guard'] !== undefined && { shrink_guard: shrinkGuardOf(values['shrink-guard']) }),
  };
}

function shrinkGuardOf(text: string) {
  const [word, share = '0.5'] = text.split(':');
  const mode = (['off', 'warn', 'hold'] as const).find((one) => one === word);
  if (mode === undefined || !/^(0(\.\d+)?|1(\.0+)?)$/.test(share))
    throw new UsageError('--shrink-guard takes off, warn or hold, and a share: hold:0.3');
  return { mode, share: Number(share) };
}
