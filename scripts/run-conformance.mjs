// Runs the contract's black-box tests against its own local service, under the rules of AWS where that is requested:
// `node scripts/run-conformance.mjs FOLDER FILE… [--strict-aws]`.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { runAgainst, withLocalService } from './local-service.mjs';

/** What API Gateway answers by itself, in another way than the service does where it may: the tests, and why. */
const answeredByGateway = {
  'gzip is accepted; broken gzip, other encodings and other types are not':
    'it inflates gzip before the function is asked, and answers 415 where it cannot',
  'bodies that are refused at the door': 'it refuses what is over 6 MB with its own code, body_too_large',
  'a body of exactly 8 MiB is accepted and kept byte for byte':
    'it takes 6 MB a request: larger bodies go through an upload',
};

const strict = '--strict-aws';
const isStrict = process.argv.includes(strict);
const [folder, ...files] = process.argv.slice(2).filter((argument) => argument !== strict);
if (!folder || !existsSync(folder)) {
  console.log(`The contract's tests are not at ${folder}: they are not run.`);
  process.exit(0);
}

process.exitCode = await withLocalService(
  async (credentials) => {
    const tests = files.map((file) => path.join(folder, `${file}.test.mjs`));
    const without = isStrict ? Object.keys(answeredByGateway).map((name) => `--test-skip-pattern=${name}`) : [];
    const { status } = await runAgainst(credentials, ['--test', '--test-reporter=spec', ...without, ...tests]);
    for (const [name, why] of isStrict ? Object.entries(answeredByGateway) : [])
      console.log(`not run under the rules of AWS: ${name} (${why})`);
    return status;
  },
  isStrict ? [strict] : [],
);
