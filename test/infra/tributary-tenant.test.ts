import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, Aspects, CfnResource, Stack, Tags } from 'aws-cdk-lib/core';
import { FLAGS } from 'aws-cdk-lib/cx-api';
import { Construct } from 'constructs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAccountStacks } from '../../lib/account-stack.ts';
import { featureFlags } from '../../lib/feature-flags.ts';
import { bundleFolder, functionNames } from '../../lib/function-specs.ts';
import { defaultTenant } from '../../lib/tenant.ts';
import { tenantStacks } from '../../lib/tenant-stacks.ts';
import { TributaryAccount, TributaryTenant } from '../../lib/tributary-tenant.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'tenant-'));
afterAll(() => rmSync(folder, { recursive: true }));

const appWith = (flags: Readonly<Record<string, unknown>>): App =>
  new App({
    analyticsReporting: false,
    builtinCloudFormationValidation: false,
    outdir: mkdtempSync(path.join(folder, 'app-')),
    context: { ...flags, 'aws:cdk:disable-asset-staging': true },
  });
const templatesOf = (app: App, names: readonly string[]) => {
  const assembly = app.synth();
  return names.map((name) => withoutPaths(assembly.getStackByName(name).template));
};

/** Permissions hold no data, and their ids include a digest of a path. */
const withoutPaths = (template: object): object =>
  JSON.parse(JSON.stringify(template).replaceAll(/AllowEventRule\w+/g, 'AllowEventRule'));

describe('the construct of a tenant', () => {
  const names = ['TributaryData-acme', 'Tributary-acme'];
  let deployed: unknown[];
  beforeAll(() => {
    for (const name of functionNames) mkdirSync(bundleFolder(name), { recursive: true });
    const app = appWith(featureFlags);
    tenantStacks(app, { tenant: defaultTenant('acme'), bundleOf: bundleFolder });
    deployed = templatesOf(app, names);
  });

  it('makes the stacks that a checkout deploys, in an app that sets every recommended flag', () => {
    const all = Object.entries(FLAGS).filter(([, { introducedIn }]) => introducedIn.v2 !== undefined);
    const app = appWith(Object.fromEntries(all.map(([flag, { recommendedValue }]) => [flag, recommendedValue])));
    new TributaryTenant(app, 'acme');
    expect(templatesOf(app, names)).toEqual(deployed);
  });

  it('makes them beside the stacks of a team, wherever in the app it is', () => {
    const app = appWith({});
    new Stack(app, 'Team');
    const tenant = new TributaryTenant(new Construct(app, 'Platform'), 'acme');
    expect([tenant.data.stackName, tenant.service.stackName]).toEqual(names);
    expect(templatesOf(app, names)).toEqual(deployed);
  });

  it('is a construct like any other: tags, aspects and dependencies reach both stacks', () => {
    const app = appWith({});
    const network = new Stack(app, 'Network');
    new CfnResource(network, 'Vpc', { type: 'AWS::EC2::VPC' });
    const tenant = new TributaryTenant(app, 'acme');
    tenant.node.addDependency(network);
    const team = new Stack(app, 'Team');
    new CfnResource(team, 'Queue', { type: 'AWS::SQS::Queue' });
    team.node.addDependency(tenant);
    Tags.of(tenant).add('cost-centre', '42');
    const seen = new Set<unknown>();
    Aspects.of(tenant).add({ visit: (node) => void seen.add(node) });
    const assembly = app.synth();
    expect([tenant.data, tenant.service].map((stack) => seen.has(stack))).toEqual([true, true]);
    for (const name of names)
      expect(JSON.stringify(assembly.getStackByName(name).template)).toContain('{"Key":"cost-centre","Value":"42"}');
    const needs = (name: string) => assembly.getStackByName(name).dependencies.map(({ id }) => id);
    expect(needs('TributaryData-acme')).toContain('Network');
    expect(needs('Team')).toContain(assembly.getStackByName('Tributary-acme').id);
  });

  it.each([
    ['a name that no stack can have', 'Not A Name', {}],
    ['a half-pinned account', 'acme', { account: '111122223333' }],
    ['a budget without an address', 'acme', { monthlyBudget: 5 }],
  ])('refuses %s before it makes a stack', (_, name, settings) => {
    const app = appWith({});
    expect(() => new TributaryTenant(app, name, settings)).toThrow();
    expect(app.node.children).toEqual([]);
  });
});

it('has the account’s stack that a checkout deploys', () => {
  const [own, ofCheckout] = [appWith({}), appWith(featureFlags)];
  new TributaryAccount(own);
  addAccountStacks(ofCheckout);
  const templates = [own, ofCheckout].map((app) => templatesOf(app, ['tributary-account']));
  expect(templates[0]).toEqual(templates[1]);
});
