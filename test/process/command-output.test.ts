import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { version } from '../../cli/version.ts';
import catalog from '../fixtures/datahub/crm-catalog.json' with { type: 'json' };
import crm from '../fixtures/dbt/crm-manifest.json' with { type: 'json' };
import shop from '../fixtures/dbt/shop-manifest.json' with { type: 'json' };
import sqlmesh from '../fixtures/sqlmesh/crm-export.json' with { type: 'json' };
import { commandLine } from '../support/command-line.ts';
import { runEvent } from '../support/run-event.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';
import { maskOf, transcriptOf } from '../support/transcript.ts';

// Every command with each of its options, one after the other in one workspace. What they print is compared as a whole:
// read what changed in the snapshots before they are recorded again.

const place = mkdtempSync(path.join(realpathSync(tmpdir()), 'command-output-'));
const folder = path.join(place, 'work');
const [warehouse, duck] = ['postgres://warehouse.acme.test:5432', 'duckdb://acme'];
const { 'model.shop.stg_orders': stg } = shop.nodes;
const withStaging = (compiled_code: string | null) => ({
  ...shop,
  nodes: { ...shop.nodes, 'model.shop.stg_orders': { ...stg, compiled_code } },
});
const uncompiled = Object.fromEntries(
  Object.entries(shop.nodes).map(([id, node]) => [id, { ...node, compiled_code: null }]),
);
const projects = {
  shop,
  branch: withStaging('select id from crm.raw.orders'),
  filtered: withStaging(stg.compiled_code.replace('amount > 0', 'amount > 100')),
  uncompiled: { ...shop, nodes: uncompiled },
  selected: withStaging(null),
  empty: { ...shop, nodes: {}, exposures: {} },
  ducks: { ...crm, metadata: { ...crm.metadata, adapter_type: 'duckdb', project_name: 'ducks' } },
};
const readers = Array.from({ length: 24 }, (_, n) => n);
const event = (inputs: string[], outputs: string[], job: string, more = {}) =>
  runEvent(warehouse, inputs, outputs, { job, ...more });
const events = {
  runs: [
    event(['crm.raw.orders'], ['crm.core.stg_orders'], 'shop.stg_orders'),
    event(['crm.core.stg_orders', 'crm.raw.extra'], ['crm.core.orders'], 'shop.orders', {
      columns: { gross: [['crm.core.stg_orders', 'amount']] },
    }),
    event(['crm.x.hub'], ['crm.x.copy'], 'copy', { sql: 'insert into crm.x.copy select a, b from crm.x.hub' }),
  ],
  many: readers.map((n) => event(['crm.x.hub'], [`crm.x.reader_${n}`], `reader ${n}`)),
  twins: [
    runEvent(duck, ['shop.main.same'], ['shop.main.same_reader'], { job: 'twin' }),
    event(['shop.main.same'], ['shop.main.same_reader'], 'twin'),
  ],
  unowned: [
    runEvent("postgres://nobody's.test:5432", ['app.public.sent'], ['app.public.received'], { job: 'unowned' }),
  ],
  old: [event(['crm.old.source'], ['crm.old.target'], 'old', { at: '2020-01-01T00:00:00Z' })],
  broken: [event(['crm.some.source'], ['crm.some.target'], 'fine'), ...readers.map((n) => ({ nonsense: n }))],
};
const filters = {
  schema_scope: { include: [], exclude: ['crm.raw'] },
  principals: { mode: 'exclude', patterns: [], unmatched: 'admit' },
  statement_kinds: [],
  provider_rules: [],
};
const files: Readonly<Record<string, object | string>> = {
  'sqlmesh.json': sqlmesh,
  'datahub.json': catalog,
  'sink.json': [
    {
      entityType: 'dataset',
      entityUrn: 'urn:li:dataset:(urn:li:dataPlatform:postgres,crm.sink.b,PROD)',
      changeType: 'UPSERT',
      aspectName: 'datasetProperties',
      aspect: { json: {} },
    },
  ],
  'hiding.json': filters,
  'weighing.json': {
    filters: { ...filters, schema_scope: { include: [], exclude: [] } },
    fusion_weights: { declared: 0.5, openlineage: 0.8, catalog: 0.6, query_log: 0.5 },
    expected_revision: 7,
  },
  'no-policy.json': { schema_scope: {} },
  'plan.json': { mode: 'warn', additional_events: false, events: { Order: { required: ['total'] }, Visit: {} } },
  'no-plan.json': { mode: 'warn', additional_events: true, events: { Order: { pattern: 'x' } } },
  'model.sql': "select 1 as one from {{ ref('stg_orders') }}\n",
  'report.md': '### Report\n',
  'no.json': '{"a":',
};

function written(file: string, content: object | string): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
}

let service: ServiceProcess;
let masked: (text: string) => string;
let typed: (lines: string) => Promise<string>;
beforeAll(async () => {
  for (const [name, manifest] of Object.entries(projects)) written(`${name}/target/manifest.json`, manifest);
  for (const [name, list] of Object.entries(events)) written(`${name}.json`, list);
  for (const [name, content] of Object.entries(files)) written(name, content);
  service = await startProcess(['--in-memory', '--seed', 'conformance']);
  const words = {
    ...{
      [place]: 'FOLDER',
      [service.file]: 'CREDENTIALS',
      [process.execPath]: 'NODE',
      [process.argv[1] ?? '']: 'PROGRAM',
    },
    ...{ [`version ${version}`]: 'version VERSION', [service.credentials.base_url]: 'http://SERVICE' },
    [`operator:${userInfo().username}`]: 'operator:OPERATOR',
  };
  masked = maskOf(words);
  typed = transcriptOf({ folder, env: { HOME: place, XDG_CONFIG_HOME: place } }, masked, service.file);
});
afterAll(async () => {
  rmSync(place, { recursive: true });
  await service.end('SIGTERM');
});

const at = '--workspace acme --connector warehouse';

const sessions: Readonly<Record<string, string>> = {
  connect: `
    doctor --workspace acme
    doctor ${at}
    doctor ${at} --token dpt_wrong
    doctor ${at} --json
    status ${at}
    context
    context --token dpt_wrong
    providers ${at}
    gaps ${at}
    gaps nope ${at}
    deliveries ${at}
    checks list ${at}
    checks run ${at}
    tokens list ${at}
    artifacts list ${at}
    memory candidates ${at}
    memory search ${at}
    access requests ${at}
    search orders ${at}
    impact crm.raw.orders ${at}
    unused ${at}
    context --workspace nope
    providers --workspace acm
    providers
    policy get --workspace acme
    bogus
    impct x
  `,
  push: `
    push dbt uncompiled ${at}
    push dbt uncompiled --allow-uncompiled --partial ${at}
    push dbt selected --partial ${at}
    push dbt ducks ${at}
    push dbt empty --partial ${at}
    push dbt shop --key first ${at}
    push dbt shop --key first --no-wait ${at}
    push dbt nowhere ${at}
    push sqlmesh sqlmesh.json ${at}
    push sqlmesh datahub.json ${at}
    push sqlmesh no.json ${at}
    push datahub datahub.json ${at}
    push datahub datahub.json --source nightly --partial ${at}
    push datahub sink.json --partial ${at}
    push openlineage runs.json --provider-key airflow ${at}
    push openlineage many.json ${at}
    push openlineage twins.json ${at}
    push openlineage unowned.json ${at}
    push openlineage old.json ${at}
    push openlineage broken.json ${at}
    push openlineage no.json ${at}
    push openlineage runs.json --key again --quiet ${at}
    push openlineage runs.json --key again ${at}
  `,
  ask: `
    search raw ord ${at}
    search crm.x --limit 2 ${at}
    search crm.x --limit 2 --quiet ${at}
    search crm.x --limit 2 --json-lines ${at}
    search ordrs ${at}
    search qqqqq ${at}
    search --columns crm customer_ ${at}
    search --columns custmr_id ${at}
    search --columns qqqqq ${at}
    impact crm.raw.orders ${at}
    impact crm.core.orders --direction both ${at}
    impact crm.core.orders --direction upstream ${at}
    impact crm.raw.orders --column amount ${at}
    impact crm.raw.orders --column amount --column id --influence direct ${at}
    impact crm.raw.orders --column amount --influence all ${at}
    impact crm.raw.orders --column nope ${at}
    impact crm.raw.orders --depth 1 ${at}
    impact crm.raw.orders --nodes 1 ${at}
    impact crm.x.hub ${at}
    impact crm.raw.orders --min-confidence 0.99 ${at}
    impact crm.raw.orders --verdict confirmed --verdict declared_only ${at}
    impact crm.raw.orders --verdict nope ${at}
    impact crm.raw.orders --as-of 2026-01-01 ${at}
    impact crm.raw.orders --include-stale ${at}
    impact crm.raw.orders --format csv ${at}
    impact crm.raw.orders --format mermaid ${at}
    impact crm.raw.orders --format dot ${at}
    impact crm.raw.ordrs ${at}
    impact exposure.shop.weekly ${at}
    impact shop.main.same --workspace acme
    explain shop.main.same shop.main.same_reader --workspace acme
    impact shop.main.same --workspace acme --connector duck
    explain crm.raw.orders crm.core.stg_orders ${at}
    explain crm.core.stg_orders crm.core.orders --column amount ${at}
    explain crm.core.stg_orders crm.core.orders --column nope ${at}
    explain crm.x.hub crm.x.copy ${at}
    explain crm.core.customers crm.raw.orders ${at}
    explain crm.raw.orders x.y.z ${at}
    explain crm.raw.orders crm.core.stg_orders --as-of 2026-01-01 ${at}
    unused ${at}
    unused --columns ${at}
    sorted export --format csv ${at}
    sorted export --format csv --json ${at}
    export --format csv --output edges.csv ${at}
    export --output nowhere/edges.ndjson ${at}
    export --format parquet ${at}
    export --format parquet --output tables ${at}
    export --format parquet --output tables ${at}
    export --output events.ndjson --events run ${at}
    diff ${at}
    diff --from 2026-01-01 ${at}
    diff --from 2026-01-01 --to 2026-01-02 --format markdown ${at}
    diff --from yesterday ${at}
    diff dbt shop ${at}
    diff dbt branch ${at}
    diff dbt branch --depth 1 --nodes 2 ${at}
    diff dbt branch --format markdown --fail-on none ${at}
    diff dbt filtered --fail-on risky ${at}
    diff dbt filtered ${at}
    diff dbt branch --match-by relation ${at}
    diff dbt uncompiled ${at}
    diff dbt shop --project shopp ${at}
    diff dbt branch --upload ${at}
    diff sqlmesh sqlmesh.json ${at}
    diff sqlmesh sqlmesh.json --environment dev ${at}
    comment report.md
    comment report.md --name "a b"
  `,
  files: `
    search ord --manifest shop
    search crm --limit 3 --manifest shop
    search --columns custmr_id --manifest shop --openlineage runs.json
    impact raw.orders --manifest shop
    impact raw.orders --column amount --manifest shop --openlineage runs.json --datahub datahub.json --sqlmesh sqlmesh.json
    impact crm.raw.ordrs --manifest shop
    explain crm.raw.orders crm.core.stg_orders --manifest shop
    unused --manifest shop
    unused --columns --manifest shop
    unused --manifest shop --manifest ducks
    impact raw.orders --manifest shop --manifest ducks --catalog no.json
    impact raw.orders --datahub no.json
    diff dbt branch --base shop --offline
    diff dbt branch --base shop ${at}
    diff dbt branch --base shop --offline --format markdown --fail-on none
    diff dbt branch --base shop --select
    diff dbt branch --base shop --select --as state
    diff dbt branch --base nowhere
    diff sqlmesh sqlmesh.json --base sqlmesh.json
  `,
  govern: `
    deliveries ${at}
    deliveries --limit 3 ${at}
    one = deliveries --state projected --limit 1 --workspace acme
    deliveries {one} ${at}
    deliveries retry {one} ${at}
    deliveries release {one} ${at}
    deliveries 00000000-0000-4000-8000-000000000000 ${at}
    deliveries --state failed ${at}
    providers --workspace acme
    feed = providers --status active ${at}
    providers {feed} ${at}
    providers pause {feed} ${at}
    status ${at}
    status --workspace acme
    providers --status paused ${at}
    providers disable {feed} ${at}
    status ${at}
    providers resume {feed} ${at}
    gaps --workspace acme
    gaps --status all ${at}
    gaps --status all --type unowned_namespace --workspace acme
    gaps --type silent_provider ${at}
    gaps {feed} --status all ${at}
    policy get ${at}
    policy preview hiding.json ${at}
    policy put no-policy.json ${at}
    policy put no.json ${at}
    policy put hiding.json ${at}
    until done policy get ${at}
    policy preview weighing.json ${at}
    policy put weighing.json ${at}
    impact crm.raw.orders --direction both ${at}
    impact crm.core.orders --include-stale ${at}
    explain crm.raw.orders crm.core.stg_orders ${at}
    impact crm.raw.orders ${at}
    plan get acme ${at}
    plan put acme plan.json ${at}
    plan put acme no-plan.json ${at}
    plan get acme ${at}
    plan get nope ${at}
    plan remove acme ${at}
    checks create reads --expect "path from crm.core.stg_orders to crm.core.customers" ${at}
    checks create "no reads" --expect "no path from crm.core.stg_orders to crm.core.customers" --severity critical --include core.* --enable ${at}
    checks create many --expect "at most 2 downstream" --exclude crm.core.* ${at}
    checks create odd --expect "no stail edge" --disable ${at}
    checks list ${at}
    checks run ${at}
    checks run reads ${at}
    checks run odd ${at}
    checks run nope reads ${at}
    checks results reads ${at}
    checks results many --limit 1 ${at}
    checks results odd ${at}
    checks update odd --name even --expect "no stale edge" --severity warning --include x.* --enable ${at}
    checks accept reads ${at}
    checks delete many ${at}
    checks list ${at}
    access diagnose ${at}
    access diagnose --action admin --user acme-viewer ${at}
    access diagnose --user nobody ${at}
    access request --role editor --reason "I load data" ${at}
    access requests --state pending ${at}
    tokens create reader --scope read,write --client-kind ci --expires-in-days 3 ${at}
    pat = tokens list ${at}
    tokens revoke {pat} ${at}
    tokens list ${at}
    tokens revoke pat_nope ${at}
    tokens create reader --scope nope ${at}
  `,
  agents: `
    art = artifacts create model.sql --kind dbt_model --path models/model.sql --proposed ${at}
    artifacts create model.sql --kind nope ${at}
    artifacts show {art} ${at}
    artifacts accept {art} ${at}
    artifacts reject {art} ${at}
    artifacts diff {art} ${at}
    second = artifacts create report.md --kind dbt_model --path models/model.sql ${at}
    artifacts diff {second} ${at}
    artifacts list ${at}
    artifacts list --limit 1 ${at}
    artifacts list --status accepted --kind dbt_model --path models/model.sql ${at}
    artifacts supersede {second} ${at}
    artifacts show art_nope ${at}
    cand = memory generate "raw.orders.id is the key of the shop. Orders exclude refunds. Revenue is net." ${at}
    memory generate "raw.orders.id is the key." --limit 1 ${at}
    memory candidates ${at}
    memory candidates --limit 1 ${at}
    memory candidates --status approved ${at}
    memory approve {cand} --content "The id is the key." --title "the key" --type definition --scope workspace --tag keys --target crm.raw.orders.id ${at}
    memory approve {cand} ${at}
    other = memory candidates --limit 1 ${at}
    memory reject {other} ${at}
    last = memory candidates --limit 1 ${at}
    memory dismiss {last} ${at}
    third = memory candidates --limit 1 ${at}
    memory approve {third} ${at}
    mem = memory search key --target crm.raw.orders.id ${at}
    memory search --limit 1 ${at}
    memory supersede {mem} ${at}
    memory search key --scope workspace ${at}
    mcp install cursor --dry-run ${at}
    mcp install nope ${at}
    mcp install cursor ${at}
    mcp install cursor ${at}
  `,
  admin: `
    admin workspaces create made --actor tester
    admin workspaces create made
    admin workspaces list
    admin workspaces pats made off
    admin workspaces pats made maybe
    admin members add made acme-admin --role admin --email admin@made.test
    admin members list made
    admin members remove made acme-admin
    admin members remove made acme-admin
    admin connectors create made pg --kind postgres --namespace postgres://pg:5432 --default-database a --default-schema b --datahub-env PROD --datahub-platform-instance eu --observed-retention-days 30 --shrink-guard hold:0.3 --expression-literals masked --layer finance_*=marts
    admin connectors update made pg --add-namespace postgres://replica:5432 --shrink-guard warn --kind redshift
    admin connectors update made pg --shrink-guard much
    admin connectors update made pg --layer marts
    admin connectors update made nope
    admin connectors list made
    admin connectors names made
    admin connectors remove made pg
    admin connectors remove made pg
    admin feeds register acme warehouse airflow --type airflow --name "Airflow runs"
    admin feeds register acme warehouse own --type own --class runtime
    admin feeds list acme
    admin feeds remove acme own
    admin feeds remove acme own
    admin linked-projects link made p
    admin linked-projects list made
    admin linked-projects unlink made p
    admin linked-projects unlink made p
    admin projects create made web --environment prod --origin https://made.test
    admin projects update made web --events-retention-days 30
    admin projects list made
    admin projects update made web --events-retention-days 0
    admin environments add made web test
    admin environments list made web
    admin environments remove made web test
    admin origins add made web https://www.made.test
    admin origins list made web
    admin origins remove made web https://www.made.test
    admin project-keys create made web k --environment prod --rate 5
    admin project-keys create made web other --environment prod --burst 5
    admin project-keys list made web
    admin project-keys revoke made web k
    admin project-keys list made web
    admin server-keys create made web s
    admin server-keys list made web
    admin server-keys revoke made web s
    admin server-keys revoke made web nope
    admin events erase acme --user u --dry-run
    admin events erase acme --user u --suppress
    admin events erase acme
    admin suppressions list acme
    admin suppressions remove acme --user u
    admin suppressions remove acme --user u
    admin suppressions list acme
    admin scopes list acme warehouse --q dbt-project
    admin scopes list acme all --q twin
    admin scopes list acme all --q nothing
    admin scopes forget acme nope
    admin scopes forget-job acme all --job jobs/twin
    admin scopes forget-job acme all --job jobs/twin --yes
    admin scopes forget-job acme all --job jobs/nope
    admin scopes forget-job acme all --job twin
    admin tokens list acme
    admin tokens revoke acme nope
    admin audit acme --limit 5 --actor tester
    admin redrive events
    admin redrive nope
    admin rebuild
    admin restore --from old
    admin hash
    admin hash --workspace acme
    admin status
    admin offboard
    admin canary prepare
    admin canary run
    admin projects revoke made web
    admin workspaces remove made
    admin workspaces remove made
    admin workspaces list
  `,
};

it.each(Object.keys(sessions))('prints what is recorded for each command to %s', async (name) => {
  const text = await typed(sessions[name] ?? '');
  await expect(text).toMatchFileSnapshot(`./__snapshots__/command-output/${name}.txt`);
});

const root = { relation_ref: 'crm.core.stg_orders' };
const edge = { upstream: 'crm.core.stg_orders', downstream: 'crm.core.orders' };
const earlier = new Date(Date.now() - 86_400_000).toISOString();
const sql = 'select id as order_id from crm.raw.orders';

/** Every tool with each of its arguments. */
const calls: readonly (readonly [tool: string, input: object])[] = [
  ['get_context', {}],
  ['get_context', { limit: 1 }],
  ['search_relations', { query: 'crm ord' }],
  ['search_relations', { query: 'crm', limit: 2, layer: 'staging' }],
  ['search_relations', { query: 'customr', in: 'columns' }],
  ['search_relations', { query: 'qqqqq' }],
  ['get_relation', root],
  ['get_relation', { ...root, column: 'ORDER', limit: 1 }],
  ['get_relation', { relation_ref: 'crm.core.nope' }],
  ['get_impact', root],
  ['get_impact', { ...root, direction: 'both', mappings: true, evidence: true, limit: 2 }],
  ['get_impact', { ...root, columns: ['amount', 'nope'], influence: 'direct', max_depth: 1 }],
  ['get_impact', { ...root, columns: ['nope'] }],
  ['get_impact', { ...root, kind: ['exposure'], schema: '*', name: '*weekly', verdict: ['declared_only'] }],
  ['get_impact', { relation_ref: 'crm.x.hub', distance: 1, limit: 3 }],
  ['get_impact', { ...root, distance: 9, schema: 'crm.x' }],
  ['explain_edge', edge],
  ['explain_edge', { ...edge, column: 'amount', limit: 1 }],
  ['explain_edge', { ...edge, column: 'nope' }],
  ['explain_edge', { upstream: edge.downstream, downstream: edge.upstream }],
  ['get_history', { ...root, from: earlier }],
  ['get_history', { ...root, from: earlier, limit: 1 }],
  ['diff_branch', { manifest: projects.branch, limit: 2 }],
  ['diff_branch', { manifest: projects.filtered, grade: ['risky'], name: 'STG' }],
  ['diff_branch', { manifest: projects.uncompiled }],
  ['diff_branch', { project: sqlmesh }],
  [
    'diff_branch',
    {
      files: [
        { path: 'models/stg_orders.sql', sql },
        { path: 'new.sql', sql },
      ],
      project_id: 'shop',
    },
  ],
  ['diff_branch', { from: earlier, name: 'stg_orders' }],
  ['diff_branch', {}],
  ['list_feeds', { status: 'active' }],
  ['list_feeds', { status: 'paused', connector: 'duck' }],
  ['list_gaps', { status: 'open' }],
  ['list_gaps', { provider_instance_id: 'nope' }],
  ['get_impact', { ...root, direction: 'upstream', verdict: ['contradicted'] }],
  ['list_checks', {}],
  ['search_memory', { query: 'exclude', target_key: 'x', scope: 'workspace' }],
  ['search_memory', {}],
  ['list_artifacts', {}],
  ['list_artifacts', { status: 'accepted', path: 'models/model.sql', limit: 1 }],
  ['list_artifacts', { artifact_id: 'art_nope' }],
];

it('answers agents what is recorded for each tool', async () => {
  const acme = service.credentials.workspaces['acme'];
  const requestInit = { headers: { authorization: `Bearer ${acme?.tokens['admin']}` } };
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.credentials.base_url}/mcp`), { requestInit }),
  );
  const texts: string[] = [];
  for (const [name, input] of calls) {
    const place = { workspace: 'acme', connector: 'warehouse' };
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: { ...place, ...input } });
    const answer = isError ? content : structuredContent;
    texts.push(`$ ${name} ${short(input)}\n${JSON.stringify(answer, fieldsInOrder, 1)}\n`);
  }
  await client.close();
  await expect(masked(texts.join('\n'))).toMatchFileSnapshot('./__snapshots__/command-output/tools.txt');
});

const short = (input: object): string =>
  JSON.stringify(input, (name, value) => (['manifest', 'project'].includes(name) ? '…' : value));

/** A store returns the fields of a map in any order, and checks in the order of their ids. */
function fieldsInOrder(name: string, value: unknown): unknown {
  if (name === 'checks' && Array.isArray(value))
    return value.toSorted((a, b) => (short(a.name) < short(b.name) ? -1 : 1));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort());
}

/** The commands in a help text. */
const commandsIn = (text: string): string[] =>
  [...text.matchAll(/^ {2}([a-z][\w-]*)(?= |\|)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');

it('explains each command and its options if asked for help', async () => {
  const texts: string[] = [];
  const ask = async (command: readonly string[]): Promise<void> => {
    const { code, output } = await commandLine([...command, '--help']);
    texts.push(`$ tributary ${[...command, '--help'].join(' ')}\n${output.trimEnd()}\n→ ${code}\n`);
    const heading = command.length === 0 ? output.indexOf('Connect:') : output.indexOf('\nCommands:');
    if (heading >= 0) for (const name of commandsIn(output.slice(heading))) await ask([...command, name]);
  };
  await ask([]);
  await expect(texts.join('\n')).toMatchFileSnapshot('./__snapshots__/command-output/help.txt');
});
