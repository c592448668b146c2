// Runs the contract's tests, which are beside the checkout, against its own local service:
// `node scripts/run-conformance.mjs FOLDER FILE… [--strict-aws]` the black-box tests, under the rules of AWS where that is requested;
// `node scripts/run-conformance.mjs --fixtures FOLDER [--large]` the exports of real tools: it sends one after the other and compares
// the graphs. A catalog goes beside its manifest. Tables must be equal and each fixture must retract the one before; the
// columns are another implementation's, and only printed: the tests of declared documents hold those.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runAgainst, withLocalService } from './local-service.mjs';

const { values, positionals } = parseArgs({
  options: {
    'strict-aws': { type: 'boolean', default: false },
    fixtures: { type: 'string' },
    large: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const isStrict = values['strict-aws'];
const [folder, ...files] = values.fixtures === undefined ? positionals : [values.fixtures];
if (!folder || !existsSync(folder)) {
  console.log(`The contract's tests are not at ${folder}: they are not run.`);
  process.exit(0);
}

/** What API Gateway answers by itself, in another way than the service does where it may: the tests, and why. */
const answeredByGateway = {
  'gzip is accepted; broken gzip, other encodings and other types are not':
    'it inflates gzip before the function is asked, and answers 415 where it cannot',
  'bodies that are refused at the door': 'it refuses what is over 6 MB with its own code, body_too_large',
  'a body of exactly 8 MiB is accepted and kept byte for byte':
    'it takes 6 MB a request: larger bodies go through an upload',
};

process.exitCode = values.fixtures === undefined ? await runTests() : await compareFixtures();

function runTests() {
  return withLocalService(
    async (credentials) => {
      const tests = files.map((file) => path.join(folder, `${file}.test.mjs`));
      const without = isStrict ? Object.keys(answeredByGateway).map((name) => `--test-skip-pattern=${name}`) : [];
      const { status } = await runAgainst(credentials, ['--test', '--test-reporter=spec', ...without, ...tests]);
      for (const [name, why] of isStrict ? Object.entries(answeredByGateway) : [])
        console.log(`not run under the rules of AWS: ${name} (${why})`);
      return status;
    },
    isStrict ? ['--strict-aws'] : [],
  );
}

async function compareFixtures() {
  const filesOf = (kind) => readdirSync(path.join(folder, kind));
  const documents = (kind) => filesOf(kind).flatMap((file) => /^(.*)\.expected\.json$/.exec(file)?.[1] ?? []);
  const fixtures = [
    ...filesOf('dbt').map((name) => ['dbt', name]),
    ...documents('sqlmesh').map((name) => ['sqlmesh', name]),
    ...documents('datahub').map((name) => ['datahub', name]),
  ].filter(([, name]) => !name.startsWith('large-') || values.large);
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
  return failed.length > 0 ? 1 : 0;
}

function isRight(printed) {
  if (!printed.startsWith('{')) return false;
  const { state, tables } = JSON.parse(printed);
  return state === 'projected' && tables.missing === 0 && tables.extra === 0;
}
