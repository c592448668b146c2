// Runs the contract's black-box tests against a local service of its own: `node scripts/run-conformance.mjs FOLDER FILE…`.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { runAgainst, withLocalService } from './local-service.mjs';

const [folder, ...files] = process.argv.slice(2);
if (!folder || !existsSync(folder)) {
  console.log(`The contract's tests are not at ${folder}: they are not run.`);
  process.exit(0);
}

process.exitCode = await withLocalService(async (credentials) => {
  const tests = files.map((file) => path.join(folder, `${file}.test.mjs`));
  const { status } = await runAgainst(credentials, ['--test', '--test-reporter=spec', ...tests]);
  return status;
});
