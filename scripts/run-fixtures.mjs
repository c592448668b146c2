// Sends the exports that real tools made to its own local service, one after the other, and compares the graphs:
// `node scripts/run-fixtures.mjs FOLDER [--large]`. A catalog
// goes beside its manifest. Tables must be equal and each fixture must retract the one before; the columns are another
// implementation's, and only printed: the tests of declared documents hold those.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { runAgainst, withLocalService } from './local-service.mjs';

const [folder, ...options] = process.argv.slice(2);
if (!folder || !existsSync(folder)) {
  console.log(`The fixtures are not at ${folder}: they are not run.`);
  process.exit(0);
}

const files = (kind) => readdirSync(path.join(folder, kind));
const documents = (kind) => files(kind).flatMap((file) => /^(.*)\.expected\.json$/.exec(file)?.[1] ?? []);
const fixtures = [
  ...files('dbt').map((name) => ['dbt', name]),
  ...documents('sqlmesh').map((name) => ['sqlmesh', name]),
  ...documents('datahub').map((name) => ['datahub', name]),
].filter(([, name]) => !name.startsWith('large-') || options.includes('--large'));

const failed = await withLocalService(async (credentials) => {
  const wrong = [];
  for (const [kind, name] of fixtures.sort()) {
    const check = [path.join(folder, 'check.mjs'), kind, path.join(folder, kind, name), '--catalog'];
    const { printed } = await runAgainst(credentials, check, 'pipe');
    process.stdout.write(printed);
    if (!isRight(printed)) wrong.push(`${kind}/${name}`);
  }
  return wrong;
});
console.log(`${fixtures.length - failed.length} of ${fixtures.length} fixtures have equal tables`);
for (const name of failed) console.log(`not equal: ${name}`);
process.exitCode = failed.length > 0 ? 1 : 0;

function isRight(printed) {
  if (!printed.startsWith('{')) return false;
  const { state, tables } = JSON.parse(printed);
  return state === 'projected' && tables.missing === 0 && tables.extra === 0;
}
