// The first hour in an account: asks a deployment what emulators take for granted, and prints what it saw.
import { parseArgs } from 'node:util';
import { connect } from '../cli/connect.ts';
import { readCanaryKeys } from '../shared/adapters/dynamodb/registry/canary-keys.ts';
import type { Deployment } from './first-account/ask.ts';
import { checks } from './first-account/checks.ts';
import { concurrencyAdvice, readConcurrency } from './first-account/concurrency.ts';
import { unsettled } from './first-account/unsettled.ts';

const usage = 'npm run first-account -- --url ADDRESS (--tenant NAME | --credentials FILE)';

const { values } = parseArgs({
  options: { url: { type: 'string' }, tenant: { type: 'string' }, credentials: { type: 'string' } },
});
if (values.url === undefined) throw new Error(usage);
const { dynamodb: client, names } = await connect(values);
// A service on a laptop has no account.
if (values.tenant !== undefined) {
  const quota = await readConcurrency(client);
  console.log(`quota    ${quota} functions at once\n         ${concurrencyAdvice(quota)}`);
}
const keys = await readCanaryKeys({ client, name: names.table });
if (keys === null) throw new Error('The canary has no keys: tributary admin canary prepare makes them.');
process.exitCode = (await settle({ url: values.url.replace(/\/$/, ''), keys })) ? 0 : 1;

/** Prints what each check saw; answers whether all hold. */
async function settle(deployment: Deployment): Promise<boolean> {
  let all = true;
  for (const [says, check] of Object.entries(checks)) {
    const { holds, saw } = await check(deployment).catch((error: Error) => ({ holds: false, saw: error.message }));
    console.log(`${holds ? 'holds' : 'FAILS'}    ${says}\n         saw: ${saw}`);
    all &&= holds;
  }
  for (const [says, how] of Object.entries(unsettled)) console.log(`unknown  ${says}\n         look: ${how}`);
  return all;
}
