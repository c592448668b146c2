// The first hour in an account: says before a deployment what the account would refuse of it, and afterwards asks it what
// emulators take for granted, and prints what it saw.
import { parseArgs } from 'node:util';
import { App } from 'aws-cdk-lib/core';
import { connect } from '../cli/connect.ts';
import { readTenant } from '../lib/tenant.ts';
import { readCanaryKeys } from '../shared/adapters/dynamodb/registry/canary-keys.ts';
import { accountChecks, concurrencyAdvice, readConcurrency } from './first-account/account.ts';
import type { Deployment, Finding } from './first-account/ask.ts';
import { checks, unsettled } from './first-account/checks.ts';
import { refusals } from './preflight.ts';

const usage = `npm run first-account -- --tenant NAME                     before the first deployment
npm run first-account -- --url ADDRESS (--tenant NAME | --credentials FILE)`;

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    tenant: { type: 'string' },
    tenants: { type: 'string', default: 'tenants' },
    credentials: { type: 'string' },
  },
});
if (values.url === undefined && values.tenant === undefined) throw new Error(usage);
if (values.url === undefined) {
  const tenant = readTenant(new App({ context: { tenant: values.tenant, tenants: values.tenants } }).node);
  const found = await refusals(tenant);
  for (const one of found) console.log(`refused  ${one}`);
  if (found.length === 0)
    console.log('ready    nothing is known that AWS would refuse: npx cdk deploy --all -c tenant=NAME');
  process.exit(found.length === 0 ? 0 : 1);
}
const { dynamodb: client, names } = await connect(values);
// A service on a laptop has no account.
if (values.tenant !== undefined) {
  const quota = await readConcurrency(client);
  console.log(`quota    ${quota} functions at once\n         ${concurrencyAdvice(quota)}`);
}
const keys = await readCanaryKeys({ client, name: names.table });
if (keys === null) throw new Error('The canary has no keys: tributary admin canary prepare makes them.');
const deployment: Deployment = { url: values.url.replace(/\/$/, ''), keys };
const { tenant } = values;
const ofAccount = tenant === undefined ? {} : accountChecks;
const [inAccount, inService] = [
  await settle(ofAccount, (check) => check(tenant ?? '')),
  await settle(checks, (check) => check(deployment)),
];
for (const [says, how] of Object.entries(unsettled)) console.log(`unknown  ${says}\n         look: ${how}`);
process.exitCode = inAccount && inService ? 0 : 1;

/** Prints what each check saw; answers whether all hold. */
async function settle<C>(all: Readonly<Record<string, C>>, run: (check: C) => Promise<Finding>): Promise<boolean> {
  let hold = true;
  for (const [says, check] of Object.entries(all)) {
    const { holds, saw } = await run(check).catch((error: Error) => ({ holds: false, saw: error.message }));
    console.log(`${holds ? 'holds' : 'FAILS'}    ${says}\n         saw: ${saw}`);
    hold &&= holds;
  }
  return hold;
}
