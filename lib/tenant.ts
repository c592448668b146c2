import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { toJsonSchema } from '@valibot/to-json-schema';
import { type LogGroupProps, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { RemovalPolicy, Stack, type StackProps, Tags } from 'aws-cdk-lib/core';
import type { Construct, Node } from 'constructs';
import * as v from 'valibot';
import { Fault } from '../shared/contract/problems.ts';
import { queueNames, urlFunctions } from '../shared/contract/stack-outputs.ts';
import { pinFlags } from './feature-flags.ts';
import { settingNames } from './function-specs.ts';
import { newTable } from './tables.ts';

export const TenantName = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,29}$/));
const HostName = v.pipe(v.string(), v.regex(/^(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,63}$/));
const arnOf = (service: string, resource: string) =>
  v.pipe(v.string(), v.startsWith('arn:'), v.includes(`:${service}:`), v.includes(`:${resource}/`));
const Count = v.pipe(v.number(), v.integer(), v.minValue(1));

const Units = v.strictObject({
  reads: v.pipe(Count, v.minValue(newTable.reads)),
  writes: v.pipe(Count, v.minValue(newTable.writes)),
});

/** Lambda's quota in an established account. */
export const defaultConcurrency = 1_000;
/** Lambda keeps this number for functions without a reservation. */
export const unreserved = 100;
/** Bounds the bill of a flood: $13 an hour for requests. */
export const defaultThrottle = { rate: 1_000, burst: 2_000 };

/** What `tenants/<name>.json` may say; `{}` is a tenant with its own user pool in the account of the credentials. */
const TenantFile = v.strictObject({
  $schema: v.optional(v.string()),
  account: v.optional(v.pipe(v.string(), v.regex(/^\d{12}$/))),
  region: v.optional(v.pipe(v.string(), v.regex(/^[a-z]{2}(-[a-z]+)+-\d$/))),
  /** The OIDC issuer whose session tokens are accepted; the default is the tenant's user pool. */
  issuer: v.optional(
    v.strictObject({
      issuer: v.pipe(v.string(), v.url()),
      audience: v.pipe(v.string(), v.nonEmpty()),
      jwksUrl: v.pipe(v.string(), v.url()),
    }),
  ),
  /**
   * Whether the tenant has a user pool. It has one beside an `issuer` too, because the issuer may come later: the pool
   * costs nothing without users.
   */
  userPool: v.optional(v.boolean()),
  /** Who is written to when an alarm rings. */
  alarmEmail: v.optional(v.pipe(v.string(), v.email())),
  /** The regional web ACL of AWS WAF that stands before the API. */
  webAclArn: v.optional(v.pipe(v.string(), v.startsWith('arn:'), v.includes(':regional/webacl/'))),
  /** The name at which the API answers; the certificate is of its region, the zone of its account. */
  domain: v.optional(
    v.strictObject({
      name: HostName,
      certificateArn: arnOf('acm', 'certificate'),
      hostedZone: v.optional(v.strictObject({ id: v.pipe(v.string(), v.startsWith('Z')), name: HostName })),
    }),
  ),
  /** The customer managed key of tables, buckets and queues. */
  kmsKeyArn: v.optional(arnOf('kms', 'key')),
  /** Copies by AWS Backup each night, and for how many days each is kept. */
  backup: v.optional(v.strictObject({ keepDays: Count })),
  /** Point-in-time recovery of the ledger of event ids: docs/deploying.md says what a restore without it can double. */
  ledgerRecovery: v.optional(v.boolean(), false),
  /** How CodeDeploy lets new versions of functions take over; without it, all at once. */
  rollout: v.optional(
    v.picklist(['Canary10Percent5Minutes', 'Canary10Percent15Minutes', 'Linear10PercentEvery1Minute']),
  ),
  /** What a month may cost, in US dollars: `alarmEmail` is written to when it costs, or will cost, more. */
  monthlyBudget: v.optional(Count),
  /** Environment of the functions that differs from their specification. */
  settings: v.optional(v.record(v.picklist(settingNames), v.string()), {}),
  /** Requests per second, and at once, that the API accepts from all callers together. */
  throttle: v.optional(v.strictObject({ rate: Count, burst: Count }), defaultThrottle),
  /** How many functions the account runs at once: `npm run first-account` reads it. Default caps of workers scale to it. */
  accountConcurrency: v.optional(v.pipe(Count, v.minValue(10)), defaultConcurrency),
  /** Invocations at once that are kept for a function, and that it cannot exceed. */
  reservedConcurrency: v.optional(v.strictObject({ collect: v.optional(Count), ingest: v.optional(Count) }), {}),
  /** Functions that senders may also call at a function URL, without the API and its price: docs/deploying.md lists what is lost. */
  functionUrls: v.optional(v.array(v.picklist(urlFunctions)), []),
  /** Invocations at once of the workers that a queue feeds. */
  concurrency: v.optional(
    v.strictObject(v.entriesFromList(queueNames, v.optional(v.pipe(Count, v.minValue(2), v.maxValue(1_000))))),
    {},
  ),
  /** Units a second that a table and its indexes take from the beginning, if that is more than of a new one. */
  warmThroughput: v.optional(v.strictObject({ main: v.optional(Units), eventLedger: v.optional(Units) }), {}),
  /** Whether a canary sends and asks every five minutes; about a dollar a month. */
  canary: v.optional(v.boolean(), true),
  /**
   * Iceberg tables that take the events instead of the lake, unless the setting COLLECTION_SINK says otherwise: an id
   * that was stored within this many days is a repeat.
   */
  iceberg: v.optional(v.strictObject({ dedupDays: v.optional(v.pipe(Count, v.maxValue(400)), 7) })),
  /** The share of requests to the API that X-Ray traces, with the request on their behalf; without it none. */
  tracedShare: v.optional(v.pipe(v.number(), v.gtValue(0), v.maxValue(1))),
  /** Tags of every resource, in addition to `tributary:tenant`. */
  tags: v.optional(v.record(v.string(), v.string()), {}),
  /** Whether the stack and its tables refuse to be deleted. */
  protected: v.optional(v.boolean(), true),
});

export type TenantSettings = v.InferInput<typeof TenantFile>;

/** The JSON Schema of a tenant's file, for completion and checks in editors. */
export const tenantSchema = (): object =>
  // Editors do without the rules that JSON Schema cannot say: the file is read with all of them.
  toJsonSchema(TenantFile, { typeMode: 'input', errorMode: 'ignore' });

export type Tenant = { readonly name: string } & Omit<v.InferOutput<typeof TenantFile>, '$schema'>;

/** Regions whose CloudFormation has no Budgets: the region data of cfn-lint 1.58, and a look at it with each upgrade. */
const withoutBudgets: readonly string[] = [
  ...['af-south-1', 'ap-east-1', 'ap-east-2', 'ap-northeast-3', 'ap-south-2', 'ap-southeast-3', 'ap-southeast-4'],
  ...['ap-southeast-5', 'ap-southeast-6', 'ap-southeast-7', 'ca-west-1', 'eu-central-2', 'eu-north-1', 'eu-south-1'],
  ...['eu-south-2', 'il-central-1', 'me-central-1', 'mx-central-1', 'us-gov-east-1', 'us-gov-west-1'],
];
/** Regions without Cognito, from the same data. */
const withoutCognito: readonly string[] = ['cn-north-1', 'cn-northwest-1'];

/** Regions without function URLs: "Creating and managing Lambda function URLs" in the developer guide of Lambda. */
const withoutFunctionUrls: readonly string[] = [
  ...['ap-east-2', 'ap-south-2', 'ap-southeast-4', 'ap-southeast-5', 'ap-southeast-6', 'ap-southeast-7'],
  ...['ca-west-1', 'eu-central-2', 'eu-south-2', 'il-central-1', 'me-central-1'],
];

/**
 * The Region is that of the file, or of the credentials, which the CDK passes.
 * @throws Fault if the Region lacks a service that the file needs: the deployment would fail half-way.
 */
function checkRegion(file: v.InferOutput<typeof TenantFile>): void {
  const { region = process.env['CDK_DEFAULT_REGION'] ?? '', monthlyBudget, userPool, functionUrls } = file;
  if (monthlyBudget !== undefined && withoutBudgets.includes(region))
    throw new Fault(
      'tenant_region_without_budgets',
      'CloudFormation has no AWS Budgets in this region. Remove monthlyBudget; a budget of the account sees every Region.',
    );
  if (userPool !== false && withoutCognito.includes(region))
    throw new Fault(
      'tenant_region_without_cognito',
      'This region has no Cognito. Give the tenant an issuer and "userPool": false.',
    );
  if (functionUrls.length > 0 && withoutFunctionUrls.includes(region))
    throw new Fault('tenant_region_without_urls', 'This region has no function URLs. Remove functionUrls.');
}

/** A tenant with nothing said about it. */
export const defaultTenant = (name: string): Tenant => tenantOf(name, {});

/**
 * The tenant that `-c tenant=NAME` names, from `tenants/NAME.json`, or from the folder that `-c tenants=FOLDER` names. Only
 * the file says what is deployed, so that no upgrade depends on what somebody remembers to type.
 * @throws Fault if no tenant is named, or there is no such file; ValiError if the file breaks a rule.
 */
export function readTenant(node: Node, folder: string = tenantsFolder(node)): Tenant {
  const named = node.tryGetContext('tenant');
  if (named === undefined) throw new Fault('tenant_not_named', adviseTenants(node, folder));
  const name = v.parse(TenantName, named);
  const file = path.join(folder, `${name}.json`);
  if (!existsSync(file))
    throw new Fault('tenant_file_missing', `There is no ${file}: write {} to it for a tenant with its own user pool.`);
  return tenantOf(name, JSON.parse(readFileSync(file, 'utf8')));
}

const tenantsFolder = (node: Node): string => node.tryGetContext('tenants') ?? 'tenants';

/** The tenants that have a file in the folder; `fleet.json` is their list. */
export function tenantNames(folder: string): string[] {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')) : [];
  return files
    .map((file) => path.basename(file, '.json'))
    .filter((name) => name !== 'fleet')
    .toSorted();
}

/** How to name a tenant, with the names that there are. */
export function adviseTenants(node: Node, folder: string = tenantsFolder(node)): string {
  const names = tenantNames(folder);
  const existingNames =
    names.length > 0 ? `${folder} has ${names.join(', ')}.` : `${folder} has no tenant: write {} to NAME.json.`;
  return `Name the tenant: -c tenant=NAME. ${existingNames}`;
}

/** A tenant of a name. @throws Fault or ValiError if a setting breaks a rule */
export function tenantOf(name: string, file: unknown): Tenant {
  const { $schema: _, ...tenant } = v.parse(TenantFile, file);
  if ((tenant.account === undefined) !== (tenant.region === undefined))
    throw new Fault('tenant_half_pinned', 'A tenant has both account and region, or neither: add the other one.');
  checkRegion(tenant);
  if (tenant.monthlyBudget !== undefined && tenant.alarmEmail === undefined)
    throw new Fault('tenant_budget_without_address', 'A monthlyBudget needs an alarmEmail, which is written to.');
  if (tenant.userPool === false && !tenant.issuer)
    throw new Fault('tenant_without_sign_in', 'A tenant without a user pool needs an issuer, or nobody can sign in.');
  // Cognito refuses these words in the prefix of a domain, which would fail the deployment half-way.
  if (tenant.userPool !== false && /aws|amazon|cognito/.test(name))
    throw new Fault(
      'tenant_name_refused',
      'A tenant with a user pool has no aws, amazon or cognito in its name. Give it an issuer and "userPool": false.',
    );
  const { collect = 0, ingest = 0 } = tenant.reservedConcurrency;
  if (collect + ingest > Math.max(0, tenant.accountConcurrency - unreserved))
    throw new Fault(
      'tenant_reserves_too_much',
      `Lambda leaves ${unreserved} of the account's concurrency unreserved: lower reservedConcurrency, or raise the quota and accountConcurrency.`,
    );
  const unbounded = tenant.functionUrls.find((one) => tenant.reservedConcurrency[one] === undefined);
  if (unbounded !== undefined)
    throw new Fault(
      'tenant_url_unbounded',
      `A function URL has no throttle but the function's reserved concurrency: add reservedConcurrency.${unbounded}.`,
    );
  const { iceberg, settings } = tenant;
  if (settings['COLLECTION_SINK'] === 'iceberg' && !iceberg)
    throw new Fault('tenant_without_iceberg', 'The setting COLLECTION_SINK=iceberg needs "iceberg": {}.');
  return { ...tenant, settings: { ...(iceberg && { COLLECTION_SINK: 'iceberg' }), ...settings }, name };
}

/** Below it, workers run fewer at once: all of them at their default caps take a third of it. */
const scaledBelow = 150;

/** A worker's default cap in the tenant's account, whose rest is left to the API. Lambda takes no cap below 2. */
export const scaledCap = (cap: number, { accountConcurrency }: Tenant): number =>
  Math.max(2, Math.min(cap, Math.floor((cap * accountConcurrency) / scaledBelow)));

/** A stack of a tenant. Without indentation, templates are a third smaller. */
export class TenantStack extends Stack {
  constructor(scope: Construct, stackName: string, { account, region, name, tags }: Tenant, props: StackProps) {
    // `tenantOf` refuses an account without a region, and the reverse.
    const env = account && region && { env: { account, region } };
    super(scope, stackName, { stackName, suppressTemplateIndentation: true, ...env, ...props });
    pinFlags(this);
    // Tags are what a bill is distinguished by.
    for (const [key, value] of Object.entries({ 'tributary:tenant': name, ...tags })) Tags.of(this).add(key, value);
  }
}

/** How long every log is kept; it goes with its stack. */
export const retainedLogs: LogGroupProps = {
  retention: RetentionDays.THREE_MONTHS,
  removalPolicy: RemovalPolicy.DESTROY,
};
