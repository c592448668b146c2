const account = '111122223333';
const region = 'eu-west-1';
const uuid = '11111111-2222-3333-4444-555555555555';
const arnOf = (service: string, resource: string) => `arn:aws:${service}:${region}:${account}:${resource}`;

/** Every option of a tenant's file. */
export const everyOption = {
  alarmEmail: 'ops@acme.test',
  webAclArn: arnOf('wafv2', `regional/webacl/name/${uuid}`),
  domain: {
    name: 'lineage.acme.test',
    certificateArn: arnOf('acm', `certificate/${uuid}`),
    hostedZone: { id: 'Z0123456789ABCDEFGHIJ', name: 'acme.test' },
  },
  kmsKeyArn: arnOf('kms', `key/${uuid}`),
  backup: { keepDays: 90 },
  ledgerRecovery: true,
  iceberg: {},
  rollout: 'Canary10Percent5Minutes',
  monthlyBudget: 40,
  tracedShare: 0.01,
  throttle: { rate: 50, burst: 70 },
  accountConcurrency: 1_500,
  reservedConcurrency: { collect: 100, ingest: 50 },
  functionUrls: ['collect', 'ingest'],
  tags: { team: 'data' },
};
