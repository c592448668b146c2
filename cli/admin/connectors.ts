import { graphRecords } from '../../shared/adapters/dynamodb/graph/scopes/scope-ends.ts';
import { projectionQueue } from '../../shared/adapters/sqs/projection.ts';
import { connectorKinds } from '../../shared/contract/vocabulary.ts';
import { askForRewrite, namesProgress } from '../../shared/domain/lineage/generations/ask-rewrite.ts';
import { literalModes } from '../../shared/domain/lineage/names/connector.ts';
import { createConnector, removeConnector, updateConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import type { ConnectorSettings } from '../../shared/domain/workspaces/access/inputs.ts';
import { UsageError } from '../outcome.ts';
import { type AdminContext, type Commands, numberOf, type Option, type Values, wordOf } from './command.ts';
import { connectorOf, orNull, toForget, workspaceOf } from './places.ts';

const settingOptions: readonly Option[] = [
  'namespace',
  'default-database',
  'default-schema',
  'datahub-env',
  'datahub-platform-instance',
  'observed-retention-days',
  'shrink-guard',
  'expression-literals',
];

export const connectorCommands: Commands = {
  'connectors create': {
    operands: ['WORKSPACE', 'NAME'],
    options: ['kind', ...settingOptions],
    says: 'creates a connector, or returns the existing one of that name',
    run: async (context, [workspace = '', name = ''], values) => {
      const { id } = await workspaceOf(context.ports.registry, workspace);
      const kind = wordOf(values, 'kind', connectorKinds);
      const created = await createConnector(context.ports, id, { name, kind, ...settingsOf(values) });
      return { ...created, names: (await askForRewrite(rewriting(context), id)).names };
    },
  },
  'connectors update': {
    operands: ['WORKSPACE', 'CONNECTOR'],
    options: ['kind', 'add-namespace', ...settingOptions],
    says: 'changes the given settings; they also apply to evidence sent before',
    run: async (context, [workspace = '', connector = ''], values) => {
      const { ports } = context;
      const { id } = await workspaceOf(ports.registry, workspace);
      const kind = values.kind === undefined ? {} : { kind: wordOf(values, 'kind', connectorKinds) };
      const found = await connectorOf(ports.registry, id, connector);
      const settings = { ...settingsOf(values), ...kind };
      const { namespaces = found.namespaces } = settings;
      const added = values['add-namespace'];
      const owned = added ? { namespaces: [...new Set([...namespaces, ...added])] } : {};
      const changed = await updateConnector(ports, id, found.id, { ...settings, ...owned });
      return { ...changed, names: (await askForRewrite(rewriting(context), id)).names };
    },
  },
  'connectors names': {
    operands: ['WORKSPACE'],
    says: 'shows how far the graph has been renamed to the connectors’ current settings',
    run: async (context, [workspace = '']) =>
      namesProgress(rewriting(context), (await workspaceOf(context.ports.registry, workspace)).id),
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
    says: 'deletes a connector; its lineage stays',
    run: async ({ ports }, [workspace = '', connector = '']) => {
      const { id } = await workspaceOf(ports.registry, workspace);
      const found = await orNull(connectorOf(ports.registry, id, connector));
      const removed = found !== null && (await removeConnector(ports, id, found.id));
      return { removed, ...(removed && { next: toForget(workspace) }) };
    },
  },
};

const rewriting = ({ ports, connection: { dynamodb, sqs, names } }: AdminContext) => ({
  graphs: graphRecords({ client: dynamodb, name: names.table }, ports.registry),
  queue: projectionQueue({ client: sqs, url: names.documents_queue_url }),
});

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
    ...(values['expression-literals'] !== undefined && {
      expression_literals: wordOf(values, 'expression-literals', literalModes),
    }),
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
