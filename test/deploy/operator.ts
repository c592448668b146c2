// Runs each command of `tributary admin` that works on a local service, on the one whose credentials file is named.
// `npm run deploy:check` runs it with `record-calls.ts` preloaded, which reads in `CALLER` which command runs.
import * as v from 'valibot';
import { commandJson } from '../support/command-line.ts';

const credentials = process.argv[2] ?? '';

async function admin(command: string, ...operands: readonly string[]) {
  process.env['CALLER'] = `admin ${command}`;
  return commandJson(['admin', ...command.split(' '), ...operands, '--credentials', credentials]);
}

await admin('workspaces create', 'ops');
await admin('workspaces list');
for (const word of ['off', 'on']) await admin('workspaces pats', 'ops', word);

await admin('members add', 'ops', 'ann', '--role', 'admin', '--email', 'ann@ops.test');
await admin('members list', 'ops');
await admin('members remove', 'ops', 'ann');

await admin('connectors create', 'ops', 'duck', '--kind', 'duckdb', '--namespace', 'duckdb://ops');
await admin('connectors update', 'ops', 'duck', '--default-schema', 'main');
await admin('connectors names', 'ops');
await admin('connectors list', 'ops');

await admin('feeds register', 'ops', 'duck', 'history', '--type', 'query_log', '--name', 'History');
await admin('feeds list', 'ops');
await admin('feeds remove', 'ops', 'history');

await admin('linked-projects link', 'ops', 'shop');
await admin('linked-projects list', 'ops');
await admin('linked-projects unlink', 'ops', 'shop');

await admin('projects create', 'ops', 'web', '--environment', 'production', '--origin', 'https://app.ops.test');
await admin('projects list', 'ops');
await admin('projects update', 'ops', 'web', '--events-retention-days', '10');
for (const [kind, name] of [
  ['environments', 'staging'],
  ['origins', 'https://staging.ops.test'],
] as const) {
  await admin(`${kind} add`, 'ops', 'web', name);
  await admin(`${kind} list`, 'ops', 'web');
  await admin(`${kind} remove`, 'ops', 'web', name);
}
await admin('project-keys create', 'ops', 'web', 'live', '--environment', 'production');
await admin('server-keys create', 'ops', 'web', 'live');
for (const kind of ['project-keys', 'server-keys']) {
  await admin(`${kind} list`, 'ops', 'web');
  await admin(`${kind} revoke`, 'ops', 'web', 'live');
}

await admin('events erase', 'acme', '--user', 'u', '--suppress');
await admin('suppressions list', 'acme');
await admin('suppressions remove', 'acme', '--user', 'u');
const scopes = await admin('scopes list', 'acme', 'all');
const [scope] = v.parse(v.array(v.object({ scope_key: v.string() })), scopes);
await admin('scopes forget-job', 'acme', 'all', '--job', 'jobs/load shop.main.b', '--yes');
await admin('scopes forget', 'acme', scope?.scope_key ?? '', '--yes');
const tokens = v.parse(v.array(v.object({ id: v.string() })), await admin('tokens list', 'acme'));
for (const { id } of tokens) await admin('tokens revoke', 'acme', id);
await admin('audit', 'ops');
await admin('redrive', 'events');
await admin('rebuild', '--workspace', 'acme', '--verify');
await admin('hash', '--workspace', 'acme');
await admin('canary prepare');

await admin('projects revoke', 'ops', 'web');
await admin('connectors remove', 'ops', 'duck');
await admin('workspaces remove', 'ops');
