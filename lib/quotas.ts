import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App } from 'aws-cdk-lib/core';
import * as v from 'valibot';
import { featureFlags } from './feature-flags.ts';
import { type Tenant, unreserved } from './tenant.ts';
import { tenantStacks } from './tenant-stacks.ts';

/**
 * What an account has by default of each type, in one Region unless `isGlobal`: the quota pages of the services in November
 * 2026, those of X-Ray and AWS Backup as others quote them. Types with a quota of thousands of tenants are left out.
 */
const quotas: Readonly<Record<string, { readonly limit: number; readonly isGlobal?: true }>> = {
  'AWS::IAM::Role': { limit: 1_000, isGlobal: true },
  'AWS::Events::Rule': { limit: 300 },
  'AWS::CloudWatch::Alarm': { limit: 5_000 },
  'AWS::ApiGateway::RestApi': { limit: 600 },
  'AWS::ApiGateway::DomainName': { limit: 120 },
  'AWS::Backup::BackupVault': { limit: 100 },
  'AWS::XRay::SamplingRule': { limit: 25 },
  'AWS::DynamoDB::Table': { limit: 2_500 },
};

/** Regions with a smaller quota of rules: "Amazon EventBridge quotas". */
const fewRules: readonly (string | undefined)[] = ['af-south-1', 'eu-south-1'];

/** How many resources of each type a tenant has. */
export type Counts = Readonly<Record<string, number>>;

const Synthesized = v.object({ Resources: v.record(v.string(), v.object({ Type: v.string() })) });

/** Counts what the stacks of a tenant have, by synthesizing them without code. */
export function countResources(tenant: Tenant): Counts {
  const folder = mkdtempSync(path.join(tmpdir(), 'tributary-count-'));
  try {
    const context = { ...featureFlags, 'aws:cdk:disable-asset-staging': true };
    const outdir = path.join(folder, 'out');
    const app = new App({ analyticsReporting: false, builtinCloudFormationValidation: false, outdir, context });
    tenantStacks(app, { tenant, bundleOf: () => folder });
    const types = app
      .synth()
      .stacks.flatMap(({ template }) => Object.values(v.parse(Synthesized, template).Resources))
      .map(({ Type }) => Type);
    return Object.fromEntries([...Map.groupBy(types, (type) => type)].map(([type, all]) => [type, all.length]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

type Counted = { readonly tenant: Tenant; readonly counts: Counts };

/**
 * The quotas that some tenants together exceed in an account and Region, if nothing else is there.
 * @param raised quotas that the accounts have been given, by type
 */
export function exceededQuotas(all: readonly Counted[], raised: Counts = {}): string[] {
  const placeOf = ({ tenant: { account = 'of the credentials', region = 'of the credentials' } }: Counted) =>
    [account, region] as const;
  const byAccount = Map.groupBy(all, (one) => placeOf(one)[0]);
  const byRegion = Map.groupBy(all, (one) => placeOf(one).join(', Region '));
  const found: string[] = [];
  for (const [type, { limit, isGlobal }] of Object.entries(quotas))
    for (const [place, some] of isGlobal ? byAccount : byRegion) {
      const isSmall = type === 'AWS::Events::Rule' && fewRules.includes(some[0]?.tenant.region);
      const most = raised[type] ?? (isSmall ? 100 : limit);
      const count = some.reduce((sum, { counts }) => sum + (counts[type] ?? 0), 0);
      if (count > most)
        found.push(`Account ${place}: ${some.length} tenants have ${count} of ${type}, and the quota is ${most}.`);
    }
  for (const [place, some] of byRegion) {
    const reserved = some.reduce(
      (sum, { tenant: { reservedConcurrency: of } }) => sum + (of.collect ?? 0) + (of.ingest ?? 0),
      0,
    );
    const most = Math.min(...some.map(({ tenant }) => tenant.accountConcurrency)) - unreserved;
    if (reserved > Math.max(0, most))
      found.push(
        `Account ${place}: tenants reserve ${reserved} invocations together, and ${Math.max(0, most)} can be reserved.`,
      );
  }
  return found;
}
