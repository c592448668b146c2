import { type Command, InvalidArgumentError, Option, type OptionValues } from 'commander';
import { type LayerRules, layers } from '../../shared/contract/layers.ts';
import { limits } from '../../shared/contract/limits.ts';
import {
  type ConnectorKind,
  connectorKinds,
  type EvidenceClass,
  evidenceClasses,
  feedTypes,
} from '../../shared/contract/vocabulary.ts';
import { askForRewrite, namesProgress } from '../../shared/domain/lineage/generations/ask-rewrite.ts';
import { keyedProviderId } from '../../shared/domain/lineage/ingest/open-delivery.ts';
import { type Connector, literalModes, statementColumns } from '../../shared/domain/lineage/names/connector.ts';
import { partModes } from '../../shared/domain/lineage/names/parts.ts';
import { createConnector, removeConnector, updateConnector } from '../../shared/domain/workspaces/access/connectors.ts';
import type { ConnectorSettings } from '../../shared/domain/workspaces/access/inputs.ts';
import {
  listProviderKeys,
  registerProviderKey,
  removeProviderKey,
} from '../../shared/domain/workspaces/access/provider-keys.ts';
import type { Workspace } from '../../shared/domain/workspaces/access/records.ts';
import { appendValue, integer } from '../framework.ts';
import { type Actions, connectorOf, orNull, toForget } from './command.ts';
import type { AdminContext } from './open-registry.ts';

export function registerConnectors(admin: Command, { inWorkspace }: Actions): void {
  const connectors = admin.command('connectors').description('the databases that lineage is about');
  withSettings(
    connectors
      .command('create <WORKSPACE> <NAME>')
      .description('creates a connector, or returns the existing one of that name')
      .addOption(kind().makeOptionMandatory()),
  )
    .addHelpText('after', namespaceHelp)
    .action(inWorkspace(create));
  withSettings(
    connectors
      .command('update <WORKSPACE> <CONNECTOR>')
      .description('changes the given settings; they also apply to evidence sent before')
      .addOption(kind())
      .option('--add-namespace <namespace>', 'a further namespace; repeatable', appendValue),
  ).action(inWorkspace(update));
  connectors
    .command('names <WORKSPACE>')
    .description('shows how far the graph has been renamed to the connectors’ current settings')
    .action(inWorkspace(async (context, { id }) => namesProgress(await rewriting(context), id)));
  connectors
    .command('list <WORKSPACE>')
    .description('lists the connectors of a workspace')
    .action(inWorkspace(({ ports }, { id }) => ports.registry.connectors.list(id)));
  connectors
    .command('remove <WORKSPACE> <CONNECTOR>')
    .description('deletes a connector; its lineage stays')
    .action(
      inWorkspace(async ({ ports }, { id, name }, [connector = '']) => {
        const found = await orNull(connectorOf(ports.registry, id, connector));
        const removed = found !== null && (await removeConnector(ports, id, found.id));
        return { removed, ...(removed && { next: toForget(name) }) };
      }),
    );
}

type FeedSettings = { readonly type: string; readonly class?: EvidenceClass; readonly name?: string };

export function registerFeeds(admin: Command, { inWorkspace }: Actions): void {
  const feeds = admin.command('feeds').description('the types of feeds by their provider key');
  feeds
    .command('register <WORKSPACE> <CONNECTOR> <PROVIDER_KEY>')
    .description('sets the type of the feed that sends with a provider key, also for what it sent before')
    .requiredOption('--type <type>', `${feedTypes.join(', ')}, or a name of your own`)
    .addOption(new Option('--class <class>', 'how a type of your own knows what it states').choices(evidenceClasses))
    .option('--name <name>', 'the name that people read (default: the key)')
    .action(
      inWorkspace(
        async (context, { id }, [connector = '', provider_key = ''], { type, name, class: own }: FeedSettings) => {
          const found = await connectorOf(context.ports.registry, id, connector);
          return registerProviderKey(await withProviders(context), id, {
            workspace_id: id,
            connector_id: found.id,
            provider_key,
            provider_type: type,
            ...(own !== undefined && { class: own }),
            ...(name !== undefined && { display_name: name }),
          });
        },
      ),
    );
  feeds
    .command('list <WORKSPACE>')
    .description('lists the registered provider keys of a workspace')
    .action(
      inWorkspace(async ({ ports: { registry } }, { id }) => {
        const page = { connectorId: null, limit: limits.providerKeys };
        return (await listProviderKeys(registry, id, page)).items;
      }),
    );
  feeds
    .command('remove <WORKSPACE> <PROVIDER_KEY>')
    .description('makes a feed one of type openlineage again; its lineage stays')
    .action(
      inWorkspace(async (context, { id }, [key = '']) => {
        const removing = removeProviderKey(await withProviders(context), id, keyedProviderId(id, key));
        return { removed: (await orNull(removing.then(() => true))) ?? false };
      }),
    );
}

async function withProviders({ ports, connection: { table } }: AdminContext) {
  const { providerStore } = await import('../../shared/adapters/dynamodb/deliveries/providers.ts');
  return { ...ports, providers: providerStore(table) };
}

/** How the OpenLineage producers of each kind of database name its namespace. */
export const namespaceForms: Readonly<Record<Exclude<ConnectorKind, 'other'>, string>> = {
  postgres: 'postgres://HOST:5432',
  snowflake: 'snowflake://ORGANIZATION-ACCOUNT',
  bigquery: 'bigquery',
  redshift: 'redshift://CLUSTER.REGION:5439',
  databricks: 'unitycatalog://HOST',
  duckdb: 'duckdb://FILE',
  trino: 'trino://HOST:8080',
  mysql: 'mysql://HOST:3306',
  sqlserver: 'mssql://HOST:1433',
  oracle: 'oracle://HOST:1521',
  clickhouse: 'clickhouse://HOST:8123',
  spark: 'hive://HOST:9083',
  athena: 'awsathena://athena.REGION.amazonaws.com',
};

const namespaceHelp = `
The namespace is the one that your OpenLineage producers send. A dbt project needs none. The usual form by kind:
${Object.entries(namespaceForms)
  .map(([name, form]) => `  ${name.padEnd(12)}${form}`)
  .join('\n')}`;

const kind = () => new Option('--kind <kind>', 'type of the database').choices(connectorKinds);

/** The option of each setting. */
const settings = {
  namespaces: repeatable('--namespace <namespace>', 'a namespace of its datasets; repeatable'),
  default_database: new Option('--default-database <name>', 'the database of names that have none'),
  default_schema: new Option('--default-schema <name>', 'the schema of names that have none'),
  datahub_env: new Option('--datahub-env <name>', 'the environment in DataHub’s names, such as PROD'),
  datahub_platform_instances: repeatable(
    '--datahub-platform-instance <name>',
    'a platform instance in DataHub’s names; repeatable',
  ),
  observed_retention_days: new Option('--observed-retention-days <n>', 'days that evidence of runs counts').argParser(
    integer({ min: 1, max: 3_650 }),
  ),
  shrink_guard: new Option(
    '--shrink-guard <mode>',
    'what happens to a snapshot that retracts more than a share of its scope: off, warn or hold, such as hold:0.3',
  ).argParser(shrinkGuard),
  expression_literals: new Option(
    '--expression-literals <mode>',
    'whether answers show the literals of expressions',
  ).choices(literalModes),
  statement_columns: new Option(
    '--statement-columns <mode>',
    'whether SQL of events gives columns that no facet maps',
  ).choices(statementColumns),
  parts: new Option('--parts <mode>', 'whether partitions and shards are the relation that they are of').choices(
    partModes,
  ),
  layers: new Option(
    '--layer <schema=layer>',
    'the layer of a schema, or of all that begin with it: finance_*=marts; repeatable',
  ).argParser(layerRule),
} satisfies Partial<Record<keyof ConnectorSettings, Option>>;

function repeatable(flags: string, description: string): Option {
  return new Option(flags, description).argParser(appendValue);
}

function withSettings(command: Command): Command {
  for (const option of Object.values(settings)) command.addOption(option);
  return command;
}

/** The settings that were given. Those that were not stay as they are. */
const settingsOf = (options: OptionValues): ConnectorSettings =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([field, option]) => {
      const value = options[option.attributeName()];
      return value === undefined ? [] : [[field, value]];
    }),
  );

async function create(
  context: AdminContext,
  { id }: Workspace,
  [name = '']: readonly string[],
  { kind, ...options }: OptionValues & { readonly kind: ConnectorKind },
) {
  const created = await createConnector(context.ports, id, { name, kind, ...settingsOf(options) });
  return { ...created, names: (await askForRewrite(await rewriting(context), id)).names };
}

async function update(
  context: AdminContext,
  { id }: Workspace,
  [connector = '']: readonly string[],
  {
    kind,
    addNamespace,
    ...options
  }: OptionValues & { readonly kind?: ConnectorKind; readonly addNamespace?: string[] },
) {
  const { ports } = context;
  const found = await connectorOf(ports.registry, id, connector);
  const changes = { ...settingsOf(options), ...(kind && { kind }) };
  const { namespaces = found.namespaces } = changes;
  const owned = addNamespace && { namespaces: [...new Set([...namespaces, ...addNamespace])] };
  const changed = await updateConnector(ports, id, found.id, { ...changes, ...owned });
  return { ...changed, names: (await askForRewrite(await rewriting(context), id)).names };
}

async function rewriting({ ports, connection: { table, sqs, names } }: AdminContext) {
  const { graphRecords } = await import('../../shared/adapters/dynamodb/graph/scopes/scope-ends.ts');
  const { projectionQueue } = await import('../../shared/adapters/sqs/projection.ts');
  return {
    graphs: graphRecords(table, ports.registry),
    queue: projectionQueue({ client: sqs, url: names.documents_queue_url }),
  };
}

function layerRule(text: string, earlier: LayerRules = []): LayerRules {
  const [schema = '', name] = text.split('=');
  const layer = layers.find((one) => one === name);
  if (schema === '' || layer === undefined)
    throw new InvalidArgumentError(`Expected a schema and one of ${layers.join(', ')}: finance=marts.`);
  return [...earlier, { schema, layer }];
}

function shrinkGuard(text: string): Connector['shrink_guard'] {
  const [word, share = '0.5'] = text.split(':');
  const mode = (['off', 'warn', 'hold'] as const).find((one) => one === word);
  if (mode === undefined || !/^(0(\.\d+)?|1(\.0+)?)$/.test(share))
    throw new InvalidArgumentError('Expected off, warn or hold, and a share: hold:0.3.');
  return { mode, share: Number(share) };
}
